"""Generating a post from a project's pages, by itself and as a job that a worker runs, on both databases."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from flask import Flask
from sqlalchemy import select

from app.content import pipeline
from app.content.artefacts import SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.model import BlogPost
from app.content.pipeline import ALL_STAGES, generate
from app.content.posts import saving
from app.content.rendering.html import render_html
from app.executions import service as executions
from app.executions.model import ExecutionJob
from app.executions.queries import history_of, reload
from app.executions.service import Submission
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.keywords.service import add_keyword, set_in_use
from app.operations.base import Stopped
from app.operations.registry import operation_named
from app.pages.model import Page, PageContent
from app.projects.model import Project
from tests.support.bees import page_at, store, unsourced
from tests.support.servers import SiteServer
from tests.support.sites import html, project_at
from tests.support.together import together
from tests.support.working import run_job

PAYLOADS: dict[str, dict[str, Any]] = {
    "empty": {},
    "topic": {"topic": "beehive"},
    "title": {"title": "All about the beehive"},
    "keywords": {"keywords": ["beehive", "frames"]},
    "words": {"topic": "beehive", "target_words": 200},
    "nulls": {"topic": None, "keywords": None, "keyword_ids": None, "page_ids": None, "target_words": None},
}


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


@pytest.fixture
def project_id(db_app: Flask, bees: SourceSnapshot) -> int:
    return store(bees)


def project_of(project_id: int) -> Project:
    return db.session.get_one(Project, project_id)


def generated(project_id: int, **payload: Any) -> WrittenPost:
    db.session.rollback()
    return generate(project_id, payload, lambda _stage, _done, _total: None, lambda: False)


def submitted(project_id: int, payload: Mapping[str, Any]) -> int:
    project = project_of(project_id)
    submission = Submission(
        project=project, payload=payload, scope="test",
        operation=operation_named("GENERATE_BLOG_POST"),
    )  # fmt: skip
    return executions.submit(submission).job.id


def ran(project_id: int, **payload: Any) -> ExecutionJob:
    job_id = submitted(project_id, payload)
    run_job(job_id)
    return reload(job_id)


def posts(project_id: int) -> list[BlogPost]:
    db.session.rollback()
    return list(db.session.scalars(select(BlogPost).where(BlogPost.project_id == project_id)))


def texts_of_pages(project_id: int) -> list[str]:
    rows = db.session.scalars(
        select(PageContent.blocks)
        .join(Page, Page.id == PageContent.page_id)
        .where(Page.project_id == project_id)
    )
    return [block["text"] for blocks in rows for block in blocks]


def keyword(project_id: int, text: str) -> int:
    return add_keyword(project_of(project_id), {"keyword_text": text})[0].id


@pytest.mark.parametrize("payload", PAYLOADS.values(), ids=PAYLOADS)
def test_a_job_makes_one_post_of_the_pages_own_sentences(project_id: int, payload: dict[str, Any]) -> None:
    job = ran(project_id, **payload)
    assert (job.status, job.failure) == ("succeeded", None)
    (post,) = posts(project_id)
    assert job.result is not None
    assert job.result["blog_post_id"] == post.id
    assert (post.job_id, post.status, post.draft_kind) == (job.id, "draft", "extractive")
    given = [post.title, *post.keywords]
    assert unsourced(render_html(post.content), texts_of_pages(project_id), given) == []
    assert post.quality is not None
    assert post.quality["decision"] != "block"


def test_a_job_keeps_its_brief_its_outline_and_what_to_know(project_id: int) -> None:
    job = ran(project_id, topic="beehive", keywords=["beehive", "submarine"])
    assert job.artefacts is not None
    assert job.artefacts["brief"]["topic"] == "beehive"
    assert job.artefacts["outline"]["sections"]
    assert job.result is not None
    assert (job.result["engine"], job.result["draft_kind"]) == ("extractive", "extractive")
    assert "The pages say little about: submarine." in job.result["warnings"]
    assert project_of(project_id).coverage_due_at is not None


def test_each_stage_is_in_the_jobs_history(project_id: int) -> None:
    job = ran(project_id)
    rows = [row.details for row in history_of([job.id])[job.id] if row.event == "JOB_PROGRESS"]
    assert [row["stage"] for row in rows if row] == list(ALL_STAGES)
    assert job.progress == {"stage": "save_draft", "done": len(ALL_STAGES), "total": len(ALL_STAGES)}


def test_the_same_input_gives_the_same_text_under_another_slug(project_id: int) -> None:
    for _ in range(2):
        assert ran(project_id, topic="beehive").status == "succeeded"
    first, second = posts(project_id)
    assert first.content == second.content
    assert second.slug != first.slug


def test_jobs_at_the_same_moment_make_a_post_each_under_a_slug_of_its_own(
    db_app: Flask, project_id: int
) -> None:
    waiting = [submitted(project_id, {"topic": "beehive"}) for _ in range(2)]
    jobs = iter(waiting)

    def one() -> None:
        run_job(next(jobs))
        db.session.remove()

    together(db_app, one, 2)
    assert [(reload(job_id).status, reload(job_id).attempt) for job_id in waiting] == [("succeeded", 1)] * 2
    made = posts(project_id)
    assert sorted(post.job_id or 0 for post in made) == waiting
    assert len({post.slug for post in made}) == 2


def test_a_job_that_is_canceled_meanwhile_leaves_no_post(
    project_id: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    job_id = submitted(project_id, {"topic": "beehive"})
    save = saving.save_written

    def cancel_and_save(*arguments: Any) -> BlogPost:
        # On SQLite the saving transaction would hold off another connection's cancel.
        executions.cancel(reload(job_id))
        return save(*arguments)

    monkeypatch.setattr("app.operations.performing.generate_blog_post.save_written", cancel_and_save)
    run_job(job_id)
    assert reload(job_id).status == "canceled"
    assert posts(project_id) == []


def test_keywords_and_pages_of_another_project_are_refused_by_their_field(project_id: int) -> None:
    bobs = project_at("https://bob.example/", email="bob@example.com").id
    keyword_id = keyword(bobs, "honey")
    page = Page(project_id=bobs, url="https://bob.example/", url_key=url_key("x"), source="MANUAL")
    db.session.add(page)
    db.session.commit()
    for field, foreign in (("keyword_ids", keyword_id), ("page_ids", page.id)):
        with pytest.raises(ServiceFailure) as caught:
            submitted(project_id, {field: [foreign]})
        assert caught.value.errors[0]["field"] == f"/payload/{field}"
        db.session.rollback()
    assert db.session.scalars(select(ExecutionJob)).all() == []


def test_keyword_ids_come_in_their_order_before_keywords_and_once(project_id: int) -> None:
    frames, beehive = keyword(project_id, "frames"), keyword(project_id, "beehive")
    brief = generated(project_id, keyword_ids=[beehive, frames], keywords=["frames", "honey"]).brief
    assert (brief.primary_keyword, brief.secondary) == ("beehive", ("frames", "honey"))


def test_page_ids_confine_the_sources(project_id: int) -> None:
    only = page_at(project_id, "care").id
    made = generated(project_id, topic="beehive", page_ids=[only])
    assert {source.page_id for source in made.post.sources} <= {only}
    assert all("hives" not in link.url for link in made.brief.link_candidates)


def test_without_a_topic_the_oldest_unused_keyword_is_taken(project_id: int) -> None:
    set_in_use(add_keyword(project_of(project_id), {"keyword_text": "not in use"})[0], False)
    keyword(project_id, "beehive")
    keyword(project_id, "honey")
    chosen = []
    for _ in range(3):
        chosen.append(generated(project_id).brief.topic)
        ran(project_id)
    assert chosen[:2] == ["beehive", "honey"]
    assert chosen[2] not in chosen[:2]


def test_a_given_topic_takes_no_keyword_of_the_project(project_id: int) -> None:
    keyword(project_id, "honey")
    assert generated(project_id, topic="beehive").brief.primary_keyword == "beehive"


def test_a_project_without_pages_gets_an_outline_that_the_quality_gate_blocks(db_app: Flask) -> None:
    project_id = project_at("https://empty.example/").id
    job = ran(project_id)
    (post,) = posts(project_id)
    assert (job.status, post.draft_kind) == ("succeeded", "outline")
    assert (post.sources, post.source_hashes) == ([], {})
    assert post.quality is not None
    assert post.quality["decision"] == "block"
    assert job.result is not None
    assert job.result["warnings"]


def add_due_page(project_id: int, site: SiteServer, number: int) -> None:
    place = f"The beehive number {number} stands on a dry and sunny place in our old garden."
    url = site.serve(f"/{number}", html(f"Beehive {number}", place), headers={"Content-Type": "text/html"})
    db.session.add(
        Page(project_id=project_id, url=url, url_key=url_key(url), source="SITEMAP", read_due_at=utc_now())
    )
    db.session.commit()


def test_pages_that_were_never_read_are_read_first(db_app: Flask, site: SiteServer) -> None:
    project_id = project_at(site.url).id
    for number in range(4):
        add_due_page(project_id, site, number)
    job = ran(project_id, topic="beehive")
    (post,) = posts(project_id)
    assert (job.status, post.draft_kind) == ("succeeded", "extractive")
    assert post.sources


def test_a_project_with_few_pages_read_has_its_due_ones_read_too(db_app: Flask, site: SiteServer) -> None:
    project_id = project_at(site.url).id
    add_due_page(project_id, site, 0)
    assert generated(project_id, topic="beehive").draft_kind == "outline"
    for number in range(1, 4):
        add_due_page(project_id, site, number)
    assert generated(project_id, topic="beehive").draft_kind == "extractive"


def test_a_project_with_enough_pages_read_waits_for_no_others(
    project_id: int, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "READ_FIRST", 3)
    add_due_page(project_id, site, 0)
    generated(project_id, topic="beehive")
    assert site.requests == []


def test_the_stages_are_reported_in_order_and_each_may_end_the_job(project_id: int) -> None:
    heard: list[tuple[str, int, int]] = []
    generate(project_id, {}, lambda *stage: heard.append(stage), lambda: False)
    assert heard == [(name, done, len(ALL_STAGES)) for done, name in enumerate(ALL_STAGES)]

    def stop(name: str, _done: int, _total: int) -> None:
        if name == "save_draft":
            raise Stopped

    with pytest.raises(Stopped):
        generate(project_id, {}, stop, lambda: False)
    assert posts(project_id) == []


def test_no_connection_is_open_while_the_engine_works(db_app: Flask, project_id: int) -> None:
    held: list[int] = []

    def progress(_stage: str, _done: int, _total: int) -> None:
        held.append(db.engine.pool.checkedout())  # type: ignore[attr-defined]

    generate(project_id, {"topic": "beehive"}, progress, lambda: False)
    assert held == [0] * len(ALL_STAGES)
