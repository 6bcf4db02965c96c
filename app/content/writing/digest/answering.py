"""The section of a page that answers a topic, though its heading says something else. Pure.

A page on more than the topic has one section that says it, often far down. The post begins there, and what
stands before it and has nothing to do with it stays out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.content.artefacts import Brief
from app.content.evidence.sections import PageSection
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.page_stems import topic_words_on
from app.content.retrieval.passages import Library
from app.content.retrieval.topic_words import roots
from app.content.writing.digest.headings import is_numbered
from app.language.money import has_amount

_STANDS_OUT: Final = 1.5
"""How much more of the topic the answer says than any other section."""
_MOST: Final = 0.5
"""The share of the topic that the answer says,"""
_NAMED: Final = 0.3
"""or its heading alone."""
_OPENED: Final = 0.45
"""From which share of the topic on the beginning of a page is on it,"""
_ELSEWHERE: Final = 0.3
"""and below which it is on something else."""
_GOES_WITH: Final = 0.2
"""The share of the topic that a section says which goes with the answer."""
_LONG_DETOUR: Final = 100
"""Words before the answer from which they lead away from the topic; fewer may be its conditions."""


@dataclass(frozen=True)
class _Said:
    """How much of the topic a section says, and its heading alone, which counts twice."""

    section: PageSection
    share: float
    named: float

    @property
    def score(self) -> float:
        return self.share + self.named


def begun_with_answer(
    brief: Brief, library: Library, main: Sequence[Candidate]
) -> tuple[Candidate | None, list[Candidate]]:
    """Return the section of the ``main`` page that answers the topic, and the sections that go with it.

    There is none where the page begins with the topic or with the price that is asked for, or says the topic
    in several sections. Of a page that begins with something else, what stands before the answer goes with it
    if it says some of the topic or lists steps.
    """
    said = _said(brief, library)
    if brief.intent == "buy" and said and _has_amount(said[0].section):
        return None, list(main)
    answer = _outstanding(said, main)
    if answer is None or said[0].share >= _ELSEWHERE:
        return answer, list(main)
    saying = {each.section.position for each in said if each.named or each.share >= _GOES_WITH}
    off = [
        each
        for each in main
        if each.section.position < answer.section.position
        and each.section.position not in {0, *saying}
        and not any(paragraph.kind == "ol" for paragraph in each.excerpt.paragraphs)
    ]
    is_long = sum(each.excerpt.words for each in off) >= _LONG_DETOUR
    return answer, [each for each in main if not (is_long and each in off)]


def _has_amount(section: PageSection) -> bool:
    return any(has_amount(block.text) for block in section.blocks)


def _outstanding(said: Sequence[_Said], main: Sequence[Candidate]) -> Candidate | None:
    if len(said) < 2 or said[0].share >= _OPENED:
        return None
    best, *others = sorted(said[1:], key=lambda each: (-each.score, each.section.position))
    is_said = best.share >= _MOST or best.named >= _NAMED
    if not is_said or any(best.score < _STANDS_OUT * each.score for each in others):
        return None
    found = next((each for each in main if each.section == best.section), None)
    # Steps come in their order, and a question is asked where it stands.
    return None if found is None or found.question or is_numbered(best.section) else found


def _said(brief: Brief, library: Library) -> list[_Said]:
    """Return what the sections of the main page say; the name of the page is the heading of the first."""
    language = library.language
    words = topic_words_on(brief.subject, library.page_stems, language, library.own_stems)
    found = []
    for section in library.sections if words.ways else ():
        if section.page.page_id == brief.main_page:
            heading = frozenset(roots(section.heading or section.page_name, language))
            said = heading.union(*(roots(block.text, language) for block in section.blocks))
            found.append(_Said(section, words.share(said), words.share(heading)))
    return found
