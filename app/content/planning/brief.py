"""The brief: what a post is about, what the pages say on it, and what kind of draft that allows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import Brief, Coverage, DraftKind, PageRef, SourceSnapshot
from app.content.evidence.sections import clean_heading, is_dated, is_question, page_name
from app.content.planning.material import SECTIONS_NEEDED
from app.content.planning.open_topics import resolve_topic
from app.content.planning.phrases_of_pages import keyphrase_on_pages
from app.content.planning.requested_sections import ResolvedSection, resolve_sections
from app.content.planning.spelling import as_spelled
from app.content.planning.subject import Subject, subject_of, subjects_of
from app.content.planning.topic_phrase import keyphrase_of
from app.content.planning.topics import intent_of
from app.content.request import GenerationRequest
from app.content.retrieval.coverage import COVERED, TopicCoverage, coverage_of, pages_saying, with_chosen
from app.content.retrieval.duplicates import posts_on
from app.content.retrieval.names_in_topics import unsaid_names
from app.content.retrieval.page_stems import PageStems
from app.content.retrieval.passages import Library, Passage
from app.content.retrieval.selection import candidates, query_of
from app.language.stems import topic_stems
from app.language.words import extent, fold

_EVIDENCE: Final = 60
_LINKS: Final = 10
_QUESTIONS: Final = 8
_PROBE_WORDS: Final = 90
_LEAST_PASSAGE_WORDS: Final = 8
_LEAST_OF_A_DIGEST: Final = 100
_LARGE_SITE: Final = 8
"""Pages of a site from which a post of fewer words is none."""


def build_brief(
    request: GenerationRequest, snapshot: SourceSnapshot, library: Library, kind: DraftKind | None = None
) -> Brief:
    """Return the brief for a request over the pages of a snapshot.

    Without a ``kind`` of draft the pages decide: ``extractive`` needs a page about the subject and two
    sections to quote, or one where the caller asks for one; anything less makes an ``outline``, with the
    topic as a gap.
    """
    language = library.language
    topic = resolve_topic(request, snapshot, library)
    pages = library.page_stems
    read = {page.page_id for page in pages}
    chosen = [page_id for page_id in request.chosen_page_ids if page_id in read]
    coverage = with_chosen(_coverage(topic, library), chosen)
    phrase = _keyphrase(topic, coverage.level, library)
    keywords = _keywords(request, phrase)
    hits = library.index.search(query_of(topic, keywords, language))[:_EVIDENCE]
    support = {keyword: _support(keyword, pages, language) for keyword in keywords}
    requested = resolve_sections(request.outline, library, topic, request.target_words, _PROBE_WORDS)
    filled = [section for section in requested if section.excerpts]
    whole = subject_of(topic, coverage, chosen, library)
    subjects = subjects_of(whole, coverage, chosen, library)
    least = 0 if request.required_page_ids or chosen or len(pages) < _LARGE_SITE else _LEAST_OF_A_DIGEST
    quotable = (
        each for each in subjects if _is_quotable(each, keywords, filled, len(requested), library, least)
    )
    found = None if kind else next(quotable, None)
    kind, subject = kind or ("extractive" if found else "outline"), found or whole
    gaps = _gaps(support, requested)
    return Brief(
        topic=topic,
        subject=subject.text,
        primary_keyword=keywords[0],
        secondary=keywords[1:],
        intent=intent_of(topic),
        post_type="hub" if request.post_type == "auto" else request.post_type,
        audience=request.audience or snapshot.project_facts.get("target_audience_summary") or None,
        tone=request.tone,
        language=language,
        target_words=request.target_words,
        coverage=coverage.level,
        coverage_share=coverage.share,
        missing_words=coverage.missing,
        covering_page_ids=coverage.page_ids,
        nearest_page_ids=coverage.nearest,
        questions=_questions(library, topic),
        keyword_support=support,
        gaps=gaps if kind != "outline" else tuple(dict.fromkeys((*gaps, phrase))),
        link_candidates=_links(hits, topic, library),
        existing_posts_on_topic=posts_on(topic, keywords[0], snapshot.existing_posts, language),
        draft_kind=kind,
        about_pages=subject.about_pages,
        main_page=subject.main_page,
    )


def _coverage(topic: str, library: Library) -> TopicCoverage:
    """Return how well the pages cover a topic; they are not about one with a name that none of them says."""
    found = coverage_of(topic, library.page_stems, library.language, library.own_stems)
    unsaid = unsaid_names(topic, library.sections, library.language)
    if not unsaid:
        return found
    level: Coverage = "absent" if found.level == "absent" else "perhaps"
    missing = (*found.missing, *(name for name in unsaid if name not in found.missing))
    return replace(found, level=level, missing=missing, about=())


def with_keyphrase(brief: Brief, phrase: str, library: Library) -> Brief:
    """Return a brief with the keyphrase that a plan chose."""
    if phrase == brief.primary_keyword:
        return brief
    support = _support(phrase, library.page_stems, library.language)
    return replace(brief, primary_keyword=phrase, keyword_support={phrase: support})


def _keyphrase(topic: str, level: Coverage, library: Library) -> str:
    """Return the keyphrase of a topic, in the words and spelling of the pages if they say something on it."""
    phrase = keyphrase_of(topic, library.language)
    if level == "absent":
        return phrase
    said = keyphrase_on_pages(phrase, library, topic)
    return as_spelled(said, library.sections, library.language).lower()


def _keywords(request: GenerationRequest, phrase: str) -> tuple[str, ...]:
    """Return the caller's keywords, else that of the caller's plan, else the one of the topic."""
    given = [fold(keyword).lower() for keyword in request.keywords if fold(keyword)]
    if not given and request.plan:
        given = [fold(request.plan.keyphrase).lower()] if request.plan.keyphrase else []
    return tuple(dict.fromkeys(given or [phrase]))


def _support(keyword: str, pages: Sequence[PageStems], language: str) -> float:
    """Return how well the pages support a keyword, 0 to 1: a page that covers it is full support."""
    found = coverage_of(keyword, pages, language)
    return 1.0 if found.level == "covered" else round(min(1.0, found.share / COVERED), 2)


def _gaps(support: Mapping[str, float], requested: Sequence[ResolvedSection]) -> tuple[str, ...]:
    """Return the keywords and the requested sections on which the pages say too little."""
    keywords = (keyword for keyword, share in support.items() if share < 1)
    headings = (section.requested.heading for section in requested if not section.excerpts)
    return (*keywords, *headings)


def _questions(library: Library, topic: str) -> tuple[str, ...]:
    """Return the site's own question headings that share a word with the topic."""
    stems = topic_stems(topic, library.language)
    asked = [
        clean_heading(section.heading)
        for section in library.sections
        if is_question(section.heading, library.language)
        and stems & topic_stems(section.heading, library.language)
    ]
    return tuple(dict.fromkeys(asked))[:_QUESTIONS]


