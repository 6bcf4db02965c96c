"""Pages that a person wants to be read again."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from flask import Flask

from app.accounts.service import sign_up
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.queue import PAGES, redis_client
from app.infra.urls import url_key
from app.pages import service
from app.pages.crawling import page_queue
from app.pages.crawling.pace import back_off
from app.pages.model import Page
from app.projects.model import Project
from app.projects.service import create_project

SITE = "https://www.example.com"
AN_HOUR = timedelta(hours=1)


@pytest.fixture
def project(db_app: Flask) -> Project:
    alice = sign_up("alice@example.com", "correct horse battery")
    return create_project(alice, {"url": f"{SITE}/shop"})


def page(project: Project, name: str = "shoes", **values: Any) -> int:
    """The id of a page that was read an hour ago and is due in a week."""
    now, url = utc_now(), f"{SITE}/{name}"
    usual = {"fetched_at": now - AN_HOUR, "read_due_at": now + timedelta(days=7), "word_count": 3}
    row = Page(project_id=project.id, url=url, url_key=url_key(url), source="MANUAL", **{**usual, **values})
    db.session.add(row)
    db.session.commit()
    return row.id


def is_due(page_id: int) -> bool:
    due_at = db.session.get_one(Page, page_id, populate_existing=True).read_due_at
    return due_at is not None and due_at <= utc_now()


def test_a_page_is_due_at_once_and_its_reading_is_enqueued(project: Project) -> None:
    page_id, other = page(project), page(project, "hats")
    assert service.read_again(project, [page_id]) == [page_id]
    assert (is_due(page_id), is_due(other)) == (True, False)
    assert redis_client().llen(f"rq:queue:{PAGES}") == 1


def test_a_page_that_could_not_be_read_is_tried_again(project: Project) -> None:
    page_id = page(project, fetched_at=None, word_count=None, fetch_error={"code": "PAGE_UNREACHABLE"})
    assert service.read_again(project, [page_id]) == [page_id]


@pytest.mark.parametrize(
    "values",
    [
        {"fetched_at": None, "read_due_at": None},
        {"is_stale": True},
        {"fetched_at": utc_now() + AN_HOUR},
    ],
    ids=["supplied", "stale", "just read"],
)
def test_some_pages_are_not_read_again(project: Project, values: dict[str, Any]) -> None:
    page_id = page(project, **values)
    assert service.read_again(project, [page_id]) == []
    assert not is_due(page_id)
    assert redis_client().llen(f"rq:queue:{PAGES}") == 0


def test_pages_of_others_are_left_alone(project: Project) -> None:
    bob = sign_up("bob@example.com", "correct horse battery")
    bobs = create_project(bob, {"url": f"{SITE}/"})
    assert service.read_again(project, [page(bobs)]) == []


def test_no_more_pages_are_queued_at_once_than_are_added_at_once(project: Project) -> None:
    ids = [page(project, f"page-{number}") for number in range(service.MOST_AT_ONCE + 1)]
    assert service.read_again(project, ids) == ids[: service.MOST_AT_ONCE]


def test_a_page_of_a_site_that_asked_for_a_pause_waits_for_its_end(project: Project) -> None:
    page_id = page(project)
    back_off(SITE, utc_now() + AN_HOUR)
    db.session.commit()
    service.read_again(project, [page_id])
    assert page_queue.take(project.id, 10) == []
    assert not is_due(page_id)
