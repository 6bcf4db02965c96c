"""Each migration, one by one from the first, with a row in every table.

None loses what is there, and from the first release on the code of the release before runs on after it: it is
still serving while the release process migrates (docs/deployment.md).
"""

from __future__ import annotations

from typing import Final

import pytest
from sqlalchemy import create_engine, select
from sqlalchemy.orm import Session

from app.infra.db import Base, db
from tests.support.databases import Databases
from tests.support.migration_steps import Step, migration_steps

BEFORE_THE_RULE: Final = "0046"
"""The newest migration that nobody ran while an older release was serving."""

CONTRACTS: Final[dict[str, str]] = {}
"""Migrations that take away what the release before does not use any more: which release stopped using it."""

LOSSES: Final[dict[str, set[str]]] = {
    "0013": {
        "projects.identity is gone", "projects.url is changed", "publish_targets.default_status is gone",
    },
    "0017": {"kept_documents has lost rows", "kept_documents.packed is gone"},
    "0023": {
        "execution_jobs.rung_at is gone", "blog_post_proposals.settled_at is gone",
        "publications.sid is gone", "resting_sites is gone",
        "gone_children is gone", "kept_documents is gone", "kept_pieces is gone",
    },
    "0046": {"accounts.session_version is gone"},
}  # fmt: skip
"""What is not there any more, or under another name. 0013: the URL took the place of the identity that was
made of it. 0017: cached documents are fetched again. 0023: renamed, with their rows. 0046: `sessions` replace
the number."""


@pytest.fixture(
    scope="module",
    params=["sqlite", pytest.param("postgresql", marks=(pytest.mark.postgresql, pytest.mark.thorough))],
)
def url(databases: Databases, request: pytest.FixtureRequest) -> str:
    return databases.empty(str(request.param))


@pytest.fixture(scope="module")
def steps(url: str) -> dict[str, Step]:
    return {step.revision: step for step in migration_steps(url)}


def test_no_migration_loses_what_is_there(steps: dict[str, Step]) -> None:
    assert {name: lost for name, step in steps.items() if (lost := step.losses())} == LOSSES


def test_the_rows_of_all_releases_can_be_read_in_the_end(url: str, steps: dict[str, Step]) -> None:
    assert set(list(steps.values())[-1].rows_after) == set(db.metadata.tables)
    with Session(create_engine(url)) as session:
        for mapper in Base.registry.mappers:
            assert session.scalars(select(mapper.class_)).all(), mapper.class_


def test_the_release_before_runs_on_after_each_migration(steps: dict[str, Step]) -> None:
    newer = (step for name, step in steps.items() if name > BEFORE_THE_RULE and name not in CONTRACTS)
    assert {step.revision: broken for step in newer if (broken := step.breaks())} == {}


def test_what_would_stop_the_release_before_is_noticed(steps: dict[str, Step]) -> None:
    assert steps["0046"].breaks() == {"accounts.session_version is gone"}
    assert "resting_sites is gone" in steps["0023"].breaks()
    assert {each.rpartition(" ")[2] for step in steps.values() for each in step.breaks()} >= {
        "gone",
        "required",
    }
