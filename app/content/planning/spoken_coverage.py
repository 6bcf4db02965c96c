"""How well the pages cover a topic, in words for people. Pure."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from app.content.artefacts import Coverage
from app.content.language.text import parts, stem
from app.content.retrieval.coverage import MOST_NEAR


def spoken_coverage(topic: str, outcome: Coverage, pages: int, missing: Sequence[str]) -> str:
    """Return one sentence; ``pages`` counts those that speak about the topic."""
    if outcome == "absent":
        return f"No page says anything about “{topic}”."
    many = f"{pages}{' or more' * (pages == MOST_NEAR)} pages"
    if outcome == "perhaps" and not missing:
        return f"{'1 page mentions' if pages == 1 else f'{many} mention'} this in passing."
    speaking = "1 page speaks" if pages == 1 else f"{many} speak"
    if outcome == "covered":
        return f"{speaking} about this."
    return f"{speaking} about some of this, but not about {_listed(missing)}."


def missing_words(topic: str, stems: Collection[str], language: str) -> tuple[str, ...]:
    """Return the words of a topic that have one of the stems, as they are written."""
    return tuple(dict.fromkeys(word for word in parts(topic, language) if stem(word, language) in stems))


def _listed(texts: Sequence[str]) -> str:
    quoted = [f"“{text}”" for text in texts]
    return " or ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))
