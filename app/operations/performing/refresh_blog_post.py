"""How a post is refreshed: the work of REFRESH_BLOG_POST.

read the sources again | unchanged: done
                       | an article: replace the sentences that no source supports any more
                       | otherwise: generate again from the post's first input
"""

import time
from collections.abc import Mapping
from functools import partial
from typing import Any

from app.content import pipeline
from app.content.evidence.named_pages import listed
from app.content.posts.proposals import propose
from app.content.posts.saving import written_members
from app.content.posts.source_pages import have_changed
from app.content.refreshing import reread_sources
from app.failures import ServiceFailure
from app.infra.db import release
from app.operations.base import JobResult, Run
from app.operations.generation import answer_cache_of, artefacts_of, result_of
from app.operations.performing.proposing import (
    STEPS,
    first_input,
    post_of,
    proposed,
    record_stage,
    revision_of,
    sentences_result,
)


def perform(run: Run) -> JobResult:
    """Write the post again if a source changed. The transaction that ends the job saves the proposal."""
    run.progress("check_sources", 0, STEPS)
    source_ids = [source["page_id"] for source in post_of(run).sources]
    unread = reread_sources(run.project_id, source_ids, run.should_stop)
    if unread:
        run.progress("check_sources", 0, STEPS, f"Could not be read: {listed(unread)}.")
    post = post_of(run)
    if not have_changed(post):
        return JobResult(_result(post.id, sources_changed=False))
    payload, post_id, kind = first_input(run, post), post.id, post.draft_kind
    started = time.monotonic()
    if payload["engine"] == "llm":
        refreshed = revision_of(run, post, payload).refresh()
        if refreshed is not None:
            return sentences_result(run, _result(post_id, sources_changed=True), refreshed, started)
    release()
    return _generate_again(run, post_id, kind, payload, started)


def _generate_again(
    run: Run, post_id: int, present_kind: str, payload: Mapping[str, Any], started: float
) -> JobResult:
    written = pipeline.generate(
        run.project_id,
        payload,
        partial(record_stage, run),
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


def _result(post_id: int, *, sources_changed: bool) -> dict[str, Any]:
    return {
        "blog_post_id": post_id,
        "sources_changed": sources_changed,
        "changed": False,
        "proposal_id": None,
    }
