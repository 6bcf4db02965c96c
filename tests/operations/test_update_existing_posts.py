"""A post that a target had before becomes ours because a person decided so, and is never deleted."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, update

from app.executions.model import ExecutionJob
from app.executions.queries import active_job_ids
from app.infra.db import database_now, db
from app.projects.model import Project
from app.publishing import service
from app.publishing.model import AbandonedDraft, Publication
from app.publishing.reconcile import reconcile_publications
from tests.support.existing_posts import Place
from tests.support.fault_cells import roll_back_post
from tests.support.gateway import Forward
from tests.support.publishing import (
    failure_code,
    fresh,
    job_of,
    post_of,
    publication_of,
    publish,
    state,
    unpublish,
)
from tests.support.servers import Reply, Request

pytestmark = pytest.mark.usefixtures("no_waiting")

TITLE = "How to keep garden notes that help"
THEIRS = "<p>Our own old notes.</p>"


@pytest.fixture(params=["wordpress", "ghost"])
def place(request: pytest.FixtureRequest) -> Iterator[Place]:
    made = Place(request.param)
    made.write(title="Old notes", text=THEIRS)
    yield made
    made.gateway.close()
    made.ghost.close()


@pytest.fixture
def settings_overrides(place: Place) -> dict[str, str]:
    return {"FETCH_ALLOW": place.gateway.address}


@pytest.fixture
def post_id(project: Project, place: Place) -> int:
    service.add_target(project, place.kind, "Blog", place.settings, place.secret)
    job_id = job_of(project, "succeeded")
    db.session.execute(update(ExecutionJob).values(operation="GENERATE_BLOG_POST"))
    return post_of(project, job_id=job_id).id


def offered(post_id: int, **payload: Any) -> dict[str, Any]:
    """The details of the failure that shows the existing post."""
    job = publish(post_id, **payload)
    assert failure_code(job) == "TARGET_SLUG_TAKEN"
    assert job.failure is not None
    assert "update_existing_post" in job.failure["next_actions"]
    details: dict[str, Any] = job.failure["details"]
    return details


def test_the_existing_post_is_shown_and_becomes_ours_under_its_own_id(place: Place, post_id: int) -> None:
    details = offered(post_id)
    assert "Our own old notes." in details["text_there"]
    assert (details["title_there"], details["title_here"]) == ("Old notes", TITLE)
    assert len(place.rows) == 1
    before = place.rows[0]["id"]
    assert publish(post_id, existing_post=details["existing_post"]).status == "succeeded"
    assert state(post_id) == ("live", "published")
    assert (place.there(), place.rows[0]["id"]) == ([(place.rows[0]["status"], TITLE)], before)
    assert publication_of(post_id).external_id == str(before)
    post = fresh(post_id)
    post.title, post.version = "Other garden notes", post.version + 1
    db.session.commit()
    assert publish(post_id).status == "succeeded"
    assert [title for _, title in place.there()] == ["Other garden notes"]


def test_a_change_that_a_target_accepts_and_does_not_make_is_no_success(place: Place, post_id: int) -> None:
    place.rows[0]["slug"] = "elsewhere"

    def ignored(request: Request, forward: Forward) -> Reply:
        return forward(replace(request, method="GET", body=b""))

    place.gateway.spoil(place.is_update, ignored)
    assert publish(post_id).status == "failed"
    assert state(post_id)[0] in ("failed", "unknown")


def test_a_post_that_is_live_under_another_address_neither_goes_nor_takes_the_existing_one(
    place: Place, post_id: int
) -> None:
    wanted = offered(post_id)["existing_post"]
    theirs = place.rows[0]
    slug, theirs["slug"] = theirs["slug"], "elsewhere"
    assert publish(post_id).status == "succeeded"
    ours = place.rows[1]
    ours["slug"], theirs["slug"] = "renamed", slug
    post = fresh(post_id)
    post.title, post.version = "Other garden notes", post.version + 1
    db.session.commit()
    job = publish(post_id, existing_post=wanted)
    assert job.failure is not None
    assert job.failure["message"] == "The post is at the target already, under another address."
    assert [title for _, title in place.there()] == ["Old notes", TITLE]
    assert state(post_id) == ("live", "published")


def test_a_post_that_was_changed_since_it_was_shown_is_not_replaced(place: Place, post_id: int) -> None:
    details = offered(post_id)
    place.write(title="Old notes, revised", text="<p>Revised.</p>")
    refused = publish(post_id, existing_post=details["existing_post"])
    assert failure_code(refused) == "TARGET_POST_EDITED"
    assert refused.failure is not None
    again = refused.failure["details"]
    assert "Revised." in again["text_there"]
    assert [title for _, title in place.there()] == ["Old notes, revised"]
    assert state(post_id) == ("failed", "draft")
    assert publish(post_id, existing_post=again["existing_post"]).status == "succeeded"
    assert [title for _, title in place.there()] == [TITLE]


@pytest.mark.parametrize("carried_out", [True, False], ids=["carried_out", "not_carried_out"])
def test_after_a_lost_answer_the_post_is_looked_at_by_its_id(
    place: Place, post_id: int, carried_out: bool
) -> None:
    details = offered(post_id)

    def lost(request: Request, forward: Forward) -> Reply:
        if carried_out:
            forward(request)
        return Reply(502)

    place.gateway.spoil_once(place.is_update, lost)
    assert publish(post_id, existing_post=details["existing_post"]).status == "succeeded"
    assert state(post_id) == ("live", "published")
    assert [title for _, title in place.there()] == [TITLE]
    updates = [request for request in place.gateway.requests if place.is_update(request)]
    assert len(updates) == (1 if carried_out else 2)


def lose_the_answer(place: Place, post_id: int, *, carried_out: bool) -> None:
    """Update their post with ours while the place hangs up and is away for a while."""
    details = offered(post_id)

    def hangs_up(request: Request, forward: Forward) -> Reply:
        if carried_out:
            forward(request)
        place.gateway.spoil(lambda _: True, lambda *_: Reply(503))
        return Reply(hang_up=True)

    place.gateway.spoil_once(place.is_update, hangs_up)
    publish(post_id, existing_post=details["existing_post"])
    assert publication_of(post_id).state == "unknown"
    place.gateway.mend()


@pytest.mark.parametrize("carried_out", [True, False], ids=["carried_out", "not_carried_out"])
def test_what_a_lost_job_left_open_counts_only_if_the_post_carries_our_marker(
    place: Place, post_id: int, carried_out: bool
) -> None:
    lose_the_answer(place, post_id, carried_out=carried_out)
    db.session.execute(update(Publication).values(state="sending", updated_at=database_now(-3600)))
    db.session.commit()
    assert reconcile_publications(active_job_ids()) == 1
    if carried_out:
        assert state(post_id) == ("live", "published")
        assert [title for _, title in place.there()] == [TITLE]
        return
    assert state(post_id) == ("failed", "draft")
    assert [title for _, title in place.there()] == ["Old notes"]


def test_a_rollback_leaves_the_post_that_was_there_before_as_a_hidden_draft(
    place: Place, post_id: int
) -> None:
    publish(post_id, existing_post=offered(post_id)["existing_post"])
    assert unpublish(post_id).status == "succeeded"
    roll_back_post(post_id)
    assert db.session.scalars(select(AbandonedDraft)).all() == []
    assert place.there() == [("draft", TITLE)]


def test_a_post_that_became_ours_and_was_hidden_and_moved_by_its_owner_is_not_deleted(
    place: Place, post_id: int
) -> None:
    lose_the_answer(place, post_id, carried_out=True)
    (row,) = place.rows
    row["slug"], row["status"] = "moved-by-its-owner", "draft"
    assert publish(post_id).status == "succeeded"
    assert state(post_id) == ("live", "published")
    assert [title for _, title in place.there()] == [TITLE]


def test_another_post_with_the_same_text_and_address_is_not_replaced(place: Place, post_id: int) -> None:
    wanted = offered(post_id)["existing_post"]
    copied = place.copy_under_its_address()
    refused = publish(post_id, existing_post=wanted)
    assert refused.failure is not None
    assert refused.failure["message"].endswith("no longer has this address, or is another one.")
    assert [title for _, title in place.there()] == ["Old notes", "Old notes"]
    assert publication_of(post_id).existing_id is None
    assert publish(post_id, existing_post={**wanted, "id": str(copied)}).status == "succeeded"


def test_our_own_draft_is_not_taken_over_as_if_somebody_else_had_written_it(
    place: Place, post_id: int
) -> None:
    place.rows[0]["slug"] = "elsewhere"
    assert publish(post_id, visibility="draft").status == "succeeded"
    ours = publication_of(post_id)
    own = {"id": ours.external_id, "fingerprint": ours.fingerprint}
    assert failure_code(publish(post_id, existing_post=own)) == "PUBLISH_REJECTED"
    assert [title for _, title in place.there()] == ["Old notes", TITLE]


def test_a_post_of_another_post_of_ours_is_not_offered(place: Place, post_id: int) -> None:
    publish(post_id, existing_post=offered(post_id)["existing_post"])
    first = db.session.get_one(Project, fresh(post_id).project_id)
    second = Project(account_id=first.account_id, name="Second", url="https://second.example/")
    db.session.add(second)
    db.session.commit()
    service.add_target(second, place.kind, "Blog", place.settings, place.secret)
    job = publish(post_of(second).id)
    assert failure_code(job) == "TARGET_SLUG_TAKEN"
    assert job.failure is not None
    assert "existing_post" not in job.failure["details"]
    assert job.failure["next_actions"] == ["edit_post"]


def test_a_post_that_readers_see_is_not_hidden_by_updating_it(place: Place, post_id: int) -> None:
    details = offered(post_id, visibility="draft")
    refused = publish(post_id, visibility="draft", existing_post=details["existing_post"])
    assert failure_code(refused) == "PUBLISH_REJECTED"
    assert [title for _, title in place.there()] == ["Old notes"]
