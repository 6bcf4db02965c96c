"""Assembly: drafted sections become one Markdown text with its title, address, description, FAQ and trace."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.content.artefacts import Brief, Outline, SourcePage, SourceSnapshot, page_of
from app.content.assembly.body import Body
from app.content.assembly.closing import write_closing
from app.content.assembly.description import describe
from app.content.assembly.json_ld import json_ld
from app.content.assembly.outline_text import write_outline
from app.content.assembly.tracing import entry_of, from_input, from_template
from app.content.drafts import (
    ABOUT_PROJECT,
    AssembledPost,
    FaqEntry,
    Paragraph,
    PostSource,
    SectionDraft,
    SectionLink,
    Sentence,
    TraceEntry,
)
from app.content.evidence.sections import page_name
from app.content.planning.titles import make_slug
from app.content.rendering.html import render_html
from app.content.rendering.markdown import escape, heading_ids, link, shown
from app.content.request import DEFAULT_REQUEST, GenerationRequest
from app.language.languages import language_data
from app.language.sentences import join_sentences
from app.language.words import fold, reading_minutes

_TAGS = 5


@dataclass(frozen=True)
class Opening:
    """The introduction, closing and meta description of a written article.

    Without a description, the assembly makes one.
    """

    paragraphs: tuple[Paragraph, ...] = ()
    description: Sentence | None = None
    closing: SectionDraft | None = None


def assemble(
    brief: Brief,
    outline: Outline,
    sections: Sequence[SectionDraft],
    faq: Sequence[SectionDraft],
    snapshot: SourceSnapshot,
    opening: Opening | None = None,
    request: GenerationRequest = DEFAULT_REQUEST,
) -> AssembledPost:
    """Return the finished post; without sections it is an outline that states nothing about the world.

    ``opening`` replaces the introduction and the description of a digest. The ``request`` chooses the parts
    besides the sections, the closing line and the slug.
    """
    drafts = (*sections, *faq)
    sources = _sources((*_opening_draft(opening, outline), *drafts), snapshot.page_by_id)
    body = _body(brief, sections, faq, sources, snapshot, opening, request)
    described = describe(request, opening.description if opening else None, brief, drafts, snapshot)
    entries = _faq_entries(faq) if sections else ()
    tags = (brief.primary_keyword, *brief.secondary)[:_TAGS]
    data = json_ld(
        snapshot,
        title=outline.title,
        description=described.sentence,
        language=brief.language,
        keywords=tags,
        word_count=body.words,
        sources=sources,
        faq=entries,
    )
    return AssembledPost(
        title=outline.title,
        meta_title=outline.meta_title,
        slug=_slug(request, outline, brief, snapshot),
        description=described.sentence,
        tags=tags,
        markdown=body.markdown,
        html=render_html(body.markdown),
        faq=entries,
        json_ld=data if request.include.json_ld else (),
        sources=sources,
        trace=(*body.trace, described),
        word_count=body.words,
        reading_minutes=reading_minutes(body.words),
    )


def _body(
    brief: Brief,
    sections: Sequence[SectionDraft],
    faq: Sequence[SectionDraft],
    sources: Sequence[PostSource],
    snapshot: SourceSnapshot,
    opening: Opening | None,
    request: GenerationRequest,
) -> Body:
    """Return the written text: the article or outline, the call to action and the list of sources."""
    body = Body(snapshot.page_by_id, language_data(brief.language).phrases)
    if sections:
        _write_article(body, sections, faq, opening, request.include.table_of_contents)
    else:
        write_outline(body, brief, snapshot, request)
    write_closing(body, request, snapshot.pages, sources, is_digest=bool(sections) and opening is None)
    if request.include.sources:
        _write_sources(body, sources)
    return body


def _write_sources(body: Body, sources: Sequence[PostSource]) -> None:
    """Write the pages that a post was made from, each once; nothing where there are none."""
    if sources and body.table:
        body.heading(2, from_template(body.table.sources_heading))
    lines = [f"- {link(source.title, source.url)}" for source in sources]
    if lines:
        body.add("\n".join(lines), *(from_input(source.title) for source in sources))


def _write_article(
    body: Body,
    sections: Sequence[SectionDraft],
    faq: Sequence[SectionDraft],
    opening: Opening | None,
    contents: bool,
) -> None:
    if opening:
        body.write(opening.paragraphs)
    own = [draft for draft in sections if draft.id != ABOUT_PROJECT]
    for number, draft in enumerate(own):
        if contents and draft.level > 1:
            _write_contents(body, own[number:], faq)
            contents = False
        _write_section(body, draft, draft.level)
    above = _heading_above(faq, body)
    for entry in above:
        body.heading(2, entry)
    for draft in faq:
        _write_section(body, draft, 3 if above else 2)
    if opening and opening.closing:
        _write_section(body, opening.closing, opening.closing.level)
    for draft in (each for each in sections if each.id == ABOUT_PROJECT):
        _write_section(body, draft, draft.level)


def _write_contents(body: Body, sections: Sequence[SectionDraft], faq: Sequence[SectionDraft]) -> None:
    """Write a list of the main headings that follow, each a link to its place."""
    table = body.table
    before = [from_template(table.contents_heading)] if table else []
    for entry in before:
        body.heading(2, entry)
    following = [each for draft in sections for each in _headings(draft)]
    following += [(2, entry) for entry in _heading_above(faq, body) or map(_heading_entry, faq)]
    names = heading_ids(entry.sentence for entry in (*before, *(entry for _, entry in following)))
    named = zip(following, names[len(before) :], strict=True)
    entries = {name: entry for (level, entry), name in named if level == 2}
    lines = (f"- [{escape(entry.sentence)}](#{name})" for name, entry in entries.items())
    body.add("\n".join(lines), *entries.values())


def _heading_above(faq: Sequence[SectionDraft], body: Body) -> list[TraceEntry]:
    """Return the fixed line above questions; [] without any, or in a language without lines."""
    return [from_template(body.table.faq_heading)] if body.table and faq else []


def _headings(draft: SectionDraft) -> list[tuple[int, TraceEntry]]:
    """Return the headings of a section with their levels: its own, and those within its text."""
    within = (p.sentences[0] for p in draft.paragraphs if p.kind == "heading")
    return [(draft.level, _heading_entry(draft)), *((3, entry_of(sentence)) for sentence in within)]


def _heading_entry(draft: SectionDraft) -> TraceEntry:
    if draft.heading_sources:
        return entry_of(Sentence(draft.heading, draft.heading_sources, "source"))
    return TraceEntry(draft.heading, None, None, draft.heading_origin)


def _write_section(body: Body, draft: SectionDraft, level: int) -> None:
    """Write a section; one of level 1 has no heading of its own."""
    if level > 1:
        body.heading(level, _heading_entry(draft))
    body.write(draft.paragraphs)
    if draft.links:
        _write_links(body, draft.links)


def _write_links(body: Body, links: Sequence[SectionLink]) -> None:
    """Write the line of a section with links to read on."""
    line = body.table.read_more if body.table else "{page}"
    before, _, after = line.partition("{page}")
    named = (
        escape(each.anchor) if each.kind == "named" else link(each.anchor, body.pages[each.page_id].url)
        for each in links
    )
    line_of_links = line.format(page=", ".join(each.anchor for each in links))
    body.add(f"{escape(before)}{', '.join(named)}{escape(after)}", from_template(line_of_links))


def _slug(request: GenerationRequest, outline: Outline, brief: Brief, snapshot: SourceSnapshot) -> str:
    """Return the requested slug if it is free, else a free one of it or of the title."""
    if request.slug is not None and request.slug not in snapshot.taken_slugs:
        return request.slug
    return make_slug(request.slug or outline.title, snapshot.taken_slugs, brief.language)


def _opening_draft(opening: Opening | None, outline: Outline) -> tuple[SectionDraft, ...]:
    """Return the opening as a draft under the post's title, so that its sources count too."""
    if opening is None:
        return ()
    described = (Paragraph("p", (opening.description,)),) if opening.description else ()
    closing = opening.closing.paragraphs if opening.closing else ()
    return (SectionDraft("opening", outline.title, (), (*opening.paragraphs, *described, *closing), ()),)


def _faq_entries(faq: Sequence[SectionDraft]) -> tuple[FaqEntry, ...]:
    return tuple(
        FaqEntry(
            draft.heading, join_sentences(fold(shown(s.text)) for p in draft.paragraphs for s in p.sentences)
        )
        for draft in faq
    )


def _sources(drafts: Sequence[SectionDraft], pages: dict[int, SourcePage]) -> tuple[PostSource, ...]:
    used: dict[int, list[str]] = {}
    for draft in drafts:
        cited = (source for p in draft.paragraphs for s in p.sentences for source in s.source_ids)
        linked = [each.page_id for each in draft.links if each.kind != "related"]
        for page_id in dict.fromkeys([*linked, *(page_of(source) for source in cited)]):
            if page_id in pages:
                used.setdefault(page_id, []).append(draft.heading)
    return tuple(PostSource(i, pages[i].url, page_name(pages[i]), tuple(for_)) for i, for_ in used.items())
