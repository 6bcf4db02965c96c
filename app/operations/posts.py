"""The post that a payload is about."""

from __future__ import annotations

from app.content.model import BlogPost
from app.content.posts.service import get_post
from app.failures import ServiceFailure
from app.operations.base import Payload
from app.projects.model import Project


def idle_post(project: Project, payload: Payload) -> BlogPost:
    """Return the post of a payload. Raises BLOG_POST_NOT_FOUND, PUBLISH_IN_PROGRESS."""
    post = get_post(project, payload["blog_post_id"])
    if post.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    return post
