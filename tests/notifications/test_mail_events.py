"""Each event is reported once, in the dashboard's words, with one link to fix it."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from email.message import EmailMessage

import pytest
from flask import Flask
from sqlalchemy import update

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.executions.schedule import submit_due_publications
from app.infra.db import db
from app.notifications.delivery import send_due
from app.notifications.weekly import write_due_summaries
from app.pages.model import SitemapSync
from app.publishing import scheduled
from app.publishing.model import PublishTarget
from app.publishing.service import remove_target
from tests.notifications.conftest import mails, states
from tests.support.mail_server import MailServer
from tests.support.publishing import alice_project, fresh, publish, submit, unpublish
from tests.support.scheduling import Planned, job_id_of
from tests.support.servers import Reply, SiteServer
from tests.support.sites import project_at, urlset
from tests.support.sync_jobs import ran
from tests.support.working import run_job

pytestmark = pytest.mark.usefixtures("no_waiting")

MONDAY = datetime(2026, 11, 23, 7, tzinfo=UTC)


def part(letter: EmailMessage, kind: str) -> str:
    body = letter.get_body((kind,))
    assert body is not None
    return str(body.get_content()).replace("\r\n", "\n")


def test_a_failed_publication_is_reported_with_the_reason_and_the_fix(
    planned: Planned, mail_server: MailServer
) -> None:
    planned.receiver.before = lambda: Reply(401)
    assert publish(planned.post_id).status == "failed"
    assert send_due() == 1
    [letter] = mail_server.box.letters
    assert letter["Subject"] == "Not published: “How to keep garden notes that help”"
    text, html = part(letter, "plain"), part(letter, "html")
    project_id = fresh(planned.post_id).project_id
    mended = f"https://app.example.com/projects/{project_id}/settings/targets/{planned.target_id}/edit"
    for words in ("Your blog does not accept the password or key.", "Enter a new password", mended):
        assert words in text
        assert words in html
    assert "Turn these mails off: https://app.example.com/mails/" in text
    assert "<img" not in html
    assert html.count("http") == html.count("https://app.example.com")


def test_a_job_that_fails_after_several_attempts_is_reported_once(planned: Planned) -> None:
    job_id = submit(planned.post_id)
    db.session.execute(update(PublishTarget).values(settings={}))  # the operation itself fails
    db.session.commit()
    for _ in range(3):
        db.session.execute(update(ExecutionJob).values(available_at=datetime(2026, 1, 1, tzinfo=UTC)))
        db.session.commit()
        assert mails() == []
        run_job(job_id)
    assert db.session.get_one(ExecutionJob, job_id).attempt == 3
    assert [mail.event for mail in mails()] == [f"job:{job_id}"]


def test_a_title_with_markup_is_shown_as_it_is(planned: Planned, mail_server: MailServer) -> None:
    planned.receiver.before = lambda: Reply(401)
    db.session.execute(update(BlogPost).values(title="A <b>bold</b> & short\r\nBcc: bob@example.com"))
    db.session.commit()
    publish(planned.post_id)
    send_due()
    [letter] = mail_server.box.letters
    assert letter["Subject"] == "Not published: “A <b>bold</b> & short Bcc: bob@example.com”"
    assert letter["Bcc"] is None
    assert "A <b>bold</b> & short" in part(letter, "plain")
    assert "A &lt;b&gt;bold&lt;/b&gt; &amp; short" in part(letter, "html")


def test_a_publication_that_nobody_can_confirm_asks_to_look(
    planned: Planned, mail_server: MailServer
) -> None:
    planned.receiver.after = lambda: Reply(500)
    planned.receiver.on_lookup = lambda: Reply(500)
    publish(planned.post_id)
    send_due()
    [letter] = mail_server.box.letters
    assert letter["Subject"] == "Please check: “How to keep garden notes that help”"
    assert "Say whether it is live" in part(letter, "plain")


def test_a_failed_withdrawal_says_that_readers_may_see_the_post(
    planned: Planned, mail_server: MailServer
) -> None:
    assert publish(planned.post_id).status == "succeeded"
    planned.receiver.on_unpublish = lambda: Reply(401)
    assert unpublish(planned.post_id).status == "failed"
    send_due()
    [letter] = mail_server.box.letters
    assert letter["Subject"].startswith("Not unpublished: ")
    assert "Readers may still see the post." in part(letter, "plain")


def test_a_scheduled_publication_is_reported_when_no_other_try_follows(planned: Planned) -> None:
    row_id = planned.due()
    db.session.execute(update(BlogPost).values(status="publishing"))
    db.session.commit()
    submit_due_publications()
    assert (scheduled.get_scheduled(planned.project(), row_id).state, mails()) == ("waiting", [])
    db.session.execute(update(BlogPost).values(status="draft", content="", word_count=0))
    db.session.execute(
        update(scheduled.ScheduledPublication).values(next_try_at=datetime(2026, 1, 1, tzinfo=UTC))
    )
    db.session.commit()
    submit_due_publications()
    assert [mail.event for mail in mails()] == [f"schedule:{row_id}"]


def test_a_job_of_the_schedule_that_fails_is_reported_once(planned: Planned, mail_server: MailServer) -> None:
    row_id = planned.due()
    submit_due_publications()
    remove_target(db.session.get_one(PublishTarget, planned.target_id))
    run_job(job_id_of(row_id))
    send_due()
    assert [letter["Subject"][:14] for letter in mail_server.box.letters] == ["Not published:"]


def test_nothing_is_said_about_a_post_that_is_gone(planned: Planned, mail_server: MailServer) -> None:
    planned.receiver.before = lambda: Reply(401)
    publish(planned.post_id)
    db.session.execute(update(ExecutionJob).values(payload={}))
    db.session.commit()
    assert (send_due(), states()) == (0, ["skipped"])


def test_quarantined_removals_are_reported_until_they_are_decided(
    db_app: Flask, site: SiteServer, mail_server: MailServer
) -> None:
    urls = [f"{site.url}/{name}" for name in "abcd"]
    site.serve("/sitemap.xml", urlset(urls))
    project_id = project_at(site.url, f"{site.url}/sitemap.xml").id
    ran(project_id)
    assert mails() == []
    site.serve("/sitemap.xml", urlset([]))
    ran(project_id)
    send_due()
    [letter] = mail_server.box.letters
    assert letter["Subject"].startswith("4 pages vanished at once: ")
    sync = db.session.scalars(db.select(SitemapSync).where(SitemapSync.state == "quarantined")).one()
    assert f"https://app.example.com/projects/{project_id}/syncs/{sync.id}" in part(letter, "plain")


def test_a_decided_quarantine_is_not_reported(
    db_app: Flask, site: SiteServer, mail_server: MailServer
) -> None:
    site.serve("/sitemap.xml", urlset([f"{site.url}/a", f"{site.url}/b"]))
    project_id = project_at(site.url, f"{site.url}/sitemap.xml").id
    ran(project_id)
    site.serve("/sitemap.xml", urlset([]))
    ran(project_id)
    site.serve("/sitemap.xml", urlset([f"{site.url}/a", f"{site.url}/b"]))
    ran(project_id)
    assert (send_due(), states()) == (0, ["skipped"])


def test_the_weekly_summary_says_what_happened_and_what_to_do(
    planned: Planned, mail_server: MailServer
) -> None:
    project, post = planned.project(), db.session.get_one(BlogPost, planned.post_id)
    post.status, post.published_at = "published", MONDAY - timedelta(days=2)
    project.last_sync_error = {"code": "SITEMAP_MISSING", "message": "No sitemap was found."}
    db.session.add(
        BlogPost(project_id=project.id, title="Draft", slug="draft", content="Text", draft_kind="full",
                 language="en", engine="extractive")
    )  # fmt: skip
    db.session.commit()
    assert write_due_summaries(MONDAY) == 1
    assert send_due() == 1
    [letter] = mail_server.box.letters
    assert letter["Subject"] == "Your week: 1 post published, 1 thing to look at"
    for kind in ("plain", "html"):
        text = part(letter, kind)
        for words in ("1 post published: “How to keep garden notes", "1 draft waiting", "Check the sitemap"):
            assert words in text


def test_a_summary_is_written_once_a_week_on_mondays(planned: Planned) -> None:
    assert write_due_summaries(MONDAY - timedelta(hours=2)) == 0
    assert [write_due_summaries(MONDAY + timedelta(hours=hours)) for hours in (0, 1, 60)] == [1, 0, 0]
    assert write_due_summaries(MONDAY + timedelta(weeks=1)) == 1


def test_a_week_without_news_is_not_reported(db_app: Flask, mail_server: MailServer) -> None:
    alice_project()
    assert write_due_summaries(MONDAY) == 1
    assert (send_due(), states()) == (0, ["skipped"])
