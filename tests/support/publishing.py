"""What tests of publishing need: Alice's project with a post that passes the gate, and a receiver."""

from __future__ import annotations

import dataclasses
import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import insert, update
from standardwebhooks import Webhook, WebhookVerificationError

from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions import service as executions
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations import publish_blog_post, registry, unpublish_blog_post
from app.operations.base import Operation
from app.projects.model import Project
from app.publishing import service
from app.publishing.lookup import publications_of
from app.publishing.model import Publication, PublishTarget
from tests.support.locks import somebody_waits
from tests.support.servers import Reply, Request, SiteServer
from tests.support.waiting import PATIENCE, eventually
from tests.support.working import run_job

TEXT = """\
Good notes make the difference between a garden that grows and one that merely survives the summer.
Write down what was sown, where it stands, and how the weather treated it during the first weeks.

## What belongs in the notebook

Begin with a plain drawing of the beds, because memory fades faster than ink on paper ever does.
Add the name of each plant beside the place where it was put, together with the day of sowing.
A short remark about the soil helps later, when the same bed is planted again in another season.

## How the notes pay off

When leaves turn yellow, older pages often show that the same corner suffered from too much water before.
Gardeners who compare two seasons see patterns that nobody would notice while walking along the rows.
Keep the notebook near the door, so that writing becomes a habit and never feels like a duty.
"""


@pytest.fixture
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three looks after a lost answer, as ever, without the waits between them."""
    leave_out_waits(monkeypatch)


def leave_out_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let jobs look up without waiting, until the patch is undone."""
    for operation in (publish_blog_post.OPERATION, unpublish_blog_post.OPERATION):
        perform: Any = operation.perform
        quick = dataclasses.replace(operation, perform=partial(perform, lookup_delays=(0, 0, 0)))
        monkeypatch.setitem(registry._BY_NAME, operation.name, quick)


def project_of(name: str) -> Project:
    """A project of a new customer, such as ``"bob"``."""
    account = Account(email=f"{name}@example.com", name=name.title(), password_hash="-")
    db.session.add(account)
    db.session.flush()
    url = f"https://{name}.example/"
    project = Project(account_id=account.id, name=f"{name.title()}'s garden", url=url)
    db.session.add(project)
    db.session.commit()
    return project


def alice_project() -> Project:
    """A project of Alice."""
    return project_of("alice")


def post_of(project: Project, **values: Any) -> BlogPost:
    """A draft that passes the quality gate, edited by a person."""
    slug = values.pop("slug", "garden-notes")
    members = {
        "title": "How to keep garden notes that help", "slug": slug, "language": "en", "content": TEXT,
        "word_count": 130, "draft_kind": "full", "engine": "extractive", "edited_at": utc_now(),
        "description": "What to write down in a garden notebook, and how it helps in later seasons.",
        "json_ld": [{"@context": "https://schema.org", "@type": "BlogPosting", "headline": "Garden notes"}],
        **values,
    }  # fmt: skip
    post = BlogPost(project_id=project.id, **members)
    db.session.add(post)
    db.session.commit()
    return post


def target_of(project: Project, name: str = "Here") -> int:
    """The id of a publish target that no test sends anything to."""
    target = PublishTarget(project_id=project.id, name=name, kind="webhook", settings={}, secret=None)
    db.session.add(target)
    db.session.commit()
    return target.id


def job_of(project: Project, status: str = "running") -> int:
    """The id of a publish job."""
    now = utc_now()
    job = ExecutionJob(
        account_id=project.account_id, project_id=project.id, operation="PUBLISH_BLOG_POST", status=status,
        payload={}, available_at=now, queued_at=now, created_at=now, updated_at=now,
    )  # fmt: skip
    db.session.add(job)
    db.session.commit()
    return job.id


def publication_of(post_id: int) -> Publication:
    """The newest publication of a post, as the database has it."""
    db.session.rollback()
    return publications_of([post_id])[post_id][0]


def fresh(post_id: int) -> BlogPost:
    """A post as the database has it."""
    db.session.rollback()
    return db.session.get_one(BlogPost, post_id, populate_existing=True)


def publish(post_id: int, **payload: Any) -> ExecutionJob:
    """Submit and run a publish job; returns it as it ended."""
    job_id = submit(post_id, **payload)
    run_job(job_id)
    return job_now(job_id)


def unpublish(post_id: int, **payload: Any) -> ExecutionJob:
    """Submit and run an unpublish job; returns it as it ended."""
    job_id = submit(post_id, unpublish_blog_post.OPERATION, **payload)
    run_job(job_id)
    return job_now(job_id)


