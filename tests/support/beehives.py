"""Alice's project with three pages about beehives, and posts generated from them by the runner."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.failures import ServiceFailure
from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from tests.content.conftest import CARE, FAQ, HIVES, Part
from tests.executions.conftest import Garden, job_of
from tests.support.publishing import alice_project
from tests.support.working import run_job

TOPIC = "Choosing a beehive"


@pytest.fixture
def garden(db_app: Flask) -> Iterator[Garden]:
    project = alice_project()
    yield Garden(project.account_id, project.id)
    db.session.remove()


def project_of(garden: Garden) -> Project:
    return db.session.get_one(Project, garden.project_id)


@pytest.fixture
def page_ids(garden: Garden) -> list[int]:
    """Three pages about beehives."""
    ids = []
    for name, parts in (("hives", HIVES), ("care", CARE), ("faq", FAQ)):
        fields = {"url": f"https://alice.example/{name}", "title": parts[0][1], "content": markdown(parts)}
        ids.append(add_page(project_of(garden), fields)[0].id)
    db.session.commit()
    return ids


def markdown(parts: Sequence[Part]) -> str:
    marks = {"h1": "# ", "h2": "## ", "li": "- ", "code": "    "}
    return "\n\n".join(marks.get(kind, "") + text for kind, text in parts)


def generated(garden: Garden, **payload: Any) -> ExecutionJob:
    job_id = garden.queued(payload={"topic": TOPIC, **payload})
    run_job(job_id)
    return job_of(job_id)


def post_of_job(job: ExecutionJob) -> BlogPost:
    return db.session.scalars(select(BlogPost).where(BlogPost.job_id == job.id)).one()


def refused(garden: Garden, **payload: Any) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        garden.submit(payload=payload)
    db.session.rollback()
    return caught.value
