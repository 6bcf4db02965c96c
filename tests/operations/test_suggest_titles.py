"""SUGGEST_TITLES through the runner, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask
from sqlalchemy import func, select

from app.content.model import BlogPost
from app.executions import runner
from app.failures import ServiceFailure
from app.infra.db import db
from app.keywords.service import add_keyword, set_in_use
from app.operations.suggest_titles import OPERATION
from app.projects.model import Project
from tests.executions.conftest import (
    Garden,
    another_claim,
    check_history,
    claim,
    job_of,
    perform_and_cancel_at,
    work_of,
)
from tests.support.publishing import alice_project
from tests.support.refreshing import generated
from tests.support.working import run_job

SUGGEST = OPERATION.name


def keyword(school: Garden, text: str, **fields: Any) -> int:
    project = db.session.get_one(Project, school.project_id)
    return add_keyword(project, {"keyword_text": text, **fields})[0].id


def result_of(school: Garden, **payload: Any) -> dict[str, Any]:
    job_id = school.queued(SUGGEST, payload=payload)
    run_job(job_id)
    job = job_of(job_id)
    assert (job.status, job.failure) == ("succeeded", None)
    check_history(job_id)
    assert job.result is not None
    return job.result


def topics(result: dict[str, Any]) -> list[str]:
    return [idea["topic"] for idea in result["ideas"]]


def test_ideas_say_what_they_are_and_which_pages_carry_them(school: Garden) -> None:
    ids = [keyword(school, "varroa mites"), keyword(school, "warm day")]
    result = result_of(school)
    assert (result["pages"], result["keywords"], result["warnings"]) == (3, 2, [])
    assert (result["engine"], result["model"], result["usage"]["calls"]) == ("extractive", "extractive", 0)
    first, *_, last = result["ideas"]
    (page,) = first.pop("pages")
    assert page["url"].endswith("/care")
    assert first == {
        "title": "Warm day", "topic": "warm day", "origin": "keyword", "question": None,
        "coverage": "perhaps", "coverage_share": 1.0,
        "why": "1 page mentions this in passing. A draft may be short.",
        "keyword": "warm day", "keyword_ids": [ids[1]], "existing_post_ids": [],
    }  # fmt: skip
    assert (last["topic"], last["coverage"], last["pages"]) == ("varroa mites", "absent", [])


def test_no_idea_has_the_name_of_a_page_or_a_keyword_that_one_is_named_after(school: Garden) -> None:
    keyword(school, "beehive")
    assert topics(result_of(school)) == ["Where to put a beehive"]


def test_what_a_post_is_about_is_not_suggested_again(school: Garden) -> None:
    keyword(school, "warm day")
    assert topics(result_of(school)) == ["warm day"]
    generated(school, topic="Warm day", keywords=["warm day"])
    assert "warm day" not in topics(result_of(school))


def test_a_keyword_out_of_use_is_left_out_unless_it_is_asked_for(school: Garden) -> None:
    keyword_id = keyword(school, "varroa mites")
    project = db.session.get_one(Project, school.project_id)
    set_in_use(add_keyword(project, {"keyword_text": "varroa mites"})[0], False)
    assert "varroa mites" not in topics(result_of(school))
    assert topics(result_of(school, keyword_ids=[keyword_id])) == ["varroa mites"]


def test_no_more_ideas_are_given_than_were_asked_for(school: Garden) -> None:
    for number in range(20):
        keyword(school, f"garden tool {number}", volume=number)
    assert len(result_of(school)["ideas"]) == 10
    assert len(result_of(school, count=3)["ideas"]) == 3


def test_the_same_question_gives_the_same_answer(school: Garden) -> None:
    for text in ("beehive", "varroa mites", "honey"):
        keyword(school, text)
    assert result_of(school) == result_of(school)


def test_keywords_that_are_not_the_projects_are_refused_by_their_field(school: Garden) -> None:
    mine = keyword(school, "beehive")
    with pytest.raises(ServiceFailure) as refused:
        school.submit(None, SUGGEST, payload={"keyword_ids": [mine, mine + 1000]})
    assert [error["field"] for error in refused.value.errors] == ["/payload/keyword_ids"]
    assert str(mine + 1000) in refused.value.errors[0]["message"]


def test_a_project_without_pages_or_keywords_gets_a_warning(db_app: Flask) -> None:
    project = alice_project()
    result = result_of(Garden(project.account_id, project.id))
    assert (result["ideas"], result["pages"]) == ([], 0)
    assert result["warnings"]


def test_nothing_is_written_but_the_result(school: Garden) -> None:
    keyword(school, "beehive")
    result_of(school)
    assert db.session.scalar(select(func.count()).select_from(BlogPost)) == 0


def test_the_result_of_a_lost_claim_is_not_taken(school: Garden) -> None:
    keyword(school, "beehive")
    taken = claim(school.queued(SUGGEST, payload={}))
    late = work_of(taken)
    outcome = OPERATION.perform(late)
    another_claim(taken)
    runner._succeed(late, outcome)
    assert (job_of(taken.job_id).status, job_of(taken.job_id).result) == ("running", None)


@pytest.mark.parametrize("stage", ["collect_sources", "find_ideas"])
def test_a_canceled_job_ends_at_its_next_stage(school: Garden, stage: str) -> None:
    taken = claim(school.queued(SUGGEST, payload={}))
    perform_and_cancel_at(stage, OPERATION, school.account_id, taken)
