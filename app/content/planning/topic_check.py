"""Checks a topic before a post is generated: do the pages cover it, and is a post or page about the same?

The stored words of the pages are searched, not their texts, so that a person can wait for the answer.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from sqlalchemy import select

from app.content.artefacts import Artefact, Coverage, ExistingPost, PageRef
from app.content.evidence.snapshot import existing_posts
from app.content.retrieval.coverage import TopicCoverage, coverage_of, coverage_sentence, missing_words
from app.content.retrieval.duplicates import similar_to
from app.content.retrieval.page_choice import PageWords, SourceQuery, named_page, searched_pages
from app.content.retrieval.page_search import PageSearch
from app.content.retrieval.page_stems import PageStems
from app.content.retrieval.topic_words import searched_stems
from app.infra.db import db, reading
from app.language.stems import content_stems, root_of_stem
from app.pages.model import Page

MOST_SHOWN: Final = 10
"""Posts and pages of each kind that are named."""


@dataclass(frozen=True)
class TopicCheck(Artefact):
    """What a project has on a topic.

    ``coverage`` says whether the pages cover it, ``coverage_share`` how much of it the best page says (0 to
    1), ``missing_words`` what that page does not say, ``summary`` all that in a sentence. ``pages`` would
    support the post, the best first; ``similar_posts`` and ``similar_pages`` are about the same.
    """

    topic: str
    coverage: Coverage
    coverage_share: float
    missing_words: tuple[str, ...]
    summary: str
    pages: tuple[PageRef, ...]
    similar_posts: tuple[ExistingPost, ...]
    similar_pages: tuple[PageRef, ...]

    @property
    def has_similar(self) -> bool:
        """Whether a post or a page is about the same."""
        return bool(self.similar_posts or self.similar_pages)


def check_topic(project_id: int, topic: str, keywords: Sequence[str], language: str) -> TopicCheck:
    """Return what a project's pages and posts have on a topic; commits."""
    posts = tuple(post for post, _slug in existing_posts(project_id))
    pages = list(searched_pages(project_id, SourceQuery("", language)))
    similar = similar_to(topic, keywords, posts, map(named_page, pages), language)
    covered = stored_coverage(topic, pages, language)
    supporting = covered.page_ids[:MOST_SHOWN]
    same = tuple(page.id for page in similar.pages[:MOST_SHOWN])
    refs = _refs({*supporting, *same})
    missing = missing_words(topic, covered.missing, language)
    return TopicCheck(
        topic=topic,
        coverage=covered.level,
        coverage_share=covered.share,
        missing_words=missing,
        summary=coverage_sentence(topic, covered.level, len(covered.page_ids), missing),
        pages=tuple(refs[page_id] for page_id in supporting if page_id in refs),
        similar_posts=similar.posts[:MOST_SHOWN],
        similar_pages=tuple(refs[page_id] for page_id in same if page_id in refs),
    )


def stored_coverage(topic: str, pages: Sequence[PageWords], language: str) -> TopicCoverage:
    """Return how well pages cover a topic, by the words that are stored of them (pure)."""
    search = PageSearch(dict.fromkeys(searched_stems(topic, language), 1.0), language)
    for page in pages:
        search.add(page.id, page.length, page.words)
    names = {page.id: f"{page.title or ''}\n{page.headings}" for page in pages}
    stems = []
    for page_id, counts in search.said():
        said = frozenset(counts)
        named = said.intersection(content_stems(names[page_id], language))
        stems.append(PageStems(page_id, _roots(said, language), _roots(named, language)))
    return coverage_of(topic, stems, language)


def _roots(stems: frozenset[str], language: str) -> frozenset[str]:
    return frozenset(root_of_stem(each, language) for each in stems)


def _refs(page_ids: Iterable[int]) -> dict[int, PageRef]:
    with reading():
        rows = db.session.execute(select(Page.id, Page.url, Page.title).where(Page.id.in_(page_ids))).all()
        # A form may make its job next, and SQLite refuses a reader's transaction that begins to write.
        db.session.commit()
    return {row.id: PageRef(row.id, row.url, row.title or row.url) for row in rows}
