"""What a post cost, on its page."""

from __future__ import annotations

import re

import pytest

from app.content.model import BlogPost
from app.infra.db import db


@pytest.mark.parametrize(
    ("cost", "words"),
    [(0.0314, "$0.03, 21,000 tokens read and 3,000 written"), (None, "not known, 21,000")],
)
def test_a_post_that_a_model_wrote_shows_its_cost(alice, app, things, cost, words):
    with app.app_context():
        post = db.session.get_one(BlogPost, things["post_id"])
        post.engine = "llm"
        post.generator = {
            "provider": "openai", "model": "gpt-5-mini", "prompt_tokens": 21_000, "completion_tokens": 3_000,
            "cost_usd": cost,
        }  # fmt: skip
        db.session.commit()
    page = f"/projects/{things['project_id']}/posts/{things['post_id']}"
    about = re.sub(r"<[^>]+>|[ \n]+", " ", alice.get(page).text)
    assert f"Cost {words}" in re.sub(" +", " ", about)


def test_a_post_of_the_built_in_writer_shows_no_cost(alice, things):
    page = f"/projects/{things['project_id']}/posts/{things['post_id']}"
    assert "<dt>Cost</dt>" not in alice.get(page).text
