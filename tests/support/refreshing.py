"""Pages that change under the posts made from them, and the proposals that come of it."""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import update

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts import proposals
from app.content.posts.checking import quality_of
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.operations.refresh_blog_post import OPERATION
from app.pages.model import PageContent
from tests.content.conftest import HIVES, Part, page
from tests.executions.conftest import Garden, job_of
from tests.support.bees import page_at
from tests.support.working import run_job

REFRESH: Final = OPERATION.name
NEW: Final[tuple[Part, ...]] = tuple(
    (kind, text.replace("holds 10 frames", "holds 11 frames")) for kind, text in HIVES
)


def generated(school: Garden, **payload: Any) -> int:
    """The id of a new draft."""
    job_id = school.queued(payload=payload)
    run_job(job_id)
    result = job_of(job_id).result
    assert result is not None
    return int(result["blog_post_id"])


def rewrite(project_id: int, path: str, parts: tuple[Part, ...]) -> None:
    """Let a page read differently."""
    row = page_at(project_id, path)
    blocks = [block.to_json() for block in page(row.id, path, parts).blocks]
    db.session.execute(
        update(PageContent)
        .where(PageContent.page_id == row.id)
        .values(blocks=blocks, content_hash=str(hash(parts)))
    )
    db.session.commit()


def refreshed(school: Garden, post_id: int, **payload: Any) -> ExecutionJob:
    """The job of a refresh, run to its end."""
    job_id = school.queued(REFRESH, payload={"blog_post_id": post_id, **payload})
    run_job(job_id)
    return job_of(job_id)


def stored(post_id: int) -> BlogPost:
    """A post as the database has it."""
    db.session.rollback()
    return db.session.get_one(BlogPost, post_id, populate_existing=True)


def text_of(post_id: int) -> tuple[Any, ...]:
    """What a refresh must leave alone."""
    post = stored(post_id)
    return (post.title, post.content, post.version, post.edited_at, post.source_hashes, post.status)


def proposal_of(post_id: int) -> BlogPostProposal:
    """The open proposal of a post."""
    db.session.rollback()
    found = proposals.open_proposal(post_id)
    assert found is not None
    return found


def fails(post_id: int, code: str) -> bool:
    """Whether a check of the quality gate finds something."""
    return not next(check for check in quality_of(stored(post_id)).checks if check.code == code).passed
