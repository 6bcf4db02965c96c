"""The draft of a digest: every section is an excerpt with a link to its page. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest

from app.content.artefacts import OutlineSection, SourceSnapshot
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.content.evidence.authors import author_of
from app.content.evidence.sections import PageSection, clean_heading, is_generic, link_name
from app.content.retrieval.excerpt_tables import PART
from app.content.retrieval.main_sections import quoted_beside
from app.content.retrieval.passages import Library
from app.content.retrieval.quotable import is_first_person
from app.content.writing.digest.framing import framed
from app.content.writing.digest.headings import shown_heading
from app.language.sentences import QUOTATION
from app.language.words import fold


def draft_sections(
    planned: Sequence[OutlineSection], library: Library, main: int | None
) -> tuple[SectionDraft, ...]:
    """Return the drafts of planned sections; a section whose blocks no longer exist is left out.

    ``main`` is the page that the post follows.
    """
    sections = [library.by_block.get(plan.evidence_ids[0]) for plan in planned]
    headings = {plan.heading for plan in planned}
    drafts = (
        _draft(plan, section, headings, library.language, main)
        for plan, section in zip(planned, sections, strict=True)
        if section is not None
    )
    found = [draft for draft in drafts if draft is not None]
    speaking = {draft.links[0].page_id for draft in found if _says_i(draft, library.language)}
    pages = {section.page.page_id: section.page for section in sections if section is not None}
    authors = {page_id: author_of(pages[page_id]) for page_id in speaking}
    return tuple(_signed(draft, authors) for draft in found)


def _says_i(draft: SectionDraft, language: str) -> bool:
    """Return whether the author of a page says "I" in a draft of it, and not only somebody who is quoted."""
    said = (s.text for p in draft.paragraphs if p.kind != "quote" for s in p.sentences)
    return any(is_first_person(QUOTATION.sub(" ", text), language) for text in said)


def _signed(draft: SectionDraft, authors: Mapping[int, str]) -> SectionDraft:
    """Return a draft whose link names the author of its page, if there is one."""
    [link] = draft.links
    author = authors.get(link.page_id)
    return replace(draft, links=(replace(link, anchor=f"{link.anchor} ({author})"),)) if author else draft


def _draft(
    plan: OutlineSection,
    section: PageSection,
    headings: Collection[str],
    language: str,
    main: int | None,
) -> SectionDraft | None:
    answers = plan.purpose == "answer"
    run = quoted_beside(section, plan.target_words, language, main, answers=answers)
    if run is None:
        return None
    heading = shown_heading(section, plan.heading, language, headings)
    return SectionDraft(
        id=plan.id,
        heading=heading.text,
        heading_sources=heading.sources,
        paragraphs=framed(run.paragraphs, section, language),
        links=(SectionLink(section.page.page_id, _anchor(plan, section, language)),),
        level=plan.level,
    )


def with_shared_sources(drafts: Sequence[SectionDraft]) -> tuple[SectionDraft, ...]:
    """Return the drafts with one link to each page, after the last of its sections that follow each other."""
    linked_last = [
        replace(draft, links=()) if after is not None and after.links == draft.links else draft
        for draft, after in zip_longest(drafts, drafts[1:])
    ]
    linked: set[SectionLink] = set()
    found = []
    for draft in linked_last:
        found.append(replace(draft, links=tuple(each for each in draft.links if each not in linked)))
        linked.update(draft.links)
    return tuple(found)


def _own_heading(plan: OutlineSection, section: PageSection) -> str:
    """Return the site's own heading of a section, even if the caller gave it another."""
    return clean_heading(section.heading) or plan.heading if plan.purpose == "requested" else plan.heading


def _anchor(plan: OutlineSection, section: PageSection, language: str) -> str:
    """Return the page's name, with a heading where the name has no subject.

    An answer has the name alone, because its heading is the question.
    """
    name, heading = link_name(section.page, language), _own_heading(plan, section)
    named = plan.purpose == "answer" or name == heading or not is_generic(name, language)
    return name if named else f"{name} – {heading}"


def check_claims(
    drafts: Sequence[SectionDraft], snapshot: SourceSnapshot
) -> tuple[tuple[SectionDraft, ...], tuple[str, ...]]:
    """Return the drafts without the sentences that their blocks do not contain, and those sentences."""
    named = {source for d in drafts for p in d.paragraphs for s in p.sentences for source in s.source_ids}
    blocks = snapshot.block_by_id
    texts = {source: fold(blocks[source].text) for source in named if source in blocks}
    removed: list[str] = []
    checked: list[SectionDraft] = []
    for draft in drafts:
        paragraphs = tuple(_supported(paragraph, texts, removed) for paragraph in draft.paragraphs)
        kept = tuple(paragraph for paragraph in paragraphs if paragraph.sentences)
        if kept:
            checked.append(replace(draft, paragraphs=kept))
    return tuple(checked), tuple(removed)


def _is_supported(sentence: Sentence, source: str) -> bool:
    """Return whether a source contains a sentence, or every part of a row made of several cells."""
    if fold(sentence.text) in source:
        return True
    parts = [part for cell in sentence.cells for part in cell.split(PART) if part]
    return bool(parts) and all(fold(part) in source for part in parts)


def _supported(paragraph: Paragraph, texts: Mapping[str, str], removed: list[str]) -> Paragraph:
    kept: list[Sentence] = []
    for sentence in paragraph.sentences:
        found = _is_supported(sentence, "\n".join(texts.get(source, "") for source in sentence.source_ids))
        (kept if found else []).append(sentence)
        if not found:
            removed.append(sentence.text)
    return replace(paragraph, sentences=tuple(kept))
