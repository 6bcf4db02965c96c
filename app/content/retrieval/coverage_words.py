"""What people read about the coverage of a topic: a sentence, and the words that no page has. Pure."""

from collections.abc import Collection, Sequence

from app.content.artefacts import Coverage
from app.content.retrieval.coverage import MOST_NEAR
from app.language.stems import search_words, stem, topic_stems
from app.language.words import is_unspaced, named_runs


def coverage_sentence(topic: str, level: Coverage, pages: int, missing: Sequence[str]) -> str:
    """Return the coverage as a sentence for people; ``pages`` is the length of ``TopicCoverage.page_ids``."""
    if level == "absent":
        return f"No page says anything about “{topic}”."
    many = f"{pages}{' or more' * (pages == MOST_NEAR)} pages"
    if level == "perhaps" and not missing:
        return f"{'1 page mentions' if pages == 1 else f'{many} mention'} this in passing."
    covering = "1 page covers" if pages == 1 else f"{many} cover"
    if level == "covered":
        return f"{covering} this."
    return f"{covering} some of this, but not {_listed(missing)}."


def missing_words(topic: str, stems: Collection[str], language: str) -> tuple[str, ...]:
    """Return the words of a topic, as written there, whose stems are in ``stems``.

    Without spaces, these are runs of characters of which no two neighbours are said elsewhere.
    """
    if is_unspaced(topic):
        return tuple(run for run in named_runs(topic) if set(stems).issuperset(topic_stems(run, language)))
    return tuple(
        dict.fromkeys(word for word in search_words(topic, language) if stem(word, language) in stems)
    )


def _listed(texts: Sequence[str]) -> str:
    quoted = [f"“{text}”" for text in texts]
    return " or ".join(filter(None, (", ".join(quoted[:-1]), quoted[-1])))
