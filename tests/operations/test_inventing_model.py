"""GENERATE_BLOG_POST with a language model that invents, repeats or writes markup, on both databases."""

from __future__ import annotations

import json

import pytest

from app.content.rendering.html import render_html, unsafe_markup
from app.content.writing.writers import NOT_COVERED
from tests.content.conftest import CARE, FAQ, HIVES
from tests.executions.conftest import Garden
from tests.support.beehives import generated, post_of_job
from tests.support.model_jobs import ASKED, count_posts, shown, with_model
from tests.support.model_scenarios import FIGURE, FOREIGN, STRANGER
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


@with_model("figures")
def test_figures_that_the_evidence_does_not_contain_are_removed_after_a_revision(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    assert model_server.tasks.count("revise sentences") == 1
    assert FIGURE not in shown(post)
    assert "4,999" not in shown(post)
    assert any(FIGURE in note for note in post.editor_notes)
    assert any("removed" in warning for warning in post.warnings)
    checks = {check["code"]: check["passed"] for check in post.quality["checks"]}
    assert checks["UNSUPPORTED_CLAIM"]


@with_model("credulous")
def test_a_verifier_that_says_yes_to_everything_publishes_no_invented_figure_name_or_quote(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for invented in (FIGURE, "4,999", STRANGER, "loudest box"):
        assert invented not in shown(post)


@with_model("uncovered")
def test_a_topic_that_the_model_finds_not_covered_makes_an_outline_of_what_is_missing(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    assert (post.draft_kind, post.engine) == ("outline", "extractive")
    assert model_server.tasks == ["plan the article"]
    assert NOT_COVERED in post.warnings
    for missing in ("what a queen bee costs", "when to feed"):
        assert f"The passages used do not say: {missing}" in "\n".join(post.editor_notes)
    assert job.result is not None
    taken = {"calls": 1, "prompt_tokens": 700, "completion_tokens": 300, "cost_usd": pytest.approx(0.002)}
    assert job.result["usage"] == taken


@with_model("names")
def test_people_that_the_evidence_does_not_name_are_removed(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, **ASKED))
    assert STRANGER not in shown(post)
    assert any(STRANGER in note for note in post.editor_notes)


@with_model("boasting")
def test_title_headings_questions_and_search_entry_are_judged_too(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for made_up in (FIGURE, STRANGER):
        assert made_up not in shown(post)
        assert made_up not in json.dumps(post.outline)
    assert {check["passed"] for check in post.quality["checks"] if check["severity"] == "block"} == {True}


@with_model("boasting")
def test_unused_parts_of_a_plan_are_reported_to_the_editor_and_not_to_the_writer(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for what in ("title", "search title", "description", "heading", "key point", "question"):
        assert any(note.startswith(f"The planned {what} “") for note in post.editor_notes), what
    drafts = [p for p in model_server.prompts if p.startswith("Task: write the article")]
    assert len(drafts) == 1
    assert FIGURE not in drafts[0]


@with_model("bragging")
def test_headings_without_evidence_are_replaced_by_those_of_the_pages(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    assert STRANGER not in shown(post)
    own = {heading for kind, heading in (*HIVES, *CARE, *FAQ) if kind.startswith("h")}
    headings = [each["heading"] for each in post.outline]
    assert len(headings) > 1
    assert set(headings) <= own


@with_model("repeating")
def test_an_article_says_nothing_twice(garden: Garden, page_ids: list[int]) -> None:
    post = post_of_job(generated(garden, **ASKED))
    checks = {check["code"]: check["passed"] for check in post.quality["checks"]}
    assert checks["DUPLICATE_SENTENCES"]


@with_model("ids")
def test_a_post_of_made_up_sources_is_no_post(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    job = generated(garden, **ASKED)
    assert job.failure is not None
    assert job.failure["code"] == "PROVIDER_FAILED"
    assert job.failure["details"]["reason"] == "unsupported"
    hints = job.failure["remediation_hints"]
    assert hints[0].startswith("Add pages about the topic")
    assert "another model" in hints[1]
    assert "status" not in " ".join(hints)
    assert count_posts() == 0


@with_model("markup")
def test_markup_and_foreign_links_of_a_model_never_reach_the_post(
    garden: Garden, page_ids: list[int]
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    for text in (shown(post), render_html(post.content)):
        for danger in (
            "<script",
            "javascript:",
            "onerror",
            "onclick",
            "alert(",
            FOREIGN,
            "evil.example",
            "999999",
        ):
            assert danger not in text
    assert unsafe_markup(post.content) == []


@pytest.mark.parametrize("model_name", ["unstorable", "unstorable-escaped"], indirect=True)
def test_characters_that_no_database_takes_are_left_out(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    assert post.engine == "llm"
    kept = json.dumps([post.trace, post.editor_notes, post.outline], ensure_ascii=False) + shown(post)
    kept.encode()
    assert "\0" not in kept
    assert "\\u0000" not in kept
    assert "🐝" in json.dumps(post.outline, ensure_ascii=False)
