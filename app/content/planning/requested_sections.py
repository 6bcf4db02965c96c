"""What the caller wants in a post, looked for in the pages: sections by heading, required pages. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import evidence_id
from app.content.evidence.sections import page_name
from app.content.request import SectionWish
from app.content.retrieval.bm25 import Bm25Index
from app.content.retrieval.excerpts import Excerpt, excerpt
from app.content.retrieval.passages import Library
from app.content.retrieval.selection import Candidate, candidates, query_of
from app.language.stems import content_stems, topic_stems
from app.language.words import fold

_EXCERPTS_OF_A_SECTION: Final = 4
_ON_TOPIC: Final = 0.5


@dataclass(frozen=True)
class Fulfilled:
    """A wished section, the excerpts that fill it, and those of its points that no page speaks to."""

    wish: SectionWish
    excerpts: tuple[Candidate, ...]
    missed: tuple[str, ...]


@dataclass(frozen=True)
class Required:
    """The pages that a post has to use.

    ``quoted`` are their best sections, ``linked`` pages speak on the topic without a section to quote,
    ``silent`` ones say nothing on it.
    """

    quoted: tuple[Candidate, ...] = ()
    linked: tuple[int, ...] = ()
    silent: tuple[int, ...] = ()


NONE_REQUIRED: Final = Required()


def fulfil(
    wishes: Sequence[SectionWish], library: Library, topic: str, target_words: int, budget: int
) -> tuple[Fulfilled, ...]:
    """Return for each wished section the excerpts found for its heading and points; none stands twice.

    A section with evidence of its own takes the excerpts that hold it, and those found for its points.
    ``budget`` bounds one excerpt in words; a section takes excerpts until its share of ``target_words``.
    """
    used: set[str] = set()
    share = target_words // max(1, len(wishes))
    return tuple(_fulfilled(wish, library, topic, share, budget, used) for wish in wishes)


def _fulfilled(
    wish: SectionWish, library: Library, topic: str, share: int, budget: int, used: set[str]
) -> Fulfilled:
    found = _named(wish, library, budget, used)
    missed = []
    for point in wish.key_points:
        spoken = _best(_about(point, (wish.heading,), library, topic, budget), used)
        if spoken is None:
            missed.append(point)
        elif len(found) < _EXCERPTS_OF_A_SECTION:
            found.append(spoken)
            used |= marks(spoken.excerpt)
    is_planned = bool(wish.evidence_ids and found)
    for candidate in _about(wish.heading, wish.key_points, library, topic, budget) if not is_planned else ():
        enough = sum(each.excerpt.words for each in found) >= share
        if found and (enough or len(found) >= _EXCERPTS_OF_A_SECTION):
            break
        if not marks(candidate.excerpt) & used:
            found.append(candidate)
            used |= marks(candidate.excerpt)
    return Fulfilled(wish, tuple(found), tuple(missed))


def _named(wish: SectionWish, library: Library, budget: int, used: set[str]) -> list[Candidate]:
    """Return the excerpts of the sections that hold the evidence a plan names, in the plan's order."""
    if not wish.evidence_ids:
        return []
    by_block = {
        evidence_id(section.page.page_id, block.id): section
        for section in library.sections
        for block in section.blocks
    }
    found: list[Candidate] = []
    for section in dict.fromkeys(by_block[each] for each in wish.evidence_ids if each in by_block):
        run = excerpt(section, budget, library.language)
        if run is not None and not marks(run) & used:
            found.append(Candidate(run, wish.heading, 0.0, question=False, on_topic=True))
            used |= marks(run)
    return found


def marks(run: Excerpt) -> set[str]:
    """Return the sentences of an excerpt, by which it is known again."""
    return {fold(s.text) for paragraph in run.paragraphs for s in paragraph.sentences}


def _best(found: Iterable[Candidate], used: set[str]) -> Candidate | None:
    return next((each for each in found if not marks(each.excerpt) & used), None)


def _about(
    subject: str, beside: Sequence[str], library: Library, topic: str, budget: int
) -> Iterable[Candidate]:
    """Yield sections about a subject that have to do with the topic, as text under another heading."""
    language = library.language
    stems = topic_stems(topic, language)
    for candidate in candidates(library, subject, (topic, *beside), budget):
        section = candidate.section
        named = " ".join([page_name(section.page), *section.path, candidate.excerpt.text])
        if not stems & set(content_stems(named, language)):
            continue
        run = excerpt(section, budget, language) if candidate.question else candidate.excerpt
        if run is not None:
            yield replace(candidate, excerpt=run, question=False)


def look_up(page_ids: Sequence[int], library: Library, topic: str, budget: int) -> Required:
    """Return what the required pages hold on a topic."""
    pages = {section.page.page_id for section in library.sections}
    quoted, linked, silent = [], [], []
    for page_id in page_ids:
        if page_id not in pages:
            continue
        own = _only(library, page_id)
        section = next((c for c in candidates(own, topic, (), budget) if not c.question), None)
        if section is not None:
            quoted.append(section)
        elif _speaks_of(own, topic):
            linked.append(page_id)
        else:
            silent.append(page_id)
    return Required(tuple(quoted), tuple(linked), tuple(silent))


def _only(library: Library, page_id: int) -> Library:
    sections = tuple(section for section in library.sections if section.page.page_id == page_id)
    passages = [passage for passage in library.index.entries if passage.section.page.page_id == page_id]
    return replace(library, sections=sections, index=Bm25Index(passages))


def _speaks_of(own: Library, topic: str) -> bool:
    stems = topic_stems(topic, own.language)
    hits = own.index.search(query_of(topic, (), own.language))
    return any(
        len(stems & {*passage.stems, *passage.heading_stems}) / len(stems) >= _ON_TOPIC for passage, _ in hits
    )
