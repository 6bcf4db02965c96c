"""The order of a post: it starts with the page about the topic, and sections of one page stay together. Pure.

The opening of that page needs no heading (level 1: the title is its heading). The opening of another page
with several sections becomes the section above the others. Headings are the site's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import groupby, takewhile
from typing import Final

from app.content.artefacts import Brief
from app.content.evidence.sections import PageSection, is_generic
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.chapters import chapters_about
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import Library, TopicTerms
from app.content.retrieval.selection import ABOUT, nearness
from app.content.retrieval.topic_words import roots
from app.content.writing.digest.choice import Choice
from app.language.languages import language_data
from app.language.stems import content_stems
from app.language.words import QUESTION_MARKS, words

LEAD: Final = 1
SECTION: Final = 2
SUBSECTION: Final = 3


@dataclass(frozen=True)
class Placed:
    """A section of the post, its heading in the post, and the level of that heading."""

    candidate: Candidate
    heading: str
    level: int


def arranged(choice: Choice, library: Library, brief: Brief, budget: int) -> tuple[Placed, ...]:
    """Return the chosen sections in reading order, each with its level, and the openings above them.

    The section that answers the topic opens the post: the title is its heading. So does the ``first`` one,
    but behind the opening of its page where it begins with no prose. The answers to questions are elsewhere
    in the post, so no opening repeats them.
    """
    answer, first = choice.answer, choice.first
    terms = library.topic_terms(brief.subject)
    openings = _openings(choice.sections, library, brief.subject)
    pages = _page_order(choice.sections, terms, library.language, brief.about_pages)

    def place(candidate: Candidate) -> tuple[int, bool, int]:
        section = candidate.section
        return pages.index(section.page.page_id), not _comes_first(section, first), section.position

    ordered = sorted(choice.sections, key=place)
    opening = [answer] if answer else []
    seen = {mark for c in (*ordered, *choice.asked, *opening) for mark in c.excerpt.marks}
    placed: list[Placed] = []
    for page_id, grouped in groupby(ordered, key=lambda c: c.section.page.page_id):
        group = list(grouped)
        own = first if first in group and _is_prose(first) else None
        head = own or _head(group, openings.get(page_id, []), terms, library, budget, seen)
        group = [_named(group[0], terms, library.language)] if head is None and len(group) == 1 else group
        can_lead = head is not None and head.on_topic and _is_prose(head)
        is_lead = can_lead and not (placed or opening)
        found = _place(group, head, is_lead=is_lead)
        placed += _with_heading(found, brief) if own is not None and is_lead else found
    if answer:
        placed = _with_heading([Placed(answer, answer.heading, LEAD), *placed], brief)
    return tuple(placed)


def _comes_first(section: PageSection, first: Candidate | None) -> bool:
    """Return whether a section is the one that says the topic, is below it, or may open its page."""
    if first is None or section.page is not first.section.page:
        return False
    path = first.section.path
    return section.position == 0 or section.path[: len(path)] == path


def _is_prose(candidate: Candidate) -> bool:
    return candidate.excerpt.paragraphs[0].kind == "p"


def _page_order(
    chosen: Sequence[Candidate], terms: TopicTerms, language: str, about: Sequence[int]
) -> list[int]:
    """Return the pages: first those about the topic, then the others by their best section."""

    def key(candidate: Candidate) -> tuple[int, bool, float]:
        page_id = candidate.section.page.page_id
        near = nearness(candidate.section, terms, language) if candidate.on_topic else 0.0
        return about.index(page_id) if page_id in about else len(about), not candidate.on_topic, -near

    return list(dict.fromkeys(c.section.page.page_id for c in sorted(chosen, key=key)))


def _openings(chosen: Sequence[Candidate], library: Library, topic: str) -> dict[int, list[PageSection]]:
    """Return the opening sections of each page, up to the first heading with a subject.

    A manual page begins with "Name", "Synopsis" and "Description". A page of which only chapters are about
    the topic opens nothing.
    """
    pages = {c.section.page.page_id for c in chosen}
    pages = {page_id for page_id in pages if not chapters_about(library, topic, page_id)}
    own = (section for section in library.sections if section.page.page_id in pages)
    return {
        page_id: list(takewhile(lambda each: _begins_page(each, library.language), sections))
        for page_id, sections in groupby(own, key=lambda section: section.page.page_id)
    }


def _begins_page(section: PageSection, language: str) -> bool:
    heading = section.heading
    return section.position == 0 or heading == section.page_name or is_generic(heading, language)


def _head(
    group: Sequence[Candidate],
    openings: Sequence[PageSection],
    terms: TopicTerms,
    library: Library,
    budget: int,
    seen: set[str],
) -> Candidate | None:
    """Return the opening of a page, if it can be quoted and other sections of the page follow."""
    first = group[0]
    if not openings or is_generic(openings[0].page_name, library.language):
        return None
    if len(group) == 1 and not first.on_topic:
        return None
    if first.section in openings:
        return first
    runs = (excerpt(opening, budget, library.language) for opening in openings)
    run = next((run for run in runs if run is not None), None)
    said = f"{openings[0].page_name} {run.text}" if run else ""
    introduced = first.on_topic and bool(terms.matched(content_stems(said, library.language)))
    if run is not None and introduced and not run.marks & seen:
        return Candidate(run, run.section.page_name, first.score, False, first.on_topic)
    introduces = terms.share(content_stems(first.heading, library.language)) >= ABOUT
    return first if first.on_topic and introduces else None


def _place(group: Sequence[Candidate], head: Candidate | None, *, is_lead: bool) -> list[Placed]:
    if head is None:
        return _nested(group)
    # A section with the name of its page as heading would repeat that heading.
    rest = [c for c in group if c is not head and c.heading != head.section.page_name]
    name = head.section.page_name if rest else head.heading
    if is_lead:
        return [Placed(head, name, LEAD), *_nested(rest)]
    return [Placed(head, name, SECTION), *(Placed(c, c.heading, SUBSECTION) for c in rest)]


def _with_heading(placed: Sequence[Placed], brief: Brief) -> list[Placed]:
    """Return sections of which the first keeps its heading, unless the topic says all words of it."""
    first, *rest = placed
    said = frozenset(roots(first.candidate.heading, brief.language))
    is_title = said <= frozenset(roots(brief.topic, brief.language))
    shown = first if is_title else Placed(first.candidate, first.candidate.heading, SECTION)
    return [shown, *rest]


def _named(only: Candidate, terms: TopicTerms, language: str) -> Candidate:
    """Return the only section of a page, under the page's name if its own heading says nothing alone.

    "The result" does not, nor does a heading without a word of the topic that the page's name has.
    """
    heading, name = only.heading, only.section.page_name
    asks = only.question or heading.endswith(QUESTION_MARKS)
    if asks or terms.matched(content_stems(heading, language)) or is_generic(name, language):
        return only
    first = words(heading)[0].lower()
    leans = first in language_data(language).sentences.articles
    return replace(only, heading=name) if leans or terms.matched(content_stems(name, language)) else only


def _nested(group: Sequence[Candidate]) -> list[Placed]:
    """Place sections one after the other; one that is below another on its page is below it here too."""
    placed: list[Placed] = []
    above: tuple[str, ...] = ()
    for candidate in group:
        path = candidate.section.path
        is_below = bool(above) and len(path) > len(above) and path[: len(above)] == above
        placed.append(Placed(candidate, candidate.heading, SUBSECTION if is_below else SECTION))
        above = above if is_below else path
    return placed
