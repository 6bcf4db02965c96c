"""What the page of a post says that the text provider did not write."""

from __future__ import annotations

import html
import re

import pytest
from flask import Flask

from app.infra.db import db
from app.pages.service import add_page
from app.projects.model import Project
from tests.content.conftest import HIVES
from tests.dashboard.conftest import Visitor
from tests.support.beehives import TOPIC, markdown
from tests.support.model_jobs import with_model
from tests.support.model_server import ModelServer

pytestmark = pytest.mark.usefixtures("impatient")


@pytest.fixture
def settings_overrides(model_settings: dict[str, str]) -> dict[str, str]:
    return model_settings


@pytest.fixture
def page_of_job(app: Flask, alice: Visitor, project_id: int, model_server: ModelServer) -> str:
    """The page of a post that a model was to write."""
    with app.app_context():
        project = db.session.get_one(Project, project_id)
        fields = {"url": f"{project.url}hives", "title": "Beehives", "content": markdown(HIVES)}
        add_page(project, fields)
    location = alice.send(f"/projects/{project_id}/posts/generate", {"topic": TOPIC, "write_anyway": TOPIC})
    alice.run(location.location)
    assert model_server.bodies
    return html.unescape(alice.get(location.location).text)


@with_model("429-long")
def test_a_limit_until_tomorrow_says_so(page_of_job: str) -> None:
    assert "Try again tomorrow: answers that arrived are kept." in page_of_job


@pytest.mark.parametrize("model_name", ["401", "credit"], indirect=True)
def test_what_only_the_operator_can_mend_is_said_apart_from_what_the_customer_can_do(
    page_of_job: str,
) -> None:
    hints = re.findall("<li>(.+?)</li>", page_of_job.partition('class="failure"')[2].partition("</ol>")[0])
    assert len(hints) == 2
    assert hints[0].startswith("Nothing is wrong with your input.")
    assert not re.search("[A-Z]+_[A-Z]+", hints[0])
    assert hints[1].startswith("For the operator: ")
    assert hints[0].endswith("then try again.")
    assert ">Try again</button>" in page_of_job


@with_model("truncated")
def test_advice_names_no_member_of_the_api(page_of_job: str) -> None:
    assert "Choose a shorter length or fewer sections." in page_of_job


@with_model("429")
def test_a_limit_without_a_time_names_none(page_of_job: str) -> None:
    assert "Try again later: answers that arrived are kept." in page_of_job