def submit(post_id: int, operation: Operation = publish_blog_post.OPERATION, **payload: Any) -> int:
    project = db.session.get_one(Project, fresh(post_id).project_id)
    data = operation.schema().load({"blog_post_id": post_id, **payload})
    scope = f"create:{project.id}"
    submission = executions.Submission(project, operation, data, scope, requested_by="Alice")
    return executions.submit(submission).job.id


def job_now(job_id: int) -> ExecutionJob:
    db.session.remove()
    return db.session.get_one(ExecutionJob, job_id)


def state(post_id: int) -> tuple[str, str]:
    """The publication's state and the post's status."""
    return publication_of(post_id).state, fresh(post_id).status


def failure_code(job: ExecutionJob) -> str:
    assert job.failure is not None
    return str(job.failure["code"])


class Receiver:
    """A webhook receiver by docs/webhooks.md: it checks signatures and takes each text once.

    ``before`` and ``after`` may answer instead: before anything is stored, or after it was. ``on_lookup`` and
    ``on_unpublish`` may answer instead, and then nothing is taken away.
    """

    def __init__(self, site: SiteServer) -> None:
        self.url = f"{site.url}/hook"
        self.secret = ""
        self.posts: dict[str, dict[str, Any]] = {}
        self.digests: dict[str, str] = {}
        self.deliveries: list[Request] = []
        self.lookups: list[Request] = []
        self.withdrawals: list[Request] = []
        self.before: Callable[[], Reply | None] = lambda: None
        self.after: Callable[[], Reply | None] = lambda: None
        self.on_unpublish: Callable[[], Reply | None] = lambda: None
        self.on_lookup: Callable[[], Reply | None] = lambda: None
        site.routes["/hook"] = self._answer

    def add_to(self, project: Project, name: str = "Hook") -> PublishTarget:
        """Make this a target of the project."""
        target, secret = service.add_target(project, "webhook", name, {"url": self.url})
        assert secret is not None
        self.secret = secret
        return target

    def _answer(self, request: Request) -> Reply:
        try:
            message = Webhook(self.secret).verify(request.body, dict(request.headers))
        except WebhookVerificationError:
            return Reply(401)
        publication_id = message["data"]["publication_id"]
        if message["type"] == "blog_post.lookup":
            self.lookups.append(request)
            return self.on_lookup() or (
                self._known(publication_id) if publication_id in self.posts else Reply(404)
            )
        if message["type"] == "blog_post.unpublished":
            self.withdrawals.append(request)
            early = self.on_unpublish()
            if early is None:
                self.posts.pop(publication_id, None)
            return early or Reply(204)
        digest, version = message["data"]["content_sha256"], message["data"]["post"]["version"]
        message_ids = {
            "blog_post.published": publication_id,
            "blog_post.updated": f"{publication_id}:{version}",
        }
        assert request.headers["webhook-id"] == message_ids[message["type"]]
        self.deliveries.append(request)
        early = self.before()
        if early is not None:
            return early
        if (publication_id in self.posts) == (message["type"] == "blog_post.updated"):
            self.posts[publication_id], self.digests[publication_id] = message["data"]["post"], digest
        return self.after() or self._known(publication_id)

    def _known(self, publication_id: str) -> Reply:
        number = list(self.posts).index(publication_id) + 1
        answer = {
            "id": number, "url": f"https://alice.example/blog/{self.posts[publication_id]['slug']}",
            "content_sha256": self.digests.get(publication_id),
        }  # fmt: skip
        return Reply(200, {"Content-Type": "application/json"}, json.dumps(answer).encode())


def once(reply: Reply) -> Callable[[], Reply | None]:
    """Answer with ``reply`` the first time only."""
    left = [reply]
    return lambda: left.pop() if left else None


def failure_while_a_publication_begins(
    app: Flask, post_id: int, target_id: int, act: Callable[[], object]
) -> str | None:
    """Return the code of ``act``'s failure, None if it succeeds.

    ``act`` runs in a thread of its own and waits for a lock of the transaction that begins a publication,
    which commits then. PostgreSQL only.
    """
    codes: list[str] = []

    def acting() -> None:
        with app.app_context():
            try:
                act()
            except ServiceFailure as refused:
                codes.append(refused.failure.code)
            finally:
                db.session.remove()

    thread = threading.Thread(target=acting)
    publication = insert(Publication).values(
        blog_post_id=post_id, target_id=target_id, publication_id="pub_1", content_sha256=""
    )
    with db.engine.begin() as publisher:
        publisher.execute(update(BlogPost).where(BlogPost.id == post_id).values(status="publishing"))
        publisher.execute(publication)
        thread.start()
        eventually(somebody_waits, "the action waits for a lock")
    thread.join(PATIENCE)
    assert not thread.is_alive()
    return codes[0] if codes else None
