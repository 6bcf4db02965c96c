"""What rests on changed pages, and a person's edits, where a new text is compared, used and published."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.content.assembly.tracing import entry_from
from app.content.drafts import RefreshedText, Usage
from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.proposals import propose, refreshed_members
from app.content.posts.service import edit_post
from app.infra.db import db
from app.projects.model import Project
from app.publishing.service import add_target
from tests.content.conftest import HIVES
from tests.dashboard.conftest import Visitor
from tests.support.bees import page_at
from tests.support.publishing import TEXT
from tests.support.refreshing import NEW, rewrite

WRITTEN = "The Langstroth beehive holds 10 frames in each box."
EDITED = "The Langstroth beehive holds 10 frames in every box."
OPENING = "A beehive is the box a colony lives in."
CLAIM = "Of our customers 98765 are happy."


def entry(sentence: str, quote: str, page_id: int) -> dict[str, Any]:
    source = f"{page_id}:b4"
    return {
        "sentence": sentence, "page_id": page_id, "block_id": "b4", "origin": "model",
        "source_ids": [source], "quote": quote,
    }  # fmt: skip


@pytest.fixture
def post(app: Flask, alice: Visitor, bees_id: int, project_id: int) -> str:
    """The address of Alice's article, with a sentence reworded and one added; its page has changed."""
    asked = dict.fromkeys(("topic", "write_anyway"), "Choosing a beehive")
    alice.run(alice.send(f"/projects/{bees_id}/posts/generate", asked).location)
    with app.app_context():
        page_id = page_at(project_id, "/hives").id
        row = db.session.query(BlogPost).one()
        row.engine, row.draft_kind, row.content = "llm", "full", f"{OPENING} {WRITTEN}\n\n{TEXT}"
        row.trace = [
            entry(OPENING, "A beehive is the box", page_id),
            entry(WRITTEN, "holds 10 frames in each box", page_id),
        ]
        db.session.commit()
        edit_post(row, row.version, {"content": row.content.replace(WRITTEN, f"{EDITED} {CLAIM}")})
        rewrite(project_id, "/hives", NEW)
        return f"/projects/{bees_id}/posts/{row.id}"


@pytest.fixture
def proposed(app: Flask, post: str) -> str:
    """The same, with a new text in which another sentence is new."""
    with app.app_context():
        row = db.session.query(BlogPost).one()
        new = OPENING.replace("colony", "swarm")
        text = row.content.replace(OPENING, new)
        first, *others = row.trace
        trace = tuple(map(entry_from, [{**first, "sentence": new}, *others]))
        refreshed = RefreshedText(text, row.description, trace, (f"“{OPENING}” → “{new}”",), Usage())
        propose(row.project_id, row.id, 77, refreshed_members(row, refreshed))
        db.session.commit()
    return post


def used(app: Flask, alice: Visitor, post: str) -> None:
    with app.app_context():
        proposal, row = db.session.query(BlogPostProposal).one(), db.session.query(BlogPost).one()
        fields = {"proposal": str(proposal.id), "version": str(row.version)}
    assert alice.send(f"{post}/proposal", fields, page=f"{post}/proposal").location == post


def test_the_comparison_says_that_edits_stay_and_names_what_is_left_to_fix(
    alice: Visitor, proposed: str
) -> None:
    text = alice.get(f"{proposed}/proposal").text
    assert "Your edits stay" in text
    assert "replaces those edits" not in text
    assert f"“{EDITED}”" in text.partition("To fix in the new text before publishing")[2]


def test_the_comparison_warns_of_edits_that_are_newer_than_the_text(
    app: Flask, alice: Visitor, proposed: str
) -> None:
    with app.app_context():
        row = db.session.query(BlogPost).one()
        edit_post(row, row.version, {"content": f"{row.content}\n\nBye."})
    text = alice.get(f"{proposed}/proposal").text
    assert "You edited this post after this text was written." in text
    assert "replaces those edits" in text


def test_used_the_text_still_says_what_is_by_hand_unsupported_and_outdated(
    app: Flask, alice: Visitor, proposed: str
) -> None:
    before = alice.get(proposed).text
    used(app, alice, proposed)
    after = alice.get(proposed).text
    for text in (before, after):
        assert f'class="said own" id="t-2" href="#own" data-s="2">{EDITED}</a>' in text
        assert f'class="said unsure" id="t-3" href="#unsure" data-s="3">{CLAIM}</a>' in text
        assert '<a href="#t-2">1 sentence rests on words that the pages no longer have.</a>' in text
        assert "Blocks:" not in text
    assert "have changed" not in after


def test_before_publishing_the_sentence_is_named_with_the_way_to_it(
    app: Flask, alice: Visitor, proposed: str, project_id: int
) -> None:
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        add_target(project, "webhook", "Blog", {"url": "https://hooks.example.com/posts"})
    used(app, alice, proposed)
    text = alice.get(f"{proposed}/publish").text
    assert f'<a href="{proposed}#t-2">1 sentence rests on words' in text
    assert f"“{EDITED}”" in text


def test_the_passage_of_a_sentence_is_its_list_with_the_item_marked(
    app: Flask, alice: Visitor, post: str, project_id: int
) -> None:
    item = "The flight path does not cross a footpath or a playground."
    with app.app_context():
        page_id = page_at(project_id, "/hives").id
        row = db.session.query(BlogPost).one()
        row.trace = [entry(OPENING, item, page_id) | {"block_id": "b8"}]
        db.session.commit()
    text = alice.get(post).text
    assert f'<li><mark data-of="0">{item.removesuffix(".")}</mark>.</li>' in text
    assert "The page no longer has these words." not in text
    assert text.count("<li><mark") == 1
    assert all(f"<li>{other}</li>" in text for kind, other in HIVES if kind == "li" and other != item)
