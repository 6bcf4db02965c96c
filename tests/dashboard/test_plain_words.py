"""Messages of the dashboard contain no header, member or code of the API."""

from __future__ import annotations

import re

import pytest

from app.dashboard.ui.failures import in_plain_words, plain_note
from app.failures import CATALOGUE, failure

FOR_PROGRAMS = re.compile(
    r"Retry the job|\bheaders?\b|\bmember\b|details\b|\berrors\b|Idempotency|GENERATE_|its version\b"
)
MET_BY_PROGRAMS_ALONE = {
    "MALFORMED_REQUEST", "MISSING_API_KEY", "INVALID_API_KEY", "INSUFFICIENT_SCOPE", "UNAUTHENTICATED",
    "UNSUPPORTED_MEDIA_TYPE", "METHOD_NOT_ALLOWED", "INVALID_OPERATION", "PROPOSAL_NOT_FOUND",
}  # fmt: skip
"""The last is shown as a page that is not there, with words of its own."""


@pytest.mark.parametrize("code", sorted(set(CATALOGUE) - MET_BY_PROGRAMS_ALONE))
def test_a_failure_is_shown_without_words_for_programs(code):
    shown = in_plain_words(failure(code).to_dict())
    for words in (shown["message"], *shown["remediation_hints"]):
        assert not FOR_PROGRAMS.search(words)


def test_messages_made_for_one_case_stay():
    made = failure("POST_CHANGED", "It is another now.", hints=["Read it."]).to_dict()
    assert in_plain_words(made) == made
    assert in_plain_words({"code": "NEW", "message": "Said by a later version."})["code"] == "NEW"


@pytest.mark.parametrize("kind", ["outline", "extractive"])
def test_advice_to_take_less_names_the_choice_of_the_form(alice, project_id, kind):
    hints = [f"Set minimum_kind to {kind} to take what there is."]
    made = failure("INSUFFICIENT_SOURCE_MATERIAL", hints=hints).to_dict()
    (hint,) = in_plain_words(made)["remediation_hints"]
    choice = re.fullmatch("Choose “(.+)” to take what there is.", hint)[1]
    assert f">{choice}</option>" in alice.get(f"/projects/{project_id}/posts/generate").text


def test_advice_on_another_post_names_no_member_of_the_api():
    hints = ["Publish again without existing_post to see what the target has now."]
    shown = in_plain_words(failure("PUBLISH_REJECTED", hints=hints).to_dict())
    assert shown["remediation_hints"] == ["Publish again to see what your blog has now."]


@pytest.mark.parametrize(
    ("note", "shown"),
    [
        (
            "PROVIDER_FAILED, wrong_schema: try 2 of 3 after 1 s",
            "The text provider did not return a usable answer. Try 2 of 3 after 1 s.",
        ),
        (
            "Went on without editing the draft: PROVIDER_FAILED, wrong_schema",
            "Went on without editing the draft. The text provider did not return a usable answer.",
        ),
        ("Read 3 of 5 pages: FAQ", "Read 3 of 5 pages: FAQ"),
        ("2 of 5", "2 of 5"),
    ],
)
def test_a_note_of_an_event_is_shown_without_the_code_of_its_failure(note, shown):
    assert plain_note(note) == shown
