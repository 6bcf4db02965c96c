"""PUBLISH_BLOG_POST to a WordPress site through the real runner, on both databases."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select, update

from app.executions.model import ExecutionJob
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project
from app.publishing import publications, service, settle
from app.publishing.document import content_sha256
from app.publishing.model import Publication
from tests.support.publishing import failure_code, fresh, post_of, publication_of, publish, state
from tests.support.servers import SiteServer
from tests.support.wordpress import PASSWORD, USER, Fault, WordPress, gateway, lost

pytestmark = pytest.mark.usefixtures("no_waiting")


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def blog(site: SiteServer, project: Project) -> WordPress:
    settings = {"url": site.url, "username": USER}
    service.add_target(project, "wordpress", "Blog", settings, PASSWORD)
    return WordPress(site)


@pytest.fixture
def post_id(project: Project, blog: WordPress) -> int:
    return post_of(project).id


def test_a_post_goes_live_and_the_job_says_where(blog: WordPress, post_id: int) -> None:
    job = publish(post_id)
    assert job.status == "succeeded"
    assert job.result is not None
    assert (job.result["external_id"], job.result["url"]) == ("17", f"{blog.site.url}/garden-notes/")
    assert state(post_id) == ("live", "published")
    assert [article.slug for article in blog.live] == ["garden-notes"]


@pytest.mark.parametrize("faults", [[lost], [None, lost], [lost, gateway]])
def test_lost_answers_make_one_post(blog: WordPress, post_id: int, faults: list[Fault | None]) -> None:
    blog.faults = faults
    assert publish(post_id).status == "succeeded"
    assert [article.status for article in blog.articles] == ["publish"]


def test_a_taken_slug_fails_the_job_and_leaves_a_draft_here_and_nothing_there(
    blog: WordPress, post_id: int
) -> None:
    blog.add("garden-notes")
    job = publish(post_id)
    assert (job.status, failure_code(job)) == ("failed", "TARGET_SLUG_TAKEN")
    assert state(post_id) == ("failed", "draft")
    assert len(blog.articles) == 1


def test_a_changed_text_takes_the_place_of_the_first(blog: WordPress, post_id: int) -> None:
    publish(post_id)
    post = fresh(post_id)
    post.content += "\nWater in the morning, while the soil is still cool and the leaves are dry.\n"
    db.session.commit()
    assert publish(post_id).status == "succeeded"
    (article,) = blog.articles
    assert "Water in the morning" in article.content
    assert content_sha256(fresh(post_id)) in article.content


def test_what_a_lost_job_left_hidden_is_cleared_away(blog: WordPress, post_id: int, project: Project) -> None:
    (target,) = service.list_targets(project)
    held = publications.begin(post_id, target.id, 1)
    publications.mark_sending(held, "a" * 64)
    blog.add("garden-notes", f"<p>Text</p><!-- {held.sid} {'a' * 64} -->", "draft")
    long_ago = utc_now() - timedelta(hours=1)
    db.session.execute(update(Publication).values(updated_at=long_ago))
    db.session.commit()
    assert settle.settle_unsettled(select(ExecutionJob.id)) == 1
    assert blog.articles == []
    assert state(post_id) == ("failed", "draft")
    assert publish(post_id).status == "succeeded"
    assert publication_of(post_id).url == f"{blog.site.url}/garden-notes/"
