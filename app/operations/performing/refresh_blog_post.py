"""How a post is refreshed: the work of REFRESH_BLOG_POST.

read the sources again | unchanged: done
                       | an article: replace the sentences that no source supports any more
                       | otherwise: generate again from the post's first input
read the chosen pages, if there are any, and generate again from them
"""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any, Final

from sqlalchemy import select

from app.content import pipeline
from app.content.evidence.named_pages import listed
from app.content.posts.proposals import base_of, propose
from app.content.posts.saving import written_members
from app.content.posts.source_pages import have_changed
from app.content.refreshing import reread_sources
from app.failures import ServiceFailure
from app.infra.db import db, release
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
from app.pages.model import Page
from app.pages.usable import usable

_NO_LONGER_ENOUGH: Final = "The pages no longer contain enough about this topic, so the post stays as it is."
_TOO_LITTLE: Final = "These pages say too little about the topic, so the post stays as it is."
_GONE: Final = "None of these pages can be used any more, so the post stays as it is."


def perform(run: Run) -> JobResult:
    """Write the post again if a source changed, or from the pages that were chosen.

    The transaction that ends the job saves the proposal.
    """
    chosen = run.payload.get("page_ids") or []
    run.progress("check_sources", 0, STEPS)
    read = chosen or [source["page_id"] for source in post_of(run).sources]
    unread = reread_sources(run.project_id, read, run.should_stop)
    if unread:
        run.progress("check_sources", 0, STEPS, f"Could not be read: {listed(unread)}.")
    post = post_of(run)
    result = _result(post.id, sources_changed=have_changed(post))
    if not chosen and not result["sources_changed"]:
        return JobResult(result)
    payload, refusal = first_input(run, post), _NO_LONGER_ENOUGH
    started = time.monotonic()
    if chosen:
        _require_usable(run, chosen, post.id)
        payload = {**payload, "page_ids": chosen, "required_page_ids": []}
        refusal = _TOO_LITTLE
    elif payload["engine"] == "llm":
        base = base_of(post)
        refreshed = revision_of(run, post, payload).refresh()
        if refreshed is not None:
            return sentences_result(run, result, refreshed, base, started)
    release()
    return _generate_again(run, result, payload, refusal, started)


def _require_usable(run: Run, chosen: Sequence[int], post_id: int) -> None:
    """Note which chosen pages cannot be used. Raises INSUFFICIENT_SOURCE_MATERIAL if none can."""
    own = select(Page.id).where(Page.project_id == run.project_id, Page.id.in_(chosen), usable())
    left = set(db.session.scalars(own))
    if not left:
        raise ServiceFailure("INSUFFICIENT_SOURCE_MATERIAL", _GONE, details={"blog_post_id": post_id})
    if gone := [str(page_id) for page_id in chosen if page_id not in left]:
        run.progress("check_sources", 0, STEPS, f"Pages that can no longer be used: {', '.join(gone)}.")


def _generate_again(
    run: Run, members: Mapping[str, Any], payload: Mapping[str, Any], refusal: str, started: float
) -> JobResult:
    """Return the new text. Raises INSUFFICIENT_SOURCE_MATERIAL with a ``refusal`` instead of an outline."""
    post_id = members["blog_post_id"]
    written = pipeline.generate(
        run.project_id,
        payload,
        partial(record_stage, run),
        run.should_stop,
        instead_of=post_id,
        remaining=run.remaining,
        cache=answer_cache_of(run),
    )
    if written.draft_kind == "outline":
        raise ServiceFailure("INSUFFICIENT_SOURCE_MATERIAL", refusal, details={"blog_post_id": post_id})

    def save() -> Mapping[str, Any]:
        return proposed(propose(run.project_id, post_id, run.job_id, written_members(written)))

    result = {**members, **result_of(written, time.monotonic() - started)}
    return JobResult(result, save, artefacts_of(written))


def _result(post_id: int, *, sources_changed: bool) -> dict[str, Any]:
    return {
        "blog_post_id": post_id,
        "sources_changed": sources_changed,
        "changed": False,
        "proposal_id": None,
    }
