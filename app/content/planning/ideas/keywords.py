"""Keywords of the project as candidates for ideas. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from app.content.language.text import capitalised, fold
from app.content.planning.ideas.candidates import Candidate, IdeaKeyword, Stems
from app.content.planning.ideas.questions import questions_of
from app.content.planning.ideas.source import IdeaSource


def keyword_candidates(
    source: IdeaSource, keywords: Sequence[tuple[IdeaKeyword, Stems]]
) -> Iterator[Candidate]:
    """Yield each keyword, the most searched first; one that the site asks has the question as its title."""
    asked = questions_of(source)
    for keyword, stems in sorted(keywords, key=lambda known: -(known[0].volume or 0)):
        question, _ = asked.get(stems, (None, 0))
        title = question or capitalised(fold(keyword.text))
        yield Candidate("keyword", title, keyword.text, stems, question=question, keyword=keyword)
