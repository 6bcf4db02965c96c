"""Confirming publications in the dashboard: live, not there, unpublished; then rollback works."""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

import pytest

from app.content.model import BlogPost
from app.content.posts.service import edit_post
from app.infra.clock import utc_now
from app.infra.db import db
from app.publishing import publications
from app.publishing.lease import lease_unchanged
from app.publishing.model import Publication
from tests.support.forms import page_of
from tests.support.publishing import TEXT, Receiver
from tests.support.servers import Reply


@pytest.fixture
def settings_overrides(site):
    return {"FETCH_ALLOW": site.address}


@dataclass
class Published:
    """A post that a job made and that was sent to a receiver."""

    generated: str
    post: str
    targets: str
    receiver: Receiver


def text_of(app, post_path):
    """Give the generated post a text that passes the gate, as a person would."""
    with app.app_context():
        post = db.session.get_one(BlogPost, int(post_path.rpartition("/")[2]))
        post.title, post.slug, post.content = "How to keep garden notes", "garden-notes", TEXT
        post.description, post.word_count, post.edited_at = "Notes on a garden. " * 5, 130, utc_now()
        db.session.commit()


@pytest.fixture
def published(app, alice, project_id, site):
    """Generated, edited and published at “Hook”, whose receiver can be made to lose its answer."""
    base = f"/projects/{project_id}"
    receiver = Receiver(site)
    made = alice.send(f"{base}/settings/targets/connect/webhook", {"name": "Hook", "url": receiver.url})
    receiver.secret = re.search(r'<code id="secret">([^<]+)</code>', made.text)[1]
    fields = {"topic": "Garden notes", "length": "500"}
    generated = page_of(alice.send(f"{base}/posts/generate", fields).location)
    alice.run(generated)
    post = re.search(rf"{base}/posts/\d+", alice.get(generated).text)[0]
    text_of(app, post)
    return Published(generated, post, f"{base}/settings/targets", receiver)


def publish(alice, published):
    target = re.search(
        r'name="target" id="target-\d+" value="(\d+)"', alice.get(f"{published.post}/publish").text
    )[1]
    job = alice.send(f"{published.post}/publish", {"target": target}).location
    alice.run(job)
    return job


def link(text, words):
    """The address of the link with these words."""
    return re.search(rf'href="([^"]+)">{words}</a>', text)[1]


def test_a_published_post_is_rolled_back_after_a_person_unpublished_it(alice, published):
    assert "Roll back…" in alice.get(published.generated).text
    publish(alice, published)
    job = alice.get(published.generated).text
    assert "was published, so it cannot be rolled back" in job
    assert "Roll back…" not in job
    assert 'class="failure"' not in job
    assert "Delete the draft" not in alice.get(f"{published.generated}/roll-back").text
    blocked = alice.send(f"{published.generated}/roll-back", page="/settings")
    assert blocked.status_code == 409
    assert "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH" in blocked.text
    assert link(blocked.text, "Go to its publications") == f"{published.post}#publications"
    assert "on the post&#39;s page.</" in blocked.text
    assert alice.get(published.generated).text.count("btn-main") == 1

    gone = link(alice.get(published.post).text, "I unpublished it there")
    question = alice.get(gone).text
    assert "Did you unpublish it at Hook?" in question
    assert "https://alice.example/blog/garden-notes" in question
    assert "remove it there first" in question
    refused = alice.send(gone)
    assert refused.status_code == 422
    assert "still shows the post" in refused.text
    published.receiver.posts.clear()
    assert alice.send(gone).location == f"{published.post}#publications"
    text = alice.get(published.post).text
    assert "not at Hook. It is a draft and can be rolled back." in text
    assert "I unpublished it there" not in text

    job = alice.get(published.generated).text
    assert "can be rolled back now" in job
    assert "Roll back…" in job
    assert "Rollback deletes the draft" in job
    assert 'class="failure"' not in job
    assert alice.send(f"{published.generated}/roll-back").location == published.generated
    assert alice.get(published.post).status_code == 404


def hold_back(app, post_path, text):
    with app.app_context():
        post = db.session.get_one(BlogPost, int(post_path.rpartition("/")[2]))
        post.content = f"{TEXT}\n\n{text}"
        db.session.commit()


