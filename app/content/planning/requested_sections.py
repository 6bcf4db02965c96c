"""What the caller wants in a post, looked for in the pages: sections by heading, required pages. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.evidence.sections import page_name
from app.content.request import RequestedSection
from app.content.retrieval.bm25 import Bm25Index
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import Library
from app.content.retrieval.selection import candidates, query_of
from app.language.stems import content_stems, topic_stems

_EXCERPTS_OF_A_SECTION: Final = 4
_ON_TOPIC: Final = 0.5


@dataclass(frozen=True)
class ResolvedSection:
    """A requested section, the excerpts for it, and those of its points that no page supports."""

    requested: RequestedSection
    excerpts: tuple[Candidate, ...]
    unsupported_points: tuple[str, ...]


@dataclass(frozen=True)
class RequiredPages:
    """The pages that a post has to use.

    ``quoted`` are their best sections, ``linked`` pages mention the topic without a section to quote,
    ``off_topic`` ones say nothing on it.
    """

    quoted: tuple[Candidate, ...] = ()
    linked: tuple[int, ...] = ()
    off_topic: tuple[int, ...] = ()


NO_REQUIRED_PAGES: Final = RequiredPages()


def resolve_sections(
    requested: Sequence[RequestedSection], library: Library, topic: str, target_words: int, budget: int
) -> tuple[ResolvedSection, ...]:
    """Return the excerpts for the heading and points of each requested section; none is used twice.

    A section with evidence of its own takes the excerpts that contain it, and those found for its points.
    ``budget`` bounds one excerpt in words; a section takes excerpts until its share of ``target_words``.
    """
    used: set[str] = set()
    share = target_words // max(1, len(requested))
    return tuple(_resolved(each, library, topic, share, budget, used) for each in requested)


def _resolved(
    requested: RequestedSection, library: Library, topic: str, share: int, budget: int, used: set[str]
) -> ResolvedSection:
    found = _named(requested, library, budget, used)
    unsupported = []
    for point in requested.key_points:
        supporting = _best(_about(point, (requested.heading,), library, topic, budget), used)
        if supporting is None:
            unsupported.append(point)
        elif len(found) < _EXCERPTS_OF_A_SECTION:
            found.append(supporting)
            used |= supporting.excerpt.marks
    if requested.evidence_ids and found:
        return ResolvedSection(requested, tuple(found), tuple(unsupported))
    for candidate in _about(requested.heading, requested.key_points, library, topic, budget):
        enough = sum(each.excerpt.words for each in found) >= share
        if found and (enough or len(found) >= _EXCERPTS_OF_A_SECTION):
            break
        if not candidate.excerpt.marks & used:
            found.append(candidate)
            used |= candidate.excerpt.marks
    return ResolvedSection(requested, tuple(found), tuple(unsupported))


def _named(requested: RequestedSection, library: Library, budget: int, used: set[str]) -> list[Candidate]:
    """Return the excerpts of the sections that contain the evidence a plan names, in the plan's order."""
    named = [library.by_block[each] for each in requested.evidence_ids if each in library.by_block]
    found: list[Candidate] = []
    for section in dict.fromkeys(named):
        run = excerpt(section, budget, library.language)
        if run is not None and not run.marks & used:
            found.append(Candidate(run, requested.heading, 0.0, question=False, on_topic=True))
            used |= run.marks
    return found


def _best(found: Iterable[Candidate], used: set[str]) -> Candidate | None:
    return next((each for each in found if not each.excerpt.marks & used), None)


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


def resolve_pages(page_ids: Sequence[int], library: Library, topic: str, budget: int) -> RequiredPages:
    """Return what the required pages say on a topic."""
    pages = {section.page.page_id for section in library.sections}
    quoted, linked, off_topic = [], [], []
    for page_id in page_ids:
        if page_id not in pages:
            continue
        own = _only(library, page_id)
        section = next((c for c in candidates(own, topic, (), budget) if not c.question), None)
        if section is not None:
            quoted.append(section)
        elif _mentions(own, topic):
            linked.append(page_id)
        else:
            off_topic.append(page_id)
    return RequiredPages(tuple(quoted), tuple(linked), tuple(off_topic))


def _only(library: Library, page_id: int) -> Library:
    sections = tuple(section for section in library.sections if section.page.page_id == page_id)
    passages = [passage for passage in library.index.entries if passage.section.page.page_id == page_id]
    return replace(library, sections=sections, index=Bm25Index(passages))


def _mentions(own: Library, topic: str) -> bool:
    stems = topic_stems(topic, own.language)
    hits = own.index.search(query_of(topic, (), own.language))
    return any(
        len(stems & {*passage.stems, *passage.heading_stems}) / len(stems) >= _ON_TOPIC for passage, _ in hits
    )
