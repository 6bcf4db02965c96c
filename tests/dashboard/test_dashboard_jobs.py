"""Generating, following, retrying, rolling back, editing and publishing through the pages."""

from __future__ import annotations

import re

import pytest
from sqlalchemy import update

from app.executions.model import ExecutionJob
from app.infra.db import db
from app.projects.service import find_project
from tests.support.forms import page_of
from tests.support.plans import listening
from tests.support.publishing import job_of


@pytest.fixture
def generated(alice, project_id, things):
    """The execution page of a finished generation."""
    asked = {"topic": "Grinders", "write_anyway": "Grinders", "length": "500"}
    page = page_of(alice.send(f"/projects/{project_id}/posts/generate", asked).location)
    alice.run(page)
    return page


def test_a_generation_is_followed_to_its_post(alice, project_id, generated):
    text = alice.get(generated).text
    assert 'data-final="yes"' in text
    assert "asked for by you" in text
    post = re.search(rf"/projects/{project_id}/posts/\d+", text)[0]
    assert alice.get(post).status_code == 200


def test_a_generation_that_was_just_started_leads_to_its_draft(alice, project_id, things):
    asked = {"topic": "Grinders", "write_anyway": "Grinders", "length": "500"}
    location = alice.send(f"/projects/{project_id}/posts/generate", asked).location
    waiting = alice.get(location).text
    assert "The draft opens by itself" in waiting
    assert "data-next" not in waiting
    alice.run(location)
    ready = alice.get(location.replace("?", "/live?")).text
    post = re.search(rf'data-next="(/projects/{project_id}/posts/\d+)"', ready)[1]
    assert f'href="{post}">Open the post</a>' in ready
    assert "data-next" not in alice.get(page_of(location)).text


def test_the_same_form_sent_twice_makes_one_job(alice, project_id):
    fields = {**alice.hidden(f"/projects/{project_id}/posts/generate"), "topic": "Beans", "length": "900"}
    path = f"/projects/{project_id}/posts/generate"
    assert alice.client.post(path, data=fields).location == alice.client.post(path, data=fields).location


def test_a_topic_that_is_too_short_is_shown_beside_the_field(alice, project_id):
    answer = alice.send(f"/projects/{project_id}/posts/generate", {"topic": "x", "length": "900"})
    assert answer.status_code == 422
    assert 'id="topic-wrong"' in answer.text


def test_the_timeline_is_sent_again_only_when_it_has_grown(alice, project_id):
    page = page_of(alice.send(f"/projects/{project_id}/posts/generate", {"length": "500"}).location)
    first = alice.get(f"{page}/live").text
    since = re.search(r'data-since="(\d+)"', first)[1]
    assert alice.get(f"{page}/live?since={since}").status_code == 204
    alice.run(page)
    assert 'data-final="yes"' in alice.get(f"{page}/live?since={since}").text


def test_an_updated_part_brings_the_drawings_of_its_icons(alice, project_id):
    page = page_of(alice.send(f"/projects/{project_id}/posts/generate", {"length": "500"}).location)
    alice.send(f"{page}/cancel", page=page)
    part = alice.get(f"{page}/live").text
    used = set(re.findall(r'<use href="#([\w-]+)"', part))
    assert used
    assert used <= set(re.findall(r'<symbol id="([\w-]+)"', part))


def test_a_queued_job_is_canceled_and_retried_as_a_new_one(alice, project_id):
    page = page_of(alice.send(f"/projects/{project_id}/posts/generate", {"length": "500"}).location)
    assert alice.send(f"{page}/cancel", page=page).location == page
    text = alice.get(page).text
    assert "canceled" in text
    assert "CANCELED" in text
    retried = page_of(alice.send(f"{page}/retry", page=page).location)
    assert retried != page
    assert f'retry of <a href="{page}">' in alice.get(retried).text


def test_a_stopped_job_is_calm_and_names_what_it_was_about(alice, project_id):
    asked = {"topic": "Burr grinders", "length": "500"}
    page = page_of(alice.send(f"/projects/{project_id}/posts/generate", asked).location)
    alice.send(f"{page}/cancel", page=page)
    text = alice.get(page).text
    assert "<h1>Burr grinders</h1>" in text
    assert ">stopped</span>" in text
    assert 'class="failure"' not in text
    assert "No draft was written" in text


def test_a_job_and_the_list_name_its_post_and_the_operation(alice, generated):
    text = alice.get(generated).text
    title = re.search(r"<h1>(.+)</h1>", text)[1]
    assert f'<dd><a href="{re.search(r"/projects/[0-9]+/posts/[0-9]+", text)[0]}">{title}</a></dd>' in text
    assert ">written</span>" in text
    codes = text.split('id="technical"')
    assert "GENERATE_BLOG_POST" in codes[1]
    assert "GENERATE_BLOG_POST" not in codes[0]
    assert f'href="{generated}">{title}</a>' in alice.get("/executions").text


