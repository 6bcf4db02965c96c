"""A site is removed with its posts by somebody who has read what is lost and typed its name."""

from __future__ import annotations

import re
from html import unescape

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.executions.model import ExecutionJob
from app.infra.db import db
from app.overview import project_removal
from app.pages.model import Page
from app.projects.model import Project
from app.projects.service import find_project
from app.publishing.model import Publication
from tests.dashboard.conftest import Visitor
from tests.support.publishing import post_of


@pytest.fixture
def here(app: Flask, things: dict[str, int]) -> str:
    """The page of the removal of Alice's site, which has a live post."""
    project_id, target_id = things["project_id"], things["target_id"]
    with app.app_context():
        post = post_of(find_project(project_id), slug="live", title="A live post")
        sent = {"publication_id": "pub_live", "state": "live", "content_sha256": ""}
        db.session.add(Publication(blog_post_id=post.id, target_id=target_id, **sent))
        db.session.commit()
    return f"/projects/{project_id}/delete"


def words(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", text)).split())


def rows_of_all_tables(app: Flask) -> dict[str, int]:
    with app.app_context():
        tables = db.metadata.sorted_tables
        counts = {each.name: db.session.scalar(select(func.count()).select_from(each)) for each in tables}
    return {name: count or 0 for name, count in counts.items()}


def test_what_is_lost_and_what_stays_live_is_said_first(alice: Visitor, here: str) -> None:
    assert f'href="{here}"' in alice.get(here.replace("/delete", "/edit")).text
    text = words(alice.get(here).text)
    assert re.search(r"\d+ pages? and \d+ keywords? are deleted here", text)
    assert "1 post stays live at your blog. Nobody can change or unpublish it from here any more." in text
    assert "Your website itself is not touched." in text


def test_another_name_removes_nothing_and_the_right_one_everything(
    app: Flask, alice: Visitor, bob: Visitor, here: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_removal, "_PAGES_AT_ONCE", 1)
    bob.send("/projects/sample", page="/projects/new")
    before = rows_of_all_tables(app)
    refused = alice.send(here, {"name": "Another site"})
    assert refused.status_code == 422
    assert 'id="name-wrong"' in refused.text
    assert rows_of_all_tables(app) == before
    with app.app_context():
        name = find_project(int(here.split("/")[2])).name
        bobs = db.session.scalar(select(Project.id).where(Project.id != int(here.split("/")[2])))
        pages = db.session.scalar(select(func.count(Page.id)).where(Page.project_id == bobs))
    answer = alice.send(here, {"name": f" {name.upper()} "})
    assert answer.location == "/projects"
    assert f"“{name}” is removed." in unescape(alice.get("/projects").text)
    left = rows_of_all_tables(app)
    assert (left["projects"], left["pages"], left["keywords"]) == (1, pages, 5)
    assert left["publications"] == left["publish_targets"] == 0


def test_a_site_with_a_running_job_waits_for_its_end(app: Flask, alice: Visitor, here: str) -> None:
    project_id = int(here.split("/")[2])
    alice.send(f"/projects/{project_id}/ideas", {"count": "10"})
    text = alice.get(here).text
    assert "Wait for its end, or cancel it." in text
    assert "Remove for good" not in text
    with app.app_context():
        name = find_project(project_id).name
    assert alice.send(here, {"name": name}, page="/projects").status_code == 409
    with app.app_context():
        assert db.session.scalar(select(func.count(ExecutionJob.id)))
        assert db.session.get(Project, project_id) is not None


def test_nobody_removes_the_site_of_another(alice: Visitor, bob: Visitor, here: str) -> None:
    assert bob.get(here).status_code == 404
    assert bob.send(here, {"name": "alice.example.com"}, page="/projects").status_code == 404
    assert alice.get(here).status_code == 200
