"""A project of Alice's with a post, on both databases."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from app.infra.db import db
from app.projects.model import Project
from tests.support.publishing import alice_project, post_of


@pytest.fixture
def project(db_app: Flask) -> Iterator[Project]:
    yield alice_project()
    db.session.remove()


@pytest.fixture
def post_id(project: Project) -> int:
    return post_of(project).id
