"""Alice owns, Bob is another customer, Charlie is signed out. Each has a browser's view of the dashboard."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.accounts.service import find_account, sign_up
from app.content.model import BlogPost
from app.infra.db import db
from app.keywords.service import add_keyword
from app.pages.service import add_page
from app.projects.service import create_project, find_project, get_project
from app.publishing.service import add_target
from tests.content.conftest import CARE, HIVES
from tests.support.beehives import markdown
from tests.support.publishing import post_of
from tests.support.working import run_job

PASSWORD = "correct horse battery"
_TOKEN = re.compile(r'name="csrf_token" value="([^"]+)"')
_KEY = re.compile(r'name="job_key" value="([^"]+)"')


class Visitor:
    """Someone with a browser: reads pages and sends the forms on them, tokens included."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.client: FlaskClient = app.test_client()

    def get(self, path: str) -> TestResponse:
        return self.client.get(path)

    def send(
        self, path: str, fields: Mapping[str, Any] | None = None, page: str | None = None
    ) -> TestResponse:
        """Post a form as the page that holds it would (``page``, else the same address)."""
        return self.client.post(path, data={**self.hidden(page or path), **(fields or {})})

    def hidden(self, page: str) -> dict[str, str]:
        """The hidden fields that the forms of a page carry."""
        text = self.get(page).text
        found = {"csrf_token": _TOKEN.search(text), "job_key": _KEY.search(text)}
        return {name: match[1] for name, match in found.items() if match}

    def sign_in(self, email: str, password: str = PASSWORD) -> TestResponse:
        return self.send("/sign-in", {"email": email, "password": password})

    def run(self, location: str) -> int:
        """Run the job of an execution page to its end, in this process; returns its id."""
        job_id = int(location.partition("?")[0].rpartition("/")[2])
        with self.app.app_context():
            run_job(job_id)
        return job_id


def visitor_with_account(app: Flask, email: str) -> Visitor:
    with app.app_context():
        sign_up(email, PASSWORD)
    visitor = Visitor(app)
    assert visitor.sign_in(email).status_code == 302
    return visitor


@pytest.fixture
def alice(app: Flask) -> Visitor:
    return visitor_with_account(app, "alice@example.com")


@pytest.fixture
def bob(app: Flask) -> Visitor:
    return visitor_with_account(app, "bob@example.com")


@pytest.fixture
def charlie(app: Flask) -> Visitor:
    return Visitor(app)


@pytest.fixture
def project_id(app: Flask, alice: Visitor) -> int:
    """Alice's project, without a sitemap."""
    with app.app_context():
        account = find_account("alice@example.com")
        assert account is not None
        return create_project(account, {"url": "https://alice.example.com/", "name": "Alice's shop"}).id


@pytest.fixture
def bees_id(app: Flask, project_id: int) -> int:
    """The same project with two pages on bees."""
    with app.app_context():
        project = find_project(project_id)
        for name, parts in (("hives", HIVES), ("care", CARE)):
            add_page(project, {"url": f"https://alice.example.com/{name}", "content": markdown(parts)})
    return project_id


@pytest.fixture
def things(app: Flask, project_id: int) -> dict[str, int]:
    """One of each thing that has an address, all Alice's."""
    with app.app_context():
        account = find_account("alice@example.com")
        assert account is not None
        project = get_project(account.id, project_id)
        page = add_page(project, {"url": "https://alice.example.com/grinders", "content": "# Grinders"}).page
        keyword, _ = add_keyword(project, {"keyword_text": "espresso grinder"})
        target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
        post = BlogPost(
            project_id=project.id, title="A post", slug="a-post", language="en", content="Some *text*.",
            draft_kind="full", engine="extractive",
        )  # fmt: skip
        db.session.add(post)
        db.session.commit()
        return {"project_id": project.id, "page_id": page.id, "keyword_id": keyword.id,
                "target_id": target.id, "post_id": post.id}  # fmt: skip


@pytest.fixture
def targets(project_id: int) -> str:
    """The page of the publish targets of Alice's project."""
    return f"/projects/{project_id}/settings/targets"


@pytest.fixture
def post(app: Flask, project_id: int) -> int:
    """A post of Alice that may be published."""
    with app.app_context():
        return post_of(find_project(project_id)).id
