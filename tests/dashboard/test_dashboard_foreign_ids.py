"""Every address of the dashboard with ids of another account, also below a project of one's own."""

from __future__ import annotations

import pytest
from flask import Flask

from app.accounts.keys import create_key
from app.accounts.service import find_account
from app.accounts.sessions import list_sessions
from app.content.model import BlogPostVersion
from app.content.posts.service import edit_post, get_post
from app.infra.db import db
from app.projects.saved_filters import save_filter, saved_filters
from app.projects.service import create_project, find_project
from app.publishing.service import find_target
from tests.dashboard.conftest import Visitor
from tests.dashboard.test_dashboard_guards import addresses
from tests.support.forms import page_of
from tests.support.rows import all_rows
from tests.support.scheduling import scheduled_in
from tests.support.search_exports import search_import_of

ABSENT = 9_999_999


@pytest.fixture
def everything(app: Flask, alice: Visitor, things: dict[str, int]) -> dict[str, int]:
    """The ids of one of each thing of Alice, by the names that addresses have for them."""
    project_id, post_id = things["project_id"], things["post_id"]
    job = page_of(alice.send(f"/projects/{project_id}/posts/generate", {"length": "500"}).location)
    with app.app_context():
        account = find_account("alice@example.com")
        assert account is not None
        project = find_project(project_id)
        post = get_post(project, post_id)
        edit_post(post, post.version, {"content": "Another *text*."})
        save_filter(account, project, "posts", "Drafts", "status=draft")
        ids = {
            "key_id": create_key(account, "ci")[0].id,
            "filter_id": saved_filters(account, project, "posts")[0].id,
            "schedule_id": scheduled_in(post, find_target(project, things["target_id"]), 3600),
            "id": list_sessions(account)[0].id,
            "version_id": db.session.query(BlogPostVersion.id).limit(1).scalar(),
        }
        db.session.commit()
    return {
        **things, **ids, "job_id": int(job.rpartition("/")[2]),
        "import_id": search_import_of(app, project_id),
    }  # fmt: skip


def test_bob_with_a_project_of_his_own_reaches_nothing_of_alices(
    app: Flask, bob: Visitor, everything: dict[str, int]
) -> None:
    with app.app_context():
        account = find_account("bob@example.com")
        assert account is not None
        own = create_project(account, {"url": "https://bob.example.com/"}).id
    token = bob.hidden("/settings")
    absent = dict.fromkeys(everything, ABSENT)
    before = all_rows(app)
    compared = 0
    for method in ("GET", "POST"):
        foreign = list(addresses(app, {**everything, "project_id": own}, method))
        absences = list(addresses(app, {**absent, "project_id": own}, method))
        for (_, path), (_, missing) in zip(foreign, absences, strict=True):
            if path == missing:
                continue
            data = {**token, "job_key": "k"} if method == "POST" else None
            found = bob.client.open(path, method=method, data=data)
            if method == "GET":
                assert found.status_code == 404, f"{method} {path}"
            other = bob.client.open(missing, method=method, data=data)
            assert (found.status_code, found.location) == (other.status_code, other.location), path
            compared += 1
    assert compared > 50
    assert all_rows(app) == before
