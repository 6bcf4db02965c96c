"""The next actions of a failure: a button or link if there is a page for it, else plain text."""

from __future__ import annotations

import pytest

from app.dashboard.ui.failures import Action, next_actions
from app.executions.model import ExecutionJob
from app.failures import CATALOGUE, failure
from app.projects.model import Project

RETRIES = {"retry_job", "retry_request"}
SAID_BY_HINTS = RETRIES | {"edit_input", "provide_idempotency_key", "contact_support", "reload_page"}
ACTIONS = sorted({name for kind in CATALOGUE.values() for name in kind.next_actions} - SAID_BY_HINTS)


@pytest.fixture
def request_context(app):
    with app.test_request_context():
        yield


@pytest.mark.usefixtures("request_context")
class TestNextActions:
    @pytest.mark.parametrize("name", ACTIONS)
    def test_every_action_of_the_catalogue_is_shown_in_words(self, name):
        (action,) = next_actions({"next_actions": [name]})
        assert action.text
        assert "_" not in action.text

    def test_to_try_again_without_a_job_is_said_by_the_hints_alone(self):
        kinds = [kind for kind in CATALOGUE.values() if RETRIES.intersection(kind.next_actions)]
        assert all(kind.hints for kind in kinds)
        assert next_actions(failure("RATE_LIMITED").to_dict()) == []
        assert next_actions(failure("MISSING_IDEMPOTENCY_KEY").to_dict()) == []

    @pytest.mark.parametrize(
        ("name", "words"), [("contact_support", "the operator"), ("reload_page", "Reload")]
    )
    def test_what_the_hints_say_is_not_said_twice(self, name, words):
        kinds = [kind for kind in CATALOGUE.values() if name in kind.next_actions]
        for kind in kinds:
            assert any(words in hint for hint in kind.hints), kind.code
            assert not [
                action for action in next_actions(failure(kind.code).to_dict()) if words in action.text
            ]
        assert kinds

    def test_an_unknown_action_is_plain_text_and_never_hidden(self):
        assert next_actions({"next_actions": ["feed_the_cat"]}) == [Action("Feed the cat")]

    def test_only_an_ended_job_offers_its_retry(self):
        failed = failure("SITEMAP_UNREACHABLE").to_dict()
        project = Project(id=3)
        job = ExecutionJob(id=7, status="failed", operation="SYNC_SITEMAP")
        assert next_actions(failed, project=project, job=job) == [
            Action("Try again", "/executions/7/retry", posts=True, main=True),
            Action("Project settings", "/projects/3/edit"),
        ]
        job.status = "running"
        assert next_actions(failed, project=project, job=job) == [
            Action("Project settings", "/projects/3/edit", main=True)
        ]

    def test_a_page_that_could_not_be_read_is_no_job_to_retry(self):
        failed = failure("PAGE_UNREACHABLE").to_dict()
        assert next_actions(failed, project=Project(id=3)) == [Action("Look at the page again later.")]

    def test_a_generation_can_be_repeated_with_other_input(self):
        job = ExecutionJob(id=7, status="failed", operation="GENERATE_BLOG_POST")
        actions = next_actions({"next_actions": ["edit_input"]}, project=Project(id=3), job=job)
        assert actions == [Action("Change the input", "/projects/3/posts/generate?like=7", main=True)]
