"""Removes a project with everything in it: at once if nothing is lost, else after a confirmation."""

from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import ColumnElement, delete, exists, func, select

from app.accounts import security_log
from app.accounts.limits import monthly_post_limit
from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions.limits import posts_this_month
from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE
from app.infra.db import changed_rows, db
from app.keywords.model import Keyword
from app.pages.model import Page
from app.pages.sample_site import is_sample
from app.projects.model import Project
from app.publishing.model import MAYBE_LIVE, Publication, ScheduledPublication
from app.search_performance.google.connection import forget, revoke

_PAGES_AT_ONCE: Final = 500


@dataclass(frozen=True)
class Losses:
    """What is deleted with a project, or with an account.

    ``live`` of its ``posts`` are, or may be, live at a blog. They stay there, out of the service's reach.
    ``planned`` publications are not made.
    """

    projects: int
    pages: int
    keywords: int
    posts: int
    live: int
    planned: int
    api_keys: int = 0


def losses_of(project: Project) -> Losses:
    live = select(func.count(func.distinct(BlogPost.id))).where(*_maybe_live(project.id))
    waiting = (ScheduledPublication.project_id == project.id, ScheduledPublication.state == "waiting")
    return Losses(
        projects=1,
        pages=project.page_count,
        keywords=_count(Keyword.project_id == project.id, Keyword.id),
        posts=_count(BlogPost.project_id == project.id, BlogPost.id),
        live=db.session.scalar(live) or 0,
        planned=db.session.scalar(select(func.count(ScheduledPublication.id)).where(*waiting)) or 0,
    )


def remove_project(project: Project) -> None:
    """Delete a project with everything in it; commits. Ask ``reason_to_keep`` or ``reason_to_wait`` first.

    Its access to Google is revoked, if it has one that no other project needs. Its pages go a few at a time,
    so that no transaction is long; if that is interrupted, the project stays with fewer pages.
    """
    _remove_pages(project.id)
    access = forget(project)
    security_log.record(project.account_id, "project_removed", project.name)
    db.session.flush()
    db.session.execute(delete(Project).where(Project.id == project.id))
    db.session.commit()
    if access is not None:
        revoke(access)


def is_empty(project: Project) -> bool:
    things = (Page.project_id, Keyword.project_id, BlogPost.project_id)
    return not any(db.session.scalar(select(exists().where(owner == project.id))) for owner in things)


def reason_to_keep(project: Project, account: Account) -> str | None:
    """Return why a project cannot be removed without a confirmation now, None if it can."""
    if not is_sample(project) and not is_empty(project):
        return "Only a site without pages, keywords and posts can be removed."
    if db.session.scalar(select(exists().where(*_maybe_live(project.id)))):
        return "A post of the site is, or may be, live at a blog. Unpublish it first."
    return reason_to_wait(project, account)


def reason_to_wait(project: Project, account: Account) -> str | None:
    """Return why a project cannot be removed now, not even by somebody who accepts the losses."""
    if db.session.scalar(
        select(exists().where(ExecutionJob.project_id == project.id, ExecutionJob.status.in_(ACTIVE)))
    ):
        return "A job of the site is still running. Wait for its end, or cancel it."
    # The jobs of a month are its count.
    if monthly_post_limit(account) is not None and posts_this_month(account.id, project.id):
        return "Posts that were written on the site this month count. It can be removed next month."
    return None


def _maybe_live(project_id: int) -> tuple[ColumnElement[bool], ...]:
    return (
        BlogPost.project_id == project_id,
        Publication.blog_post_id == BlogPost.id,
        Publication.state.in_(MAYBE_LIVE),
    )


def _count(where: ColumnElement[bool], row_id: Any) -> int:
    return db.session.scalar(select(func.count(row_id)).where(where)) or 0


def _remove_pages(project_id: int) -> None:
    some = select(Page.id).where(Page.project_id == project_id).limit(_PAGES_AT_ONCE)
    while changed_rows(delete(Page).where(Page.id.in_(some))):
        db.session.commit()
