"""REFRESH_BLOG_POST: proposes a new text for a post whose sources changed.

    read the sources again | unchanged: done
                           | an article: replace the sentences that no source supports any more
                           | otherwise: generate again from the post's first input

The post itself stays as it is: a person uses the proposal or dismisses it.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from marshmallow import Schema

from app.content import pipeline
from app.content.evidence.named_pages import listed
from app.content.posts.original_input import original_input
from app.content.posts.proposals import propose
from app.content.posts.saving import sources_changed, written_members
from app.content.refreshing import present_text, refresh, reread_sources
from app.content.writing.article.refreshing import RefreshedText
from app.failures import ServiceFailure
from app.infra.db import release
from app.operations.base import EarlierJob, JobResult, Operation, Payload, Run
from app.operations.fields import blog_post_id
from app.operations.generation import answer_cache_of, artefacts_of, result_of
from app.operations.proposing import post_of, proposable_post, propose_sentences, proposed
from app.projects.model import Project

_STEPS: Final = len(pipeline.ALL_STAGES) + 1
_OWN_STAGES: Final = {"save_draft": "save_proposal"}


class RefreshBlogPostInput(Schema):
    """Which post is refreshed."""

    blog_post_id = blog_post_id("The post, a draft or published.")


def admit(project: Project, payload: Payload) -> None:
    """Refuse a post that does not exist or is being published."""
    proposable_post(project, payload)


def perform(run: Run) -> JobResult:
    """Write the post again if a source changed. The transaction that ends the job saves the proposal."""
    run.progress("check_sources", 0, _STEPS)
    source_ids = [source["page_id"] for source in post_of(run).sources]
    unread = reread_sources(run.project_id, source_ids, run.should_stop)
    if unread:
        run.progress("check_sources", 0, _STEPS, f"Could not be read: {listed(unread)}.")
    post = post_of(run)
    if not sources_changed(post):
        return JobResult(_result(post.id, sources_changed=False))
    earlier = run.earlier(post.job_id) if post.job_id is not None else EarlierJob({}, {})
    payload = original_input(post, earlier.payload, earlier.artefacts)
    post_id, kind, present = post.id, post.draft_kind, present_text(post)
    release()
    started = time.monotonic()
    if payload["engine"] == "llm":
        refreshed = refresh(
            run.project_id,
            present,
            source_ids,
            payload,
            partial(_progress, run),
            run.should_stop,
            run.remaining,
            answer_cache_of(run),
        )
        if refreshed is not None:
            return _refreshed_result(run, post_id, refreshed, time.monotonic() - started)
    return _generate_again(run, post_id, kind, payload, started)


def _generate_again(
    run: Run, post_id: int, present_kind: str, payload: Mapping[str, Any], started: float
) -> JobResult:
    written = pipeline.generate(
        run.project_id,
        payload,
        partial(_progress, run),
        run.should_stop,
        instead_of=post_id,
        remaining=run.remaining,
        cache=answer_cache_of(run),
    )
    if written.draft_kind == "outline" and present_kind != "outline":
        raise ServiceFailure(
            "INSUFFICIENT_SOURCE_MATERIAL",
            "The pages no longer contain enough about this topic, so the post stays as it is.",
            details={"blog_post_id": post_id},
        )

    def save() -> Mapping[str, Any]:
        return proposed(propose(run.project_id, post_id, run.job_id, written_members(written)))

    result = {**_result(post_id, sources_changed=True), **result_of(written, time.monotonic() - started)}
    return JobResult(result, save, artefacts_of(written))


def _refreshed_result(run: Run, post_id: int, refreshed: RefreshedText, seconds: float) -> JobResult:
    result = {
        **_result(post_id, sources_changed=True),
        "changes": list(refreshed.changes),
        "usage": refreshed.usage.taken(),
        "seconds": round(seconds, 2),
    }
    return JobResult(result, lambda: propose_sentences(run, post_id, refreshed))


def _progress(run: Run, stage: str, done: int, _total: int, message: str = "") -> None:
    run.progress(_OWN_STAGES.get(stage, stage), done + 1, _STEPS, message)


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
    summary="Proposes a new text for a post whose sources changed.",
    schema=RefreshBlogPostInput,
    perform=perform,
    admit=admit,
    limited=True,
    counts_as_waiting=True,
)