def test_a_list_of_jobs_asks_once_for_all_titles(app, alice, things):
    with app.app_context():
        project = find_project(things["project_id"])
        for _ in range(4):
            job = db.session.get_one(ExecutionJob, job_of(project, "succeeded"))
            job.post_id = things["post_id"]
        db.session.commit()
        engine = db.engine
    with listening(engine) as heard:
        assert alice.get("/executions").text.count(">A post</a>") == 4
    assert sum("blog_posts" in text for text, _ in heard) == 1


def test_canceling_an_ended_job_changes_nothing_and_says_so(alice, generated):
    assert alice.send(f"{generated}/cancel", page="/settings").location == generated
    text = alice.get(generated).text
    assert "The job has already ended." in text
    assert "succeeded" in text


def test_rolling_back_asks_first_and_then_deletes_the_draft(alice, generated, project_id):
    asked = alice.get(f"{generated}/roll-back").text
    assert "is deleted" in asked
    assert alice.send(f"{generated}/roll-back").location == generated
    text = alice.get(generated).text
    assert "Rolled back" in text
    assert "Roll back…" not in text


def test_a_job_that_made_no_draft_does_not_ask_to_delete_one(alice, project_id):
    fields = {"topic": "espresso grinders", "plan": "y", "length": "500"}
    plan = alice.send(f"/projects/{project_id}/posts/generate", fields).location
    job = f"/executions/{plan.partition('?')[0].rpartition('/')[2]}"
    page = alice.get(f"{job}/roll-back")
    assert (page.status_code, "Roll back</button>" in page.text) == (409, False)
    assert "Only jobs that generate a post can be rolled back." in page.text


def test_jobs_are_filtered_by_the_address(alice, generated, project_id):
    row = f'href="{generated}"'
    assert row in alice.get(f"/executions?status=succeeded&project={project_id}").text
    assert row not in alice.get("/executions?status=failed").text
    assert row not in alice.get("/executions?type=SYNC_SITEMAP").text


def test_jobs_are_found_by_topic_by_the_present_title_of_their_post_and_by_number(
    app, alice, bob, generated, things
):
    with app.app_context():
        number = job_of(find_project(things["project_id"]), "succeeded")
        job = db.session.get_one(ExecutionJob, number)
        job.post_id, job.seconds = things["post_id"], 3600
        db.session.commit()
    other = f"/executions/{number}"

    def found(query):
        return re.findall(r'href="(/executions/\d+)">', alice.get(f"/executions?{query}").text)

    assert found("q=grind") == [generated]
    assert found("q=a+POST") == [other]
    assert found(f"q=%23{number}") == [other]
    assert found(f"q={number}&status=failed") == found("q=100%25") == []
    assert found("") == [other, generated] == found("order=longest")
    assert found("order=oldest") == [generated, other]
    assert "Nothing matches" in bob.get("/executions?q=grind").text


def test_who_asked_for_a_job_is_text_that_may_break_at_the_sign_of_an_address(app, alice, project_id):
    with app.app_context():
        job_id = job_of(find_project(project_id), "failed")
        db.session.execute(update(ExecutionJob).values(requested_by="<i>ann@example.com"))
        db.session.commit()
    text = alice.get("/executions").text
    assert f"/executions/{job_id}" in text
    assert "&lt;i&gt;ann@<wbr>example.com" in text


def test_an_edit_is_saved_and_shown_without_its_markup_running(alice, things):
    path = f"/projects/{things['project_id']}/posts/{things['post_id']}"
    fields = {"version": "1", "title": "Better", "slug": "better", "meta_title": "", "description": "",
              "content": "Hello <script>alert(1)</script> **you**"}  # fmt: skip
    assert alice.send(f"{path}/edit", fields).location == path
    text = alice.get(path).text
    assert "<h1>Better</h1>" in text
    assert re.search(r"<strong><span[^>]*>you</span></strong>", text)
    assert "<script>alert" not in text


def test_an_edit_without_a_version_is_of_the_present_text(alice, things):
    path = f"/projects/{things['project_id']}/posts/{things['post_id']}"
    fields = {"title": "Better", "slug": "better", "meta_title": "", "description": "", "content": "x"}
    assert alice.send(f"{path}/edit", fields).location == path


def test_saving_an_outdated_version_shows_both_texts(alice, things):
    path = f"/projects/{things['project_id']}/posts/{things['post_id']}/edit"
    fields = {"version": "1", "slug": "a-post", "meta_title": "", "description": "", "content": "x"}
    assert alice.send(path, {**fields, "title": "First"}).status_code == 302
    answer = alice.send(path, {**fields, "title": "Second"})
    assert answer.status_code == 422
    assert "Someone else saved this post meanwhile" in answer.text
    assert "<del>First</del>" in answer.text
    assert "<ins>Second</ins>" in answer.text
    assert alice.send(path, {**fields, "title": "Second", "version": "2"}).status_code == 302


def test_a_post_that_the_quality_gate_blocks_is_not_published(alice, things):
    path = f"/projects/{things['project_id']}/posts/{things['post_id']}/publish"
    page = alice.get(path).text
    assert "Publish now" not in page
    assert "Publish anyway" in page
    answer = alice.send(path, {"target": str(things["target_id"])})
    assert answer.status_code == 422
    assert "PUBLISH_QUALITY_GATE_BLOCKED" in answer.text
    assert "Edit the post" in answer.text
