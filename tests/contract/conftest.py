"""The cast: Alice owns, Bob is another customer, Charlie has no key; a worker, a site, a blog."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.accounts import sessions
from app.accounts.model import Account
from app.infra.db import db
from app.projects.model import Project
from app.publishing.service import add_target
from tests.api.conftest import Customer, code, customer, member
from tests.support.servers import SiteServer
from tests.support.working import working

OVERRIDE = {"override_quality_gate": True, "override_reason": "The outline is enough here."}
EXTERNAL = "https://blog.example.com/a-post"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def alice(app: Flask) -> Customer:
    return customer(app, "alice")


@pytest.fixture
def bob(app: Flask) -> Customer:
    return customer(app, "bob")


@pytest.fixture
def charlie(app: Flask) -> Customer:
    return Customer(app.test_client(), 0, None)


@pytest.fixture
def worker(app: Flask, alice: Customer) -> Iterator[None]:
    """Runs Alice's queued jobs as they come."""
    with working(app, alice.account_id):
        yield


@pytest.fixture
def signed_in(app: Flask, alice: Customer) -> FlaskClient:
    """Alice's browser, signed in to the dashboard."""
    client = app.test_client()
    with app.app_context():
        token = sessions.begin(db.session.get_one(Account, alice.account_id), stays=False)
    with client.session_transaction() as session:
        session["token"] = token
    return client


@dataclass(frozen=True)
class Blog:
    """A project of Alice with a publish target that takes posts."""

    alice: Customer
    project_id: int

    def path(self, post_id: int) -> str:
        return f"/projects/{self.project_id}/blog-posts/{post_id}"

    def published(self) -> dict[str, Any]:
        """Generate a post and publish it; returns the job that generated it."""
        job = self.alice.generated(self.project_id)
        answer = self.alice.post(f"{self.path(job['result']['blog_post_id'])}/publish", OVERRIDE)
        assert answer.status_code == 200, answer.text
        return job


@pytest.fixture
def blog(app: Flask, alice: Customer, site: SiteServer) -> Blog:
    project_id = alice.project()
    site.serve("/hook", json.dumps({"id": "external-1", "url": EXTERNAL}))
    with app.app_context():
        add_target(db.session.get_one(Project, project_id), "webhook", "Blog", {"url": f"{site.url}/hook"})
    return Blog(alice, project_id)


@pytest.fixture
def synced(alice: Customer, site: SiteServer) -> int:
    """The id of a project whose sitemap listed /a and /b in its last sync."""
    list_in_sitemap(site, "/a", "/b")
    project_id = alice.project(f"{site.url}/", sitemap_url=f"{site.url}/sitemap.xml")
    sync(alice, project_id, "first-sync")
    return project_id


def list_in_sitemap(site: SiteServer, *paths: str) -> None:
    """Serve a sitemap of these paths."""
    locations = "".join(f"<url><loc>{site.url}{path}</loc></url>" for path in paths)
    site.serve(
        "/sitemap.xml", f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{locations}</urlset>'
    )


def sync(alice: Customer, project_id: int, key: str) -> dict[str, Any]:
    """Sync a project's sitemap; returns the job."""
    answer = alice.post(f"/projects/{project_id}/executions", {"operation": "SYNC_SITEMAP"}, key=key)
    assert answer.status_code == 202, answer.text
    return alice.ran(member(answer, "job")["id"])


def failed_job(alice: Customer, site: SiteServer) -> dict[str, Any]:
    """A sync that failed, because the sitemap is not there."""
    project_id = alice.project(f"{site.url}/", sitemap_url=f"{site.url}/nowhere.xml")
    job = sync(alice, project_id, "fails")
    assert job["status"] == "failed", job
    return job


__all__ = ["EXTERNAL", "OVERRIDE", "Blog", "code", "failed_job", "list_in_sitemap", "member", "sync"]
