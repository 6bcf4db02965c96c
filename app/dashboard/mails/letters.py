"""Writes the letters of mails: what happened, why, and one link to where it is fixed."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from flask import current_app, url_for

from app.accounts.model import Account
from app.accounts.service import get_account
from app.content.posts.service import get_post
from app.dashboard.mails.asked_for import letter_asked_for
from app.dashboard.mails.letter import Content, letter_of
from app.dashboard.mails.words import (
    FOOTERS,
    NOT_PUBLISHED,
    NOT_UNPUBLISHED,
    SIGN_IN_CHANGES,
    UNCLEAR,
    Happening,
)
from app.dashboard.ui.attention import Line, line_of
from app.dashboard.ui.failures import plain_message
from app.dashboard.ui.presentation import counted, number
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.infra.mail import Letter
from app.infra.settings import current_settings
from app.notifications.choices import Choice, token_of
from app.notifications.kinds import (
    KINDS,
    PUBLISHING_FAILED,
    REMOVALS_QUARANTINED,
    SIGN_IN_CHANGED,
    WEEKLY_SUMMARY,
)
from app.notifications.model import Mail
from app.overview.attention import Need
from app.overview.week import Week, weeks_of
from app.pages.sync.quarantine import open_quarantine
from app.projects.model import Project
from app.projects.service import get_project
from app.publishing.lookup import publication_of_job
from app.publishing.model import Publication


@dataclass(frozen=True)
class Section:
    """What a weekly summary says about one project."""

    name: str
    url: str
    said: list[str]
    attention: str
    lines: list[Line]


def compose(mail: Mail) -> Letter | None:
    """Return the letter of a mail, None if there is nothing to say any more. Works outside of a request."""
    with current_app.test_request_context(base_url=current_settings().public_url):
        if mail.recipient is not None:
            return letter_asked_for(mail, mail.recipient)
        account = get_account(mail.account_id or 0)
        if not account.active:
            return None
        try:
            content = _WRITERS[mail.kind](mail)
        except ServiceFailure:
            # The project, the post or the job is gone.
            return None
        return None if content is None else _letter(account, mail.kind, content)


def _letter(account: Account, kind: str, content: Content) -> Letter:
    if kind not in KINDS:
        return letter_of(account.email, content, FOOTERS[kind], time_zone=account.time_zone)
    off = url_for("mail_choices.show", token=token_of(Choice(account.id, kind)), _external=True)
    return letter_of(account.email, content, FOOTERS[kind], off_url=off, time_zone=account.time_zone)


def _publishing_failed(mail: Mail) -> Content:
    project, job_id = _project(mail), mail.facts.get("job_id")
    job = get_job(mail.account_id or 0, job_id) if job_id else None
    post = get_post(project, (job.payload if job else mail.facts).get("blog_post_id") or 0)
    publication = publication_of_job(job.id) if job else None
    happening = _happening(job, publication)
    need = Need(
        "unknown" if happening is UNCLEAR else "not_published" if job else "not_scheduled",
        title=post.title,
        post_id=post.id,
        target_id=publication.target_id if publication else None,
        job_id=job.id if job else None,
        failure=mail.facts["failure"],
    )
    return Content(
        f"{happening.subject}: “{post.title}”",
        "publishing_failed",
        {
            "project": project,
            "post": post,
            "happening": happening,
            "reason": plain_message(mail.facts["failure"]),
            "line": line_of(project.id, need),
        },
        at=(job.completed_at if job else None) or mail.created_at,
    )


def _happening(job: ExecutionJob | None, publication: Publication | None) -> Happening:
    if publication is not None and publication.state == "unknown":
        return UNCLEAR
    return NOT_UNPUBLISHED if job and job.operation == "UNPUBLISH_BLOG_POST" else NOT_PUBLISHED


def _removals_quarantined(mail: Mail) -> Content | None:
    project = _project(mail)
    quarantine = open_quarantine(project.id)
    if quarantine is None or quarantine.id != mail.facts["sync_id"]:
        return None
    need = Need("quarantined", quarantine.at, sync_id=quarantine.id, number=quarantine.missing)
    line = line_of(project.id, need)
    members = {"project": project, "line": line}
    return Content(f"{line.title}: {project.name}", "removals_quarantined", members, quarantine.at)


def _weekly_summary(mail: Mail) -> Content | None:
    until = datetime.fromisoformat(mail.facts["until"])
    weeks = weeks_of(mail.account_id or 0, until)
    if not weeks:
        return None
    published, attention = (sum(getattr(each, name) for each in weeks) for name in ("published", "attention"))
    said = [counted(published, "post") + " published"] if published else []
    said += [f"{counted(attention, 'thing')} to look at"] if attention else []
    members = {
        "sections": [_section(week) for week in weeks],
        "since": until - timedelta(weeks=1),
        "until": until - timedelta(days=1),
    }
    return Content(f"Your week: {', '.join(said)}" if said else "Your week", "weekly_summary", members)


def _section(week: Week) -> Section:
    said = [
        (week.published, f"{counted(week.published, 'post')} published: {_listed(week)}"),
        (week.drafts, f"{counted(week.drafts, 'draft')} waiting"),
        (week.stale, f"{counted(week.stale, 'page')} left your sitemap"),
    ]
    return Section(
        week.project.name,
        url_for("projects.overview", project_id=week.project.id),
        [words for count, words in said if count],
        f"{counted(week.attention, 'thing')} to look at" if week.attention else "",
        [line_of(week.project.id, need) for need in week.needs],
    )


def _listed(week: Week) -> str:
    more = week.published - len(week.titles)
    named = ", ".join(f"“{title}”" for title in week.titles)
    return f"{named} and {number(more)} more" if more else named


def _sign_in_changed(mail: Mail) -> Content:
    facts = mail.facts
    words = SIGN_IN_CHANGES[facts["kind"]]
    members = {"words": words, "via": facts["via"], "address": facts["address"]}
    return Content(words.subject, "sign_in_changed", members, datetime.fromisoformat(facts["at"]))


def _project(mail: Mail) -> Project:
    return get_project(mail.account_id or 0, mail.project_id or 0)


_WRITERS: Final[Mapping[str, Callable[[Mail], Content | None]]] = {
    PUBLISHING_FAILED: _publishing_failed,
    REMOVALS_QUARANTINED: _removals_quarantined,
    WEEKLY_SUMMARY: _weekly_summary,
    SIGN_IN_CHANGED: _sign_in_changed,
}
