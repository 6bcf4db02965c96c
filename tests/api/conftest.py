"""Alice owns, Bob is another customer, Charlie has no key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from app.accounts.keys import create_key
from app.accounts.service import sign_up
from app.executions.service import wait
from tests.support.working import run_job, working


@dataclass(frozen=True)
class Customer:
    """Someone with an account, who speaks to the Public API with a key."""

    client: FlaskClient
    account_id: int
    key: str | None

    def get(self, path: str, **options: Any) -> TestResponse:
        return self.send("GET", path, **options)

    def post(self, path: str, json: Any = None, key: str | None = None, **options: Any) -> TestResponse:
        return self.send("POST", path, json=json, key=key, **options)

    def patch(self, path: str, json: Any) -> TestResponse:
        return self.send("PATCH", path, json=json)

    def send(
        self, method: str, path: str, *, json: Any = None, key: str | None = None,
        headers: Mapping[str, str] | None = None, **options: Any,
    ) -> TestResponse:  # fmt: skip
        sent = dict(headers or {})
        if self.key is not None:
            sent["X-API-Key"] = self.key
        if key is not None:
            sent["Idempotency-Key"] = key
        if json is not None:
            options["json"] = json
        return self.client.open(f"/public-api{path}", method=method, headers=sent, **options)

    def project(self, url: str = "https://alice.example.com/", **members: Any) -> int:
        """Make a project; returns its id."""
        answer = self.post("/projects", {"url": url, **members})
        assert answer.status_code == 201, answer.text
        return int(member(answer, "project")["id"])

    def generated(self, project_id: int) -> dict[str, Any]:
        """Generate a post to its end; returns the job."""
        answer = self.post(f"/projects/{project_id}/blog-posts/generate", {"topic": "Espresso grinders"})
        assert answer.status_code == 202, answer.text
        return self.ran(member(answer, "job")["id"])

    def ran(self, job_id: int) -> dict[str, Any]:
        """Run a job in this process, if nobody else does; returns it as it is afterwards."""
        with self.client.application.app_context():
            run_job(job_id)
            wait(job_id, 20)
        return dict(member(self.get(f"/executions/{job_id}"), "job"))


def member(answer: TestResponse, name: str) -> Any:
    """One member of an answer."""
    assert answer.json is not None
    return answer.json[name]


def code(answer: TestResponse) -> tuple[int, str]:
    """The HTTP status and the error code, after the envelope was checked."""
    body = answer.json
    assert body is not None
    assert body["status"] == "error"
    assert body["code"] == body["failure"]["code"]
    assert body["message"] == body["failure"]["message"]
    assert body["failure"]["taxonomy_version"] == "v1"
    assert body["failure"]["retryable"] is not body["failure"]["fix_required"]
    assert body["request_id"] == answer.headers["X-Request-ID"]
    return answer.status_code, body["code"]


def customer(app: Flask, name: str, **options: Any) -> Customer:
    """Sign someone up and give them a key."""
    with app.app_context():
        account = sign_up(f"{name}@example.com", "a long enough password", name.title())
        account_id = account.id
        _, text = create_key(account, "tests", **options)
    return Customer(app.test_client(), account_id, text)


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
