"""A refreshed text in the dashboard: created, compared, used or dismissed."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.service import edit_post
from app.infra.db import db
from tests.dashboard.conftest import Visitor
from tests.support.refreshing import NEW, rewrite


@pytest.fixture
def post(app: Flask, alice: Visitor, bees_id: int) -> str:
    """The address of Alice's post on beehives."""
    asked = dict.fromkeys(("topic", "write_anyway"), "Choosing a beehive")
    made = alice.send(f"/projects/{bees_id}/posts/generate", asked)
    alice.run(made.location)
    with app.app_context():
        return f"/projects/{bees_id}/posts/{db.session.query(BlogPost.id).one()[0]}"


@pytest.fixture
def changed(app: Flask, post: str, project_id: int) -> str:
    """The same, after its page changed."""
    with app.app_context():
        rewrite(project_id, "/hives", NEW)
    return post


@pytest.fixture
def proposed(alice: Visitor, changed: str) -> str:
    """The same, with a proposal."""
    alice.run(alice.send(f"{changed}/proposal/refresh", page=changed).location)
    return changed


def row(app: Flask, model: type, **values: Any) -> dict[str, Any]:
    """The one row of a table, perhaps changed first."""
    with app.app_context():
        found = db.session.query(model).one()
        for name, value in values.items():
            setattr(found, name, value)
        db.session.commit()
        wanted = ("id", "state", "content", "version", "edited_at")
        return {name: getattr(found, name) for name in wanted if hasattr(found, name)}


def decision(app: Flask) -> dict[str, Any]:
    """What the page's form carries for the texts as they are now."""
    return {
        "proposal": str(row(app, BlogPostProposal)["id"]),
        "version": str(row(app, BlogPost)["version"]),
    }


def test_a_post_whose_sources_are_as_they_were_is_refreshed_from_its_more_tab(
    alice: Visitor, post: str
) -> None:
    text = alice.get(post).text
    assert "have changed" not in text
    before, more = text.split('id="p-more"')
    assert "proposal/refresh" not in before
    assert "proposal/refresh" in more
    location = alice.send(f"{post}/proposal/refresh", page=post).location
    alice.run(location)
    assert "have not changed, so it stays as it is" in alice.get(location).text
    assert "proposal/refresh" in alice.get(post).text


def test_a_post_whose_sources_changed_offers_a_refresh_that_two_clicks_ask_for_once(
    alice: Visitor, changed: str
) -> None:
    assert "The pages this post was made from have changed." in alice.get(changed).text
    fields = alice.hidden(changed)
    answers = [alice.client.post(f"{changed}/proposal/refresh", data=fields) for _ in range(2)]
    assert answers[0].status_code == 302
    assert answers[0].location == answers[1].location
    assert "A new text is being written" in alice.get(changed).text


def test_the_job_and_the_post_lead_to_the_comparison(alice: Visitor, changed: str) -> None:
    location = alice.send(f"{changed}/proposal/refresh", page=changed).location
    alice.run(location)
    assert f'href="{changed}/proposal">Compare the texts</a>' in alice.get(location).text
    assert f'href="{changed}/proposal">Compare and decide</a>' in alice.get(changed).text


def test_the_list_of_posts_shows_which_have_a_new_text(alice: Visitor, proposed: str) -> None:
    posts = proposed.rpartition("/")[0]
    assert f'href="{proposed}/proposal"' in alice.get(posts).text
    assert "new text waiting" in alice.get(posts).text


def test_a_post_without_a_new_text_is_listed_without_one(alice: Visitor, changed: str) -> None:
    assert "new text waiting" not in alice.get(changed.rpartition("/")[0]).text


def test_the_comparison_marks_what_differs(alice: Visitor, proposed: str) -> None:
    text = alice.get(f"{proposed}/proposal").text
    assert "<del>10</del>" in text
    assert "<ins>11</ins>" in text
    assert "1 paragraph changed" in text
    assert "paragraphs stay the same" in text


def test_used_the_new_text_is_the_posts(app: Flask, alice: Visitor, proposed: str) -> None:
    answer = alice.send(f"{proposed}/proposal", decision(app), page=f"{proposed}/proposal")
    assert answer.location == proposed
    assert "holds 11 frames" in row(app, BlogPost)["content"]
    text = alice.get(proposed).text
    assert "The new text is in use." in text
    assert "have changed" not in text


