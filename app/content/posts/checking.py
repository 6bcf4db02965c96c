"""The quality checks of a stored post, run on its present text and the pages it was made from."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from sqlalchemy import select

from app.content.artefacts import ExistingPost
from app.content.assembly.tracing import entry_from
from app.content.drafts import QualityReport
from app.content.evidence.snapshot import FACTS
from app.content.model import BlogPost
from app.content.posts.images import images_in
from app.content.posts.outdated import outdated_sentences
from app.content.posts.page_links import note_pages
from app.content.posts.parts import present_text
from app.content.posts.slugs import has_slug
from app.content.posts.source_pages import StoredSource, have_changed, quoted_pages, sources_of
from app.content.quality.subject import PostText, QualityContext, SourceText, without_source
from app.content.request import given_by
from app.infra.db import db
from app.infra.urls import key_of, page_address
from app.language.words import reading_minutes
from app.pages.extraction.blocks import Block
from app.pages.model import Page
from app.pages.usable import linkable, usable
from app.pages.vocabulary import own_title
from app.projects.model import Project

_MOST_PAGES_COMPARED: Final = 2000
_MOST_POSTS_COMPARED: Final = 1000


@dataclass(frozen=True)
class Checked:
    """The checks' report on a text that a post may get, and the addresses that the text links to."""

    report: QualityReport
    links: frozenset[str]


def checked(post: BlogPost, changes: Mapping[str, Any]) -> Checked:
    """Check a post as it would be with other values of some columns; nothing is saved.

    Call it before the transaction that saves them: the checks of a long text take seconds.
    """
    text, context = _subject(_with(post, changes))
    return Checked(_report(text, context), frozenset(link.url for link in text.links))


def store_checked(post: BlogPost, made: Checked) -> None:
    """Store the report on a post's new text, its length and its links; the caller commits."""
    db.session.refresh(post)
    note_pages(post, made.links)
    post.quality = made.report.to_dict()
    post.word_count = int(made.report.metrics["words"])
    post.reading_minutes = reading_minutes(post.word_count)


def quality_of(post: BlogPost, sources: Sequence[StoredSource] | None = None) -> QualityReport:
    """Run every check of the quality gate on the post's present text; ``sources`` are read if left out."""
    return _report(*_subject(post, sources))


def quality_with(post: BlogPost, changes: Mapping[str, Any]) -> QualityReport:
    """Run every check on the post as it would be with other values of some columns; nothing is saved."""
    return quality_of(_with(post, changes))


def _report(text: PostText, context: QualityContext) -> QualityReport:
    from app.content.quality.gate import check_post  # loads the checks, which few requests need

    return check_post(text, context)


def _with(post: BlogPost, changes: Mapping[str, Any]) -> BlogPost:
    # Never added to the session: only the checks look at it.
    present = {column.key: getattr(post, column.key) for column in BlogPost.__table__.columns}
    return BlogPost(**{**present, **changes})


def _subject(
    post: BlogPost, sources: Sequence[StoredSource] | None = None
) -> tuple[PostText, QualityContext]:
    text = PostText(
        title=post.title,
        meta_title=post.meta_title,
        slug=post.slug,
        description=post.description,
        markdown=post.content,
        keywords=tuple(post.keywords),
        primary_keyword=post.primary_keyword or "",
        language=post.language,
        draft_kind=post.draft_kind,  # type: ignore[arg-type]
        edited_by_person=post.edited_at is not None,
    )
    return text, _context(post, text, sources_of(post) if sources is None else sources)


def _context(post: BlogPost, text: PostText, sources: Sequence[StoredSource]) -> QualityContext:
    project = db.session.get_one(Project, post.project_id)
    live, known = _linked_pages(post.project_id, text.links)
    others, is_slug_taken = _other_posts(post)
    own = {project.url}
    asked = given_by(post.request)
    made = without_source(map(entry_from, post.trace))
    facts = (getattr(project, name) for name in FACTS)
    return QualityContext(
        project_host=urlsplit(project.url).netloc,
        live_page_urls=frozenset(live | own),
        known_page_urls=frozenset(known | own),
        source_urls=frozenset(source["url"] for source in post.sources),
        slug_taken=is_slug_taken,
        sources_changed=have_changed(post, sources),
        other_posts=others,
        given_text="\n".join([project.name, asked.text, *made, *filter(None, facts)]),
        given_links=frozenset(asked.links),
        avoided=asked.avoid,
        link_bounds=asked.link_bounds,
        image_ids={image.id for image in images_in(post.project_id, text.markdown)},
        sources=lambda: [_source_text(source) for source in sources if source.blocks is not None],
        page_names=lambda: _page_names(post.project_id),
        outdated=lambda: outdated_sentences(present_text(post), post.language, quoted_pages(sources)),
    )


def _linked_pages(project_id: int, links: Iterable[Any]) -> tuple[set[str], set[str]]:
    spellings: dict[bytes, set[str]] = {}
    for link in links:
        if key := key_of(page_address(link.url)):
            spellings.setdefault(key, set()).add(link.url)
    found = db.session.execute(
        select(Page.url_key, linkable().label("linkable")).where(
            Page.project_id == project_id, Page.url_key.in_(list(spellings))
        )
    ).all()
    known = {url for row in found for url in spellings[row.url_key]}
    return {url for row in found if row.linkable for url in spellings[row.url_key]}, known


def _source_text(source: StoredSource) -> SourceText:
    head = (source.title, source.description)
    blocks = [Block.from_json(each) for each in source.blocks or ()]
    return SourceText.of_page(source.page_id, own_title(source.title or ""), head, blocks)


def _other_posts(post: BlogPost) -> tuple[tuple[ExistingPost, ...], bool]:
    """Return the newest other posts of the project, and whether any other one has the slug of this post."""
    rows = db.session.execute(
        select(
            BlogPost.id,
            BlogPost.title,
            BlogPost.primary_keyword,
            has_slug(post.project_id, post.slug, post.id).label("has_slug"),
        )
        .where(BlogPost.project_id == post.project_id, BlogPost.id != post.id)
        .order_by(BlogPost.id.desc())
        .limit(_MOST_POSTS_COMPARED)
    ).all()
    # Each row says it of all posts; without a row there is no other post.
    others = tuple(ExistingPost(row.id, row.title, row.primary_keyword) for row in rows)
    return others, any(row.has_slug for row in rows)


def _page_names(project_id: int) -> list[str]:
    """Return what the project's usable pages are called, the newest of very many."""
    titles = db.session.scalars(
        select(Page.title)
        .where(Page.project_id == project_id, Page.title.is_not(None), usable())
        .order_by(Page.id.desc())
        .limit(_MOST_PAGES_COMPARED)
    )
    return [own_title(title) for title in titles]
