"""Rolling one job back leaves the drafts of other jobs alone, and what was removed of them."""

from __future__ import annotations

from sqlalchemy import select

from app.content.model import BlogPost, PostRemoval, RemovedPost
from app.executions.queries import get_job
from app.executions.rollback import roll_back
from app.infra.db import db
from app.projects.service import add_unchecked
from tests.executions.conftest import Garden
from tests.support.working import run_job


def finished(garden: Garden, topic: str) -> tuple[int, int]:
    """The ids of a generation that has succeeded, and of its draft."""
    job_id = garden.queued(payload={"topic": topic})
    run_job(job_id)
    found = db.session.scalars(select(BlogPost.id).where(BlogPost.job_id == job_id)).one()
    db.session.commit()
    return job_id, found


def rolled_back(garden: Garden, job_id: int) -> None:
    roll_back(get_job(garden.account_id, job_id))
    db.session.commit()


def removed(project_id: int, *post_ids: int) -> None:
    """Note drafts as removed by a person, who may undo it."""
    removal = PostRemoval(project_id=project_id)
    db.session.add(removal)
    db.session.flush()
    db.session.add_all(RemovedPost(removal_id=removal.id, blog_post_id=each, rows={}) for each in post_ids)
    db.session.commit()


def test_a_rollback_deletes_no_draft_of_another_job(garden: Garden) -> None:
    first, _ = finished(garden, "Keeping garden notes")
    _, kept = finished(garden, "Sharpening a scythe")
    rolled_back(garden, first)
    assert db.session.scalars(select(BlogPost.id)).all() == [kept]


def test_a_rollback_forgets_its_own_removed_draft_and_no_other(garden: Garden) -> None:
    job_id, draft = finished(garden, "Keeping garden notes")
    _, other = finished(garden, "Sharpening a scythe")
    elsewhere = add_unchecked(garden.account(), {"url": "https://shed.example/", "name": "Shed"}).id
    db.session.commit()
    removed(garden.project_id, draft, other)
    removed(elsewhere, draft)
    rolled_back(garden, job_id)
    left = db.session.execute(
        select(PostRemoval.project_id, RemovedPost.blog_post_id)
        .join(PostRemoval, PostRemoval.id == RemovedPost.removal_id)
        .order_by(RemovedPost.id)
    ).all()
    assert [tuple(row) for row in left] == [(garden.project_id, other), (elsewhere, draft)]
