"""REFRESH_BLOG_POST: writes a post anew when its sources changed, as a proposal beside the present text.

    read the sources anew | unchanged: done | an article: only the sentences that no source bears any more,
    else the post's first input | generate | propose

The post itself is left as it is: a person uses the proposal, or dismisses it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from marshmallow import Schema

from app.content import pipeline
from app.content.drafts import WrittenPost
from app.content.evidence.named_pages import listed
from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.original_input import original_input
from app.content.posts.proposals import propose, refreshed_members
from app.content.posts.saving import sources_changed, written_members
from app.content.posts.service import get_post
from app.content.refreshing import present_text, read_sources_anew, refresh
from app.content.writing.article.refreshing import RefreshedText
from app.failures import ServiceFailure, failure
from app.infra.db import db, release
from app.operations.base import EarlierJob, JobResult, Operation, OperationFailed, Payload, Run
from app.operations.fields import blog_post_id
from app.operations.written import answer_cache_of, artefacts_of, told_of
from app.projects.model import Project

_OWN_STAGES: Final = {"save_draft": "save_proposal"}


class RefreshBlogPostInput(Schema):
    """Which post is written anew."""

    blog_post_id = blog_post_id("The post, a draft or published.")


def admit(project: Project, payload: Payload) -> None:
    """Refuse a post that is not there, or is being published now."""
    post = get_post(project, payload["blog_post_id"])
    if post.status == "publishing":
        raise ServiceFailure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})


def perform(run: Run) -> JobResult:
    """Write the post anew if a source changed; the proposal is saved in the transaction that ends the job."""
    steps = len(pipeline.ALL_STAGES) + 1

    def progress(stage: str, done: int, _total: int, message: str = "") -> None:
        run.progress(_OWN_STAGES.get(stage, stage), done + 1, steps, message)

    run.progress("check_sources", 0, steps)
    post = _post_of(run)
    source_ids = [source["page_id"] for source in post.sources]
    unread = read_sources_anew(run.project_id, source_ids, run.should_stop)
    if unread:
        run.progress("check_sources", 0, steps, f"Could not be read: {listed(unread)}.")
    post = _post_of(run)
    if not sources_changed(post):
        return JobResult(_result(post.id, sources_changed=False))
    earlier = run.earlier(post.job_id) if post.job_id is not None else EarlierJob({}, {})
    again = original_input(post, earlier.payload, earlier.artefacts)
    post_id, kind, present = post.id, post.draft_kind, present_text(post)
    release()
    started = time.monotonic()
    refreshed = None
    if again["engine"] == "llm":
        refreshed = refresh(
            run.project_id,
            present,
            source_ids,
            again,
            progress,
            run.should_stop,
            run.remaining,
            answer_cache_of(run),
        )
    if refreshed is not None:
        result = {
            **_result(post_id, sources_changed=True),
            "changes": list(refreshed.changes),
            "usage": refreshed.usage.taken(),
            "seconds": round(time.monotonic() - started, 2),
        }
        return JobResult(result, partial(_save_refreshed, run, post_id, refreshed))
    written = pipeline.generate(
        run.project_id, again, progress, run.should_stop, instead_of=post_id, remaining=run.remaining,
        cache=answer_cache_of(run),
    )  # fmt: skip
    if written.draft_kind == "outline" and kind != "outline":
        raise ServiceFailure(
            "INSUFFICIENT_SOURCE_MATERIAL",
            "The pages hold too little about this topic by now; the post stays as it is.",
            details={"blog_post_id": post_id},
        )
    result = {**_result(post_id, sources_changed=True), **told_of(written, time.monotonic() - started)}
    save = partial(_save, run.project_id, post_id, run.job_id, written)
    return JobResult(result, save, artefacts_of(written))


def _post_of(run: Run) -> BlogPost:
    post = db.session.get(BlogPost, run.payload["blog_post_id"], populate_existing=True)
    if post is None or post.project_id != run.project_id:
        raise ServiceFailure("BLOG_POST_NOT_FOUND")
    if post.status == "publishing":
        # It is published within moments: the next attempt finds it so.
        found = failure("PUBLISH_IN_PROGRESS", details={"blog_post_id": post.id})
        raise OperationFailed(found, transient=True)
    return post


def _save(project_id: int, post_id: int, job_id: int, written: WrittenPost) -> Mapping[str, Any]:
    return _proposed(propose(project_id, post_id, job_id, written_members(written)))


def _save_refreshed(run: Run, post_id: int, refreshed: RefreshedText) -> Mapping[str, Any]:
    post = get_post(db.session.get_one(Project, run.project_id), post_id)
    members = refreshed_members(post, refreshed)
    return _proposed(propose(run.project_id, post_id, run.job_id, members))


def _proposed(proposal: BlogPostProposal | None) -> Mapping[str, Any]:
    if proposal is None:
        return {}
    return {"changed": True, "proposal_id": proposal.id, "title": proposal.title}


def _result(post_id: int, *, sources_changed: bool) -> dict[str, Any]:
    return {
        "blog_post_id": post_id,
        "sources_changed": sources_changed,
        "changed": False,
        "proposal_id": None,
    }


OPERATION = Operation(
    name="REFRESH_BLOG_POST",
    title="Refresh blog post",
    summary="Writes a post anew from its changed sources, as a proposal beside the present text.",
    schema=RefreshBlogPostInput,
    perform=perform,
    admit=admit,
    limited=True,
    counts_as_waiting=True,
)
