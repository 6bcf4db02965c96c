"""The bee school: a project of Alice whose pages have been read, and a post made from them."""

from __future__ import annotations

import pytest
from flask import Flask

from app.infra.db import db
from app.projects.model import Project
from tests.content.conftest import CARE, FAQ, HIVES, page, site
from tests.executions.conftest import Garden
from tests.support.bees import store
from tests.support.refreshing import generated


@pytest.fixture
def school(db_app: Flask) -> Garden:
    """The bee school."""
    project_id = store(site(page(1, "hives", HIVES), page(2, "care", CARE), page(3, "faq", FAQ)))
    return Garden(db.session.get_one(Project, project_id).account_id, project_id)


@pytest.fixture
def post_id(school: Garden) -> int:
    """A draft on beehives."""
    return generated(school, topic="Choosing a beehive", target_words=400)
