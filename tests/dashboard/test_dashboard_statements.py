"""How many statements the pages of the dashboard take."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, Final

import pytest
from flask import Flask
from sqlalchemy import select

from app.autopilot.model import Autopilot
from app.content.model import BlogPost
from app.content.posts.covers import upload_cover
from app.executions.model import ExecutionJob, JobHistory
from app.infra.clock import utc_now
from app.infra.db import db
from app.keywords.model import Keyword
from app.pages.model import Page, SitemapSync, SitemapSyncChange
from app.projects.model import Project
from app.publishing.model import Publication
from app.publishing.service import add_target
from tests.dashboard.conftest import Visitor
from tests.dashboard.test_dashboard_guards import addresses
from tests.support.pictures import picture
from tests.support.plans import listening
from tests.support.publishing import job_of
from tests.support.scheduling import scheduled_in
from tests.support.working import run_job

MOST: Final = 12


@pytest.fixture
def in_use(app: Flask, alice: Visitor) -> dict[str, int]:
    """The sample site in the midst of everything: the ids of one of each thing that has an address.

    Its post is a hidden draft at its target, so the overview has both the checklist and all the rest.
    """
    start = alice.send("/projects/sample", page="/projects/new").location
    with app.app_context():
        run_job(int(start.rpartition("=")[2]))
        project, post, page, keyword = (_first(each) for each in (Project, BlogPost, Page, Keyword))
        target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
        upload_cover(post, picture(), "image/png")
        scheduled_in(post, target, 3600)
        sync = _quarantined(project, page)
        publication = {"publication_id": "pub_1", "content_sha256": "", "state": "draft"}
        db.session.add(Publication(blog_post_id=post.id, target_id=target.id, **publication))
        slots = {"weekdays": [1], "hour": 9, "time_zone": "UTC", "next_run_at": utc_now() + timedelta(days=1)}
        db.session.add(Autopilot(project_id=project.id, enabled=True, **slots))
        db.session.commit()
        return {"project_id": project.id, "page_id": page.id, "keyword_id": keyword.id, "post_id": post.id,
                "target_id": target.id, "job_id": sync.job_id or 0, "sync_id": sync.id}  # fmt: skip


def _first(model: Any) -> Any:
    return db.session.scalars(select(model).order_by(model.id).limit(1)).one()


def _quarantined(project: Project, page: Page) -> SitemapSync:
    """The last of three syncs, which has put the removal of the page in quarantine."""
    for _ in range(3):
        job = db.session.get_one(ExecutionJob, job_of(project, "succeeded"))
        job.operation = "SYNC_SITEMAP"
        db.session.add(JobHistory(job_id=job.id, event="JOB_SUCCEEDED", status="succeeded", at=utc_now()))
        sync = SitemapSync(project_id=project.id, job_id=job.id, sitemap_url=project.url, state="quarantined")
        sync.complete, sync.problems = True, []
        db.session.add(sync)
        db.session.flush()
        db.session.add(SitemapSyncChange(sync_id=sync.id, page_id=page.id, kind="missing"))
    db.session.commit()
    return sync


@pytest.mark.parametrize("ids", ["things", "in_use"])
def test_a_page_of_the_dashboard_takes_a_dozen_statements_at_most(
    app: Flask, alice: Visitor, request: pytest.FixtureRequest, ids: str
) -> None:
    known = request.getfixturevalue(ids)
    with app.app_context():
        engine = db.engine
    # A file that is still being sent would share its context with the next request.
    for _rule, path in addresses(app, known, "GET"):
        alice.get(path).close()
        with listening(engine) as executed:
            alice.get(path).close()
        assert len(executed) <= MOST, path


@pytest.mark.parametrize("query", ["q=rota", "state=unused", "state=unlinked&q=rota", "q=rota&order=oldest"])
def test_so_does_a_list_that_is_searched(
    app: Flask, alice: Visitor, in_use: dict[str, int], query: str
) -> None:
    with app.app_context():
        engine = db.engine
    for name in ("pages", "posts", "keywords"):
        with listening(engine) as executed:
            alice.get(f"/projects/{in_use['project_id']}/{name}?{query}")
        assert len(executed) <= MOST, name


def test_a_longer_list_of_jobs_takes_no_more_statements(
    app: Flask, alice: Visitor, in_use: dict[str, int]
) -> None:
    counts = []
    for _ in range(2):
        with app.app_context():
            engine = db.engine
            for _ in range(3):
                job_of(db.session.get_one(Project, in_use["project_id"]), "failed")
        for path in ("/executions", f"/projects/{in_use['project_id']}"):
            with listening(engine) as executed:
                alice.get(path)
            counts.append(len(executed))
    assert counts[:2] == counts[2:]
