"""The list of posts: search and order, drafts removed and brought back, and the list as a file."""

from __future__ import annotations

import csv
import io
import re
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select, update

from app.content.model import BlogPost, BlogPostCover, BlogPostVersion, PostRemoval, RemovedPost
from app.content.posts.files import export_lines
from app.content.posts.service import PostFilter
from app.content.posts.versions import keep_version
from app.executions.model import ExecutionJob
from app.executions.rollback import roll_back
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.service import find_project
from app.publishing.model import Publication, PublishTarget
from app.publishing.removal import prune_removals, remove_drafts, undo_removal
from app.publishing.service import add_target
from tests.dashboard.conftest import Visitor
from tests.support.publishing import job_of, post_of

TITLES = {"bees": "How bees dance", "hives": "A hive for 100% beginners", "wax": "Candles of wax"}


@pytest.fixture
def posts(app: Flask, project_id: int) -> dict[str, int]:
    """Three drafts, the last of which is the newest."""
    with app.app_context():
        project = find_project(project_id)
        return {slug: post_of(project, slug=slug, title=title).id for slug, title in TITLES.items()}


@pytest.fixture
def here(project_id: int) -> str:
    return f"/projects/{project_id}/posts"


def listed(alice: Visitor, path: str) -> list[str]:
    return re.findall(r'<h3><a href="[^"]+">([^<]+)</a>', alice.get(path).text)


def set_post(app: Flask, post_id: int, **values: Any) -> None:
    with app.app_context():
        db.session.execute(update(BlogPost).where(BlogPost.id == post_id).values(**values))
        db.session.commit()


def test_posts_are_found_by_title_or_keyword_and_sorted(
    app: Flask, alice: Visitor, here: str, posts: dict[str, int]
) -> None:
    assert listed(alice, here) == [TITLES["wax"], TITLES["hives"], TITLES["bees"]]
    assert listed(alice, f"{here}?order=title") == sorted(TITLES.values())
    set_post(app, posts["hives"], updated_at=utc_now() + timedelta(hours=1), primary_keyword="Beehive")
    assert listed(alice, f"{here}?order=changed")[0] == TITLES["hives"]
    assert set(listed(alice, f"{here}?q=bee")) == {TITLES["hives"], TITLES["bees"]}
    assert listed(alice, f"{here}?q=100%25+B") == [TITLES["hives"]]
    assert listed(alice, f"{here}?q=0%25%25b") == []
    set_post(app, posts["bees"], status="published")
    assert listed(alice, f"{here}?q=bee&status=draft") == [TITLES["hives"]]


def test_removed_drafts_come_back_as_they_were(
    app: Flask, alice: Visitor, bob: Visitor, here: str, posts: dict[str, int]
) -> None:
    bees, hives = posts["bees"], posts["hives"]
    with app.app_context():
        post = db.session.get_one(BlogPost, bees)
        keep_version(post, "edited", "Alice")
        db.session.add(BlogPostCover(
            blog_post_id=bees, media_type="image/png", width=2, height=1, content_hash="0" * 64,
            data=b"\0\xff",
        ))  # fmt: skip
        db.session.commit()
        before = {column.name: getattr(post, column.name) for column in BlogPost.__table__.columns}
    answer = alice.send(f"{here}/remove", {"post_ids": [str(bees), str(hives)], "back": f"{here}?q=x"}, here)
    assert answer.location == f"{here}?q=x"
    page = alice.get(here).text
    assert "2 drafts deleted." in page
    assert alice.get(f"{here}/{bees}").status_code == 404
    undo = re.search(r'action="([^"]+/undo[^"]*)"', page)
    assert undo
    assert bob.send(undo[1], page="/settings").status_code == 404

    with app.app_context():
        post_of(find_project(before["project_id"]), slug="hives", title="Another")
    assert alice.send(undo[1], page=here).location == f"{here}?q=x"
    assert "2 drafts brought back." in alice.get(here).text
    with app.app_context():
        post = db.session.get_one(BlogPost, bees)
        assert {column.name: getattr(post, column.name) for column in BlogPost.__table__.columns} == before
        assert db.session.get_one(BlogPostCover, bees).data == b"\0\xff"
        kept = db.session.scalars(select(BlogPostVersion).where(BlogPostVersion.blog_post_id == bees)).all()
        assert kept[-1].by == "Alice"
        assert db.session.get_one(BlogPost, hives).slug == "hives-2"
    alice.send(undo[1], page=here)
    assert "undone already" in alice.get(here).text


