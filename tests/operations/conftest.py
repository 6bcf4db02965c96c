"""The bee school, a project of Alice whose pages have been read, with a post; and one that publishes."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from flask import Flask

from app.infra.db import db
from app.projects.model import Project
from tests.content.conftest import CARE, FAQ, HIVES, page, site
from tests.executions.conftest import Garden
from tests.support.bees import store
from tests.support.publishing import Receiver, alice_project
from tests.support.refreshing import generated
from tests.support.servers import SiteServer


@pytest.fixture
def school(db_app: Flask) -> Garden:
    """The bee school."""
    project_id = store(site(page(1, "hives", HIVES), page(2, "care", CARE), page(3, "faq", FAQ)))
    return Garden(db.session.get_one(Project, project_id).account_id, project_id)


@pytest.fixture
def post_id(school: Garden) -> int:
    """A draft on beehives."""
    return generated(school, topic="Choosing a beehive", target_words=400)


@pytest.fixture
def project(db_app: Flask) -> Iterator[Project]:
    """A project of Alice without pages."""
    yield alice_project()
    db.session.remove()


@pytest.fixture
def receiver(site: SiteServer, project: Project) -> Receiver:
    """The webhook that is the project's publish target."""
    made = Receiver(site)
    made.add_to(project)
    return made
