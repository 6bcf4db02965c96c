"""What a new title of a post may take along: the end of its address, and its title in search."""

from __future__ import annotations

from app.content.model import BlogPost
from app.content.planning.titles import make_meta_title, make_slug
from app.content.posts.saving import free_slug
from app.projects.model import Project


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