def test_a_post_says_when_it_was_refreshed_also_after_an_edit(
    app: Flask, alice: Visitor, proposed: str
) -> None:
    assert "· refreshed" not in alice.get(proposed).text
    alice.send(f"{proposed}/proposal", decision(app), page=f"{proposed}/proposal")
    assert "· refreshed <time" in alice.get(proposed).text
    with app.app_context():
        edit_post(db.session.query(BlogPost).one(), 2, {"title": "My own title"})
    assert "· refreshed <time" in alice.get(proposed).text


def test_a_post_that_was_edited_meanwhile_is_not_overwritten(
    app: Flask, alice: Visitor, proposed: str
) -> None:
    seen = decision(app)
    with app.app_context():
        edit_post(db.session.query(BlogPost).one(), 1, {"content": "My own words."})
    answer = alice.send(f"{proposed}/proposal", seen, page=f"{proposed}/proposal")
    assert answer.status_code == 422
    assert "The post has changed in the meantime, so the new text was not used." in answer.text
    assert "You edited this post." in answer.text
    assert "My own words." in answer.text
    assert row(app, BlogPost)["content"] == "My own words."
    again = alice.send(f"{proposed}/proposal", decision(app), page=f"{proposed}/proposal")
    assert again.location == proposed


def test_dismissed_the_post_stays_and_the_refresh_is_offered_again(
    app: Flask, alice: Visitor, proposed: str
) -> None:
    answer = alice.send(f"{proposed}/proposal/dismiss", decision(app), page=f"{proposed}/proposal")
    assert answer.location == proposed
    text = alice.get(proposed).text
    assert "Dismissed: the post stays as it is." in text
    assert "proposal/refresh" in text
    assert "holds 10 frames" in row(app, BlogPost)["content"]


def test_a_newer_proposal_is_shown_instead_of_the_one_that_was_seen(
    app: Flask, alice: Visitor, proposed: str, project_id: int
) -> None:
    seen = decision(app)
    with app.app_context():
        rewrite(
            project_id, "/hives", tuple((kind, text.replace("11 frames", "12 frames")) for kind, text in NEW)
        )
    assert "The pages have changed again" in alice.get(f"{proposed}/proposal").text
    alice.run(alice.send(f"{proposed}/proposal/refresh", page=f"{proposed}/proposal").location)
    answer = alice.send(f"{proposed}/proposal", seen, page=f"{proposed}/proposal")
    assert answer.status_code == 422
    assert "There is a newer text." in answer.text
    assert "<ins>12</ins>" in answer.text


def test_without_a_proposal_there_is_nothing_to_compare(alice: Visitor, post: str) -> None:
    assert alice.get(f"{post}/proposal").location == post
    assert "There is no new text to decide on." in alice.get(post).text


def test_while_it_is_published_a_post_is_not_refreshed(app: Flask, alice: Visitor, changed: str) -> None:
    fields = alice.hidden(changed)
    row(app, BlogPost, status="publishing")
    assert "proposal/refresh" not in alice.get(changed).text
    answer = alice.client.post(f"{changed}/proposal/refresh", data=fields)
    assert answer.status_code == 409
    assert "PUBLISH_IN_PROGRESS" in answer.text


@pytest.mark.parametrize("number", ["", "x", "9" * 30, "-1"])
def test_a_form_without_its_numbers_changes_nothing(
    app: Flask, alice: Visitor, proposed: str, number: str
) -> None:
    fields = {"proposal": number, "version": number}
    assert alice.send(f"{proposed}/proposal", fields, page=f"{proposed}/proposal").status_code == 422
    assert alice.send(f"{proposed}/proposal/dismiss", fields, page=f"{proposed}/proposal").status_code == 302
    assert row(app, BlogPostProposal)["state"] == "open"


def test_text_of_pages_is_never_markup_in_the_comparison(app: Flask, alice: Visitor, proposed: str) -> None:
    row(app, BlogPostProposal, content="A `<script>alert(1)</script>` & more.", title="<img src=x>")
    text = alice.get(f"{proposed}/proposal").text
    assert "<script>alert" not in text
    assert "<img src=x" not in text
