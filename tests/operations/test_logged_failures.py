"""What the operator's log says of a text provider that fails."""

from __future__ import annotations

import logging

import pytest

from tests.executions.conftest import Garden
from tests.support.beehives import generated
from tests.support.model_jobs import ASKED, assert_silent, with_model
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


def warnings_in(log: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in log.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(
    ("model_name", "said"),
    [
        ("401", "PROVIDER_AUTH, HTTP 401"),
        ("credit", "PROVIDER_CREDIT_EXHAUSTED, HTTP 429"),
        ("500", "PROVIDER_FAILED, HTTP 500"),
        ("dropped", "PROVIDER_FAILED, connection"),
        ("wrong-schema", "PROVIDER_FAILED, wrong_schema"),
        ("filtered", "CONTENT_REJECTED, no reason"),
        ("no-context", "INVALID_REQUEST, HTTP 400"),
    ],
    indirect=["model_name"],
)
@pytest.mark.usefixtures("page_ids")
def test_a_job_that_the_provider_fails_is_one_warning_without_key_prompt_and_text(
    garden: Garden, model_server: ModelServer, log: pytest.LogCaptureFixture, said: str
) -> None:
    job = generated(garden, **ASKED)
    assert warnings_in(log) == [f"job {job.id}: {said}, model ok of 127.0.0.1"]
    assert_silent(job, model_server, log)


@with_model("500-once")
@pytest.mark.usefixtures("page_ids")
def test_a_job_that_succeeds_is_no_warning(garden: Garden, log: pytest.LogCaptureFixture) -> None:
    assert generated(garden, **ASKED).status == "succeeded"
    assert warnings_in(log) == []
