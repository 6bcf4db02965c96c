"""Removes the sample site, or a project without content, such as one with a mistyped address."""

from __future__ import annotations

from sqlalchemy import delete, exists, select

from app.accounts.limits import monthly_post_limit
from app.accounts.model import Account
from app.content.model import BlogPost
from app.executions.limits import posts_this_month
from app.executions.model import ExecutionJob
from app.executions.states import ACTIVE
from app.infra.db import db
from app.keywords.model import Keyword
from app.pages.model import Page
from app.pages.sample_site import is_sample
from app.projects.model import Project
from app.publishing.model import MAYBE_LIVE, Publication
from app.search_performance.google.connection import forget, revoke


def remove_project(project: Project) -> None:
    """Delete a project with everything in it; commits. Ask ``reason_to_keep`` first.

    Its access to Google is revoked, if it has one that no other project needs.
    """
    access = forget(project)
    db.session.flush()
    db.session.execute(delete(Project).where(Project.id == project.id))
    db.session.commit()
    if access is not None:
        revoke(access)


def is_empty(project: Project) -> bool:
    """Return whether a project has no pages, no keywords and no posts."""
    things = (Page.project_id, Keyword.project_id, BlogPost.project_id)
    return not any(db.session.scalar(select(exists().where(owner == project.id))) for owner in things)


def reason_to_keep(project: Project, account: Account) -> str | None:
    """Return why a project cannot be removed with its jobs and posts now, None if it can."""
    if not is_sample(project) and not is_empty(project):
        return "Only a site without pages, keywords and posts can be removed."
    if db.session.scalar(
        select(exists().where(ExecutionJob.project_id == project.id, ExecutionJob.status.in_(ACTIVE)))
    ):
        return "A job of the site is still running. Wait for its end, or cancel it."
    if db.session.scalar(
        select(exists().where(
            BlogPost.project_id == project.id,
            Publication.blog_post_id == BlogPost.id,
            Publication.state.in_(MAYBE_LIVE),
        ))
    ):  # fmt: skip
        return "A post of the site is, or may be, live at a blog. Unpublish it first."
    # The jobs of a month are its count.
    if monthly_post_limit(account) is not None and posts_this_month(account.id, project.id):
        return "Posts that were written on the site this month count. It can be removed next month."
    return None
