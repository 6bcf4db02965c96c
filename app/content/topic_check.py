"""Checks a topic before a post is generated: what a draft would be, and which posts and pages are alike.

What a draft would be is seen by making it: the digest of the pages as they are stored is written and thrown
away. So the check says what the job then does, unless the job reads further pages first.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from sqlalchemy import func, select

from app.content.artefacts import ExistingPost, PageRef
from app.content.drafts import WrittenPost
from app.content.evidence.snapshot import existing_posts, snapshot_of_pages
from app.content.planning.expected import TopicCheck, expected_from
from app.content.planning.preparing import Input, prepare
from app.content.request import GenerationRequest
from app.content.retrieval.coverage_words import coverage_sentence, missing_words
from app.content.retrieval.duplicates import Similar, similar_to
from app.content.retrieval.page_choice import SourceQuery, choose_pages, named_page, searched_pages
from app.content.writing.choosing import choose
from app.content.writing.digest.engine import write_extractive
from app.infra.db import db, reading
from app.infra.settings import current_settings
from app.pages.model import Page

MOST_SHOWN: Final = 10
"""Posts and pages of each kind that are named."""
QUICKLY_READ: Final = 40_000
"""Words of the chosen pages up to which a draft is made in about half a second."""


def check_topic(project_id: int, payload: Mapping[str, Any], *, is_quick: bool = False) -> TopicCheck:
    """Return what a project's pages and posts have on the topic of a generation's input; commits.

    Long pages take seconds to read. A quick check leaves them.
    """
    topic = payload["topic"]
    prepared = prepare(project_id, payload)
    posts = tuple(post for post, _slug in existing_posts(project_id))
    similar = _similar(project_id, topic, prepared.request, posts)
    check = TopicCheck(topic, similar.posts[:MOST_SHOWN], _refs([page.id for page in similar.pages]))
    chosen = choose_pages(project_id, prepared.source_query, posts)
    if is_quick and _words_of(chosen) > QUICKLY_READ:
        return check
    return _with_draft(check, _digest(project_id, prepared, chosen), prepared, payload)


def has_similar(project_id: int, payload: Mapping[str, Any]) -> bool:
    """Return whether a post or a page of a project is about the topic of a generation's input; commits."""
    posts = tuple(post for post, _slug in existing_posts(project_id))
    similar = _similar(project_id, payload["topic"], prepare(project_id, payload).request, posts)
    return bool(similar.posts or similar.pages)


def _similar(
    project_id: int, topic: str, request: GenerationRequest, posts: tuple[ExistingPost, ...]
) -> Similar:
    pages = map(named_page, searched_pages(project_id, SourceQuery("", request.language)))
    return similar_to(topic, request.keywords, posts, pages, request.language)


def _words_of(page_ids: Sequence[int]) -> int:
    with reading():
        found = db.session.scalar(select(func.sum(Page.word_count)).where(Page.id.in_(page_ids)))
        db.session.commit()
    return int(found or 0)


def _digest(project_id: int, prepared: Input, page_ids: Sequence[int]) -> WrittenPost:
    snapshot = snapshot_of_pages(project_id, prepared.request.language, page_ids)
    # A form may make its job next, and SQLite refuses a reader's transaction that begins to write.
    db.session.commit()
    request = replace(prepared.request, minimum_kind="outline")
    return write_extractive(request, snapshot, lambda *_: None)


def _with_draft(
    check: TopicCheck, digest: WrittenPost, prepared: Input, payload: Mapping[str, Any]
) -> TopicCheck:
    brief, language = digest.brief, prepared.request.language
    engine = choose(payload, current_settings()).engine
    expected = expected_from(prepared.request, digest, engine)
    missing = missing_words(check.topic, brief.missing_words, language)
    quoted = tuple(source.page_id for source in digest.post.sources)
    supporting = quoted if expected.draft_kind == "extractive" else brief.covering_page_ids
    nearest = brief.nearest_page_ids if expected.draft_kind == "outline" else ()
    return replace(
        check,
        coverage=expected.coverage,
        coverage_share=brief.coverage_share,
        missing_words=missing,
        summary=coverage_sentence(check.topic, expected.coverage, len(brief.covering_page_ids), missing),
        pages=_refs(supporting),
        nearest_pages=_refs(nearest),
        expected=expected,
    )


def _refs(page_ids: Sequence[int]) -> tuple[PageRef, ...]:
    """Return the first pages as they are shown; commits."""
    shown = page_ids[:MOST_SHOWN]
    with reading():
        rows = db.session.execute(select(Page.id, Page.url, Page.title).where(Page.id.in_(shown))).all()
        db.session.commit()
    refs = {row.id: PageRef(row.id, row.url, row.title or row.url) for row in rows}
    return tuple(refs[page_id] for page_id in shown if page_id in refs)
