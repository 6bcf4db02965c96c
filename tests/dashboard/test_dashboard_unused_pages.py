"""The list of pages and each page say why posts do not use it, and when a failed one is tried again."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from app.failures import failure
from app.infra.clock import utc_now
from app.infra.db import db
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.model import Project

ROBOTS = "The site's robots.txt does not allow reading this page."


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"noindex": True}, "It asks not to be indexed."),
        ({"canonical_url": "https://alice.example.com/mills"},
         "It names another page as its original: https://alice.example.com/mills"),
        ({"fetch_error": failure("URL_NOT_ALLOWED",
        ROBOTS).to_dict()}, "robots.txt does not allow reading this page."),
    ],
)  # fmt: skip
def test_a_page_that_posts_do_not_use_says_why(app, alice, project_id, things, values, words):
    path = f"/projects/{project_id}/pages"
    assert "Not used in posts" not in alice.get(path).text
    assert "May be quoted and linked to" in alice.get(f"{path}/{things['page_id']}").text
    change(app, things["page_id"], **values)
    listed = alice.get(path).text
    assert "Not used in posts" in listed
    assert words in listed
    assert words in alice.get(f"{path}/{things['page_id']}").text


def test_a_page_with_the_text_of_another_one_names_it(app, alice, project_id):
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        address, text = "https://alice.example.com/honey", "Bees make honey."
        pages = [add_page(project, {"url": f"{address}{end}", "content": text}).page.id for end in ("", "/2")]
    listed = alice.get(f"/projects/{project_id}/pages").text
    assert "The same text as /honey/2" in listed
    shown = alice.get(f"/projects/{project_id}/pages/{pages[1]}").text
    assert f'href="/projects/{project_id}/pages/{pages[0]}">/honey</a>' in shown


def test_a_page_that_could_not_be_read_says_when_it_is_tried_again(app, alice, project_id, things):
    error = failure("PAGE_UNREACHABLE", "The page could not be read: The server answered 503.").to_dict()
    due = utc_now() + timedelta(minutes=10, seconds=30)
    change(app, things["page_id"], fetch_error=error, read_due_at=due)
    path = f"/projects/{project_id}/pages"
    assert "in 10 min" in alice.get(path).text
    shown = alice.get(f"{path}/{things['page_id']}").text
    assert "The server answered 503." in shown
    assert "tries to read it again later" in shown
    assert "Retry" not in shown
    assert "Next try" in shown
    assert "in 10 min" in shown


def test_a_page_that_could_not_be_read_asks_for_no_other_input(app, alice, project_id, things):
    change(
        app, things["page_id"], fetch_error=failure("URL_NOT_ALLOWED", ROBOTS, hints=["Allow it."]).to_dict()
    )
    shown = alice.get(f"/projects/{project_id}/pages/{things['page_id']}").text
    assert "Allow it." in shown
    assert "Change the input" not in shown


@pytest.mark.parametrize("word_count", [None, 0])
def test_a_page_without_text_says_whether_it_was_read(app, alice, project_id, things, word_count):
    path = f"/projects/{project_id}/pages"
    change(app, things["page_id"], title=None, word_count=word_count, fetched_at=utc_now(), read_due_at=None)
    listed, shown = alice.get(path).text, alice.get(f"{path}/{things['page_id']}").text
    assert "Not used in posts: It has no text." in listed
    assert "not read yet" not in listed
    assert "It has no text." in shown
    assert "May be quoted and linked to" not in shown
    change(app, things["page_id"], word_count=None, fetched_at=None, read_due_at=utc_now())
    listed = alice.get(path).text
    assert "not read yet" in listed
    assert "Not used in posts" not in listed
    assert "It has not been read yet." in alice.get(f"{path}/{things['page_id']}").text


def test_a_page_that_takes_its_text_is_used_and_says_that_it_is_never_read(app, alice, project_id):
    def add(**text):
        with app.app_context():
            project = db.session.get_one(Project, project_id)
            return add_page(project, {"url": f"{project.url}forbidden", **text}).page.id

    page_id = add()
    change(app, page_id, fetch_error=failure("URL_NOT_ALLOWED", ROBOTS, hints=["Give its text."]).to_dict())
    path = f"/projects/{project_id}/pages/{page_id}"
    assert "Give its text." in alice.get(path).text
    assert add(content="Burr grinders are even.") == page_id
    shown = alice.get(path).text
    assert "Give its text." not in shown
    assert "May be quoted and linked to." in shown
    assert "never: its text was supplied" in shown
    assert "Next" not in shown


def test_pages_that_posts_do_not_use_have_lists_of_their_own(app, alice, project_id, things):
    path = f"/projects/{project_id}/pages"
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        for name in ("hidden", "broken"):
            add_page(project, {"url": f"{project.url}{name}", "content": "Words."})
        db.session.execute(update(Page).where(Page.url.endswith("/hidden")).values(noindex=True))
        error = failure("URL_NOT_ALLOWED", ROBOTS).to_dict()
        db.session.execute(update(Page).where(Page.url.endswith("/broken")).values(fetch_error=error))
        db.session.commit()

    def listed(query):
        text = alice.get(f"{path}?{query}").text
        assert "All 3" in text
        assert "Not used 2" in text
        assert "Could not be read 1" in text
        return {name for name in ("hidden", "broken", "grinders") if f">/{name}<" in text}

    assert listed("state=unused") == {"hidden", "broken"}
    assert listed("state=unreadable") == {"broken"}
    assert listed("state=unused&q=hid") == {"hidden"}
    assert listed("state=unreadable&q=hid") == set()


def change(app, page_id, **values):
    with app.app_context():
        page = db.session.get_one(Page, page_id)
        for name, value in values.items():
            setattr(page, name, value)
        db.session.commit()
