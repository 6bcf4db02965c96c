"""Publishing at a time, over the Public API."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from flask import Flask

from app.executions.schedule import submit_due_publications
from app.infra.clock import rfc3339
from app.infra.db import db
from app.projects.model import Project
from tests.api.conftest import Customer, code, member
from tests.support.publishing import Receiver, post_of
from tests.support.scheduling import scheduled_in as put_in
from tests.support.servers import SiteServer

NAME = "scheduled_publication"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


class Planned:
    """Alice's project with a post that passes the checks and a target that takes it."""

    def __init__(self, app: Flask, alice: Customer, site: SiteServer) -> None:
        self.app, self.alice = app, alice
        self.project_id = alice.project()
        self.receiver = Receiver(site)
        with app.app_context():
            project = db.session.get_one(Project, self.project_id)
            self.target_id = self.receiver.add_to(project).id
            self.post_id = post_of(project).id

    @property
    def schedule(self) -> str:
        return f"/projects/{self.project_id}/schedule"

    def put(self, publish_at: Any, **members: Any) -> Any:
        path = f"/projects/{self.project_id}/blog-posts/{self.post_id}/schedule"
        return self.alice.post(path, {"publish_at": publish_at, **members})

    def overdue(self) -> int:
        """The id of a publication whose time has passed."""
        with self.app.app_context():
            project = db.session.get_one(Project, self.project_id)
            post = post_of(project, slug="overdue")
            target = self.receiver.add_to(project, name="Another")
            return put_in(post, target, -1)


@pytest.fixture
def planned(app: Flask, alice: Customer, site: SiteServer) -> Planned:
    return Planned(app, alice, site)


def in_hours(hours: float) -> str:
    text = rfc3339(datetime.now(UTC) + timedelta(hours=hours))
    assert text is not None
    return text


def test_several_posts_are_scheduled_and_one_that_is_refused_stops_no_other(
    app: Flask, planned: Planned
) -> None:
    with app.app_context():
        project = db.session.get_one(Project, planned.project_id)
        second = post_of(project, slug="second").id
        thin = post_of(project, slug="thin", content="").id
    times = {planned.post_id: in_hours(2), thin: in_hours(3), second: in_hours(-1), 10**9: in_hours(4)}
    posts = [{"blog_post_id": post_id, "publish_at": at} for post_id, at in times.items()]
    answer = planned.alice.post(planned.schedule, {"posts": posts, "target": "Hook"})
    results = {each["blog_post_id"]: each for each in member(answer, "results")}
    made = results[planned.post_id]
    assert (made["created"], made["failure"]) == (True, None)
    assert made["scheduled_publication"]["publish_at"][:16] == times[planned.post_id][:16]
    codes = {post_id: results[post_id]["failure"]["code"] for post_id in (thin, second, 10**9)}
    assert codes == {
        thin: "PUBLISH_QUALITY_GATE_BLOCKED", second: "INVALID_REQUEST", 10**9: "BLOG_POST_NOT_FOUND",
    }  # fmt: skip
    assert "has passed" in results[second]["failure"]["message"]
    twice = planned.alice.post(planned.schedule, {"posts": [posts[0], posts[0]]})
    assert twice.status_code == 422


def test_a_post_is_scheduled_and_scheduling_it_again_changes_the_time(planned: Planned) -> None:
    first = planned.put(in_hours(1))
    assert (first.status_code, member(first, "created")) == (201, True)
    row = member(first, NAME)
    assert row.items() >= {
        "blog_post_id": planned.post_id, "target_id": planned.target_id, "target": "Hook",
        "visibility": "live", "state": "waiting", "job_id": None, "failure": None,
    }.items()  # fmt: skip
    assert first.headers["Location"] == f"/public-api{planned.schedule}/{row['id']}"
    assert member(planned.alice.get(f"{planned.schedule}/{row['id']}"), NAME) == row
    later = in_hours(2)
    again = planned.put(later, target="Hook")
    assert (again.status_code, member(again, "created")) == (200, False)
    assert member(again, NAME).items() >= {"id": row["id"], "publish_at": later}.items()


