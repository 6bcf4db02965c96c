"""The description of a post for search results, by the caller, a model or the pages. Pure."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from app.content.artefacts import Brief, SourceSnapshot
from app.content.assembly.page_description import lead_page, own_description
from app.content.assembly.tracing import entry_of, from_input, from_page, from_template
from app.content.drafts import ABOUT_PROJECT, SectionDraft, Sentence, TraceEntry
from app.content.planning.takeaways import defines, names_topic
from app.content.planning.titles import is_asked, make_description, make_outline_description
from app.content.request import GenerationRequest
from app.content.retrieval.topic_words import mentions_any
from app.language.references import announces_more, depends_on_previous
from app.language.sentences import is_joint_known, join_sentences
from app.language.words import fold


def describe(
    request: GenerationRequest,
    written: Sentence | None,
    brief: Brief,
    drafts: Sequence[SectionDraft],
    snapshot: SourceSnapshot,
) -> TraceEntry:
    """Return the description with its trace: the caller's, the ``written`` one of a model, or a quoted one.

    A quoted one is what the page that gives most of the post says of itself, if that names the topic. Else
    it is a sentence or two of the opening that name the topic, a sentence of another section that does, the
    page's own description all the same, or one or two sentences of the opening.
    """
    if request.plan and request.plan.description:
        return from_input(request.plan.description)
    if written:
        return entry_of(written)
    project, language = snapshot.project_name, brief.language
    drafts = [draft for draft in drafts if draft.id != ABOUT_PROJECT]
    if not drafts:
        return from_template(make_outline_description(brief.topic, project, language))
    lead, _ = lead_page(drafts, snapshot)
    own = own_description(lead, drafts, snapshot, language)
    quotes = dict(_quotes(drafts, brief, own, snapshot))
    headings = [draft.heading for draft in drafts if draft.level == 2 and draft.heading_sources]
    text = make_description(brief.topic, project, language, list(quotes), headings, brief.primary_keyword)
    return from_page(text, quotes[text]) if text in quotes else from_template(text)


def _quotes(
    drafts: Sequence[SectionDraft],
    brief: Brief,
    own: Sequence[tuple[str, str]],
    snapshot: SourceSnapshot,
) -> Iterator[tuple[str, str]]:
    """Yield the texts that can describe a post with their sources, the best first.

    They are the ``own`` description of its page, sentences, and pairs of the opening's. What answers a
    question describes its answer better than its page does.
    """
    groups, *further = (
        [_described(p.sentences) for p in each.paragraphs if p.kind == "p"] for each in drafts
    )
    alone = [sentence for group in groups for sentence in group if _stands_alone(sentence, brief)]
    named, others = _named(alone, brief), _mentioning(alone, brief)
    later = [each for section in further for group in section for each in group if _stands_alone(each, brief)]
    if not is_asked(brief.topic, brief.language):
        yield from (each for each in own if names_topic(each[0], brief.topic, brief.language))
    yield from _with_pairs(named, groups, brief, snapshot)
    yield from ((each.text, each.source_ids[0]) for each in _named(later, brief))
    yield from own
    yield from _with_pairs(others, groups, brief, snapshot)
    yield from _with_pairs(alone, groups, brief, snapshot)


def _named(sentences: Sequence[Sentence], brief: Brief) -> list[Sentence]:
    """Return the sentences that name the topic, first those that define it."""
    named = [each for each in sentences if names_topic(each.text, brief.topic, brief.language)]
    return sorted(named, key=lambda each: not defines(each.text, brief.primary_keyword))


def _mentioning(sentences: Sequence[Sentence], brief: Brief) -> list[Sentence]:
    return [each for each in sentences if mentions_any(brief.topic, each.text, brief.language)]


def _with_pairs(
    chosen: Sequence[Sentence],
    groups: Sequence[Sequence[Sentence]],
    brief: Brief,
    snapshot: SourceSnapshot,
) -> Iterator[tuple[str, str]]:
    """Yield the chosen sentences, and then each with the one after it, as they stand on the page."""
    yield from ((each.text, each.source_ids[0]) for each in chosen)
    for first, second in (pair for group in groups for pair in pairwise(group)):
        is_fit = is_joint_known(first.text, second.text) and not announces_more(second.text, brief.language)
        if first not in chosen or not is_fit:
            continue
        joined, source = join_sentences([first.text, second.text]), first.source_ids[0]
        # Between the two something may have been left out.
        if joined in fold(snapshot.block_by_id[source].text):
            yield joined, source


def _described(sentences: Sequence[Sentence]) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence.origin == "source"]


def _stands_alone(sentence: Sentence, brief: Brief) -> bool:
    return not (
        announces_more(sentence.text, brief.language)
        or depends_on_previous(sentence.text, brief.language, brief.topic)
    )
