"""The description of a post for search results, by the caller, a model or the pages. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.content.artefacts import Brief, SourceSnapshot
from app.content.assembly.tracing import entry_of, from_input, from_page, from_template
from app.content.drafts import SectionDraft, Sentence, TraceEntry
from app.content.planning.takeaways import defines, names_topic
from app.content.planning.titles import make_description, make_outline_description
from app.content.request import GenerationRequest
from app.content.retrieval.topic_words import mentions_any
from app.language.references import announces_more, depends_on_previous
from app.language.sentences import join_sentences


def describe(
    request: GenerationRequest,
    written: Sentence | None,
    brief: Brief,
    drafts: Sequence[SectionDraft],
    snapshot: SourceSnapshot,
) -> TraceEntry:
    """Return the description with its trace: the caller's, the ``written`` one of a model, or a quoted one.

    A quoted one is a sentence of the opening that names the topic, else one or two that have to do with it.
    """
    if request.plan and request.plan.description:
        return from_input(request.plan.description)
    if written:
        return entry_of(written)
    project, language = snapshot.project_name, brief.language
    if not drafts:
        return from_template(make_outline_description(brief.topic, project, language))
    quotes = dict(_quotes(drafts[0], brief))
    headings = [draft.heading for draft in drafts if draft.level == 2 and draft.heading_source]
    text = make_description(brief.topic, project, language, list(quotes), headings, brief.primary_keyword)
    return from_page(text, quotes[text]) if text in quotes else from_template(text)


def _quotes(opening: SectionDraft, brief: Brief) -> Iterator[tuple[str, str]]:
    """Yield the sentences of the opening that can describe a post, and pairs of them, with their sources."""
    groups = [_described(p.sentences) for p in opening.paragraphs if p.kind == "p"]
    alone = [sentence for group in groups for sentence in group if _stands_alone(sentence, brief)]
    named = [each for each in alone if names_topic(each.text, brief.topic, brief.language)]
    named.sort(key=lambda each: not defines(each.text, brief.primary_keyword))
    others = [each for each in alone if mentions_any(brief.topic, each.text, brief.language)]
    for chosen in (named, others, alone):
        for sentence in chosen:
            yield sentence.text, sentence.source_ids[0]
        for group in groups:
            for first, second in pairwise(group):
                if first in chosen and not announces_more(second.text, brief.language):
                    yield join_sentences([first.text, second.text]), first.source_ids[0]


def _described(sentences: Sequence[Sentence]) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.origin == "source"]


def _stands_alone(sentence: Sentence, brief: Brief) -> bool:
    return not (
        announces_more(sentence.text, brief.language)
        or depends_on_previous(sentence.text, brief.language, brief.topic)
    )
