"""The way of a post through the API, at every kind of target with drafts, and at real ones where installed.

Connect, test, send a hidden draft, publish, update, unpublish, publish at a time, roll back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import update

from app.content.model import BlogPost
from app.executions import schedule
from app.infra.clock import rfc3339, utc_now
from app.infra.db import db
from app.publishing import abandoned
from app.publishing.model import ScheduledPublication
from tests.api.conftest import Customer, code, member
from tests.support import ghosts, wordpress
from tests.support.git import bare_repository
from tests.support.publishing import TEXT

TITLE = "How to keep garden notes that help"
CHANGED = "How to keep better garden notes"


@dataclass(frozen=True)
class Place:
    """A blog to connect: the body that connects it, the settings of the service, and what it has.

    ``posts`` returns the title and the visibility of each post there.
    """

    body: dict[str, Any]
    overrides: dict[str, str]
    posts: Callable[[], list[tuple[str, str]]]
    wrong_secret: str | None = None


def at_ghost(blog: ghosts.Blog) -> Place:
    def posts() -> list[tuple[str, str]]:
        answer = ghosts.api.request(blog.access(), "GET", "posts/?limit=100")
        shown = {"published": "live", "draft": "draft"}
        return [(post["title"], shown[post["status"]]) for post in ghosts.api.posts_of(answer)]

    body = {"name": "Blog", "kind": "ghost", "settings": {"url": blog.url}, "secret": blog.key}
    wrong = f"{'0' * 24}:{'0' * 64}"
    return Place(body, {"FETCH_ALLOW": blog.url.removeprefix("http://")}, posts, wrong)


def at_wordpress(blog: wordpress.Blog) -> Place:
    def posts() -> list[tuple[str, str]]:
        shown = {"publish": "live", "draft": "draft"}
        return [(post["title"]["raw"], shown[post["status"]]) for post in blog.posts()]

    settings = {"url": blog.url, "username": "author"}
    body = {"name": "Blog", "kind": "wordpress", "settings": settings, "secret": blog.passwords["author"]}
    return Place(body, {"FETCH_ALLOW": blog.gateway.address}, posts, "abcd efgh ijkl mnop qrst uvwx")


def at_git(folder: Path) -> Place:
    root = folder / "repositories"
    root.mkdir()
    repository = bare_repository(root, "site.git")

    def posts() -> list[tuple[str, str]]:
        texts = [repository.text(path) for path in repository.files() if path.endswith("/index.md")]
        return [(_title(text), "draft" if "draft: true" in text else "live") for text in texts]

    settings = {
        "repository": "site.git",
        "flavour": "hugo",
        "folder": "content/posts",
        "site_url": "https://alice.example/{slug}/",
    }
    return Place({"name": "Blog", "kind": "git", "settings": settings}, {"GIT_ROOT": str(root)}, posts)


def _title(text: str) -> str:
    lines = [line for line in text.splitlines() if line.startswith("title: ")]
    return lines[0].removeprefix("title: ").strip("'\"")


def _real(name: str) -> Any:
    marks = [pytest.mark.thorough, *([pytest.mark.wordpress] if name == "real wordpress" else [])]
    return pytest.param(name, marks=marks)


WITH_SECRETS = ("wordpress", "ghost", *map(_real, ("real wordpress", "ghost 5", "ghost 6")))


@pytest.fixture(params=["git", *WITH_SECRETS])
def place(request: pytest.FixtureRequest, look_alike: ghosts.Blog, tmp_path: Path) -> Iterator[Place]:
    name: str = request.param
    if name.endswith("wordpress"):
        kind = "real" if name.startswith("real") else "look-alike"
        with wordpress.blog_of(kind, request) as blog:
            yield at_wordpress(blog)
    elif name == "git":
        yield at_git(tmp_path)
    else:
        yield at_ghost(look_alike if name == "ghost" else ghosts.real_blog(name[-1], request))


@pytest.fixture
def settings_overrides(place: Place) -> dict[str, str]:
    return place.overrides


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def project(alice: Customer) -> str:
    return f"/projects/{alice.project()}"


def written(app: Flask, alice: Customer, project: str) -> tuple[str, dict[str, Any]]:
    """A generated post with a text that passes the gate: its path and its job."""
    job = alice.generated(int(project.rpartition("/")[2]))
    post_id = job["result"]["blog_post_id"]
    description = "What to write down in a garden notebook, and how it helps in later seasons."
    text = {"title": TITLE, "slug": "garden-notes", "description": description, "content": TEXT}
    change(app, post_id, **text, word_count=130, edited_at=utc_now())
    return f"{project}/blog-posts/{post_id}", job


def change(app: Flask, post_id: int, **members: Any) -> None:
    with app.app_context():
        values = {**members, "version": BlogPost.version + 1}
        db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(**values))
        db.session.commit()


@pytest.mark.usefixtures("worker")
def test_a_post_goes_its_whole_way(app: Flask, alice: Customer, project: str, place: Place) -> None:
    target = member(alice.post(f"{project}/publish-targets", place.body), "target")
    test = member(alice.post(f"{project}/publish-targets/{target['id']}/test"), "test")
    assert (test["passed"], [step["name"] for step in test["steps"]][:2]) == (
        True,
        ["reachable", "api_found"],
    )
    path, job = written(app, alice, project)

    draft = alice.post(f"{path}/publish", {"visibility": "draft"})
    assert draft.status_code == 200, draft.text
    assert (member(draft, "post")["status"], place.posts()) == ("draft", [(TITLE, "draft")])

    live = alice.post(f"{path}/publish", {"visibility": "live"})
    assert live.status_code == 200, live.text
    assert (member(live, "post")["status"], place.posts()) == ("published", [(TITLE, "live")])
    assert member(live, "post")["published_url"].startswith("http")
    assert code(alice.post(f"/executions/{job['id']}/rollback"))[1] == "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH"

    change(app, member(live, "post")["id"], title=CHANGED)
    assert alice.post(f"{path}/publish").status_code == 200
    assert place.posts() == [(CHANGED, "live")]

    assert member(alice.post(f"{path}/unpublish"), "post")["status"] == "draft"
    assert (CHANGED, "live") not in place.posts()

    at = rfc3339(utc_now() + timedelta(hours=1))
    scheduled = alice.post(f"{path}/schedule", {"publish_at": at, "visibility": "live"})
    assert scheduled.status_code == 201, scheduled.text
    with app.app_context():
        db.session.execute(update(ScheduledPublication).values(next_try_at=utc_now()))
        db.session.commit()
        assert schedule.submit_due_publications() == 1
        assert schedule.submit_due_publications() == 0
    (coming,) = member(alice.get(f"{project}/schedule"), "scheduled_publications")
    assert alice.ran(coming["job_id"])["failure"] is None
    assert place.posts() == [(CHANGED, "live")]

    assert alice.post(f"{path}/unpublish").status_code == 200
    assert alice.post(f"/executions/{job['id']}/rollback").status_code == 200
    with app.app_context():
        abandoned.delete_abandoned_drafts()
    assert place.posts() == []


@pytest.mark.usefixtures("worker")
@pytest.mark.parametrize("place", WITH_SECRETS, indirect=True)
def test_a_wrong_secret_is_named_by_the_test_and_by_the_failed_publish(
    app: Flask, alice: Customer, project: str, place: Place
) -> None:
    body = {**place.body, "secret": place.wrong_secret}
    target = member(alice.post(f"{project}/publish-targets", body), "target")
    test = member(alice.post(f"{project}/publish-targets/{target['id']}/test"), "test")
    assert test["passed"] is False
    assert (test["steps"][-1]["name"], test["steps"][-1]["failure"]["code"]) == ("signed_in", "TARGET_AUTH")
    path, _ = written(app, alice, project)
    assert code(alice.post(f"{path}/publish")) == (502, "TARGET_AUTH")
    assert (member(alice.get(path), "post")["status"], place.posts()) == ("draft", [])
    alice.patch(f"{project}/publish-targets/{target['id']}", {"secret": place.body["secret"]})
    assert alice.post(f"{path}/publish").status_code == 200
    assert place.posts() == [(TITLE, "live")]
