"""GENERATE_BLOG_POST while its draft is edited: what the editing may bring in, and how it may fail."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from tests.executions.conftest import Garden, check_history
from tests.support import model_answers
from tests.support.beehives import generated, post_of_job
from tests.support.model_exchange import Exchange
from tests.support.model_jobs import ASKED, assert_failed, assert_silent, messages, shown
from tests.support.model_scenarios import FIGURE, SCENARIOS, credulous
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")

FALSE = "Bees sing to their beehive in the evening."


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def editing(*texts: str, otherwise: str = "ok") -> Callable[[Exchange], None]:
    """Change the first sentences into these, with their evidence, and behave as a scenario says elsewhere."""

    def respond(asked: Exchange) -> None:
        if asked.task != "edit the article":
            SCENARIOS[otherwise](asked)
            return
        changes = [
            {"id": f"s{n}", "text": text, "evidence": [], "blocks": []} for n, text in enumerate(texts, 1)
        ]
        asked.say(json.dumps({"changes": changes}))

    return respond


def failing(scenario: str, otherwise: str = "ok") -> Callable[[Exchange], None]:
    return lambda asked: SCENARIOS[scenario if asked.task == "edit the article" else otherwise](asked)


def test_the_history_says_how_many_changes_the_editing_made(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = editing("", f"{FIGURE} percent of all beehives hum.")
    job = generated(garden, **ASKED)
    assert "1 change by editing, 1 refused" in messages(job)
    assert FIGURE not in shown(post_of_job(job))
    check_history(job.id)


def test_a_sentence_that_only_sounds_true_is_verified_after_the_editing_like_any_other(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = editing(FALSE)
    job = generated(garden, **ASKED)
    post = post_of_job(job)
    assert "1 change by editing, 0 refused" in messages(job)
    assert FALSE not in shown(post)
    assert any(FALSE in note for note in post.editor_notes)
    checked = [prompt for prompt in model_server.prompts if prompt.startswith("Task: check sentences")]
    assert FALSE in checked[0]


def test_a_falsehood_of_the_editing_is_refused_even_if_the_verifier_believes_everything(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    model_server.respond = credulous(editing(f"A beehive costs {FIGURE} euros at NASA."))
    post = post_of_job(generated(garden, **ASKED))
    assert FIGURE not in shown(post)
    assert "NASA" not in shown(post)


def test_what_still_stands_becomes_a_note_for_the_editor_and_stays_in_the_text(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    post = post_of_job(generated(garden, **ASKED))
    notes = [note for note in post.editor_notes if note.startswith("Please look at: ")]
    assert any("is a closing without e-mail address" in note for note in notes)
    assert len(notes) <= 10
    assert model_answers.CLOSING["text"] in post.content


@pytest.mark.parametrize(
    ("scenario", "why"),
    [
        ("500", "PROVIDER_FAILED"),
        ("broken-json", "PROVIDER_FAILED, broken_output"),
        ("wrong-schema", "PROVIDER_FAILED, wrong_schema"),
        ("huge", "PROVIDER_FAILED, too_long"),
        ("filtered", "CONTENT_REJECTED"),
        ("no-context", "INVALID_REQUEST, context_length"),
    ],
)
def test_an_article_that_cannot_be_edited_goes_on_as_drafted(
    garden: Garden, page_ids: list[int], model_server: ModelServer, log: pytest.LogCaptureFixture,
    scenario: str, why: str,
) -> None:  # fmt: skip
    whole = post_of_job(generated(garden, **ASKED)).content
    model_server.respond = failing(scenario)
    job = generated(garden, **ASKED)
    assert f"Went on without editing the draft: {why}" in messages(job)
    assert post_of_job(job).content == whole
    assert_silent(job, model_server, log)
    check_history(job.id)


@pytest.mark.parametrize(
    ("scenario", "code"),
    [
        ("401", "PROVIDER_AUTH"),
        ("credit", "PROVIDER_CREDIT_EXHAUSTED"),
        ("429-long", "PROVIDER_RATE_LIMITED"),
    ],
)
def test_a_failure_that_concerns_every_call_ends_the_job_during_the_editing(
    garden: Garden, page_ids: list[int], model_server: ModelServer, scenario: str, code: str
) -> None:
    model_server.respond = failing(scenario)
    job = generated(garden, **ASKED)
    assert_failed(job, code)


@pytest.mark.thorough
def test_the_job_ends_at_its_deadline_during_the_editing(
    garden: Garden, page_ids: list[int], model_server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.executions.limits.deadline", lambda _operation: 3.0)
    model_server.respond = failing("hang")
    job = generated(garden, **ASKED)
    assert_failed(job, "JOB_TIMEOUT")


def test_tries_of_the_editing_leave_no_second_revision_beyond_eight_calls(
    garden: Garden, page_ids: list[int], model_server: ModelServer
) -> None:
    def respond(asked: Exchange) -> None:
        if asked.task == "revise sentences":
            data: dict[str, Any] = model_answers.grounded(asked.body["messages"])
            for each in data["sentences"]:
                each["text"] = f"Still {FIGURE} percent."
            asked.say(json.dumps(data))
        else:
            failing("500", "figures")(asked)

    model_server.respond = respond
    job = generated(garden, **ASKED)
    assert model_server.tasks.count("edit the article") == 3
    assert model_server.tasks.count("revise sentences") == 1
    assert job.result is not None
    assert job.result["usage"]["calls"] == len(model_server.tasks) <= 8
    assert FIGURE not in shown(post_of_job(job))
