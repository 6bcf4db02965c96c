"""What the operations share that propose a new text for a post."""

import time
from collections.abc import Mapping
from typing import Any, Final

from app.content import pipeline
from app.content.drafts import RefreshedText
from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.original_input import original_input
from app.content.posts.parts import present_text
from app.content.posts.proposals import Base, propose, refreshed_members
from app.content.posts.service import get_post
from app.content.refreshing import revision_of_article
from app.content.writing.article.refreshing import Revision
from app.content.writing.article.writer import Work
from app.failures import ServiceFailure, failure
from app.infra.db import db, release
from app.operations.base import EarlierJob, JobResult, OperationFailed, Run
from app.operations.generation import answer_cache_of
from app.projects.model import Project

STEPS: Final = len(pipeline.ALL_STAGES) + 1
_OWN_STAGES: Final = {"save_draft": "save_proposal"}


def post_of(run: Run) -> BlogPost:
    """Return a job's post as it is now. Raises BLOG_POST_NOT_FOUND, and PUBLISH_IN_PROGRESS to try again."""
    post = db.session.get(BlogPost, run.payload["blog_post_id"], populate_existing=True)
    if post is None or post.project_id != run.project_id:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")
    if post.status == "publishing":
        # Its publishing ends within moments, so another attempt succeeds.
        found = failure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
        raise OperationFailed(found, transient=True)
    return post


def first_input(run: Run, post: BlogPost) -> dict[str, Any]:
    """Return the input for writing a post again, as far as the job that wrote it is still known."""
    earlier = run.earlier(post.job_id) if post.job_id is not None else EarlierJob({}, {})
    return original_input(post, earlier.payload, earlier.artefacts)


def record_stage(run: Run, stage: str, done: int, _total: int, message: str = "") -> None:
    run.progress(_OWN_STAGES.get(stage, stage), done + 1, STEPS, message)


def revision_of(run: Run, post: BlogPost, payload: Mapping[str, Any]) -> Revision:
    """Return the job's work on single sentences of a post; the database connection is released."""

    def stage(name: str, message: str) -> None:
        release()
        record_stage(run, name, pipeline.ALL_STAGES.index(name), STEPS, message)

    work = Work(stage, run.should_stop, run.remaining, answer_cache_of(run))
    source_ids = [source["page_id"] for source in post.sources]
    return revision_of_article(run.project_id, present_text(post), source_ids, payload, work)


def sentences_result(
    run: Run, members: Mapping[str, Any], new: RefreshedText, base: Base, started: float
) -> JobResult:
    """Return the result of a job that began at ``started``; its effect proposes the new sentences.

    ``base`` is the state of the post for which they were written.
    """
    result = {
        **members,
        "changes": list(new.changes),
        "usage": new.usage.taken(),
        "seconds": round(time.monotonic() - started, 2),
    }

    def save() -> Mapping[str, Any]:
        post = get_post(db.session.get_one(Project, run.project_id), run.payload["blog_post_id"])
        return proposed(propose(run.project_id, post.id, run.job_id, refreshed_members(post, new), base))

    return JobResult(result, save)


def proposed(proposal: BlogPostProposal | None) -> Mapping[str, Any]:
    if proposal is None:
        return {}
    return {"changed": True, "proposal_id": proposal.id, "title": proposal.title}
