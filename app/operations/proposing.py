"""What the operations share that propose a new text for a post."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.proposals import propose, refreshed_members
from app.content.posts.service import get_post
from app.content.writing.article.refreshing import RefreshedText
from app.failures import ServiceFailure, failure
from app.infra.db import db
from app.operations.base import OperationFailed, Payload, Run
from app.projects.model import Project


def proposable_post(project: Project, payload: Payload) -> BlogPost:
    """Return the post of a payload. Raises BLOG_POST_NOT_FOUND and PUBLISH_IN_PROGRESS."""
    post = get_post(project, payload["blog_post_id"])
    if post.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
    return post


def post_of(run: Run) -> BlogPost:
    """Return the post of a job as it is now.

    Raises BLOG_POST_NOT_FOUND, and PUBLISH_IN_PROGRESS for another attempt.
    """
    post = db.session.get(BlogPost, run.payload["blog_post_id"], populate_existing=True)
    if post is None or post.project_id != run.project_id:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")
    if post.status == "publishing":
        # Its publishing ends within moments, so another attempt succeeds.
        found = failure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
        raise OperationFailed(found, transient=True)
    return post


def propose_sentences(run: Run, post_id: int, new: RefreshedText) -> Mapping[str, Any]:
    """Keep a text with other sentences as the post's proposal; return the members of the result."""
    post = get_post(db.session.get_one(Project, run.project_id), post_id)
    return proposed(propose(run.project_id, post_id, run.job_id, refreshed_members(post, new)))


def proposed(proposal: BlogPostProposal | None) -> Mapping[str, Any]:
    """Return the members of a job's result about its proposal."""
    if proposal is None:
        return {}
    return {"changed": True, "proposal_id": proposal.id, "title": proposal.title}