def test_a_person_overrides_the_checks_with_a_reason(app, alice, published):
    hold_back(app, published.post, "Dear {{ name }}, write soon.")
    page = alice.get(f"{published.post}/publish").text
    assert "Publish now" not in page
    target = re.search(r'name="target" id="target-\d+" value="(\d+)"', page)[1]
    refused = alice.send(f"{published.post}/publish", {"target": target, "override_reason": " "})
    assert refused.status_code == 422
    assert "PUBLISH_QUALITY_GATE_BLOCKED" in refused.text
    fields = {"target": target, "override_reason": "The name is a <placeholder> on purpose."}
    alice.run(alice.send(f"{published.post}/publish", fields).location)
    text = unescape(alice.get(published.post).text)
    assert "Despite the checks, by the dashboard" in text
    assert "“The name is a <placeholder> on purpose.”" in text


def test_nobody_publishes_scripts_with_any_reason(app, alice, published):
    hold_back(app, published.post, "<script>alert(1)</script> and no more of it.")
    page = alice.get(f"{published.post}/publish").text
    assert "Publish anyway" not in page
    assert (
        '<button type="button" class="btn btn-calm" aria-disabled="true" aria-describedby="blocked">' in page
    )


def test_a_publication_shows_who_overrode_the_checks_and_why(app, alice, published):
    publish(alice, published)
    assert "Despite the checks" not in alice.get(published.post).text
    with app.app_context():
        db.session.query(Publication).one().override = {
            "by": 'API key "Shop"', "at": "2026-01-02T03:04:05Z", "reason": "An <example>.",
            "checks": [{"code": "PLACEHOLDER_TEXT", "message": "A placeholder is left."}],
        }  # fmt: skip
        db.session.commit()
    text = unescape(alice.get(published.post).text)
    assert 'Despite the checks, by API key "Shop", <time class="nowrap" datetime="2026-01-02' in text
    assert "“An <example>.”" in text
    assert "<li>A placeholder is left.</li>" in text


def test_a_changed_post_is_marked_until_it_is_published_again(app, alice, published):
    publish(alice, published)
    shown = (published.post, published.post.rpartition("/")[0])
    assert not any("edited since" in alice.get(path).text for path in shown)
    with app.app_context():
        post = db.session.get_one(BlogPost, int(published.post.rpartition("/")[2]))
        edit_post(post, post.version, {"content": f"{TEXT}\nA corrected sentence ends the text.\n"})
    assert all("edited since" in alice.get(path).text for path in shown)
    publish(alice, published)
    assert not any("edited since" in alice.get(path).text for path in shown)
    assert len(published.receiver.deliveries) == 2


class TestUnknownOutcome:
    @pytest.fixture
    def unknown(self, alice, published, no_waiting):
        published.receiver.after = lambda: Reply(500)
        published.receiver.on_lookup = lambda: Reply(500)
        publish(alice, published)
        with alice.app.app_context():
            row = db.session.query(Publication).one()
            if row.state != "unknown":
                publications.record_end(lease_unchanged(row), "unknown")
                db.session.commit()
        return published

    def test_confirming_a_live_post_needs_an_address_and_counts_as_published(self, alice, unknown):
        assert "may have been published" in alice.get(unknown.generated).text
        there = link(alice.get(unknown.post).text, "It is there")
        assert alice.send(there, {"url": ""}).status_code == 422
        wrong = alice.send(there, {"url": "not an address"})
        assert (wrong.status_code, 'id="url-wrong"' in wrong.text) == (422, True)
        assert alice.send(there, {"url": "https://alice.example/blog/x"}).status_code == 302
        text = alice.get(unknown.post).text
        assert 'href="https://alice.example/blog/x"' in text
        assert "I unpublished it there" in text
        assert "was published, so it cannot be rolled back" in alice.get(unknown.generated).text

    def test_an_unclear_unpublishing_can_be_repeated(self, alice, unknown):
        assert "Unpublish…" not in alice.get(unknown.post).text
        there = link(alice.get(unknown.post).text, "It is there")
        alice.send(there, {"url": "https://alice.example/blog/x"})
        with alice.app.app_context():
            publications.record_end(lease_unchanged(db.session.query(Publication).one()), "unknown")
            db.session.commit()
        again = link(alice.get(unknown.post).text, "Unpublish…")
        assert "<form" in alice.get(again).text

    def test_a_post_confirmed_as_gone_is_a_draft_that_can_be_rolled_back(self, alice, unknown):
        gone = link(alice.get(unknown.post).text, "It is not there")
        assert "Is it not at Hook?" in alice.get(gone).text
        assert alice.send(gone).status_code == 302
        assert "Confirmed already" in alice.get(gone).text
        assert alice.send(f"{unknown.generated}/roll-back").status_code == 302
        assert alice.get(unknown.post).status_code == 404

    def test_removing_a_target_names_the_posts_that_may_stay_live_there(self, alice, unknown):
        remove = re.search(rf"{unknown.targets}/\d+/remove", alice.get(unknown.targets).text)[0]
        page = alice.get(remove).text
        assert "How to keep garden notes" in page
        assert "stay published" in page
        assert alice.send(remove).status_code == 302
        assert "Hook (removed" in alice.get(unknown.post).text


