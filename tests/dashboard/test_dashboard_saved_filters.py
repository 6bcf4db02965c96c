"""Saved filters: a list as a person likes to see it, under a name, for that person and project alone."""

from __future__ import annotations

import re

from flask import Flask

from app.accounts.service import find_account
from app.content.model import BlogPost
from app.infra.db import db
from app.projects.model import SavedFilter
from app.projects.saved_filters import MOST
from app.projects.service import create_project
from tests.dashboard.conftest import Visitor


def saved(alice: Visitor, project_id: int, name: str, query: str, list_name: str = "posts") -> str:
    path = f"/projects/{project_id}/filters/{list_name}"
    answer = alice.send(path, {"name": name, "query": query}, f"/projects/{project_id}/{list_name}")
    assert answer.status_code == 302
    return answer.location or ""


def chips(alice: Visitor, path: str) -> dict[str, str]:
    """The names of the saved filters, with their addresses; the current one has a star."""
    found = re.findall(r'<a href="([^"]+)"( aria-current="true")?>([^<]+)</a>\s*<form', alice.get(path).text)
    return {name + ("*" if current else ""): url.replace("&amp;", "&") for url, current, name in found}


def test_a_filter_is_saved_chosen_replaced_and_removed(
    app: Flask, alice: Visitor, bob: Visitor, things: dict[str, int]
) -> None:
    project_id = things["project_id"]
    posts = f"/projects/{project_id}/posts"
    assert "Save this filter" not in alice.get(f"{posts}?order=newest").text, "all of them is no filter"
    with app.app_context():
        db.session.get_one(BlogPost, things["post_id"]).status = "published"
        db.session.commit()
    assert "Save this filter" in alice.get(f"{posts}?q=bee&page=1&order=title").text

    shown = saved(alice, project_id, " Bees ", "q=bee&page=2&evil=1&order=title&status=")
    assert shown == f"{posts}?q=bee&order=title"
    assert chips(alice, posts) == {"Bees": shown}
    assert chips(alice, f"{posts}?order=title&q=bee") == {"Bees*": shown}
    assert "Save this filter" not in alice.get(shown).text
    assert chips(alice, f"/projects/{project_id}/keywords") == {}
    saved(alice, project_id, "Bees", "status=draft")
    assert chips(alice, posts) == {"Bees": f"{posts}?status=draft"}

    with app.app_context():
        filter_id = db.session.query(SavedFilter).one().id
    assert bob.send(f"/projects/{project_id}/filters/{filter_id}/remove", page="/settings").status_code == 404
    removed = alice.send(f"/projects/{project_id}/filters/{filter_id}/remove", {"list": "posts"}, posts)
    assert removed.location == posts
    assert chips(alice, posts) == {}


def test_a_filter_without_a_name_or_beyond_the_limit_is_refused(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    posts = f"/projects/{project_id}/posts"
    saved(alice, project_id, " ", "q=x")
    assert "Give the filter a name." in alice.get(posts).text
    saved(alice, project_id, "Nothing", "")
    assert "Choose a filter first" in alice.get(posts).text
    for number in range(MOST):
        saved(alice, project_id, f"No. {number}", "q=x")
    saved(alice, project_id, "One more", "q=x")
    assert f"{MOST} filters are saved already" in alice.get(posts).text
    saved(alice, project_id, "No. 3", "q=y")
    assert chips(alice, posts)["No. 3"] == f"{posts}?q=y"
    with app.app_context():
        account = find_account("alice@example.com")
        assert account
        other = create_project(account, {"url": "https://other.example.com/", "name": "Other"}).id
    assert chips(alice, f"/projects/{other}/posts") == {}


def test_filters_of_executions_are_saved_for_all_projects_together(
    app: Flask, alice: Visitor, bob: Visitor, project_id: int
) -> None:
    shown = f"/executions?status=failed&project={project_id}&q=bee"
    for number in range(2):
        query = f"status=failed&order=newest&q=bee&page=2&project={project_id}"
        answer = alice.send("/filters/executions", {"name": "Broken", "query": query}, "/executions")
        assert answer.location == shown, number
    assert chips(alice, shown) == {"Broken*": shown}
    assert chips(bob, "/executions") == chips(alice, f"/projects/{project_id}/posts") == {}

    with app.app_context():
        filter_id = db.session.query(SavedFilter).one().id
    assert bob.send(f"/filters/{filter_id}/remove", page="/settings").status_code == 404
    within = f"/projects/{project_id}/filters"
    assert alice.send(f"{within}/{filter_id}/remove", page="/executions").status_code == 404
    assert alice.send(f"{within}/executions", {"name": "x", "query": "q=x"}, "/executions").status_code == 404
    assert alice.send("/filters/posts", {"name": "x", "query": "q=x"}, "/executions").status_code == 404
    assert alice.send(f"/filters/{filter_id}/remove", {}, "/executions").location == "/executions"
    assert chips(alice, "/executions") == {}


def test_each_list_has_its_own(alice: Visitor, things: dict[str, int]) -> None:
    project_id = things["project_id"]
    for list_name, query in (("keywords", "state=gap"), ("pages", "state=unlinked")):
        shown = saved(alice, project_id, "Mine", query, list_name)
        assert shown == f"/projects/{project_id}/{list_name}?{query}"
        assert chips(alice, shown) == {"Mine*": shown}
