"""The content of bin/demo: an account, a project for the sample site with its pages read, and a first draft.

Everything is looked for before it is made. The running service does the work; here it is only asked for.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select

from app.accounts.service import authenticate, find_account, get_account, set_password, sign_up
from app.content.model import BlogPost
from app.executions.service import Submission, submit, wait
from app.failures import ServiceFailure
from app.infra.db import db, reading, release
from app.keywords.service import add_keyword
from app.operations import generate_blog_post, sync_sitemap
from app.operations.base import Operation, Payload
from app.pages.model import Page
from app.projects.model import Project
from app.projects.service import create_project, find_project
from app.publishing.service import add_target, list_targets

EMAIL = "demo@example.com"
TOPIC = "How to plan a weekly rota"
KEYWORDS = ("weekly rota", "shift swaps", "weekend shifts", "labour costs", "seasonal staff")
WAIT_SECONDS = 120.0
"""Seconds that one step may take."""


class DemoFailed(Exception):
    """Raised with a message for the developer."""


@dataclass(frozen=True)
class Shown:
    """What was prepared, to be printed."""

    project_id: int
    pages: int
    post_id: int
    post_title: str


def prepare(site: str, password: str, still_there: Callable[[], None]) -> Shown:
    """Create the missing parts of the demo for the site at ``site``.

    ``still_there`` is called while waiting and may raise. Raises DemoFailed and ServiceFailure.
    """
    project_id = have_project(have_account(password), site)
    have_pages(project_id, still_there)
    project = find_project(project_id)
    for keyword in KEYWORDS:
        add_keyword(project, {"keyword_text": keyword})
    if not list_targets(project):
        add_target(project, "webhook", "Sample blog", {"url": f"{site}/posts"})
    if newest_post(project_id) is None:
        run_job(project_id, generate_blog_post.OPERATION, {"topic": TOPIC})
    post = newest_post(project_id)
    if post is None:
        raise DemoFailed("The post was made and is gone again; run bin/demo once more.")
    post_id, title = post.id, post.title
    return Shown(project_id, count_pages(project_id), post_id, title)


def have_account(password: str) -> int:
    """Return the id of the demo's account and give it this password."""
    account = find_account(EMAIL)
    if account is None:
        account = sign_up(EMAIL, password, "Demo")
    elif authenticate(EMAIL, password) is None:
        set_password(account, password)
    return account.id


def have_project(account_id: int, site: str) -> int:
    """Return the id of the account's project for the site."""
    fields = {
        "url": f"{site}/",
        "name": "Brambleboard",
        "sitemap_url": f"{site}/sitemap.xml",
        "language": "en",
        "summary": "Rota planning for small teams in cafés and shops.",
        "tone": "friendly",
        "target_audience_summary": "Managers who plan shifts besides everything else.",
    }
    try:
        return create_project(get_account(account_id), fields).id
    except ServiceFailure as refusal:
        if refusal.failure.code != "PROJECT_ALREADY_EXISTS" or not refusal.failure.details:
            raise
        return int(refusal.failure.details["project_id"])


def have_pages(project_id: int, still_there: Callable[[], None]) -> None:
    """Sync the sitemap and read every page."""
    until(lambda: sync_status(project_id) != "never", "the sitemap is synced", still_there)
    if sync_status(project_id) != "ok":
        run_job(project_id, sync_sitemap.OPERATION, {})
    unread = (
        Page.read_due_at.is_not(None),
        Page.fetched_at.is_(None),
        Page.fetch_error.is_(None),
        ~Page.is_stale,
    )
    until(lambda: count_pages(project_id, *unread) == 0, "the pages are read", still_there)


def run_job(project_id: int, operation: Operation, payload: Payload) -> None:
    """Let the running service do a job. Raises DemoFailed with the failure."""
    project = find_project(project_id)
    wanted = Submission(
        project=project,
        operation=operation,
        payload=payload,
        scope=f"create:{project_id}",
        requested_by="bin/demo",
    )
    job = wait(submit(wanted).job.id, WAIT_SECONDS)
    if job.status != "succeeded":
        reason = f": {job.failure['message']}" if job.failure else ""
        raise DemoFailed(
            f"{operation.title}: job {job.id} is {job.status}{reason}\n"
            "If bin/dev was started before an update, restart it and run bin/demo again."
        )


def sync_status(project_id: int) -> str:
    """Return how the last sync of a project ended, "never" before the first."""
    with reading():
        status = db.session.scalar(select(Project.sync_status).where(Project.id == project_id))
    release()
    return status or "never"


def count_pages(project_id: int, *conditions: ColumnElement[bool]) -> int:
    """Return how many pages of a project meet the conditions."""
    wanted = select(func.count()).select_from(Page).where(Page.project_id == project_id, *conditions)
    with reading():
        number = db.session.scalar(wanted) or 0
    release()
    return number


def newest_post(project_id: int) -> BlogPost | None:
    """Return a project's newest post."""
    wanted = select(BlogPost).where(BlogPost.project_id == project_id).order_by(BlogPost.id.desc()).limit(1)
    return db.session.scalar(wanted)


def until(condition: Callable[[], bool], what: str, still_there: Callable[[], None]) -> None:
    """Wait for a condition. Raises DemoFailed if it takes too long, or what ``still_there`` raises."""
    deadline = time.monotonic() + WAIT_SECONDS
    while not condition():
        still_there()
        if time.monotonic() > deadline:
            raise DemoFailed(f"Not within {WAIT_SECONDS:.0f} s: {what}. Is bin/dev running?")
        time.sleep(0.2)
