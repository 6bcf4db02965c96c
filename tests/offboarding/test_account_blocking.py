"""A blocked account: nothing of it runs until it is let in again."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import event, select, update

from app.accounts import service, sessions
from app.executions.model import ExecutionJob
from app.executions.schedule import submit_due_syncs
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.offboarding import blocking
from app.offboarding.deletion import ask_for_deletion
from app.pages.crawling.page_queue import projects_with_due_pages
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.model import Project
from app.projects.service import create_project
from tests.support.publishing import job_of


@pytest.fixture
def project(db_app: Flask) -> Project:
    """A project of Alice with a page to read and a sync that is due."""
    alice = service.sign_up("alice@example.com", "correct horse battery")
    sitemap = "https://alice.example.com/sitemap.xml"
    made = create_project(alice, {"url": "https://alice.example.com/", "sitemap_url": sitemap})
    add_page(made, {"url": "https://alice.example.com/one"})
    return made


def make_due() -> None:
    now = utc_now()
    db.session.execute(update(Project).values(next_sync_at=now))
    db.session.execute(update(Page).values(read_due_at=now))
    db.session.commit()


def test_no_sitemap_and_no_page_of_a_blocked_account_is_read(project: Project) -> None:
    project_id, alice = project.id, service.get_account(project.account_id)
    make_due()
    blocking.block(alice)
    assert submit_due_syncs() == 0
    assert projects_with_due_pages(10) == []
    blocking.unblock(alice)
    make_due()
    assert submit_due_syncs() == 1
    assert projects_with_due_pages(10) == [project_id]


def test_blocking_cancels_what_waits_and_runs(project: Project) -> None:
    make_due()
    assert submit_due_syncs() == 1
    alice = service.get_account(project.account_id)
    assert blocking.block(alice) == 1
    assert blocking.block(alice) == 0


def test_a_job_that_ends_while_another_is_canceled_keeps_its_end(project: Project) -> None:
    alice_id = project.account_id
    jobs = [job_of(project, "queued"), job_of(project, "queued")]
    ended: list[int] = []

    def ends(_session: object) -> None:
        """Let the job that still waits succeed, once the first one is canceled."""
        if not ended:
            with db.engine.begin() as connection:
                waiting = update(ExecutionJob).where(ExecutionJob.status == "queued")
                ended.append(connection.execute(waiting.values(status="succeeded")).rowcount)

    session = db.session()
    event.listen(session, "after_commit", ends)
    canceled = blocking.cancel_jobs(alice_id)
    event.remove(session, "after_commit", ends)
    assert (canceled, ended) == (1, [1])
    db.session.rollback()
    found = db.session.scalars(select(ExecutionJob.status).where(ExecutionJob.id.in_(jobs)))
    assert sorted(found) == ["canceled", "succeeded"]


def test_an_account_that_is_let_in_again_is_signed_in_nowhere(project: Project) -> None:
    alice = service.get_account(project.account_id)
    token = sessions.begin(alice, stays=True)
    blocking.block(alice)
    blocking.unblock(alice)
    assert sessions.load(token) is None


def test_an_account_that_is_being_deleted_is_not_let_in_again(project: Project) -> None:
    alice = service.get_account(project.account_id)
    ask_for_deletion(alice)
    with pytest.raises(ServiceFailure, match="ACCOUNT_INACTIVE"):
        blocking.unblock(alice)
    assert not alice.active
