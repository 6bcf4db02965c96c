"""Assembly: drafted sections become one Markdown text with its title, address, description, FAQ and trace."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from app.content.artefacts import (
    AssembledPost,
    Brief,
    FaqEntry,
    Outline,
    Paragraph,
    PostSource,
    SectionDraft,
    Sentence,
    SourcePage,
    SourceSnapshot,
    TraceEntry,
)
from app.content.json_ld import json_ld
from app.content.markdown import escape, fenced, link
from app.content.phrases import Phrases, phrases
from app.content.placeholders import resolved, shown
from app.content.render import render_html
from app.content.sections import page_name
from app.content.text import fold, reading_minutes, word_count
from app.content.titles import make_description, make_outline_description, make_slug
from app.content.tracing import entry_of, from_input, from_page, from_template, page_of

_TAGS = 5


@dataclass(frozen=True)
class Opening:
    """An introduction and a meta description of a writer's own; what is empty is made from templates."""

    paragraphs: tuple[Paragraph, ...] = ()
    description: Sentence | None = None


class _Body:
    """The Markdown being written, each line with its trace; blocks are joined by blank lines."""

    def __init__(self) -> None:
        self.blocks: list[str] = []
        self.trace: list[TraceEntry] = []
        self.words = 0

    def add(self, markdown: str, *entries: TraceEntry, to_read: bool = True) -> None:
        self.blocks.append(markdown)
        self.trace += entries
        if to_read:
            self.words += sum(word_count(entry.sentence) for entry in entries)

    def template(self, text: str) -> None:
        self.add(escape(text), from_template(text))

    def heading(self, level: int, entry: TraceEntry) -> None:
        self.add(f"{'#' * level} {escape(entry.sentence)}", entry)

    @property
    def markdown(self) -> str:
        return "\n\n".join(self.blocks) + "\n" if self.blocks else ""


def assemble(
    brief: Brief,
    outline: Outline,
    sections: Sequence[SectionDraft],
    faq: Sequence[SectionDraft],
    snapshot: SourceSnapshot,
    opening: Opening | None = None,
) -> AssembledPost:
    """Return the finished post; without sections it is an outline that states nothing about the world.

    ``opening`` takes the place of the introduction and the description that are made here without a model.
    """
    pages = {page.page_id: page for page in snapshot.pages}
    table = phrases(brief.language)
    body = _Body()
    if sections:
        _write_article(body, brief, sections, faq if table else (), pages, table, snapshot, opening)
    else:
        _write_outline(body, brief, pages, table, snapshot)
    drafts = (*sections, *(faq if table else ()))
    if opening and opening.description:
        description, described = opening.description.text, entry_of(opening.description)
    else:
        description, described = _description(brief, drafts, snapshot)
    entries = _faq_entries(faq) if table and sections else ()
    sources = _sources(drafts, pages)
    tags = (brief.primary_keyword, *brief.secondary)[:_TAGS]
    data = json_ld(
        snapshot,
        title=outline.title,
        description=description,
        language=brief.language,
        keywords=tags,
        word_count=body.words,
        sources=sources,
        faq=entries,
    )
    return AssembledPost(
        title=outline.title,
        meta_title=outline.meta_title,
        slug=make_slug(outline.title, snapshot.taken_slugs),
        description=description,
        tags=tags,
        markdown=body.markdown,
        html=render_html(body.markdown),
        faq=entries,
        json_ld=data,
        sources=sources,
        trace=(*body.trace, described),
        word_count=body.words,
        reading_minutes=reading_minutes(body.words),
    )


def _write_article(
    body: _Body,
    brief: Brief,
    sections: Sequence[SectionDraft],
    faq: Sequence[SectionDraft],
    pages: dict[int, SourcePage],
    table: Phrases | None,
    snapshot: SourceSnapshot,
    opening: Opening | None,
) -> None:
    if opening and opening.paragraphs:
        _write_paragraphs(body, opening.paragraphs, pages)
    elif table:
        body.template(table.intro.format(project=snapshot.project_name, topic=_named(brief)))
    for draft in sections:
        _write_section(body, draft, draft.level, pages, table)
    if faq and table:
        body.heading(2, from_template(table.faq_heading))
        for draft in faq:
            _write_section(body, draft, 3, pages, table)


def _write_section(
    body: _Body, draft: SectionDraft, level: int, pages: dict[int, SourcePage], table: Phrases | None
) -> None:
    source, heading = draft.heading_source, TraceEntry(draft.heading, None, None, draft.heading_origin)
    body.heading(level, from_page(draft.heading, source) if source else heading)
    _write_paragraphs(body, draft.paragraphs, pages)
    for section_link in draft.links:
        anchor, url = section_link.anchor, pages[section_link.page_id].url
        line = table.source if table else "{page}"
        before, _, after = line.partition("{page}")
        body.add(
            f"{escape(before)}{link(anchor, url)}{escape(after)}", from_template(line.format(page=anchor))
        )


