"""Keywords of the project as candidates for ideas. Pure."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from app.content.planning.ideas.questions import questions_of
from app.content.planning.ideas.source import Candidate, IdeaKeyword, IdeaSource, Stems
from app.language.words import capitalised, fold, words


def keyword_candidates(
    source: IdeaSource, keywords: Sequence[tuple[IdeaKeyword, Stems]]
) -> Iterator[Candidate]:
    """Yield each keyword, the most searched first; one that the site asks has the question as its title."""
    asked = questions_of(source)
    spellings = _spellings(source, {word for keyword, _ in keywords for word in words(keyword.text)})
    for keyword, stems in sorted(keywords, key=lambda known: -(known[0].volume or 0)):
        question, _ = asked.get(stems, (None, 0))
        title = question or capitalised(_as_written(fold(keyword.text), spellings))
        yield Candidate("keyword", title, keyword.text, stems, question=question, keyword=keyword)


def _spellings(source: IdeaSource, asked: set[str]) -> dict[str, str]:
    """Return the words that the site mostly writes with inner capitals: "vat" as "VAT"."""
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for unit in source.units:
        for word in words(unit.text):
            if (lowered := word.lower()) in asked:
                found[lowered][word] += 1
    usual = {word: max(sorted(counts), key=counts.__getitem__) for word, counts in found.items()}
    return {word: spelling for word, spelling in usual.items() if not spelling[1:].islower()}


def _as_written(text: str, spellings: dict[str, str]) -> str:
    return " ".join(spellings.get(word, word) for word in text.split(" "))
