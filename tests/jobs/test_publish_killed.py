"""Publish jobs in real workers, whose child process SIGKILL ends at each step: one live post, recorded so."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from app.infra.db import db
from app.infra.faults import Point
from app.operations import publish_blog_post, unpublish_blog_post
from app.projects.model import Project
from app.publishing import service
from tests.executions.conftest import check_history, events, job_of
from tests.jobs.conftest import LiveService, StartService
from tests.support.publishing import post_of, state, submit
from tests.support.target_places import Place, look_alikes

TITLE: Final = "How to keep garden notes that help"
POINTS: Final = [
    Point.PUBLISH_BEFORE_CREATE,
    Point.PUBLISH_AFTER_CREATE_BEFORE_ID,
    Point.PUBLISH_AFTER_CREATE_BEFORE_LIVE,
    Point.PUBLISH_AFTER_SEND_BEFORE_RECORD,
]


@pytest.fixture
def ghost() -> Iterator[Place]:
    with look_alikes() as places:
        yield next(place for place in places if place.kind == "ghost")


@pytest.fixture
def live(start_service: StartService, ghost: Place, tmp_path: Path) -> LiveService:
    return start_service(FETCH_ALLOW=ghost.gateway.address, FAULT_DIRECTORY=str(tmp_path))


@pytest.fixture
def post_id(live: LiveService, ghost: Place) -> int:
    project = db.session.get_one(Project, live.garden.project_id)
    service.add_target(project, ghost.kind, "Blog", ghost.settings, ghost.secret)
    return post_of(project).id


def ends_in_its_second_attempt(live: LiveService, job_id: int, taken: Path) -> None:
    assert live.ended(job_id) == ["succeeded"]
    assert taken.exists()
    assert job_of(job_id).attempt == 2
    assert events(job_id).count("JOB_SUCCEEDED") == 1
    check_history(job_id)


@pytest.mark.parametrize("point", POINTS)
def test_a_post_whose_worker_is_killed_is_live_once(
    live: LiveService, ghost: Place, post_id: int, tmp_path: Path, point: Point
) -> None:
    (tmp_path / point).touch()
    job_id = submit(post_id, publish_blog_post.OPERATION)
    ends_in_its_second_attempt(live, job_id, tmp_path / f"{point}.taken")
    assert state(post_id) == ("live", "published")
    assert [post.is_live for post in ghost.posts(TITLE)] == [True]


@pytest.mark.parametrize("point", [Point.UNPUBLISH_BEFORE_CALL, Point.UNPUBLISH_AFTER_CALL_BEFORE_RECORD])
def test_a_post_whose_worker_is_killed_while_unpublishing_is_hidden(
    live: LiveService, ghost: Place, post_id: int, tmp_path: Path, point: Point
) -> None:
    assert live.ended(submit(post_id, publish_blog_post.OPERATION)) == ["succeeded"]
    (tmp_path / point).touch()
    job_id = submit(post_id, unpublish_blog_post.OPERATION)
    ends_in_its_second_attempt(live, job_id, tmp_path / f"{point}.taken")
    assert state(post_id) == ("unpublished", "draft")
    assert [post.is_live for post in ghost.posts(TITLE)] == [False]
