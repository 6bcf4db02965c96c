"""What the tests of the metrics share: a token, rows of a project, and the metrics as they are read."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from flask import Flask
from prometheus_client.parser import text_string_to_metric_families

from app.executions.model import ExecutionJob
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from tests.support.publishing import alice_project

TOKEN = "the token of the tests of metrics, long enough"
AUTHORIZATION = {"Authorization": f"Bearer {TOKEN}"}

Metrics = dict[tuple[str, ...], float]


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"METRICS_TOKEN": TOKEN}


@pytest.fixture
def project(db_app: Flask) -> Project:
    return alice_project()


@pytest.fixture
def scrape(app: Flask) -> Callable[[], Metrics]:
    """Call it for the present values by name and values of labels; nothing is remembered between calls."""

    def scraped() -> Metrics:
        app.extensions["sampler"]._last = None
        response = app.test_client().get("/metrics", headers=AUTHORIZATION)
        assert response.status_code == 200
        return metrics_of(response.text)

    return scraped


def metrics_of(text: str) -> Metrics:
    """The values of a text that Prometheus reads."""
    samples = (each for family in text_string_to_metric_families(text) for each in family.samples)
    return {(each.name, *_values(each.labels)): each.value for each in samples}


def _values(labels: dict[str, str]) -> list[str]:
    """The values of labels in their order, the bound of a bucket last."""
    return [labels[name] for name in sorted(labels, key=lambda name: name == "le")]


def add_job(project: Project, status: str, operation: str = "GENERATE_BLOG_POST", **values: Any) -> None:
    """Add a job that was queued ten minutes ago."""
    before = utc_now() - timedelta(minutes=10)
    times = dict.fromkeys(("available_at", "queued_at", "created_at", "updated_at"), before)
    owner = {"account_id": project.account_id, "project_id": project.id}
    row = ExecutionJob(**{**times, **owner, "payload": {}, **values}, status=status, operation=operation)
    db.session.add(row)
    db.session.commit()
