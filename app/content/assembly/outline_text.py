"""The text of an outline draft: questions, keywords and pages to link, for someone to write out."""

from collections.abc import Collection, Sequence

from app.content.artefacts import Brief, SourceSnapshot
from app.content.assembly.body import Body
from app.content.assembly.tracing import from_input, from_template
from app.content.evidence.sections import page_name
from app.content.rendering.markdown import escape, link
from app.content.request import GenerationRequest
from app.language.languages import language_data
from app.language.phrases import quoted
from app.language.schema import Phrases
from app.language.words import QUESTION_MARKS, capitalised, fold


def write_outline(body: Body, brief: Brief, snapshot: SourceSnapshot, request: GenerationRequest) -> None:
    """Write questions, keywords and pages to link: nothing here states anything about the world."""
    table = body.table
    if table:
        intro = table.outline_intro.format(project=snapshot.project_name, topic=named(brief))
        body.add(escape(intro), from_template(intro))
    keywords = _as_written((brief.primary_keyword, *brief.secondary), brief, request)
    _write_list(body, table.key_points_heading if table else None, request.key_points)
    _write_list(body, table.sections_heading if table else None, [each.heading for each in request.outline])
    _write_list(body, table.questions_heading if table else None, _questions(brief, table))
    _write_list(body, table.keywords_heading if table else None, keywords)
    candidates = brief.link_candidates[: request.most_links]
    if candidates:
        if table:
            body.heading(2, from_template(table.pages_heading))
        linked = [body.pages[candidate.id] for candidate in candidates]
        lines = "\n".join(f"- {link(page_name(page), page.url)}" for page in linked)
        body.add(lines, *(from_input(page_name(page)) for page in linked))


def _write_list(body: Body, heading: str | None, items: Sequence[str]) -> None:
    """Write items under their heading, each once; nothing if there are none."""
    unique = tuple(dict.fromkeys(items))
    if unique and heading:
        body.heading(2, from_template(heading))
    if unique:
        body.add("\n".join(f"- {escape(item)}" for item in unique), *map(from_input, unique))


def _questions(brief: Brief, table: Phrases | None) -> tuple[str, ...]:
    """Return what to answer: the site's questions, the topic if it asks, else what to ask about it."""
    topic = brief.topic.rstrip(" .!:")
    if table is None:
        return brief.questions
    if topic.endswith(QUESTION_MARKS):
        return (*brief.questions, topic)
    if _begins_with(brief, language_data(brief.language).words.question_words):
        return (*brief.questions, table.asked.format(question=capitalised(topic)))
    subject = quoted(topic, brief.language)
    return (*brief.questions, *(line.format(topic=subject) for line in table.questions))


def named(brief: Brief) -> str:
    """Return the topic as it is named in a sentence: a word or small letters as they are, else in quotes.

    One that begins as a question or a guide does ("How to …") goes on in the sentence, where the language
    allows it.
    """
    topic = brief.topic.rstrip(" .!:")
    table = language_data(brief.language).words
    if not topic.endswith(QUESTION_MARKS) and _begins_with(
        brief, {*table.question_words, *table.intent_words}
    ):
        return f"{topic[:1].lower()}{topic[1:]}" if table.about_questions else quoted(topic, brief.language)
    return topic if topic.islower() or " " not in topic else quoted(topic, brief.language)


def _begins_with(brief: Brief, words: Collection[str]) -> bool:
    return brief.topic.split(" ")[0].lower().lstrip("¿") in words


def _as_written(keywords: Sequence[str], brief: Brief, request: GenerationRequest) -> list[str]:
    """Return keywords with the capitals they were given with: nouns of German, names."""
    given = {fold(keyword).lower(): fold(keyword) for keyword in reversed(request.keywords)}
    start = brief.topic.lower().find(brief.primary_keyword)
    if start >= 0:
        given.setdefault(brief.primary_keyword, brief.topic[start : start + len(brief.primary_keyword)])
    return [given.get(keyword, keyword) for keyword in keywords]
