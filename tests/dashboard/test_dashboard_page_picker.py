"""Choosing the pages of a post: ticked in the list, found in the form, or by address; typed input stays."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

import pytest

from app.accounts.service import find_account
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.model import Project
from app.projects.service import create_project
from tests.support.forms import boxes, payload_of, wrong


@pytest.fixture
def form(project_id) -> str:
    """The address of the form."""
    return f"/projects/{project_id}/posts/generate"


@pytest.fixture
def pages(app, project_id) -> dict[str, int]:
    """The project's pages by their path: grinders, twelve guides, and one that asks not to be indexed."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_page(project, {"url": f"{project.url}grinders", "title": "Grinders", "content": "# A"})
        for number in range(12):
            fields = {"url": f"{project.url}guides/{number}", "title": f"Guide {number}", "content": "# A"}
            add_page(project, fields)
        hidden = add_page(project, {"url": f"{project.url}hidden-guide", "content": "# A"}).page
        hidden.noindex = True
        db.session.commit()
        return {urlsplit(page.url).path: page.id for page in db.session.query(Page)}


def test_pages_are_found_by_their_words_and_typed_input_stays(app, alice, form, pages):
    answer = alice.send(form, {"topic": "My topic", "length": "500", "find": "GUIDE 1", "search": "yes"})
    assert answer.status_code == 200
    assert 'value="My topic"' in answer.text
    found = {pages["/guides/11"], pages["/guides/10"], pages["/guides/1"]}
    assert (
        boxes(answer.text, "page_ids")
        == boxes(answer.text, "required_page_ids")
        == dict.fromkeys(found, False)
    )
    assert "3 pages found.</p>" in answer.text
    many = alice.send(form, {"find": "guide", "search": "yes"}).text
    assert len(boxes(many, "page_ids")) == 10
    assert "The newest 10 are shown" in many
    assert pages["/hidden-guide"] not in boxes(many, "page_ids")
    assert "No page that posts may use has “zeppelin”" in alice.send(form, {"find": "zeppelin"}).text
    with app.app_context():
        assert db.session.query(ExecutionJob).count() == 0


def test_an_address_finds_its_page_first(alice, form, pages):
    for text in ("/guides/1", "https://alice.example.com/guides/1"):
        found = boxes(alice.send(form, {"find": text, "search": "yes"}).text, "page_ids")
        assert next(iter(found)) == pages["/guides/1"]


def test_ticked_pages_stay_while_others_are_looked_for_and_reach_the_job(app, alice, form, pages):
    first, second = pages["/guides/3"], pages["/grinders"]
    ticks = {"page_ids": [str(first), str(second)], "required_page_ids": str(second)}
    text = alice.send(form, {**ticks, "find": "guide 4", "search": "yes"}).text
    assert boxes(text, "page_ids") == {first: True, second: True, pages["/guides/4"]: False}
    assert boxes(text, "required_page_ids") == {first: False, second: True, pages["/guides/4"]: False}
    sent = {**ticks, "length": "500", "find": "guide 4", "looked_for": "guide 4"}
    location = alice.send(form, sent).location
    asked = {"target_words": 500, "page_ids": [first, second], "required_page_ids": [second]}
    assert payload_of(app, location) == asked
    job_id = urlsplit(location).path.rpartition("/")[2]
    again = alice.get(f"{form}?like={job_id}").text
    assert boxes(again, "page_ids") == {first: True, second: True}
    assert boxes(again, "required_page_ids") == {first: False, second: True}


def test_enter_in_the_search_field_looks_and_generates_nothing(alice, form, pages):
    answer = alice.send(form, {"length": "500", "find": "grinders"})
    assert answer.status_code == 200
    assert list(boxes(answer.text, "page_ids")) == [pages["/grinders"]]
    assert "Nothing is written yet: choose, or write once more." in answer.text
    assert re.search(r'<input [^>]*autofocus[^>]* name="find"', answer.text)
    carried = re.search(r'name="looked_for" type="hidden" value="([^"]*)"', answer.text)[1]
    sent = alice.send(form, {"length": "500", "find": "grinders", "looked_for": carried})
    assert sent.status_code == 302


def test_pages_ticked_in_the_list_are_ticked_in_the_form(alice, form, pages, project_id):
    listed = alice.get(f"/projects/{project_id}/pages").text
    offered = [int(found) for found in re.findall(r'name="page_ids" value="(\d+)"', listed)]
    assert sorted(offered) == sorted(set(pages.values()) - {pages["/hidden-guide"]})
    here = f"/projects/{project_id}/pages"
    ticked = {"page_ids": [str(offered[0]), str(offered[1]), "x", "-1"], "do": "write"}
    text = alice.get(alice.send(f"{here}/ticked", ticked, here).location).text
    assert boxes(text, "page_ids") == {offered[0]: True, offered[1]: True}


def test_a_page_that_waits_to_be_read_can_be_ticked(app, alice, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        page_id = add_page(project, {"url": f"{project.url}new"})[0].id
    assert f'name="page_ids" value="{page_id}"' in alice.get(f"/projects/{project_id}/pages").text


def test_a_page_that_became_unusable_says_so_beside_its_tick(alice, form, pages):
    text = alice.get(f"{form}?page_ids={pages['/hidden-guide']}").text
    assert "Not used in posts: It asks not to be indexed." in text


def test_pages_by_address_join_the_ticked_ones(app, alice, form, pages):
    one = pages["/guides/1"]
    fields = {"length": "500", "page_ids": str(one), "pages": "/guides/1\n/grinders"}
    assert payload_of(app, alice.send(form, fields).location)["page_ids"] == [one, pages["/grinders"]]


@pytest.mark.parametrize("name", ["page_ids", "required_page_ids"])
def test_too_many_ticked_pages_are_rejected_and_stay(alice, form, pages, name):
    ids = [str(n) for n in pages.values()] if name == "required_page_ids" else [str(n) for n in range(1, 60)]
    answer = alice.send(form, {"length": "500", name: ids})
    assert answer.status_code == 422
    assert "At most" in wrong(answer.text, name)
    assert sum(boxes(answer.text, name).values()) == len(pages)


def test_pages_of_another_customer_are_neither_found_nor_shown(app, alice, bob, form, pages):
    with app.app_context():
        account = find_account("bob@example.com")
        other = create_project(account, {"url": "https://bob.example.com/"})
        theirs = add_page(other, {"url": "https://bob.example.com/guide-to-bob", "content": "# A"}).page
        their_id = theirs.id
    assert "guide-to-bob" not in alice.get(f"{form}?page_ids={their_id}").text
    assert "guide-to-bob" not in alice.send(form, {"find": "bob", "search": "yes"}).text
    refused = alice.send(form, {"length": "500", "page_ids": str(their_id)})
    assert refused.status_code == 422
    assert wrong(refused.text, "page_ids")


@pytest.mark.parametrize("text", ["%", "_", "\x00", "' OR 1=1", "x" * 5000, "  "])
def test_any_words_can_be_searched(alice, form, pages, text):
    assert alice.send(form, {"find": text, "search": "yes"}).status_code == 200
