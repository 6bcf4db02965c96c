"""Assembly: drafted sections become one Markdown text with its title, address, description, FAQ and trace."""

from __future__ import annotations

import re
from collections.abc import Sequence

from app.content.artefacts import (
    AssembledPost,
    Brief,
    FaqEntry,
    Outline,
    Paragraph,
    PostSource,
    SectionDraft,
    SourcePage,
    SourceSnapshot,
    TraceEntry,
)
from app.content.json_ld import json_ld
from app.content.markdown import escape, fenced, link
from app.content.phrases import Phrases, phrases
from app.content.render import render_html
from app.content.sections import page_name
from app.content.text import fold, reading_minutes, word_count
from app.content.titles import make_description, make_outline_description, make_slug

_TAGS = 5


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
        self.add(escape(text), _template(text))

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
) -> AssembledPost:
    """Return the finished post; without sections it is an outline that states nothing about the world."""
    pages = {page.page_id: page for page in snapshot.pages}
    table = phrases(brief.language)
    body = _Body()
    if sections:
        _write_article(body, brief, sections, faq if table else (), pages, table, snapshot)
    else:
        _write_outline(body, brief, pages, table, snapshot)
    drafts = (*sections, *(faq if table else ()))
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
) -> None:
    if table:
        body.template(table.intro.format(project=snapshot.project_name, topic=_named(brief)))
    for draft in sections:
        _write_section(body, draft, draft.level, pages, table)
    if faq and table:
        body.heading(2, _template(table.faq_heading))
        for draft in faq:
            _write_section(body, draft, 3, pages, table)


def _write_section(
    body: _Body, draft: SectionDraft, level: int, pages: dict[int, SourcePage], table: Phrases | None
) -> None:
    source = draft.heading_source
    body.heading(level, _traced(draft.heading, source) if source else _given(draft.heading))
    for paragraph in draft.paragraphs:
        entries = [_traced(s.text, s.source_ids[0]) for s in paragraph.sentences]
        body.add(_paragraph_markdown(paragraph), *entries, to_read=paragraph.kind != "code")
    for section_link in draft.links:
        anchor, url = section_link.anchor, pages[section_link.page_id].url
        line = table.source if table else "{page}"
        before, _, after = line.partition("{page}")
        body.add(f"{escape(before)}{link(anchor, url)}{escape(after)}", _template(line.format(page=anchor)))


def _paragraph_markdown(paragraph: Paragraph) -> str:
    if paragraph.kind == "code":
        return fenced(paragraph.sentences[0].text)
    if paragraph.kind == "ul":
        return "\n".join(f"- {escape(item.text)}" for item in paragraph.sentences)
    if paragraph.kind == "ol":
        return "\n".join(f"{n}. {escape(item.text)}" for n, item in enumerate(paragraph.sentences, 1))
    text = escape(" ".join(sentence.text for sentence in paragraph.sentences))
    return f"> {text}" if paragraph.kind == "quote" else text


def _write_outline(
    body: _Body, brief: Brief, pages: dict[int, SourcePage], table: Phrases | None, snapshot: SourceSnapshot
) -> None:
    """Write questions, keywords and pages to link: nothing here states anything about the world."""
    if table:
        body.template(table.outline_intro.format(project=snapshot.project_name, topic=_named(brief)))
        body.heading(2, _template(table.questions_heading))
    questions = [line.format(topic=_as_written(brief)) for line in table.questions] if table else []
    _write_list(body, (*brief.questions, *questions))
    if table:
        body.heading(2, _template(table.keywords_heading))
    _write_list(body, (brief.primary_keyword, *brief.secondary))
    if brief.link_candidates:
        if table:
            body.heading(2, _template(table.pages_heading))
        linked = [pages[candidate.page_id] for candidate in brief.link_candidates]
        lines = "\n".join(f"- {link(page_name(page), page.url)}" for page in linked)
        body.add(lines, *(_given(page_name(page)) for page in linked))


def _write_list(body: _Body, items: Sequence[str]) -> None:
    unique = tuple(dict.fromkeys(items))
    if unique:
        body.add("\n".join(f"- {escape(item)}" for item in unique), *map(_given, unique))


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
    return text, _traced(text, quotes[text]) if text in quotes else _template(text)


def _faq_entries(faq: Sequence[SectionDraft]) -> tuple[FaqEntry, ...]:
    return tuple(
        FaqEntry(draft.heading, " ".join(fold(s.text) for p in draft.paragraphs for s in p.sentences))
        for draft in faq
    )


def _sources(drafts: Sequence[SectionDraft], pages: dict[int, SourcePage]) -> tuple[PostSource, ...]:
    used: dict[int, list[str]] = {}
    for draft in drafts:
        for section_link in draft.links:
            used.setdefault(section_link.page_id, []).append(draft.heading)
    return tuple(PostSource(i, pages[i].url, page_name(pages[i]), tuple(for_)) for i, for_ in used.items())


def _template(text: str) -> TraceEntry:
    return TraceEntry(text, None, None, "template")


def _given(text: str) -> TraceEntry:
    """Trace what the caller or the project gave: keywords, questions, page names."""
    return TraceEntry(text, None, None, "input")


def _traced(text: str, source: str) -> TraceEntry:
    page_id, _, block_id = source.partition(":")
    return TraceEntry(text, int(page_id), block_id, "source")
