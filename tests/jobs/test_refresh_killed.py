"""A refresh and a search for ideas whose child process is killed at the worst moments."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.content.model import BlogPost, BlogPostProposal
from app.content.posts.proposals import open_proposal
from app.infra.db import db
from app.infra.faults import Point
from app.keywords.service import add_keyword
from app.pages.service import add_page
from app.projects.model import Project
from tests.content.conftest import HIVES
from tests.executions.conftest import check_history, count, events, job_of
from tests.jobs.conftest import LiveService, StartService
from tests.support.refreshing import NEW, rewrite, stored, text_of

POINTS = [Point.AFTER_ANSWER_BEFORE_EFFECT, Point.AFTER_EFFECT_BEFORE_COMMIT]


def pages_of(live: LiveService) -> None:
    """Give the project a page on beehives."""
    project = db.session.get_one(Project, live.garden.project_id)
    marks = {"h1": "# ", "h2": "## ", "li": "- ", "code": "    "}
    content = "\n\n".join(marks.get(kind, "") + text for kind, text in HIVES)
    add_page(project, {"url": f"{live.site.url}/hives", "content": content})
    add_keyword(project, {"keyword_text": "morning sun"})


def killed_once(live: LiveService, faults: Path, point: Point, job_id: int) -> None:
    """Assert that the job ended well in its second attempt, after the first was killed at the point."""
    assert live.ended(job_id) == ["succeeded"]
    assert (faults / f"{point}.taken").exists()
    assert job_of(job_id).attempt == 2
    assert events(job_id).count("JOB_SUCCEEDED") == 1
    check_history(job_id)


@pytest.mark.parametrize("kind", ["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
@pytest.mark.parametrize("point", POINTS)
def test_a_killed_refresh_runs_again_and_makes_one_proposal(
    start_service: StartService, tmp_path: Path, point: Point, kind: str
) -> None:
    live = start_service(kind=kind, FAULT_DIRECTORY=str(tmp_path))
    pages_of(live)
    assert live.ended(live.garden.queued(payload={"topic": "Choosing a beehive"})) == ["succeeded"]
    post_id = db.session.query(BlogPost).one().id
    before = text_of(post_id)
    rewrite(live.garden.project_id, "/hives", NEW)
    (tmp_path / point).touch()
    job_id = live.garden.queued("REFRESH_BLOG_POST", payload={"blog_post_id": post_id})
    killed_once(live, tmp_path, point, job_id)
    assert count(BlogPostProposal) == 1
    assert text_of(post_id) == before
    proposal = open_proposal(stored(post_id).id)
    assert proposal is not None
    assert proposal.job_id == job_id
    result = job_of(job_id).result
    assert result is not None
    assert result["proposal_id"] == proposal.id


def test_a_killed_search_for_ideas_runs_again(start_service: StartService, tmp_path: Path) -> None:
    live = start_service(FAULT_DIRECTORY=str(tmp_path))
    pages_of(live)
    point = Point.AFTER_EFFECT_BEFORE_COMMIT
    (tmp_path / point).touch()
    job_id = live.garden.queued("SUGGEST_TITLES", payload={})
    killed_once(live, tmp_path, point, job_id)
    result = job_of(job_id).result
    assert result is not None
    assert result["ideas"][0]["topic"] == "morning sun"
