"""What a project asks of every post, in the posts: the caller's word wins, null and empty mean none."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import update

from app.content.model import BlogPost
from app.content.planning.preparing import prepare
from app.content.posts.original_input import original_input
from app.content.request import CallToAction, GenerationRequest
from app.infra.db import db
from app.pages.model import Page
from tests.executions.conftest import Garden
from tests.support.beehives import generated, post_of_job

DEFAULTS = {
    "global_instructions": "British English.",
    "avoid": ["cheap"],
    "call_to_action": {"text": "Visit the apiary", "url": "https://alice.example/visit"},
    "target_audience_summary": "New beekeepers",
}


@pytest.fixture
def configured(garden: Garden) -> Garden:
    garden.set_project(**DEFAULTS)
    return garden


def asked(garden: Garden, **payload: Any) -> GenerationRequest:
    return prepare(garden.project_id, payload).request


def test_what_the_caller_leaves_out_comes_from_the_project(configured: Garden) -> None:
    request = asked(configured)
    assert request.instructions == "British English."
    assert request.avoid == ("cheap",)
    assert request.call_to_action == CallToAction("Visit the apiary", "https://alice.example/visit")
    assert request.from_project == ("audience", "avoid", "call_to_action", "instructions")
    assert request.declined == ()


def test_the_callers_value_wins(configured: Garden) -> None:
    closing = {"text": "Ask us", "url": "https://alice.example/ask"}
    request = asked(configured, instructions="Short.", avoid=["pricey"], call_to_action=closing)
    assert (request.instructions, request.avoid) == ("Short.", ("pricey",))
    assert request.call_to_action == CallToAction(**closing)
    assert request.from_project == ("audience",)


@pytest.mark.parametrize("nothing", [None, []])
def test_null_and_an_empty_list_mean_none_at_all(configured: Garden, nothing: Any) -> None:
    request = asked(configured, instructions=None, avoid=nothing, call_to_action=None, audience=None)
    assert (request.instructions, request.avoid, request.call_to_action) == ("", (), None)
    assert request.audience is None
    assert request.from_project == ()
    assert request.declined == ("audience", "instructions", "avoid", "call_to_action")


def test_null_for_what_every_post_has_is_left_to_the_project(garden: Garden) -> None:
    garden.set_project(tone="expert", language="de")
    request = asked(garden, tone=None, language=None)
    assert (request.tone, request.language) == ("expert", "de")


def test_pages_that_are_always_used_can_be_declined(garden: Garden, page_ids: list[int]) -> None:
    assert asked(garden).required_page_ids == ()
    db.session.execute(update(Page).where(Page.id == page_ids[0]).values(always_use=True))
    assert asked(garden).required_page_ids == (page_ids[0],)
    assert asked(garden, required_page_ids=None).required_page_ids == ()


def test_the_projects_words_and_closing_line_shape_the_post(configured: Garden, page_ids: list[int]) -> None:
    configured.set_project(avoid=["langstroth"])
    plain = post_of_job(generated(configured, avoid=None, call_to_action=None, instructions=None))
    assert not any("OPTION_NOT_APPLIED" in warning for warning in plain.warnings)
    assert "langstroth" in plain.content.lower()
    assert "Visit the apiary" not in plain.content
    shaped = post_of_job(generated(configured))
    assert "langstroth" not in shaped.content.lower()
    assert "[Visit the apiary](https://alice.example/visit)" in shaped.content
    assert any(warning.startswith("OPTION_NOT_APPLIED: instructions.") for warning in shaped.warnings)
    blocking = [
        c["code"] for c in (shaped.quality or {})["checks"] if c["severity"] == "block" and not c["passed"]
    ]
    assert "UNKNOWN_LINK" not in blocking


def test_a_post_that_declined_the_closing_line_declines_it_when_it_is_refreshed(
    configured: Garden, page_ids: list[int]
) -> None:
    post: BlogPost = post_of_job(generated(configured, call_to_action=None))
    again = original_input(post, {}, {})
    assert again["call_to_action"] is None
    assert "avoid" not in again
    assert asked(configured, **again).call_to_action is None
    assert asked(configured, **again).avoid == ("cheap",)
