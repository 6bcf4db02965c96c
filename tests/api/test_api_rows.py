"""Rows are shown without the schemas' own dump: what comes out is the same."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.api.http.fields import Out, shown
from app.api.jobs import JobOut
from app.api.pages import PageOut
from app.executions.model import ExecutionJob
from app.failures import failure
from app.infra.db import Base, db
from app.infra.inputs import shared
from app.pages.model import Page
from tests.api.conftest import Customer

OF_JOBS: Mapping[str, Any] = dict.fromkeys(
    ("error_code", "error_message", "failure", "history", "rollback"), None
)


@pytest.mark.parametrize(
    ("schema", "model", "computed"), [(PageOut, Page, {}), (JobOut, ExecutionJob, OF_JOBS)]
)
def test_a_row_is_shown_as_its_schema_dumps_it(
    app: Flask, alice: Customer, schema: type[Out], model: type[Base], computed: Mapping[str, Any]
) -> None:
    project_id = alice.project()
    alice.post(f"/projects/{project_id}/pages", {"url": "https://alice.example.com/ä", "content": "# A"})
    alice.generated(project_id)
    with app.app_context():
        page = db.session.scalars(select(Page)).one()
        page.lastmod = page.stale_since = datetime(2026, 1, 31, 9, 30, 0, 125_900, tzinfo=UTC)
        page.fetch_error = failure("REQUEST_TIMEOUT").to_dict()
        db.session.commit()
        row = db.session.scalars(select(model)).one()
        dumped = shared(schema, exclude=tuple(computed)).dump(row)
        assert list(shown(schema, row, computed)) == list(shared(schema).fields)
        assert {**dumped, **computed} == shown(schema, row, computed)
