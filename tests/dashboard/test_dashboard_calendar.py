"""The calendar of a project, in the reader's time zone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from flask import Flask

from app.content.drafts import QualityCheck, QualityReport
from app.content.model import BlogPost
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.local_time import monday_of
from app.projects.model import Project
from app.publishing.model import Publication, PublishTarget, ScheduledPublication
from tests.dashboard.conftest import Visitor
from tests.support.publishing import post_of
from tests.support.scheduling import scheduled_in

WEDNESDAY = monday_of(date.today()) + timedelta(days=9)


@pytest.fixture
def calendar(things: dict[str, int]) -> str:
    return f"/projects/{things['project_id']}/calendar"


def planned(app: Flask, things: dict[str, int], moment: datetime, number: int = 1, **values: str) -> int:
    """The id of a publication that is planned for a moment."""
    with app.app_context():
        project = db.session.get_one(Project, things["project_id"])
        post = post_of(project, slug=f"post-{number}", title=f"Garden notes no. {number}")
        row_id = scheduled_in(post, db.session.get_one(PublishTarget, things["target_id"]), 3600)
        row = db.session.get_one(ScheduledPublication, row_id)
        row.publish_at = moment
        for name, value in values.items():
            setattr(row, name, value)
        db.session.commit()
        return row_id


def on(day: date, hour: int) -> datetime:
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)


def day_of(page: str, title: str) -> str:
    """The date of the day under which a title is shown."""
    before = page.partition(title)[0]
    return before.rpartition('datetime="')[2][:10]


def test_a_planned_post_is_on_its_day_of_the_readers_zone(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    row_id = planned(app, things, on(WEDNESDAY, 23))
    page = alice.get(calendar).text
    assert day_of(page, "Garden notes no. 1") == WEDNESDAY.isoformat()
    assert (
        f'href="/projects/{things["project_id"]}/schedule/{row_id}?back={calendar}%23entry-{row_id}"' in page
    )
    assert "23:00 planned" in page
    assert "In UTC." in page
    alice.client.set_cookie("zone", "Asia/Tokyo")
    page = alice.get(calendar).text
    assert day_of(page, "Garden notes no. 1") == (WEDNESDAY + timedelta(days=1)).isoformat()
    assert "08:00 planned" in page


def test_what_was_published_and_what_failed_is_shown_and_what_was_canceled_is_not(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    planned(app, things, on(WEDNESDAY, 8), 1, state="failed")
    planned(app, things, on(WEDNESDAY, 9), 2, state="canceled")
    planned(app, things, on(WEDNESDAY, 10), 3, state="submitted")
    with app.app_context():
        post = db.session.get_one(BlogPost, things["post_id"])
        post.published_at, post.status = on(WEDNESDAY, 11), "published"
        db.session.commit()
    page = alice.get(calendar).text
    assert "08:00 not published" in page
    assert "11:00 live" in page
    assert "09:00" not in page
    assert "no. 3" not in page


def test_other_weeks_are_reached_and_any_value_is_a_week(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    planned(app, things, on(WEDNESDAY + timedelta(weeks=20), 9))
    assert "no. 1" not in alice.get(calendar).text
    assert "no. 1" in alice.get(f"{calendar}?from={WEDNESDAY + timedelta(weeks=19)}").text
    for value in ("", "tomorrow", "0001-01-01", "9999-12-31", "2026-02-30", "%00"):
        assert alice.get(f"{calendar}?from={value}").status_code == 200


def test_a_full_day_says_how_many_more_there_are(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    for number in range(9):
        planned(app, things, on(WEDNESDAY, number), number)
    assert "and 3 more" in alice.get(calendar).text


def test_an_empty_calendar_says_how_to_plan(alice: Visitor, calendar: str) -> None:
    assert "Nothing is planned" in alice.get(calendar).text


def test_without_a_blog_the_calendar_says_so_at_once(alice: Visitor, project_id: int) -> None:
    text = alice.get(f"/projects/{project_id}/calendar").text
    assert "No blog is connected yet" in text
    assert f'href="/projects/{project_id}/settings/targets">Connect your blog</a>' in text


def test_drafts_without_a_time_wait_in_the_tray_and_lead_to_the_form_of_a_time(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    planned(app, things, on(WEDNESDAY, 9))
    page = alice.get(calendar).text
    tray = page.partition('class="tray"')[2].partition("</section>")[0]
    assert "A post" in tray
    assert "no. 1" not in tray
    form = f"/projects/{things['project_id']}/posts/{things['post_id']}/schedule"
    assert f'data-place="{form}"' in tray
    assert f'value="{WEDNESDAY}T09:00"' in alice.get(f"{form}?at={WEDNESDAY}T09:00").text
    assert alice.get(f"{form}?at=soon").status_code == 200


@pytest.mark.parametrize(
    ("code", "ready"), [("SENTENCE_LENGTH", "ready"), ("CONTENT_TOO_SHORT", "almost ready")]
)
def test_the_tray_calls_a_draft_ready_as_its_page_does(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str, code: str, ready: str
) -> None:
    report = QualityReport("warn", 92, (QualityCheck(code, "warn", False, code),))
    with app.app_context():
        db.session.get_one(BlogPost, things["post_id"]).quality = report.to_dict()
        db.session.commit()
    assert f"draft, {ready}<" in alice.get(calendar).text.partition('class="tray"')[2]


def test_a_draft_whose_time_has_come_and_gone_waits_in_the_tray_again(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    row_id = planned(app, things, on(WEDNESDAY, 9), state="submitted")
    with app.app_context():
        row = db.session.get_one(ScheduledPublication, row_id)
        gone = {"state": "unpublished", "content_sha256": "", "publication_id": "pub_1"}
        db.session.add(
            Publication(
                blog_post_id=row.blog_post_id, target_id=row.target_id, updated_at=on(WEDNESDAY, 9), **gone
            )
        )
        db.session.commit()
    tray = alice.get(calendar).text.partition('class="tray"')[2].partition("</section>")[0]
    assert "no. 1" in tray


def test_the_list_has_what_is_coming_before_what_came(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    planned(app, things, on(WEDNESDAY, 9))
    page = alice.get(f"{calendar}?view=list").text
    coming, came = page.partition(">Coming up<")[2].split(">Until now<")
    assert "Garden notes no. 1" in coming
    assert "Nothing was published." in came


def test_the_list_has_what_went_live_today_until_now_and_what_is_late_as_coming(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    planned(app, things, utc_now() - timedelta(minutes=1), 7)
    with app.app_context():
        post = db.session.get_one(BlogPost, things["post_id"])
        post.published_at, post.status = utc_now() - timedelta(minutes=2), "published"
        title = post.title
        db.session.commit()
    page = alice.get(f"{calendar}?view=list").text
    coming, came = page.partition(">Coming up<")[2].split(">Until now<")
    assert "Garden notes no. 7" in coming
    assert title in came


def test_moving_an_entry_leads_back_to_it(
    app: Flask, alice: Visitor, things: dict[str, int], calendar: str
) -> None:
    row_id = planned(app, things, on(WEDNESDAY, 9))
    back = f"{calendar}#entry-{row_id}"
    move = f"/projects/{things['project_id']}/schedule/{row_id}?back={calendar}%23entry-{row_id}"
    later = WEDNESDAY + timedelta(days=1)
    answer = alice.send(move, {"at": f"{later}T09:00", "zone": "UTC"}, page=calendar)
    assert answer.headers["Location"] == back
    assert day_of(alice.get(calendar).text, "Garden notes no. 1") == later.isoformat()


def test_the_calendar_is_the_owners(alice: Visitor, bob: Visitor, calendar: str) -> None:
    assert bob.get(calendar).status_code == 404
    assert f'href="{calendar}"' in alice.get(calendar.removesuffix("/calendar")).text
