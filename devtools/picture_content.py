"""What the pictures show beside the content of bin/demo: published and scheduled posts, and search results.

Everything is looked for before it is made. The running service does the work; here it is only asked for.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import select

from app.content.model import BlogPost
from app.infra.clock import utc_now
from app.infra.db import db
from app.operations import generate_blog_post, publish_blog_post
from app.operations.schedule_publication import ScheduleInput, schedule_post
from app.projects.service import find_project
from app.publishing.lookup import publications_of
from app.publishing.scheduled import open_schedule
from app.search_performance.importing import PURPOSE, check_tables, guessed_choices, import_tables
from app.search_performance.service import latest_imports
from app.spreadsheets.service import read, upload
from devtools.demo_content import run_job

PUBLISHED: Final = "Share weekend shifts fairly"
SCHEDULED: Final = {"Forecast busy days": 2, "Onboard seasonal staff": 6}
"""Topics, and in how many days their posts are to be published."""

QUERIES: Final = (
    ("weekly rota template", 96, 2210, 6.4),
    ("fair weekend shifts", 71, 980, 4.1),
    ("staff rota for a café", 64, 1470, 7.9),
    ("forecast busy days", 38, 860, 8.6),
    ("swap shifts without phone calls", 33, 410, 3.2),
    ("labour cost percentage café", 21, 1320, 12.5),
    ("seasonal staff first day", 12, 540, 11.8),
)
"""Searches of four weeks: clicks, impressions and mean position."""

DAYS: Final = 28
ADDRESS: Final = "https://brambleboard.example/"
"""What the pictures show instead of the sample site's own address on this machine."""


def fill(project_id: int) -> None:
    """Add to the demo's project what is missing, and rename its address.

    Raises DemoFailed and ServiceFailure.
    """
    published = have_post(project_id, PUBLISHED)
    if not publications_of([published]).get(published):
        run_job(project_id, publish_blog_post.OPERATION, {"blog_post_id": published})
    for topic, days in SCHEDULED.items():
        have_schedule(project_id, have_post(project_id, topic), days)
    for before in (DAYS, 0):
        have_search_results(project_id, before)
    find_project(project_id).url = ADDRESS
    db.session.commit()


def have_post(project_id: int, topic: str) -> int:
    """Return the id of a post about a topic, generated if there is none."""
    wanted = select(BlogPost.id).where(BlogPost.project_id == project_id, BlogPost.title.contains(topic))
    found = db.session.scalar(wanted)
    if found is not None:
        return found
    run_job(project_id, generate_blog_post.OPERATION, {"topic": topic, "title": f"{topic}: what works"})
    newest = select(BlogPost.id).where(BlogPost.project_id == project_id).order_by(BlogPost.id.desc())
    return db.session.scalars(newest.limit(1)).one()


def have_schedule(project_id: int, post_id: int, days: int) -> None:
    """Schedule a post for nine o'clock in so many days, unless it is scheduled."""
    project = find_project(project_id)
    post = db.session.get_one(BlogPost, post_id)
    if open_schedule(post):
        return
    moment = morning(utc_now()) + timedelta(days=days)
    data = ScheduleInput().load({"publish_at": moment.isoformat(), "visibility": "live"})
    schedule_post(project, post_id, data, "bin/screenshots")


def have_search_results(project_id: int, days_before: int) -> None:
    """Import the search results of four weeks that ended so many days before the last one known."""
    project = find_project(project_id)
    latest, earlier = latest_imports(project)
    if earlier is not None or (latest is not None and days_before):
        return
    last = (utc_now() - timedelta(days=3 + days_before)).date()
    uploaded = upload(project, PURPOSE, "Queries.csv", queries_file(days_before))
    tables = read(uploaded.name, uploaded.data)
    days = (last - timedelta(days=DAYS - 1), last)
    checked = check_tables(project, tables, guessed_choices(tables), *days)
    import_tables(project, checked, *days, uploaded.name, uploaded)


def queries_file(days_before: int) -> bytes:
    """Return an export of the search results; earlier ones have fewer clicks."""
    share = 0.7 if days_before else 1.0
    lines = (
        f"{query},{round(clicks * share)},{round(shown * share)},{position}"
        for query, clicks, shown, position in QUERIES
    )
    return "\n".join(("Top queries,Clicks,Impressions,Position", *lines)).encode()


def morning(moment: datetime) -> datetime:
    return moment.replace(hour=9, minute=0, second=0, microsecond=0)
