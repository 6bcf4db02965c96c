"""The slug of a post, the end of its address: whether it is free, and what a new title makes of it."""

from sqlalchemy import Exists, exists, select
from sqlalchemy.orm import aliased

from app.content.model import BlogPost
from app.content.planning.titles import make_meta_title, make_slug
from app.infra.db import db
from app.projects.model import Project


def slug_taken(project_id: int, slug: str, but: int | None = None) -> bool:
    """Return whether a post of the project, other than ``but``, has this slug."""
    return bool(db.session.scalar(select(has_slug(project_id, slug, but))))


def has_slug(project_id: int, slug: str, but: int | None = None) -> Exists:
    """Select whether a post of the project, other than ``but``, has this slug."""
    post = aliased(BlogPost)
    found = exists().where(post.project_id == project_id, post.slug == slug)
    return found if but is None else found.where(post.id != but)


def free_slug(project_id: int, slug: str, but: int | None = None) -> str:
    """Return the slug, with a number if a post of the project, other than ``but``, has it."""
    candidate, number = slug, 1
    while slug_taken(project_id, candidate, but):
        number += 1
        candidate = f"{slug[:75]}-{number}"
    return candidate


def follows_title(post: BlogPost) -> tuple[str, ...]:
    """Return the members that a new title may take along: never the address of a post that is published."""
    is_public = post.status != "draft" or post.published_at is not None
    return (*(() if is_public else ("slug",)), *(("meta_title",) if post.meta_title else ()))


def made_from(project: Project, post: BlogPost, title: str) -> dict[str, str]:
    """Return the members of ``follows_title`` as a new title makes them; nothing is stored."""
    language = post.language or ""
    slug = free_slug(project.id, make_slug(title, (), language), but=post.id)
    made = {"slug": slug, "meta_title": make_meta_title(title, project.name, language)}
    return {name: made[name] for name in follows_title(post)} if title else {}
