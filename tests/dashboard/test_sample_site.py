"""A sample site to try the dashboard on, created and removed by one button each."""

from __future__ import annotations

import re

from sqlalchemy import update

from app.accounts.model import Account
from app.content.model import BlogPost
from app.infra.db import db
from app.keywords.service import add_keyword
from app.pages.model import Page
from app.pages.sample_site import FOLDER
from app.projects.model import Project
from app.publishing.model import Publication, PublishTarget
from tests.support.working import run_job


def path_of(location: str) -> str:
    return re.sub(r"^https?://[^/]+", "", location)


def test_a_first_visitor_gets_a_sample_site_with_pages_and_a_draft(alice, app):
    assert "Try with a sample site" in alice.get("/projects").text
    start = path_of(alice.send("/projects/sample", page="/projects/new").location)
    project_id, job_id = map(int, re.fullmatch(r"/projects/(\d+)/start\?writing=(\d+)", start).groups())
    with app.app_context():
        pages = db.session.query(Page).filter_by(project_id=project_id).all()
        assert len(pages) == len(list(FOLDER.rglob("*.html")))
        assert all(page.word_count > 100 and page.read_due_at is None for page in pages)
        assert db.session.get(Project, project_id).next_sync_at is None
        run_job(job_id)
        post = db.session.query(BlogPost).filter_by(project_id=project_id).one()
        assert post.draft_kind != "outline"
    assert path_of(alice.get(start).location) == f"/projects/{project_id}/posts/{post.id}"


def test_the_sample_site_says_what_it_is_and_cannot_be_synced(alice):
    alice.send("/projects/sample", page="/projects/new")
    overview = alice.get("/projects/1").text
    assert "Sample site" in overview
    assert "Sync now" not in overview + alice.get("/projects/1/pages").text


def test_a_second_press_leads_to_the_sample_that_is_there(alice):
    alice.send("/projects/sample", page="/projects/new")
    assert path_of(alice.send("/projects/sample", page="/projects/new").location) == "/projects/1"


def test_the_sample_site_is_removed_with_everything_in_it(alice, app):
    start = alice.send("/projects/sample", page="/projects/new").location
    with app.app_context():
        run_job(int(start.rpartition("=")[2]))
    assert path_of(alice.send("/projects/1/remove", page="/projects/1").location) == "/projects"
    with app.app_context():
        assert not db.session.query(Project).count() + db.session.query(Page).count()
    assert "The sample site is removed." in alice.get("/projects").text


def test_the_sample_site_stays_while_a_job_runs_or_its_posts_count(alice, app):
    start = alice.send("/projects/sample", page="/projects/new").location
    alice.send("/projects/1/remove", page="/projects/1")
    assert "A job of the site is still running." in alice.get("/projects/1").text
    with app.app_context():
        run_job(int(start.rpartition("=")[2]))
        db.session.execute(update(Account).values(monthly_post_limit=10))
        db.session.commit()
    alice.send("/projects/1/remove", page="/projects/1")
    assert "can be removed next month" in alice.get("/projects/1").text
    with app.app_context():
        db.session.execute(update(Account).values(monthly_post_limit=None))
        (post,) = db.session.query(BlogPost).all()
        target = PublishTarget(
            project_id=1, name="Blog", kind="webhook", settings={"url": "http://127.0.0.1:9/"}
        )
        db.session.add(target)
        db.session.flush()
        publication = {"publication_id": "pub_1", "state": "unknown", "content_sha256": ""}
        db.session.add(Publication(blog_post_id=post.id, target_id=target.id, **publication))
        db.session.commit()
    alice.send("/projects/1/remove", page="/projects/1")
    assert "may be, live at a blog" in alice.get("/projects/1").text


def test_a_site_with_a_mistyped_address_is_removed_and_its_address_corrected(alice):
    alice.send("/projects/new", {"url": "https://brambelboard.example.com/"})
    answer = alice.send("/projects/1/remove", page="/projects/new")
    assert path_of(answer.location) == "/projects/new?site=https://brambelboard.example.com/"
    assert alice.get("/projects/1").status_code == 404
    assert 'value="https://brambelboard.example.com/"' in alice.get(path_of(answer.location)).text


def test_no_other_project_is_removed_that_way(alice, bob, app):
    bob.send("/projects/sample", page="/projects/new")
    alice.send("/projects/new", {"url": "https://alice.example.com/"})
    assert alice.send("/projects/1/remove", page="/projects/new").status_code == 404
    with app.app_context():
        add_keyword(db.session.get_one(Project, 2), {"keyword_text": "bees"})
    alice.send("/projects/2/remove", page="/projects/new")
    assert "Only a site without pages, keywords and posts" in alice.get("/projects/2").text
    assert bob.get("/projects/1").status_code == 200
