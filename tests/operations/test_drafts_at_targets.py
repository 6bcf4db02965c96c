"""Hidden drafts at a target: ours to change, to publish, to hide again and to roll back."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import event, func, select, update

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.executions.rollback import roll_back
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing import abandoned, service
from app.publishing.model import AbandonedDraft, PublishCall
from tests.support.ghost_site import GhostSite
from tests.support.publishing import (
    alice_project,
    failure_code,
    fresh,
    post_of,
    publication_of,
    publish,
    state,
    unpublish,
)
from tests.support.together import together

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def ghost() -> Iterator[GhostSite]:
    made = GhostSite()
    yield made
    made.close()


@pytest.fixture
def settings_overrides(ghost: GhostSite) -> dict[str, str]:
    return {"FETCH_ALLOW": ghost.address}


@pytest.fixture
def project(db_app: Flask, ghost: GhostSite) -> Iterator[Project]:
    made = alice_project()
    service.add_target(made, "ghost", "Blog", {"url": f"{ghost.url}/"}, ghost.key)
    yield made
    db.session.remove()


@pytest.fixture
def post_id(project: Project) -> int:
    return post_of(project).id


def there(ghost: GhostSite) -> list[tuple[str, str]]:
    """The status and the title of each post that Ghost has."""
    return [(post["status"], post["title"]) for post in ghost.posts.values()]


def change(post_id: int, **members: Any) -> None:
    post = fresh(post_id)
    for name, value in members.items():
        setattr(post, name, value)
    post.version += 1
    db.session.commit()


TITLE = "How to keep garden notes that help"


def test_a_hidden_draft_leaves_the_post_a_draft(ghost: GhostSite, post_id: int) -> None:
    job = publish(post_id, visibility="draft")
    assert (job.status, state(post_id)) == ("succeeded", ("draft", "draft"))
    assert there(ghost) == [("draft", TITLE)]
    assert fresh(post_id).published_url is None


def test_a_changed_draft_is_changed_there_and_then_published_as_the_same_post(
    ghost: GhostSite, post_id: int
) -> None:
    publish(post_id, visibility="draft")
    publication_id = publication_of(post_id).publication_id
    change(post_id, title="Other garden notes")
    publish(post_id, visibility="draft")
    assert there(ghost) == [("draft", "Other garden notes")]
    publish(post_id)
    assert there(ghost) == [("published", "Other garden notes")]
    assert state(post_id) == ("live", "published")
    assert publication_of(post_id).publication_id == publication_id


def test_an_unpublished_post_stays_there_as_a_draft_and_is_published_again_as_the_same(
    ghost: GhostSite, post_id: int
) -> None:
    publish(post_id)
    assert unpublish(post_id).status == "succeeded"
    assert (state(post_id), there(ghost)) == (("unpublished", "draft"), [("draft", TITLE)])
    publish(post_id)
    assert (state(post_id), there(ghost)) == (("live", "published"), [("published", TITLE)])


def test_a_live_post_does_not_become_a_draft_by_publishing_it_as_one(ghost: GhostSite, post_id: int) -> None:
    publish(post_id)
    change(post_id, title="Other garden notes")
    assert failure_code(publish(post_id, visibility="draft")) == "INVALID_REQUEST"
    assert (state(post_id), there(ghost)) == (("live", "published"), [("published", TITLE)])


def test_a_post_deleted_at_the_target_is_created_anew(ghost: GhostSite, post_id: int) -> None:
    publish(post_id)
    ghost.posts.clear()
    change(post_id, title="Other garden notes")
    assert publish(post_id).status == "succeeded"
    assert there(ghost) == [("published", "Other garden notes")]


def test_a_text_edited_there_is_replaced_only_when_asked_to(ghost: GhostSite, post_id: int) -> None:
    publish(post_id)
    (remote,) = ghost.posts.values()
    remote["html"], remote["updated_at"] = "<p>Edited there.</p>", "2026-02-01T00:00:00.000Z"
    change(post_id, title="Other garden notes")
    job = publish(post_id)
    assert failure_code(job) == "TARGET_POST_EDITED"
    details = (job.failure or {})["details"]
    assert "Edited there." in details["text_there"]
    assert details["title_here"] == "Other garden notes"
    assert state(post_id) == ("live", "published")
    assert there(ghost) == [("published", TITLE)]
    assert publish(post_id, overwrite=True).status == "succeeded"
    assert there(ghost) == [("published", "Other garden notes")]


def test_a_slug_of_another_post_is_not_taken(ghost: GhostSite, project: Project, post_id: int) -> None:
    publish(post_id)
    db.session.add(Project(account_id=1, name="Other", url="https://other.example/"))
    db.session.commit()
    other = db.session.scalars(select(Project).where(Project.name == "Other")).one()
    service.add_target(other, "ghost", "Blog", {"url": f"{ghost.url}/"}, ghost.key)
    second = post_of(other).id
    job = publish(second)
    assert failure_code(job) == "TARGET_SLUG_TAKEN"
    assert (job.failure or {})["details"]["offered_slug"] == "garden-notes-2"
    assert there(ghost) == [("published", TITLE)]
    assert state(second) == ("failed", "draft")


def rolled_back(post_id: int) -> None:
    """Roll back the job that made a post."""
    now, project_id = utc_now(), fresh(post_id).project_id
    job = ExecutionJob(
        account_id=1, project_id=project_id, operation="GENERATE_BLOG_POST",
        status="succeeded", payload={}, available_at=now, queued_at=now, created_at=now, updated_at=now,
    )  # fmt: skip
    db.session.add(job)
    db.session.flush()
    db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(job_id=job.id))
    db.session.commit()
    roll_back(job)


@pytest.mark.parametrize("unpublished", [False, True], ids=["draft", "unpublished"])
def test_a_rollback_deletes_the_hidden_draft_there_too(
    ghost: GhostSite, post_id: int, unpublished: bool
) -> None:
    publish(post_id, visibility="live" if unpublished else "draft")
    if unpublished:
        unpublish(post_id)
    rolled_back(post_id)
    assert there(ghost) == [("draft", TITLE)]
    assert abandoned.delete_abandoned_drafts() == 1
    assert there(ghost) == []
    assert abandoned.delete_abandoned_drafts() == 0


def test_a_draft_that_a_person_published_there_is_left_to_them(ghost: GhostSite, post_id: int) -> None:
    publish(post_id, visibility="draft")
    rolled_back(post_id)
    (remote,) = ghost.posts.values()
    remote["status"] = "published"
    assert abandoned.delete_abandoned_drafts() == 1
    assert there(ghost) == [("published", TITLE)]
    assert db.session.scalars(select(AbandonedDraft)).all() == []


def test_a_deletion_that_fails_is_tried_again_for_a_week(ghost: GhostSite, post_id: int) -> None:
    publish(post_id, visibility="draft")
    rolled_back(post_id)
    key, ghost.key = ghost.key, "0" * 24 + ":" + "0" * 64
    assert abandoned.delete_abandoned_drafts() == 1
    assert abandoned.delete_abandoned_drafts() == 0, "the next attempt comes later"
    ghost.key = key
    db.session.execute(update(AbandonedDraft).values(next_try_at=utc_now()))
    db.session.commit()
    assert abandoned.delete_abandoned_drafts() == 1
    assert there(ghost) == []


def test_a_deletion_that_another_run_has_just_tried_is_not_tried_again(
    app: Flask, ghost: GhostSite, post_id: int
) -> None:
    publish(post_id, visibility="draft")
    rolled_back(post_id)
    ghost.key = "0" * 24 + ":" + "0" * 64
    before = tries()
    begun: list[bool] = []
    others: list[int] = []

    def another_run(*_: object) -> None:
        """Let another run do all of its work once this one knows which drafts are due."""
        if not begun:
            begun.append(True)
            others.extend(together(app, abandoned.delete_abandoned_drafts, 1))

    event.listen(db.engine, "checkin", another_run)
    own = abandoned.delete_abandoned_drafts()
    event.remove(db.engine, "checkin", another_run)
    assert (own, others) == (1, [1])
    assert tries() == before + 1


def tries() -> int:
    """How many calls to targets there were."""
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(PublishCall)) or 0


def test_a_published_post_with_a_draft_elsewhere_is_not_rolled_back(ghost: GhostSite, post_id: int) -> None:
    publish(post_id)
    with pytest.raises(ServiceFailure) as refused:
        rolled_back(post_id)
    assert refused.value.failure.code == "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"
    assert db.session.scalars(select(AbandonedDraft)).all() == []