def test_a_post_is_unpublished_by_a_button_and_its_job_can_be_rolled_back(alice, published):
    publish(alice, published)
    question = link(alice.get(published.post).text, "Unpublish…")
    page = alice.get(question).text
    assert "Take it off Hook?" in page
    assert "https://alice.example/blog/garden-notes" in page
    job = alice.send(question).location
    alice.run(job)
    assert "succeeded" in alice.get(job).text
    assert published.receiver.posts == {}
    assert "Unpublish…" not in alice.get(published.post).text
    assert "Not published there" in alice.get(question).text
    assert "Roll back…" in alice.get(published.generated).text


def test_bob_confirms_no_publication_of_alice(alice, bob, published):
    publish(alice, published)
    gone = link(alice.get(published.post).text, "I unpublished it there")
    token = bob.hidden("/settings")
    for path in (gone, *(gone.replace("confirm-gone", action) for action in ("confirm-live", "unpublish"))):
        assert bob.get(path).status_code == 404
        assert bob.client.post(path, data={**token, "url": "https://bob.example/"}).status_code == 404
    assert "I unpublished it there" in alice.get(published.post).text


def test_a_new_secret_is_shown_once_and_both_secrets_sign(alice, published):
    first = published.receiver.secret
    new_secret = re.search(rf"{published.targets}/\d+/secret", alice.get(published.targets).text)[0]
    assert "signed with both" in alice.get(new_secret).text
    made = alice.send(new_secret)
    assert (made.status_code, made.headers["Cache-Control"]) == (201, "no-store")
    second = re.search(r'<code id="secret">([^<]+)</code>', made.text)[1]
    assert second != first
    assert second not in alice.get(new_secret).text
    publish(alice, published)
    sent = published.receiver.deliveries[0]
    assert len(sent.headers["webhook-signature"].split()) == 2


def test_the_generate_page_shows_what_there_is_to_write_from(alice, project_id):
    path = f"/projects/{project_id}/posts/generate"
    assert "has no pages yet" in alice.get(path).text
    alice.send(f"/projects/{project_id}/pages", {"url": "https://alice.example.com/beans"})
    text = alice.get(path).text
    assert "been read yet" in text
    assert "outline" in text
    assert f'href="/projects/{project_id}/pages"' in text


def test_the_generate_page_counts_the_pages_that_are_read(alice, things):
    text = alice.get(f"/projects/{things['project_id']}/posts/generate").text
    assert "1 of 1 page is read" in text


def test_the_list_of_executions_is_sent_again_only_after_a_change(alice, project_id):
    page = page_of(alice.send(f"/projects/{project_id}/posts/generate", {"length": "500"}).location)
    text = alice.get(f"/executions?project={project_id}&_external=1&_scheme=x").text
    live = re.search(r'data-live="([^"]+)"', text)[1].replace("&amp;", "&")
    assert live.startswith(f"/executions/live?project={project_id}")
    since = re.search(r'data-since="([^"]+)"', text)[1]
    assert 'data-final="no"' in text
    query = {"project": project_id, "since": since}
    assert alice.client.get("/executions/live", query_string=query).status_code == 204
    alice.run(page)
    answer = alice.client.get("/executions/live", query_string=query)
    assert 'data-final="yes"' in answer.text
    assert f'href="{page}"' in answer.text
    assert "<html" not in answer.text
