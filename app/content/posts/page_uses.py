"""Which pages posts link to and are made from: by page, by post, and the pages that no post links to."""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import ColumnElement, Select, Subquery, exists, func, select

from app.content.model import BlogPost, BlogPostPage
from app.content.posts.page_links import SAME_PAGE
from app.infra.db import db
from app.pages.lookup import containing
from app.pages.model import Page
from app.pages.queries import ORDERS, UNUSED, counts_of_unused
from app.projects.model import Project


@dataclass(frozen=True)
class Use:
    """A post that links to a page, is made from it, or both."""

    post_id: int
    title: str
    status: str
    is_linked: bool
    is_source: bool


@dataclass(frozen=True)
class LinkedPage:
    """A page and how many posts link to it."""

    page: Page
    posts: int


@dataclass(frozen=True)
class LinkMap:
    """The posts and pages of a small site, and the links between them as (post id, page id)."""

    posts: dict[int, str]
    pages: list[Page]
    links: list[tuple[int, int]]


def uses_of(page: Page, most: int) -> list[Use]:
    """Return at most ``most`` posts that link to a page or are made from it, the newest first."""
    rows = db.session.execute(
        select(
            BlogPost.id,
            BlogPost.title,
            BlogPost.status,
            BlogPostPage.is_linked,
            BlogPostPage.source_hash.is_not(None),
        )
        .join(BlogPost, BlogPost.id == BlogPostPage.blog_post_id)
        .where(BlogPostPage.project_id == page.project_id, BlogPostPage.url_key == page.url_key)
        .order_by(BlogPost.id.desc())
        .limit(most)
    )
    return [Use(*row) for row in rows]


def linked_pages(project: Project, page: int, page_size: int) -> tuple[list[LinkedPage], int]:
    """Return one page of the project's pages that posts link to, the most linked first, and their number."""
    links = _linked(project)
    rows = db.session.execute(
        select(Page, links.c.posts)
        .join(links, Page.url_key == links.c.url_key)
        .where(Page.project_id == project.id)
        .order_by(links.c.posts.desc(), Page.id)
        .offset((page - 1) * page_size)
        .limit(page_size)
    )
    total = db.session.scalar(_count_linked(project)) or 0
    return [LinkedPage(found, count) for found, count in rows], total


def count_unlinked(project: Project) -> int:
    """Return how many fresh pages of a project no post links to."""
    linked = db.session.scalar(_count_linked(project, ~Page.is_stale)) or 0
    return max(0, project.fresh_page_count - linked)


def count_left_out(project: Project) -> dict[str, int]:
    """Return how many pages of a project are of each of UNUSED, and ``unlinked``; by one statement."""
    linked = _count_linked(project, ~Page.is_stale).scalar_subquery()
    *unused, number = db.session.execute(select(*counts_of_unused(project.id), linked)).one()
    unlinked = max(0, project.fresh_page_count - number)
    return {**dict(zip(UNUSED, unused, strict=True)), "unlinked": unlinked}


def unlinked_pages(
    project: Project, q: str, page: int, page_size: int, order: str = "newest"
) -> tuple[Sequence[Page], int]:
    """Return one page of the fresh pages that no post links to, in one of ORDERS, and how many there are.

    ``q`` keeps those that have it in their URL or title.
    """
    statement = _unlinked(project)
    if q:
        statement = statement.where(containing(q))
        total = db.session.scalar(select(func.count()).select_from(statement.subquery())) or 0
    else:
        total = count_unlinked(project)
    ordered = statement.order_by(*ORDERS[order])
    return db.session.scalars(ordered.offset((page - 1) * page_size).limit(page_size)).all(), total


def link_map(project: Project, most: int) -> LinkMap | None:
    """Return all fresh pages, and the posts with links to them; None if these are more than ``most``."""
    if not 0 < project.page_count - project.stale_page_count <= most:
        return None
    pages = db.session.scalars(
        select(Page).where(Page.project_id == project.id, ~Page.is_stale).order_by(Page.id)
    ).all()
    rows = db.session.execute(
        select(BlogPost.id, BlogPost.title, Page.id)
        .join(BlogPostPage, BlogPostPage.blog_post_id == BlogPost.id)
        .join(Page, SAME_PAGE)
        .where(*_links_in(project), ~Page.is_stale)
        .order_by(BlogPost.id, Page.id)
        .limit(most * most)
    ).all()
    posts = {post_id: title for post_id, title, _ in rows}
    if len(posts) + len(pages) > most:
        return None
    return LinkMap(posts, list(pages), [(post_id, page_id) for post_id, _, page_id in rows])


def is_unlinked() -> list[ColumnElement[bool]]:
    """Return the conditions of a fresh page that no post links to."""
    return [~Page.is_stale, ~exists().where(SAME_PAGE, BlogPostPage.is_linked)]


def _links_in(project: Project) -> tuple[ColumnElement[bool], ...]:
    return (BlogPostPage.project_id == project.id, BlogPostPage.is_linked.is_(True))


def _count_linked(project: Project, *conditions: ColumnElement[bool]) -> Select[int]:
    links = _linked(project)
    statement = select(func.count()).select_from(Page).join(links, Page.url_key == links.c.url_key)
    return statement.where(Page.project_id == project.id, *conditions)


def _linked(project: Project) -> Subquery:
    """Select each linked address once, with its number of posts: an index has all of it."""
    posts = func.count().label("posts")
    grouped = select(BlogPostPage.url_key, posts).where(*_links_in(project)).group_by(BlogPostPage.url_key)
    return grouped.subquery()


def _unlinked(project: Project) -> Select[Page]:
    return select(Page).where(Page.project_id == project.id, *is_unlinked())
