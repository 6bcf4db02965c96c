"""The statements of the metrics find their rows by an index, however many there are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import event, text

from app.infra.db import db
from app.monitoring.samples import Sampler
from app.projects.model import Project
from tests.support.plans import plans

pytestmark = pytest.mark.postgresql

FILL = """
INSERT INTO execution_jobs (account_id, project_id, operation, status, payload, attempt, fence, requested_by,
    available_at, queued_at, created_at, updated_at, completed_at, seconds)
SELECT :account, :project, 'GENERATE_BLOG_POST',
    CASE WHEN n % 400 = 0 THEN 'queued' WHEN n % 400 = 1 THEN 'running' ELSE 'succeeded' END,
    '{}', 1, 1, '', now(), now(), now(), now(),
    CASE WHEN n % 400 > 1 THEN now() - n * interval '1 minute' END, 1
FROM generate_series(1, 20000) AS n;
INSERT INTO sitemap_syncs (project_id, sitemap_url, state, complete, found, new, returned, stale, unchanged,
    missing, invalid, duplicates, "foreign", bytes, children, not_modified, problems, duration_ms, at)
SELECT :project, '', 'ok', true, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, '[]', 1, now() - n * interval '1 minute'
FROM generate_series(1, 5000) AS n
"""
INDEXES = (
    "ix_execution_jobs_running",
    "ix_execution_jobs_unpruned",
    "ix_sitemap_syncs_at",
    "ix_publish_calls_at",
    "ix_publications_open",
    "ix_projects_due_sync",
    "ix_scheduled_publications_due",
)


@pytest.fixture
def database_kind() -> str:
    return "postgresql"


@pytest.fixture
def filled(project: Project) -> None:
    for each in FILL.split(";"):
        db.session.execute(text(each), {"account": project.account_id, "project": project.id})
    db.session.commit()
    with db.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("VACUUM ANALYZE execution_jobs, sitemap_syncs"))


@pytest.fixture
def reluctant(filled: None) -> Iterator[None]:
    """Nearly empty tables are not read as a whole either, if an index can be used."""

    def prepare(connection: Any, _record: Any) -> None:
        connection.execute("SET enable_seqscan = off")
        connection.commit()

    event.listen(db.engine, "connect", prepare)
    db.engine.dispose()
    yield
    event.remove(db.engine, "connect", prepare)
    db.engine.dispose()


def plans_of(*tables: str) -> list[str]:
    return plans(Sampler().sample, lambda statement: any(f"FROM {name}" in statement for name in tables))


def test_large_tables_are_not_read_as_a_whole(filled: None) -> None:
    found = plans_of("execution_jobs", "sitemap_syncs")
    assert len(found) == 4
    for plan in found:
        assert "Seq Scan" not in plan, plan


def test_each_statement_has_its_index(reluctant: None) -> None:
    found = plans_of(
        "execution_jobs",
        "sitemap_syncs",
        "publish_calls",
        "publications",
        "projects",
        "scheduled_publications",
    )
    assert len(found) == 8
    for index in INDEXES:
        assert any(index in plan for plan in found), (index, found)
