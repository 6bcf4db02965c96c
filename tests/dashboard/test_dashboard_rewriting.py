"""“Write a part anew…” in the dashboard."""

from __future__ import annotations

import pytest
from flask import Flask
from sqlalchemy import update

from app.content.model import BlogPost
from app.infra.db import db
from tests.dashboard.conftest import Visitor
from tests.support.forms import payload_of, wrong

SENTENCE = "A grinder turns beans into powder."
TEXT = f"Hello.\n\n## Grinders\n\n{SENTENCE}\n\n## Cups\n\nA cup holds espresso.\n"


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"LLM_BASE_URL": "http://127.0.0.1:9", "LLM_API_KEY": "sk-test", "LLM_MODEL": "tiny-1"}


@pytest.fixture
def form(app: Flask, things: dict[str, int]) -> str:
    """The address of the form for an article of Alice."""
    trace = [{"sentence": SENTENCE, "origin": "model", "page_id": 1, "block_id": "b1"}]
    with app.app_context():
        db.session.execute(update(BlogPost).values(content=TEXT, trace=trace, engine="llm"))
        db.session.commit()
    return f"/projects/{things['project_id']}/posts/{things['post_id']}/proposal/rewrite"


def test_a_part_or_a_sentence_is_asked_for_with_an_instruction(
    app: Flask, alice: Visitor, things: dict[str, int], form: str
) -> None:
    assert ">Cups</option>" in alice.get(form).text
    post = {"blog_post_id": things["post_id"], "instruction": "Shorter."}
    asked = alice.send(form, {"heading": "Grinders", "instruction": "Shorter."}).location
    assert payload_of(app, asked) == {**post, "heading": "Grinders"}
    pasted = SENTENCE.replace(" ", "\n ", 1)
    asked = alice.send(form, {"heading": "Cups", "sentence": pasted, "instruction": "Shorter."}).location
    assert payload_of(app, asked) == {**post, "sentence": SENTENCE}


def test_what_cannot_be_written_anew_says_so_beside_its_field(alice: Visitor, form: str) -> None:
    assert "Say what should be different." in wrong(alice.send(form, {"heading": "Cups"}).text, "instruction")
    by_hand = alice.send(form, {"heading": "Cups", "instruction": "Shorter."})
    assert by_hand.status_code == 422
    assert "The post has no sentences there" in wrong(by_hand.text, "heading")


def test_a_post_of_excerpts_says_that_it_needs_a_language_model(
    app: Flask, alice: Visitor, form: str
) -> None:
    with app.app_context():
        db.session.execute(update(BlogPost).values(engine="extractive"))
        db.session.commit()
    text = alice.get(form).text
    assert "only by a language model" in text
    assert "What should be different?" not in text
    sent = {"heading": "Grinders", "instruction": "Shorter."}
    refused = alice.send(form, sent, page=form.partition("/posts")[0] + "/posts/generate")
    assert "REWRITE_NOT_POSSIBLE" in refused.text
