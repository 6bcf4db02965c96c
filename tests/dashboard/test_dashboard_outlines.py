"""An outline in the dashboard: it offers the pages that came nearest to its topic."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from flask import Flask

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.service import edit_post
from app.executions.model import ExecutionJob
from app.infra.db import db
from app.pages.model import Page
from tests.dashboard.conftest import Visitor

TOPIC = "How to paint homes for pollinating insects"
OFFER = "Is the answer on one of these pages?"


@pytest.fixture
def outline(app: Flask, alice: Visitor, bees_id: int) -> str:
    """The address of an outline of Alice's on beehives, in words that no page has."""
    asked = dict.fromkeys(("topic", "write_anyway"), TOPIC)
    alice.run(alice.send(f"/projects/{bees_id}/posts/generate", asked).location)
    with app.app_context():
        post = db.session.query(BlogPost).one()
        assert post.draft_kind == "outline"
        return f"/projects/{bees_id}/posts/{post.id}"


def offered(page: str) -> list[str]:
    """The ids of the pages that can be ticked."""
    return [str(box["value"]) for box in BeautifulSoup(page, "html.parser").select("input[name=page_ids]")]


def page_id(app: Flask, name: str) -> str:
    with app.app_context():
        return str(db.session.query(Page.id).filter(Page.url.endswith(name)).one()[0])


def change(app: Flask, model: type, **values: object) -> None:
    with app.app_context():
        for name, value in values.items():
            setattr(db.session.query(model).one(), name, value)
        db.session.commit()


def test_the_nearest_pages_are_offered_and_a_ticked_one_makes_a_proposal(
    app: Flask, alice: Visitor, outline: str
) -> None:
    hives = page_id(app, "/hives")
    shown = alice.get(outline)
    assert OFFER in shown.text
    assert hives in offered(shown.text)
    alice.run(alice.send(f"{outline}/proposal/from-pages", {"page_ids": hives}, page=outline).location)
    after = alice.get(outline)
    assert OFFER not in after.text
    assert "A new text is ready." in after.text
    with app.app_context():
        assert db.session.query(BlogPostProposal).one().draft_kind == "extractive"


def test_while_the_draft_is_written_nothing_is_offered(app: Flask, alice: Visitor, outline: str) -> None:
    alice.send(f"{outline}/proposal/from-pages", {"page_ids": page_id(app, "/hives")}, page=outline)
    shown = alice.get(outline)
    assert OFFER not in shown.text
    assert "A new text is being written from your pages." in shown.text


def test_without_a_tick_no_job_is_made(app: Flask, alice: Visitor, outline: str) -> None:
    answer = alice.send(f"{outline}/proposal/from-pages", {}, page=outline)
    assert answer.location.endswith(outline)
    assert "Tick the page that answers the topic first." in alice.get(outline).text
    with app.app_context():
        assert db.session.query(ExecutionJob).filter_by(operation="REFRESH_BLOG_POST").count() == 0


@pytest.mark.parametrize("values", [{"status": "published"}, {"draft_kind": "extractive"}, {"job_id": None}])
def test_no_other_post_offers_pages(
    app: Flask, alice: Visitor, outline: str, values: dict[str, object]
) -> None:
    change(app, BlogPost, **values)
    assert OFFER not in alice.get(outline).text


def test_an_outline_that_somebody_filled_offers_none(app: Flask, alice: Visitor, outline: str) -> None:
    with app.app_context():
        edit_post(db.session.query(BlogPost).one(), 1, {"content": "My own words."})
    assert OFFER not in alice.get(outline).text


def test_pages_that_are_gone_are_not_offered(app: Flask, alice: Visitor, outline: str) -> None:
    hives = page_id(app, "/hives")
    with app.app_context():
        db.session.query(Page).filter_by(id=int(hives)).update({"is_stale": True})
        db.session.commit()
    assert hives not in offered(alice.get(outline).text)


def test_without_the_artefacts_of_its_job_an_outline_offers_none(
    app: Flask, alice: Visitor, outline: str
) -> None:
    with app.app_context():
        db.session.query(ExecutionJob).filter_by(operation="GENERATE_BLOG_POST").update({"artefacts": None})
        db.session.commit()
    assert OFFER not in alice.get(outline).text
