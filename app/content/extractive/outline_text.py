"""The text of an outline draft: questions, keywords and pages to link, for someone to write out."""

from __future__ import annotations

from collections.abc import Sequence

from app.content.artefacts import Brief, SourcePage, SourceSnapshot
from app.content.extractive.body import Body
from app.content.language.lexicon import lexicon
from app.content.language.phrases import Phrases, quoted
from app.content.markdown import escape, link
from app.content.request import GenerationRequest
from app.content.retrieval.sections import page_name
from app.content.tracing import from_input, from_template


def write_outline(
    body: Body,
    brief: Brief,
    pages: dict[int, SourcePage],
    table: Phrases | None,
    snapshot: SourceSnapshot,
    request: GenerationRequest,
) -> None:
    """Write questions, keywords and pages to link: nothing here states anything about the world."""
    if table:
        body.template(table.outline_intro.format(project=snapshot.project_name, topic=named(brief)))
    _write_given(body, table.key_points_heading if table else None, request.key_points)
    _write_given(body, table.sections_heading if table else None, [wish.heading for wish in request.outline])
    if table:
        body.heading(2, from_template(table.questions_heading))
    questions = [line.format(topic=_as_written(brief)) for line in table.questions] if table else []
    _write_list(body, (*brief.questions, *questions))
    if table:
        body.heading(2, from_template(table.keywords_heading))
    _write_list(body, (brief.primary_keyword, *brief.secondary))
    candidates = brief.link_candidates[: request.most_links]
    if candidates:
        if table:
            body.heading(2, from_template(table.pages_heading))
        linked = [pages[candidate.page_id] for candidate in candidates]
        lines = "\n".join(f"- {link(page_name(page), page.url)}" for page in linked)
        body.add(lines, *(from_input(page_name(page)) for page in linked))


def _write_given(body: Body, heading: str | None, items: Sequence[str]) -> None:
    """Write what the caller gave for the post, if there is any."""
    if items and heading:
        body.heading(2, from_template(heading))
    _write_list(body, items)


def _write_list(body: Body, items: Sequence[str]) -> None:
    unique = tuple(dict.fromkeys(items))
    if unique:
        body.add("\n".join(f"- {escape(item)}" for item in unique), *map(from_input, unique))


def named(brief: Brief) -> str:
    """Return the topic as it is named in a sentence: a word or small letters as they are, else in quotes.

    One that begins as a question or a guide does ("How to …") goes on in the sentence.
    """
    topic = brief.topic.rstrip(" .!:")
    table, first = lexicon(brief.language), topic.split(" ")[0].lower()
    if not topic.endswith("?") and first in {*table.question_words, *table.intent_words}:
        return f"{topic[:1].lower()}{topic[1:]}"
    return topic if topic == topic.lower() or " " not in topic else quoted(topic, brief.language)


def _as_written(brief: Brief) -> str:
    """Return the primary keyword with the capitals it has in the topic: nouns of German, names."""
    start = brief.topic.lower().find(brief.primary_keyword)
    return brief.topic[start : start + len(brief.primary_keyword)] if start >= 0 else brief.primary_keyword
