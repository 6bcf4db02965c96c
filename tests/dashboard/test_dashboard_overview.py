"""The overview: what needs attention with its one way on, the counts in the rail, and what happened."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from flask import Flask
from sqlalchemy import update

from app.accounts.service import find_account
from app.content.model import BlogPost
from app.dashboard.overview import uncovered
from app.executions.model import ExecutionJob
from app.failures import failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.projects.service import find_project, list_projects
from app.publishing.model import Publication
from app.publishing.service import add_target
from app.search_performance.model import SearchImport
from tests.dashboard.conftest import Visitor
from tests.support.publishing import job_of, post_of

LINE = re.compile(
    r'<span class="sign" aria-hidden="true">.</span>([^<]+?)\s*</span>\s*<div>\s*<h3>([^<]+)</h3>'
    r'.*?<a class="btn btn-calm btn-sm" href="([^"]+)" aria-label="[^"]+">([^<]+)<',
    re.DOTALL,
)


def lines(visitor: Visitor, project_id: int) -> dict[str, tuple[str, str, str]]:
    """The lines of what needs attention: (state, address, button) by title."""
    text = visitor.get(f"/projects/{project_id}").text
    return {title: (state, url, button) for state, title, url, button in LINE.findall(text)}


def a_publication(
    post: BlogPost, target_id: int, state: str, code: str | None = None, **values: object
) -> None:
    now = utc_now()
    members = {
        "content_sha256": "", "publication_id": f"pub_{post.id}", "state": state, "published_at": now,
        "failure": failure(code).to_dict() if code else None, **values,
    }  # fmt: skip
    db.session.add(Publication(blog_post_id=post.id, target_id=target_id, **members))


def test_each_trouble_of_a_post_has_one_line_that_leads_to_where_it_is_mended(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    with app.app_context():
        project = find_project(project_id)
        target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
        kinds = ("Refused", "Unanswered", "Hidden", "Edited", "Stale", "Changed", "Fine")
        posts = {kind: post_of(project, title=kind, slug=kind.lower()) for kind in kinds}
        a_publication(posts["Refused"], target.id, "failed", "TARGET_AUTH")
        a_publication(posts["Unanswered"], target.id, "unknown", "TARGET_RATE_LIMITED")
        a_publication(posts["Hidden"], target.id, "live", public_remark="The blog answers 404.")
        a_publication(posts["Edited"], target.id, "live")
        a_publication(posts["Fine"], target.id, "live")
        earlier = utc_now() - timedelta(hours=1)
        for kind in ("Hidden", "Edited", "Changed", "Fine"):
            posts[kind].status, posts[kind].published_at, posts[kind].edited_at = "published", earlier, None
        posts["Edited"].edited_at = utc_now() + timedelta(seconds=5)
        posts["Stale"].stale_links, posts["Changed"].changed_sources = 2, 1
        db.session.commit()
        at = {kind: f"/projects/{project_id}/posts/{post.id}" for kind, post in posts.items()}
        edit_target = f"/projects/{project_id}/settings/targets/{target.id}/edit?post={posts['Refused'].id}"
    assert lines(alice, project_id) == {
        "Refused": ("not published", edit_target, "Enter a new password or key"),
        "Unanswered": ("outcome unknown", f"{at['Unanswered']}#publications", "Say whether it is live"),
        "Hidden": ("not visible", f"{at['Hidden']}#publications", "Look at it"),
        "Edited": ("edited since", f"{at['Edited']}/publish", "Publish the changes"),
        "Stale": ("stale links", f"{at['Stale']}/edit", "Replace the links"),
        "Changed": ("out of date", at["Changed"], "See the change"),
    }
    refused = alice.get(at["Refused"]).text.partition("<article")[0]
    assert "Not published at Blog." in refused
    assert f'href="{edit_target}">Enter a new password or key</a>' in refused
    assert "Not published at" not in alice.get(at["Fine"]).text
    rail = alice.get(f"/projects/{project_id}/keywords").text
    assert re.search(r'Overview\s*<span class="count warn">6<span class="visually-hidden"> need', rail)


def test_a_job_that_ended_with_its_publication_is_no_second_trouble(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    with app.app_context():
        project = find_project(project_id)
        target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
        post = post_of(project, title="Refused")
        ended = utc_now()
        job = job_of(project, "failed")
        values = {"payload": {"blog_post_id": post.id}, "completed_at": ended}
        db.session.execute(update(ExecutionJob).where(ExecutionJob.id == job).values(**values))
        before = ended - timedelta(milliseconds=4)
        a_publication(post, target.id, "failed", "TARGET_AUTH", job_id=job, updated_at=before)
        db.session.commit()
    assert [found[1] for found in LINE.findall(alice.get(f"/projects/{project_id}").text)] == ["Refused"]


def test_nobody_sees_the_troubles_of_another_project(
    app: Flask, alice: Visitor, bob: Visitor, project_id: int
) -> None:
    bob.send("/projects/new", {"url": "https://bob.example.com/"})
    with app.app_context():
        bobs = find_account("bob@example.com")
        assert bobs is not None
        others = list_projects(bobs.id, 1, 1)[0][0].id
        project = find_project(project_id)
        target, _ = add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
        for state, code in (("failed", "TARGET_AUTH"), ("unknown", "TARGET_RATE_LIMITED"), ("live", None)):
            post = post_of(project, title=f"Secret {state}", slug=state, stale_links=1, changed_sources=1)
            post.status, post.published_at, post.edited_at = (
                "published",
                utc_now(),
                utc_now() + timedelta(seconds=5),
            )
            a_publication(post, target.id, state, code)
        db.session.commit()
    assert len(lines(alice, project_id)) == 3
    assert lines(bob, others) == {}
    assert "need attention" not in bob.get(f"/projects/{others}").text


def test_a_failed_draft_is_listed_until_it_is_tried_again(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    with app.app_context():
        first = a_failed_job(find_project(project_id))
        state, url, _ = lines(alice, project_id)["Chain wear"]
        assert (state, url) == ("not written", f"/executions/{first}")
        a_failed_job(find_project(project_id), retry_of=first, status="succeeded")
        assert not lines(alice, project_id)


def test_a_part_that_could_not_be_written_anew_is_listed(app: Flask, alice: Visitor, project_id: int) -> None:
    with app.app_context():
        a_failed_job(find_project(project_id), operation="REWRITE_BLOG_POST")
    assert "Chain wear" in lines(alice, project_id)


def a_failed_job(
    project: Project,
    status: str = "failed",
    retry_of: int | None = None,
    operation: str = "GENERATE_BLOG_POST",
) -> int:
    now = utc_now()
    job = ExecutionJob(
        account_id=project.account_id, project_id=project.id, operation=operation, status=status,
        payload={"topic": "Chain wear"}, failure=failure("PROVIDER_TIMEOUT").to_dict(), retry_of=retry_of,
        available_at=now, queued_at=now, completed_at=now, created_at=now, updated_at=now,
    )  # fmt: skip
    db.session.add(job)
    db.session.commit()
    return job.id


def test_the_overview_of_a_new_project_updates_itself_until_its_first_sync_has_ended(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    page = alice.get(f"/projects/{project_id}").text
    assert 'data-final="no"' in page
    live = f"/projects/{project_id}/live?since=0"
    assert alice.get(live).status_code == 204
    with app.app_context():
        db.session.execute(update(Project).values(next_sync_at=None))
        db.session.commit()
    assert 'data-final="yes"' in alice.get(live).text


def test_what_happened_names_posts_and_people_instead_of_numbers(
    app: Flask, alice: Visitor, things: dict[str, int]
) -> None:
    project_id = things["project_id"]
    with app.app_context():
        job_id = a_failed_job(find_project(project_id), status="succeeded")
        job = db.session.get_one(ExecutionJob, job_id)
        job.post_id, job.failure, job.requested_by = things["post_id"], None, 'API key "ci"'
        db.session.commit()
    text = alice.get(f"/projects/{project_id}").text
    happened = text[text.index('id="happened"') :]
    post = f"/projects/{project_id}/posts/{things['post_id']}"
    assert re.search(rf'href="{post}">A post</a>\s*was written', happened)
    assert "By API key &#34;ci&#34;" in happened
    assert f"#{job_id}" not in happened


@pytest.mark.parametrize(
    ("operation", "result", "became"),
    [
        ("PUBLISH_BLOG_POST", {"state": "live"}, "was published"),
        ("PUBLISH_BLOG_POST", {"state": "draft"}, "is a hidden draft there"),
        ("REFRESH_BLOG_POST", {"changed": True}, "was written anew"),
        ("REFRESH_BLOG_POST", {"changed": False}, "is unchanged"),
        ("REWRITE_BLOG_POST", {"changed": False}, "is unchanged"),
    ],
)
def test_what_happened_says_what_became_of_the_post(
    app: Flask, alice: Visitor, things: dict[str, int], operation: str, result: dict[str, object], became: str
) -> None:
    with app.app_context():
        job_id = a_failed_job(find_project(things["project_id"]), "succeeded", operation=operation)
        job = db.session.get_one(ExecutionJob, job_id)
        job.post_id, job.result, job.failure = things["post_id"], result, None
        db.session.commit()
    text = alice.get(f"/projects/{things['project_id']}").text
    assert re.search(rf'">A post</a>\s*{became}\s', text[text.index('id="happened"') :])


@pytest.mark.parametrize(("state", "where"), [("live", "Live at"), ("draft", "A hidden draft at")])
def test_what_happened_says_where_a_post_was_published(
    app: Flask, alice: Visitor, things: dict[str, int], state: str, where: str
) -> None:
    with app.app_context():
        job_id = a_failed_job(find_project(things["project_id"]), "succeeded", operation="PUBLISH_BLOG_POST")
        job = db.session.get_one(ExecutionJob, job_id)
        job.result, job.failure = {"state": state, "url": "https://blog.example.com/2026/a-post"}, None
        db.session.commit()
    assert f"{where} blog.example.com, by " in alice.get(f"/projects/{things['project_id']}").text


def test_the_number_of_covered_keywords_names_what_the_others_are() -> None:
    states = {"covered": 1, "thin": 0, "contested": 5, "gap": 2}
    assert uncovered(states) == "5 competing, 2 missing"
    assert uncovered(dict.fromkeys(states, 0)) == "all of them"


def test_the_clicks_of_the_latest_period_are_among_the_numbers(
    app: Flask, alice: Visitor, project_id: int
) -> None:
    overview = f"/projects/{project_id}"
    assert "Clicks from search" not in alice.get(overview).text
    with app.app_context():
        for month, clicks in ((5, 1416), (4, 900)):
            days = {"first_day": date(2026, month, 1), "last_day": date(2026, month, 28)}
            db.session.add(SearchImport(project_id=project_id, source="Queries.csv", clicks=clicks, **days))
        db.session.commit()
    assert re.search(r"Clicks from search</span>\s*<b>1,416</b>", alice.get(overview).text)
