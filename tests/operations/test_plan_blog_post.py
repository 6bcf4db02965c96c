"""PLAN_BLOG_POST through the runner, on both databases, and posts written from its plans."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest
from flask import Flask
from marshmallow import RAISE

from app.accounts.model import Account
from app.content.pipeline import PLAN_STAGES
from app.content.planning.preparing import prepare
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.infra.db import db
from app.operations import generate_blog_post
from app.operations.plan_blog_post import OPERATION
from app.pages.model import Page
from app.pages.service import add_page
from app.projects.service import create_project
from tests.executions.conftest import (
    Garden,
    check_history,
    claim,
    events,
    history,
    job_of,
    perform_and_cancel_at,
    posts,
)
from tests.support.beehives import TOPIC, generated, post_of_job, project_of
from tests.support.working import run_job

PLAN = OPERATION.name


def planned(garden: Garden, **payload: Any) -> ExecutionJob:
    job_id = garden.queued(PLAN, payload={"topic": TOPIC, **payload})
    run_job(job_id)
    return job_of(job_id)


def result_of(job: ExecutionJob) -> dict[str, Any]:
    assert (job.status, job.failure) == ("succeeded", None)
    assert job.result is not None
    return job.result


@pytest.fixture
def plan(garden: Garden, page_ids: list[int]) -> dict[str, Any]:
    """What the built-in writer plans on beehives."""
    return dict(result_of(planned(garden))["plan"])


def headings_of(markdown: str) -> list[str]:
    return re.findall(r"^## (.+)$", markdown, re.MULTILINE)


def named_in(plan: dict[str, Any]) -> set[str]:
    parts: Iterable[dict[str, Any]] = [*plan["sections"], *plan["questions"]]
    return {each for part in parts for each in part["evidence_ids"]}


def test_a_plan_shows_the_passage_and_page_of_all_its_evidence(garden: Garden, page_ids: list[int]) -> None:
    result = result_of(planned(garden))
    assert (result["not_covered"], result["missing"], result["engine"]) == (False, [], "extractive")
    assert result["topic"] == TOPIC
    assert result["usage"]["calls"] == 0
    plan = result["plan"]
    assert len(plan["sections"]) > 1
    assert all(section["evidence_ids"] for section in plan["sections"])
    shown = {each["id"]: each for each in result["evidence"]}
    assert set(shown) == named_in(plan)
    assert {each["page_id"] for each in shown.values()} <= set(page_ids)
    first = shown[plan["sections"][0]["evidence_ids"][0]]
    assert (first["title"], first["url"]) == ("Beehives", "https://alice.example/hives")
    assert first["text"].startswith("A beehive is the box")


def test_a_plan_makes_no_post_and_cannot_be_rolled_back(garden: Garden, page_ids: list[int]) -> None:
    job = planned(garden)
    assert posts() == 0
    assert not OPERATION.supports_rollback
    check_history(job.id)
    lines = [row.details for row in history(job.id) if row.event == "JOB_PROGRESS"]
    assert [line["stage"] for line in lines if line] == list(PLAN_STAGES)


def test_a_plan_is_what_an_outline_takes(plan: dict[str, Any]) -> None:
    loaded = generate_blog_post.OPERATION.schema(unknown=RAISE).load({"outline": plan})
    assert loaded["outline"]["title"] == plan["title"]
    assert [each["heading"] for each in loaded["outline"]["sections"]] == [
        each["heading"] for each in plan["sections"]
    ]


def test_a_post_follows_the_plan_that_it_is_given(garden: Garden, plan: dict[str, Any]) -> None:
    first, second, *_ = plan["sections"]
    outline = {
        **plan,
        "title": "Beehives, in short",
        "meta_title": "Beehives in short for beginners",
        "description": "What a beginner has to know.",
        "sections": [{**second, "heading": "Our own heading"}, first],
        "questions": [{**plan["questions"][-1], "question": "What is the price of a beehive?"}],
    }
    post = post_of_job(generated(garden, outline=outline))
    assert (post.draft_kind, post.title) == ("extractive", "Beehives, in short")
    assert (post.meta_title, post.description) == (outline["meta_title"], outline["description"])
    assert headings_of(post.content)[:2] == ["Our own heading", first["heading"]]
    assert [each["question"] for each in post.faq] == ["What is the price of a beehive?"]
    _, ours, theirs, *_ = re.split(r"^## .+$", post.content, flags=re.MULTILINE)
    assert "The Langstroth beehive" in ours
    assert "A beehive is the box" in theirs


def test_a_section_that_a_person_added_is_filled_beside_the_planned_ones(
    garden: Garden, plan: dict[str, Any]
) -> None:
    sections = [plan["sections"][0], {"heading": "Weighing a beehive"}]
    post = post_of_job(generated(garden, outline={**plan, "sections": sections, "questions": []}))
    assert headings_of(post.content)[:2] == [plan["sections"][0]["heading"], "Weighing a beehive"]
    assert "Weigh the beehive every week" in post.content


def test_a_plan_without_questions_gives_a_post_without_any(garden: Garden, plan: dict[str, Any]) -> None:
    assert post_of_job(generated(garden, outline={**plan, "questions": []})).faq == []


def test_a_plan_alone_says_what_the_post_is_about(garden: Garden, plan: dict[str, Any]) -> None:
    job_id = garden.queued(payload={"outline": plan})
    run_job(job_id)
    post = post_of_job(job_of(job_id))
    assert (post.draft_kind, post.title) == ("extractive", plan["title"])
    assert headings_of(post.content)[0] == plan["sections"][0]["heading"]


def test_a_page_of_the_plan_is_a_source_that_the_search_would_not_choose(
    garden: Garden, page_ids: list[int], plan: dict[str, Any]
) -> None:
    fields = {
        "url": "https://alice.example/wax",
        "content": "# Wax\n\nCandles of wax from our own garden burn for six hours without any smoke.",
    }
    wax = add_page(project_of(garden), fields).page.id
    section = {"heading": "Wax", "evidence_ids": [f"{wax}:b2"]}
    outline = {**plan, "sections": [plan["sections"][0], section]}
    assert wax in prepare(garden.project_id, {"outline": outline}).needed
    post = post_of_job(generated(garden, page_ids=page_ids, outline=outline))
    assert "Candles of wax from our own garden" in post.content
    assert wax in {source["page_id"] for source in post.sources}


def test_a_complete_plan_is_planned_as_it_is(garden: Garden, plan: dict[str, Any]) -> None:
    outline = {**plan, "sections": plan["sections"][:1]}
    again = result_of(planned(garden, outline=outline))
    assert again["plan"] == outline
    assert {each["id"] for each in again["evidence"]} == named_in(outline)


def test_a_topic_that_no_page_is_about_has_no_plan(garden: Garden, page_ids: list[int]) -> None:
    result = result_of(planned(garden, topic="Submarine engines"))
    assert (result["plan"], result["not_covered"], result["evidence"]) == (None, True, [])
    assert result["missing"] == ["Submarine", "engines"]


def test_a_plan_warns_of_a_post_on_the_topic(garden: Garden, page_ids: list[int]) -> None:
    generated(garden, topic="Beehive")
    (found,) = (each for each in result_of(planned(garden, topic="Beehive"))["warnings"] if "already" in each)
    assert "“" in found


def test_the_same_input_gives_the_same_plan(garden: Garden, page_ids: list[int]) -> None:
    first, second = (result_of(planned(garden)) for _ in range(2))
    assert {**first, "seconds": 0} == {**second, "seconds": 0}


def test_the_same_key_gives_the_same_plan_job(garden: Garden, page_ids: list[int]) -> None:
    first = garden.submit("plan-1", PLAN, payload={"topic": TOPIC})
    first_id = first.job.id
    again = garden.submit("plan-1", PLAN, payload={"topic": TOPIC})
    assert (again.job.id, again.created, again.replayed) == (first_id, False, True)


@pytest.mark.parametrize("stage", PLAN_STAGES)
def test_a_plan_canceled_at_any_stage_ends_there(garden: Garden, page_ids: list[int], stage: str) -> None:
    taken = claim(garden.queued(PLAN, payload={"topic": TOPIC}))
    perform_and_cancel_at(stage, OPERATION, garden.account_id, taken)
    assert events(taken.job_id)[-1] == "JOB_CANCELED"


@pytest.fixture
def foreign_page(garden: Garden, db_app: Flask) -> int:
    """A page of another project of Alice."""
    account = db.session.get_one(Account, garden.account_id)
    other = create_project(account, {"url": "https://other.example/"})
    return add_page(other, {"url": "https://other.example/a", "content": "Words."}).page.id


def refused_fields(garden: Garden, operation: str, outline: dict[str, Any]) -> list[str]:
    with pytest.raises(ServiceFailure) as refused:
        garden.submit(None, operation, payload={"outline": outline})
    db.session.rollback()
    assert refused.value.failure.code == "INVALID_REQUEST"
    return [error["field"] for error in refused.value.errors]


@pytest.mark.parametrize("operation", [PLAN, "GENERATE_BLOG_POST"])
def test_unknown_pages_are_refused_by_their_field(
    garden: Garden, page_ids: list[int], foreign_page: int, operation: str
) -> None:
    own, strange = f"{page_ids[0]}:b1", f"{foreign_page}:b1"
    outline = {
        "sections": [
            {"heading": "A", "evidence_ids": [own, "key:1"]},
            {"heading": "B", "evidence_ids": [strange]},
        ],
        "questions": [{"question": "Why?", "evidence_ids": [strange, own]}],
        "highlights": [strange],
        "links": [{"page_id": page_ids[0]}, {"page_id": foreign_page}],
    }
    assert refused_fields(garden, operation, outline) == [
        "/payload/outline/links/1/page_id",
        "/payload/outline/sections/1/evidence_ids",
        "/payload/outline/questions/0/evidence_ids",
        "/payload/outline/highlights",
    ]


def test_a_page_of_the_plan_that_left_the_site_is_warned_of(garden: Garden, plan: dict[str, Any]) -> None:
    page = db.session.query(Page).filter(Page.url.endswith("/care")).one()
    page.noindex = True
    db.session.commit()
    job = generated(garden, outline=plan)
    assert any("/care was requested, but cannot be used now" in each for each in post_of_job(job).warnings)
