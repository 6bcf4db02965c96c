"""Jobs that a language model writes: its settings as fixtures, and what a job reports about it."""

from __future__ import annotations

import json
import logging

import pytest
from sqlalchemy import func, select

from app.content.model import BlogPost
from app.content.writing.llm import calls
from app.executions.model import ExecutionJob
from app.infra.db import db
from tests.executions.conftest import history
from tests.support.model_scenarios import SCENARIOS
from tests.support.model_server import KEY, ModelServer

SECRET_INSTRUCTION = "Mention the secret offer of the caller."
ASKED = {"topic": "beehive", "instructions": SECRET_INSTRUCTION}


@pytest.fixture
def model_name(request: pytest.FixtureRequest) -> str:
    """How the model behaves; ``with_model`` changes it."""
    return str(getattr(request, "param", "ok"))


@pytest.fixture
def model_settings(model_server: ModelServer, model_name: str) -> dict[str, str]:
    """The settings that name the fake model: the same ones however it behaves."""
    model_server.respond = SCENARIOS[model_name]
    return {"LLM_BASE_URL": model_server.url, "LLM_API_KEY": KEY, "LLM_MODEL": "ok"}


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any wait before another try."""
    monkeypatch.setattr(calls, "PAUSES", (0.01, 0.02))


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> pytest.LogCaptureFixture:
    """Everything that is logged, details included."""
    caplog.set_level(logging.DEBUG)
    return caplog


def with_model(name: str) -> pytest.MarkDecorator:
    """Let the model behave as this scenario says."""
    return pytest.mark.parametrize("model_name", [name], indirect=True)


def count_posts() -> int:
    db.session.rollback()
    return db.session.scalar(select(func.count()).select_from(BlogPost)) or 0


def messages(job: ExecutionJob) -> list[str]:
    texts = [(row.details or {}).get("message", "") for row in history(job.id)]
    return [message for message in texts if message]


def everything_recorded(job: ExecutionJob, log: pytest.LogCaptureFixture) -> str:
    rows = [row.details for row in history(job.id)]
    records = [f"{record.getMessage()} {record.exc_text or ''}" for record in log.records]
    return json.dumps([job.failure, job.result, job.progress, rows], default=str) + "\n".join(records)


def assert_failed(job: ExecutionJob, code: str) -> None:
    """The job has failed with this code, and saved no post."""
    assert job.failure is not None
    assert job.failure["code"] == code
    assert count_posts() == 0


def assert_silent(job: ExecutionJob, server: ModelServer, log: pytest.LogCaptureFixture) -> None:
    """No key, and no part of a prompt, is in any message, history row or log."""
    texts = everything_recorded(job, log)
    assert server.bodies
    assert KEY not in texts
    assert SECRET_INSTRUCTION not in texts
    assert "<evidence" not in texts
    assert "Task: " not in texts


def shown(post: BlogPost) -> str:
    """Everything of a post that a reader may see."""
    parts = [post.title, post.meta_title, post.description, post.content, post.faq, post.json_ld, post.tags]
    return json.dumps(parts, ensure_ascii=False)
