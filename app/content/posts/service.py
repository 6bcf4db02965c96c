"""Blog posts: list, read and edit."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, or_, select, update
from sqlalchemy.exc import IntegrityError

from app.content.assembly.json_ld import faq_left, refreshed
from app.content.drafts import FaqEntry
from app.content.model import BlogPost
from app.content.planning.titles import SLUG_PATTERN
from app.content.posts.checking import checked, store_checked
from app.content.posts.images import refuse_many_shown
from app.content.posts.slugs import slug_taken
from app.content.posts.versions import TEXTS, get_version, keep_version
from app.failures import ServiceFailure, invalid_field
from app.infra.checks import clean_line, clean_text
from app.infra.clock import utc_now
from app.infra.db import db, page_of
from app.projects.model import Project
from app.projects.service import schedule_coverage

EDITABLE = ("title", "meta_title", "slug", "description", "content", "tags", "keywords")
_TEXT_LIMITS: Final[Mapping[str, int]] = {"title": 200, "meta_title": 200, "slug": 80, "description": 5000}
_MOST_CONTENT: Final = 500_000
_MOST_QUERY: Final = 200
ORDERS: Final = {
    "newest": (BlogPost.created_at.desc(), BlogPost.id.desc()),
    "changed": (BlogPost.updated_at.desc(), BlogPost.id.desc()),
    "title": (BlogPost.title, BlogPost.id),
}
"""The orders of a list of posts; each has an index."""


@dataclass(frozen=True)
class PostFilter:
    """What a list of posts is narrowed to; None leaves a member open.

    ``q`` is in the title or the primary keyword, in any case.
    """

    status: str | None = None
    q: str | None = None

    def conditions(self) -> list[ColumnElement[bool]]:
        """Return the filter as SQL conditions."""
        found: list[ColumnElement[bool]] = []
        if self.status is not None:
            found.append(BlogPost.status == self.status)
        if self.q and self.q.strip():
            q = self.q.strip()[:_MOST_QUERY]
            found.append(
                or_(
                    BlogPost.title.icontains(q, autoescape=True),
                    BlogPost.primary_keyword.icontains(q, autoescape=True),
                )
            )
        return found


def get_post(project: Project, post_id: int) -> BlogPost:
    """Return a post of the project. Raises BLOG_POST_NOT_FOUND."""
    post = db.session.get(BlogPost, post_id)
    if post is None or post.project_id != project.id:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")
    return post


def get_idle_post(project: Project, post_id: int) -> BlogPost:
    """Return a post that is not being published. Raises BLOG_POST_NOT_FOUND, PUBLISH_IN_PROGRESS."""
    post = get_post(project, post_id)
    if post.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    return post


def posts_by_id(project: Project, post_ids: Sequence[int]) -> dict[int, BlogPost]:
    """Return those of these posts that the project has, by their ids."""
    rows = select(BlogPost).where(BlogPost.project_id == project.id, BlogPost.id.in_(post_ids))
    return {post.id: post for post in db.session.scalars(rows)}


def titles_of(project_ids: Collection[int], post_ids: Collection[int]) -> dict[int, str]:
    """Return the titles of those posts that belong to one of the projects, by their ids."""
    if not post_ids:
        return {}
    rows = db.session.execute(
        select(BlogPost.id, BlogPost.title).where(
            BlogPost.id.in_(post_ids), BlogPost.project_id.in_(project_ids)
        )
    )
    return {row.id: row.title for row in rows}


def post_of_job(job_id: int) -> BlogPost | None:
    """Return the post that a job generated, if it still exists."""
    return db.session.scalar(select(BlogPost).where(BlogPost.job_id == job_id))


def list_posts(
    project: Project, where: PostFilter, page: int, page_size: int, order: str = "newest"
) -> tuple[Sequence[BlogPost], int]:
    """Return one page of the project's posts in one of ORDERS, and how many there are in all."""
    chosen = select(BlogPost).where(BlogPost.project_id == project.id, *where.conditions())
    return page_of(chosen.order_by(*ORDERS[order]), page, page_size)