def test_a_time_is_taken_with_its_offset(planned: Planned) -> None:
    tomorrow = (datetime.now(UTC) + timedelta(days=1)).replace(microsecond=0)
    berlin = tomorrow.astimezone(datetime.strptime("+0530", "%z").tzinfo).isoformat()
    assert member(planned.put(berlin), NAME)["publish_at"] == rfc3339(tomorrow)


@pytest.mark.parametrize(
    "wrong",
    [
        None, "", "tomorrow", 1_900_000_000, "2026-11-24", "2026-11-24T09:00:00", "20261124T090000Z",
        "2026-13-24T09:00:00Z", "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00",
        "2020-01-01T00:00:00Z", "2999-01-01T00:00:00Z",
    ],
)  # fmt: skip
def test_a_wrong_time_is_refused_by_its_field(planned: Planned, wrong: Any) -> None:
    answer = planned.put(wrong)
    assert code(answer) == (422, "INVALID_REQUEST")
    assert [error["field"] for error in member(answer, "errors")] == ["/publish_at"]


def test_what_could_not_be_published_now_is_not_scheduled(planned: Planned, app: Flask) -> None:
    assert code(planned.put(in_hours(1), target="Nowhere")) == (409, "PUBLISH_TARGET_MISSING")
    with app.app_context():
        project = db.session.get_one(Project, planned.project_id)
        planned.post_id = post_of(project, slug="empty", content="", word_count=0).id
    assert code(planned.put(in_hours(1))) == (409, "PUBLISH_QUALITY_GATE_BLOCKED")


def test_the_schedule_is_listed_latest_first_and_by_state(planned: Planned) -> None:
    row = member(planned.put(in_hours(2)), NAME)
    overdue = planned.overdue()

    def listed(query: str = "") -> list[int]:
        found = member(planned.alice.get(f"{planned.schedule}{query}"), "scheduled_publications")
        return [each["id"] for each in found]

    assert listed() == [row["id"], overdue]
    assert listed("?page_size=1&page=2") == [overdue]
    with planned.app.app_context():
        assert submit_due_publications() == 1
    assert listed("?state=waiting") == [row["id"]]
    assert listed("?state=submitted") == [overdue]
    assert code(planned.alice.get(f"{planned.schedule}?state=done")) == (422, "INVALID_REQUEST")


def test_a_scheduled_publication_is_moved(planned: Planned) -> None:
    row = member(planned.put(in_hours(2)), NAME)
    later = in_hours(3)
    moved = planned.alice.patch(f"{planned.schedule}/{row['id']}", {"publish_at": later})
    assert (moved.status_code, member(moved, NAME)["publish_at"]) == (200, later)
    early = planned.alice.patch(f"{planned.schedule}/{row['id']}", {"publish_at": "2020-01-01T00:00:00Z"})
    assert code(early) == (422, "INVALID_REQUEST")


def test_canceling_twice_changes_nothing(planned: Planned) -> None:
    row = member(planned.put(in_hours(2)), NAME)
    path = f"{planned.schedule}/{row['id']}"
    canceled = planned.alice.send("DELETE", path)
    assert (canceled.status_code, member(canceled, NAME)["state"]) == (200, "canceled")
    assert member(planned.alice.send("DELETE", path), NAME) == member(canceled, NAME)
    assert code(planned.alice.patch(path, {"publish_at": in_hours(3)})) == (409, "SCHEDULE_NOT_WAITING")


def test_what_has_a_job_is_neither_moved_nor_canceled(planned: Planned) -> None:
    path = f"{planned.schedule}/{planned.overdue()}"
    with planned.app.app_context():
        assert submit_due_publications() == 1
    row = member(planned.alice.get(path), NAME)
    assert planned.alice.ran(row["job_id"])["status"] == "succeeded"
    assert code(planned.alice.send("DELETE", path)) == (409, "SCHEDULE_NOT_WAITING")
    assert code(planned.alice.patch(path, {"publish_at": in_hours(3)})) == (409, "SCHEDULE_NOT_WAITING")