def _write_paragraphs(body: _Body, paragraphs: Sequence[Paragraph], pages: dict[int, SourcePage]) -> None:
    for paragraph in paragraphs:
        entries = [entry_of(sentence) for sentence in paragraph.sentences]
        body.add(_paragraph_markdown(paragraph, pages), *entries, to_read=paragraph.kind != "code")


def _paragraph_markdown(paragraph: Paragraph, pages: dict[int, SourcePage]) -> str:
    if paragraph.kind == "code":
        return fenced(paragraph.sentences[0].text)
    lines = [_line(sentence, pages) for sentence in paragraph.sentences]
    if paragraph.kind == "ul":
        return "\n".join(f"- {line}" for line in lines)
    if paragraph.kind == "ol":
        return "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1))
    text = " ".join(lines)
    return f"> {text}" if paragraph.kind == "quote" else text


def _line(sentence: Sentence, pages: dict[int, SourcePage]) -> str:
    """Return a sentence as Markdown; a page's own words never become a link."""
    if sentence.origin != "model":
        return escape(sentence.text)
    return resolved(sentence.text, {page_id: page.url for page_id, page in pages.items()})


def _write_outline(
    body: _Body, brief: Brief, pages: dict[int, SourcePage], table: Phrases | None, snapshot: SourceSnapshot
) -> None:
    """Write questions, keywords and pages to link: nothing here states anything about the world."""
    if table:
        body.template(table.outline_intro.format(project=snapshot.project_name, topic=_named(brief)))
        body.heading(2, from_template(table.questions_heading))
    questions = [line.format(topic=_as_written(brief)) for line in table.questions] if table else []
    _write_list(body, (*brief.questions, *questions))
    if table:
        body.heading(2, from_template(table.keywords_heading))
    _write_list(body, (brief.primary_keyword, *brief.secondary))
    if brief.link_candidates:
        if table:
            body.heading(2, from_template(table.pages_heading))
        linked = [pages[candidate.page_id] for candidate in brief.link_candidates]
        lines = "\n".join(f"- {link(page_name(page), page.url)}" for page in linked)
        body.add(lines, *(from_input(page_name(page)) for page in linked))


def _write_list(body: _Body, items: Sequence[str]) -> None:
    unique = tuple(dict.fromkeys(items))
    if unique:
        body.add("\n".join(f"- {escape(item)}" for item in unique), *map(from_input, unique))


def _named(brief: Brief) -> str:
    """Return the topic as it is named in a sentence: a word or small letters as they are, else in quotes."""
    topic = brief.topic.rstrip(" .!:")
    return topic if topic == topic.lower() or " " not in topic else f"“{topic}”"


def _as_written(brief: Brief) -> str:
    """Return the primary keyword with the capitals it has in the topic: nouns of German, names."""
    start = brief.topic.lower().find(brief.primary_keyword)
    return brief.topic[start : start + len(brief.primary_keyword)] if start >= 0 else brief.primary_keyword


def _defines(sentence: str, keyword: str) -> bool:
    """Tell whether a sentence begins with the keyword, an article aside, and so describes the topic."""
    opening = rf"(?:\w{{1,4}} )?{re.escape(keyword)}\b"
    return not sentence.endswith(":") and bool(re.match(opening, sentence.lower()))


def _description(
    brief: Brief, drafts: Sequence[SectionDraft], snapshot: SourceSnapshot
) -> tuple[str, TraceEntry]:
    quotes = {
        sentence.text: sentence.source_ids[0]
        for draft in drafts
        for paragraph in draft.paragraphs
        if paragraph.kind == "p"
        for sentence in paragraph.sentences
        if _defines(sentence.text, brief.primary_keyword)
    }
    project, language = snapshot.project_name, brief.language
    if not drafts:
        text = make_outline_description(brief.topic, project, language)
    else:
        text = make_description(brief.topic, project, len(drafts), language, list(quotes))
    return text, from_page(text, quotes[text]) if text in quotes else from_template(text)


def _faq_entries(faq: Sequence[SectionDraft]) -> tuple[FaqEntry, ...]:
    return tuple(
        FaqEntry(draft.heading, " ".join(fold(shown(s.text)) for p in draft.paragraphs for s in p.sentences))
        for draft in faq
    )


def _sources(drafts: Sequence[SectionDraft], pages: dict[int, SourcePage]) -> tuple[PostSource, ...]:
    used: dict[int, list[str]] = {}
    for draft in drafts:
        cited = (source for p in draft.paragraphs for s in p.sentences for source in s.source_ids)
        linked = [section_link.page_id for section_link in draft.links]
        for page_id in dict.fromkeys([*linked, *(page_of(source) for source in cited)]):
            if page_id in pages:
                used.setdefault(page_id, []).append(draft.heading)
    return tuple(PostSource(i, pages[i].url, page_name(pages[i]), tuple(for_)) for i, for_ in used.items())