def edit_post(
    post: BlogPost, version: int, changes: Mapping[str, Any], *, by: str = "", why: str = "edited"
) -> BlogPost:
    """Change members of EDITABLE in a draft that is still at ``version``; the checks are run again.

    A new text is kept as a version of the post, with ``by`` and ``why`` (see BlogPostVersion).
    Only a change of its text makes it a person's: a new slug, or a save without changes, does not.
    Raises POST_CHANGED when someone else changed it first, INVALID_REQUEST naming ``slug`` when it is taken
    or none, ``content`` when it shows too many images, and any text that cannot be stored;
    PUBLISH_IN_PROGRESS while the post is being published.
    """
    new = _cleaned(changes)
    refuse_many_shown(new.get("content", ""))
    if not str(new.get("title", post.title)).strip():
        raise invalid_field("/title", "Give the post a title.")
    if not SLUG_PATTERN.fullmatch(new.get("slug", post.slug)):
        raise invalid_field("/slug", "Use 1 to 80 characters: lower-case letters, digits and hyphens.")
    if "slug" in new and slug_taken(post.project_id, new["slug"], post.id):
        raise _taken()
    if any(new.get(name, getattr(post, name)) != getattr(post, name) for name in TEXTS):
        new["edited_at"] = utc_now()
    made, faq = checked(post, new), _faq_left(post, new.get("content", post.content))
    if new.get("keywords", post.keywords) != post.keywords:
        # Saving a new post locks the project first, so this does: the two must not wait for each other.
        schedule_coverage(post.project_id)
    try:
        write_version(post.id, version, **new)
    except IntegrityError:
        # Another post took the slug at the same moment.
        db.session.rollback()
        raise _taken() from None
    store_checked(post, made)
    _refresh_structured_data(post, faq)
    keep_version(post, why, by)
    db.session.commit()
    return post


def restore_version(post: BlogPost, version: int, version_id: int, by: str = "") -> BlogPost:
    """Bring the text of a kept version back into a post that is still at ``version``.

    Raises POST_VERSION_NOT_FOUND, and what ``edit_post`` does.
    """
    kept = get_version(post, version_id)
    return edit_post(post, version, {name: getattr(kept, name) for name in TEXTS}, by=by, why="restored")


def write_version(post_id: int, version: int, **values: Any) -> None:
    """Write columns of a post that is still at ``version`` and is not being published; the caller commits.

    Raises, everything rolled back, POST_CHANGED naming ``version``, PUBLISH_IN_PROGRESS or
    BLOG_POST_NOT_FOUND.
    """
    changed = db.session.scalar(
        update(BlogPost)
        .where(BlogPost.id == post_id, BlogPost.version == version, BlogPost.status != "publishing")
        .values(**values, version=version + 1, updated_at=utc_now())
        .returning(BlogPost.id)
        .execution_options(synchronize_session=False)
    )
    if changed is None:
        db.session.rollback()
        _refuse_edit(post_id)


def _faq_left(post: BlogPost, content: str) -> tuple[FaqEntry, ...]:
    return faq_left((FaqEntry(each["question"], each["answer"]) for each in post.faq), content)


def _refresh_structured_data(post: BlogPost, faq: Sequence[FaqEntry]) -> None:
    """Give a post these questions, and schema.org data in line with its present text."""
    post.faq = [entry.to_dict() for entry in faq]
    post.json_ld = refreshed(
        post.json_ld,
        title=post.title,
        description=post.description,
        keywords=post.tags,
        word_count=post.word_count,
        faq=faq,
    )


def _cleaned(changes: Mapping[str, Any]) -> dict[str, Any]:
    new = {name: changes[name] for name in EDITABLE if name in changes}
    for name, most in _TEXT_LIMITS.items():
        if name in new:
            new[name] = clean_line(name, new[name], most) or ""
    # Space at the start of a Markdown text has a meaning: it is checked as the others are, and kept.
    clean_text("content", new.get("content"), _MOST_CONTENT)
    return new


def _taken() -> ServiceFailure:
    return invalid_field("/slug", "Another post of this project has this slug.")


def _refuse_edit(post_id: int) -> None:
    now = db.session.get(BlogPost, post_id, populate_existing=True)
    if now is None:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")
    if now.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS")
    message = "The post was changed in the meantime. Look at the new text, then save again."
    raise ServiceFailure(
        "POST_CHANGED",
        details={"blog_post_id": post_id, "version": now.version},
        errors=[{"location": "body", "field": "/version", "message": message}],
    )