def _links(hits: Sequence[tuple[Passage, float]], topic: str, library: Library) -> tuple[PageRef, ...]:
    """Return pages to link: those the evidence is from, the always-use ones first, then those that say most.

    No other news, hub or page of terms, and no page that only lists names.
    """
    aside = {page.page_id for page in library.page_stems if page.is_hub or page.is_service}
    saying = pages_saying(topic, library.page_stems, library.language, library.own_stems)
    sections = (passage.section for passage, _ in hits if extent(passage.block.text) >= _LEAST_PASSAGE_WORDS)
    linkable = [
        each.page
        for each in sections
        if each.page.always_use
        or (each.page.page_id not in aside and not is_dated(each.page, each.page_name))
    ]
    linkable.sort(key=lambda page: (not page.always_use, page.page_id not in saying))
    chosen = {page.page_id: page for page in linkable}
    return tuple(PageRef(p.page_id, p.url, page_name(p)) for p in list(chosen.values())[:_LINKS])


def _is_quotable(
    subject: Subject,
    keywords: tuple[str, ...],
    filled: Sequence[ResolvedSection],
    requested: int,
    library: Library,
    least: int,
) -> bool:
    """Return whether pages are about a subject, or a section names evidence, and enough can be quoted.

    That is two sections, and ``least`` words; a price needs few.
    """
    about, main = subject.about_pages, subject.main_page
    if not about and not any(each.requested.evidence_ids for each in filled):
        return False
    needed = min(SECTIONS_NEEDED, requested) if filled else SECTIONS_NEEDED
    if len(filled) >= needed:
        return True
    found = candidates(library, subject.text, keywords, _PROBE_WORDS, about, main)
    is_enough = sum(each.excerpt.words for each in found) >= least
    may_be_thin = bool(filled) or intent_of(subject.text) == "buy"
    return len(filled) + len(found) >= needed and (may_be_thin or is_enough)