def test_posts_that_a_blog_has_or_that_are_published_stay(
    app: Flask, alice: Visitor, here: str, project_id: int, posts: dict[str, int]
) -> None:
    set_post(app, posts["bees"], status="published")
    with app.app_context():
        target, _ = add_target(find_project(project_id), "webhook", "Blog", {"url": "https://h.example.com/"})
        db.session.add_all(
            Publication(blog_post_id=posts[slug], target_id=target.id, publication_id=f"pub_{slug}",
                        state=state, external_id=external, content_sha256="0" * 64)
            for slug, state, external in (("hives", "unpublished", "7"), ("wax", "failed", None))
        )  # fmt: skip
        db.session.commit()
    ticked = {"post_ids": [str(post_id) for post_id in posts.values()]}
    alice.send(f"{here}/remove", ticked, here)
    page = alice.get(here).text
    assert "1 draft deleted. 2 posts stay: only drafts" in page
    assert set(listed(alice, here)) == {TITLES["bees"], TITLES["hives"]}
    undo = re.search(r'action="([^"]+/undo)"', page)
    assert undo
    alice.send(undo[1], page=here)
    with app.app_context():
        failed = select(Publication.state).where(Publication.blog_post_id == posts["wax"])
        assert db.session.scalar(failed) == "failed"
        assert db.session.scalar(select(func.count()).select_from(PublishTarget)) == 1


def test_a_removed_draft_whose_job_is_rolled_back_stays_gone(
    app: Flask, alice: Visitor, here: str, project_id: int
) -> None:
    with app.app_context():
        project = find_project(project_id)
        job = db.session.get_one(ExecutionJob, job_of(project, "succeeded"))
        job.operation = "GENERATE_BLOG_POST"
        post_id = post_of(project, slug="made", job_id=job.id).id
        job.result, job.post_id = {"blog_post_id": post_id}, post_id
        db.session.commit()
        removal, _ = remove_drafts(project, [post_id])
        roll_back(job)
        assert undo_removal(project, removal) == 0
        assert db.session.get(BlogPost, post_id) is None


def test_what_was_removed_is_kept_for_a_day(app: Flask, project_id: int, posts: dict[str, int]) -> None:
    with app.app_context():
        project = find_project(project_id)
        old, _ = remove_drafts(project, [posts["bees"]])
        yesterday = utc_now() - timedelta(hours=25)
        db.session.execute(update(PostRemoval).values(created_at=yesterday))
        with pytest.raises(ServiceFailure):
            undo_removal(project, old)
        new, _ = remove_drafts(project, [posts["wax"], 10**12])
        assert prune_removals() == 1
        assert db.session.scalars(select(RemovedPost.removal_id)).all() == [new]
        assert db.session.get(PostRemoval, old) is None
        assert remove_drafts(project, [posts["wax"]]) == (0, 0)
        assert undo_removal(project, new) == 1


def test_who_reads_a_file_slowly_holds_no_transaction(
    app: Flask, project_id: int, posts: dict[str, int]
) -> None:
    with app.app_context():
        lines = export_lines(find_project(project_id), PostFilter())
        assert [next(lines).partition(",")[0] for _ in range(2)] == ["Title", TITLES["bees"]]
        assert not db.session().in_transaction()
        assert len(list(lines)) == len(posts) - 1


def test_the_list_is_a_file_in_which_nothing_is_a_formula(
    app: Flask, alice: Visitor, here: str, posts: dict[str, int]
) -> None:
    set_post(app, posts["wax"], title='=HYPERLINK("https://e.example")')
    answer = alice.get(f"{here}/export.csv?status=draft")
    assert answer.mimetype == "text/csv"
    rows = list(csv.reader(io.StringIO(answer.text)))
    assert [row[0] for row in rows] == [
        "Title",
        TITLES["bees"],
        TITLES["hives"],
        """'=HYPERLINK("https://e.example")""",
    ]
    assert len(list(csv.reader(io.StringIO(alice.get(f"{here}/export.csv?q=dance").text)))) == 2
