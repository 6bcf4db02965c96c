"""A WordPress site through the pages: added, tested, published to, unpublished; then rollback works."""

from __future__ import annotations

import re

import pytest

from app.content.model import BlogPost
from app.infra.clock import utc_now
from app.infra.db import db
from tests.support.publishing import TEXT
from tests.support.servers import Reply
from tests.support.wordpress import PASSWORD, USER, WordPress, gateway


@pytest.fixture
def settings_overrides(site):
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def blog(site):
    return WordPress(site)


@pytest.fixture
def typed(site):
    return {
        "name": "Blog",
        "url": f"{site.url}/",
        "username": USER,
        "secret": f"{PASSWORD[:4]} {PASSWORD[4:]}",
    }


@pytest.fixture
def targets(project_id):
    return f"/projects/{project_id}/settings/targets"


def test_a_site_is_added_and_tested(alice, targets, blog, typed):
    assert "Add WordPress" in alice.get(targets).text
    test = alice.send(f"{targets}/wordpress", typed).location
    assert "Nothing is published or changed there." in alice.get(test).text
    tested = alice.send(test).text
    assert tested.count("✓") == 5
    assert "Test again" in tested
    assert blog.writes == []
    listed = alice.get(targets).text
    assert f"WordPress · as {USER}" in listed
    assert PASSWORD not in listed + tested
    assert "New password…" in listed


def test_a_password_that_is_refused_is_told_and_replaced(alice, targets, blog, typed):
    test = alice.send(f"{targets}/wordpress", {**typed, "secret": "wrong"}).location
    told = alice.send(test).text
    assert "It takes the user name and the application password: no." in told
    assert "Make a new application password in WordPress" in told
    password = re.search(rf"{targets}/\d+/password", alice.get(targets).text)[0]
    assert alice.send(password, {"secret": "pässword"}).status_code == 422
    assert alice.send(password, {"secret": PASSWORD}).location == test
    assert alice.send(test).text.count("✓") == 5


def test_what_is_wrong_stands_beside_its_field(alice, targets, typed):
    refused = alice.send(f"{targets}/wordpress", {**typed, "username": "", "url": "http://example.com/"})
    assert refused.status_code == 422
    assert "Enter the user name." in refused.text
    refused = alice.send(f"{targets}/wordpress", {**typed, "url": "http://example.com/"})
    assert "Use https: the application password is sent to this address." in refused.text
    assert PASSWORD[4:] not in refused.text


@pytest.fixture
def live(app, alice, project_id, targets, blog, typed):
    """A post that was generated, and is live at the site."""
    alice.send(f"{targets}/wordpress", typed)
    base = f"/projects/{project_id}"
    generated = alice.send(f"{base}/posts/generate", {"topic": "Garden notes", "length": "500"}).location
    alice.run(generated)
    post = re.search(rf"{base}/posts/\d+", alice.get(generated).text)[0]
    with app.app_context():
        row = db.session.get_one(BlogPost, int(post.rpartition("/")[2]))
        row.title, row.slug, row.content = "How to keep garden notes", "garden-notes", TEXT
        row.description, row.word_count, row.edited_at = "Notes on a garden. " * 5, 130, utc_now()
        db.session.commit()
    asked = alice.get(f"{post}/publish").text
    assert "WordPress" in asked
    target = re.search(r'name="target" id="target-\d+" value="(\d+)"', asked)[1]
    alice.run(alice.send(f"{post}/publish", {"target": target}).location)
    return generated, post


def test_a_live_post_is_unpublished_from_here_and_then_rolled_back(alice, blog, live):
    generated, post = live
    assert [article.slug for article in blog.live] == ["garden-notes"]
    assert alice.send(f"{generated}/roll-back", page="/settings").status_code == 409
    unpublish = re.search(r'href="([^"]+)">Unpublish…</a>', alice.get(post).text)[1]
    assert f"{blog.site.url}/garden-notes/" in alice.get(unpublish).text
    assert alice.send(unpublish).location == f"{post}#publications"
    assert "not at Blog. It is a draft and can be rolled back." in alice.get(post).text
    assert [article.status for article in blog.articles] == ["trash"]
    assert "Settled already" in alice.get(unpublish).text
    assert alice.send(f"{generated}/roll-back").location == generated
    assert alice.get(post).status_code == 404


def test_a_post_that_could_not_be_unpublished_stays_published(alice, blog, live):
    _, post = live
    unpublish = re.search(r'href="([^"]+)">Unpublish…</a>', alice.get(post).text)[1]
    blog.faults = [lambda _reply: Reply(403)]
    refused = alice.send(unpublish)
    assert refused.status_code == 422
    assert "Make a new application password in WordPress" in refused.text
    assert "Unpublish…" in alice.get(post).text


def test_a_lost_answer_to_unpublishing_is_mended_by_doing_it_again(alice, blog, live):
    _, post = live
    unpublish = re.search(r'href="([^"]+)">Unpublish…</a>', alice.get(post).text)[1]
    blog.faults = [gateway]
    assert "PUBLISH_ENDPOINT_FAILED" in alice.send(unpublish).text
    assert alice.send(unpublish).location == f"{post}#publications"
    assert blog.live == []


def test_an_unpublished_post_goes_live_again_under_its_address(alice, blog, live):
    _, post = live
    alice.send(re.search(r'href="([^"]+)">Unpublish…</a>', alice.get(post).text)[1])
    alice.run(alice.send(f"{post}/publish", {"target": "1"}).location)
    assert [article.slug for article in blog.live] == ["garden-notes"]


def test_bob_finds_nothing_of_it(alice, bob, live, targets):
    _, post = live
    unpublish = re.search(r'href="([^"]+)">Unpublish…</a>', alice.get(post).text)[1]
    test = re.search(rf"{targets}/\d+/test", alice.get(targets).text)[0]
    for path in (unpublish, test, test.replace("test", "password"), f"{targets}/wordpress"):
        assert bob.get(path).status_code == 404
