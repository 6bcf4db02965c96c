"""Pages are added by their addresses, found, filtered and preferred."""

from __future__ import annotations

from datetime import timedelta

from sqlalchemy import update

from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import Page


def test_pages_are_added_found_and_filtered(alice, project_id, things):
    path = f"/projects/{project_id}/pages"
    added = alice.send(path, {"url": "https://alice.example.com/beans"})
    assert added.status_code == 302
    assert "/beans" in alice.get(path).text
    found = alice.get(f"{path}?q=grind").text
    assert "/grinders" in found
    assert "/beans" not in found
    assert "No page matches" in alice.get(f"{path}?state=stale").text


def test_a_page_of_another_site_is_rejected_with_the_reason(alice, project_id):
    answer = alice.send(f"/projects/{project_id}/pages", {"url": "https://elsewhere.example.org/x"})
    assert answer.status_code == 422
    assert "not on the project" in answer.text


def test_addresses_that_cannot_be_pages_are_named_together_and_none_is_added(alice, project_id):
    pages = f"/projects/{project_id}/pages"
    own = "alice.example.com/new"
    refused = alice.send(pages, {"url": f"{own}\nhttps://elsewhere.example.org/\nno address"})
    assert refused.status_code == 422
    assert [f"No. {number}: " in refused.text for number in (1, 2, 3)] == [False, True, True]
    assert own in refused.text
    assert "No page matches" in alice.get(f"{pages}?q=new").text
    assert "Enter up to 100 at once." in alice.send(pages, {"url": f"{own}\n" * 101}).text
    alice.send(pages, {"url": f"{own}\n{own}\n{own}-too"})
    assert "2 pages added. 1 in the list already." in alice.get(pages).text


def test_any_page_is_always_used_and_no_longer(alice, project_id, things):
    pages = f"/projects/{project_id}/pages"
    path = f"{pages}/{things['page_id']}"
    for word, sign in (("yes", "Preferred as a source"), ("no", "May be quoted")):
        assert f'name="always_use" value="{word}"' in alice.get(path).text
        assert alice.send(f"{path}/always-use", {"always_use": word}, page=path).location == path
        assert sign in alice.get(path).text
    known = {"url": "https://alice.example.com/grinders"}
    alice.send(pages, {**known, "always_use": "y"})
    assert "Preferred as a source" in alice.get(path).text
    alice.send(pages, known)
    assert "Preferred as a source" in alice.get(path).text


def test_a_page_is_read_again_from_its_own_page_and_from_the_list(app, alice, project_id, things):
    pages = f"/projects/{project_id}/pages"
    path = f"{pages}/{things['page_id']}"
    assert "Read again" not in alice.get(path).text, "its text was supplied"

    def read_an_hour_ago():
        with app.app_context():
            now = utc_now()
            read = {"fetched_at": now - timedelta(hours=1), "read_due_at": now + timedelta(days=7)}
            db.session.execute(update(Page).values(**read))
            db.session.commit()

    def due_in_a_week():
        with app.app_context():
            return db.session.get_one(Page, things["page_id"]).read_due_at > utc_now()

    read_an_hour_ago()
    assert "Read again" in alice.get(path).text
    assert alice.send(f"{path}/read-again", page=path).location == path
    assert "1 page will be read again in a moment" in alice.get(path).text
    assert not due_in_a_week()

    read_an_hour_ago()
    ticked = {"do": "read", "page_ids": [str(things["page_id"])], "back": f"{pages}?q=x"}
    assert alice.send(f"{pages}/ticked", ticked, page=pages).location == f"{pages}?q=x"
    assert not due_in_a_week()
    alice.send(f"{pages}/ticked", {"do": "read"}, page=pages)
    assert "tick the pages first" in alice.get(pages).text


def test_bob_has_no_page_of_alice_read_again(bob, project_id, things):
    path = f"/projects/{project_id}/pages/{things['page_id']}/read-again"
    assert bob.send(path, page="/projects").status_code == 404
