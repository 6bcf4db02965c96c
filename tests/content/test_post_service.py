"""Posts as rows: saving what an engine wrote, editing, judging and listing, on both databases."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.content.artefacts import SourceSnapshot
from app.content.drafts import QualityCheck, WrittenPost
from app.content.model import BlogPost
from app.content.posts import saving, service
from app.content.posts.checking import quality_of
from app.content.posts.service import PostFilter
from app.content.request import GenerationRequest
from app.content.retrieval.page_choice import SourceQuery, collect_snapshot
from app.content.writing.digest.engine import write_extractive
from app.failures import ServiceFailure
from app.infra.db import db
from app.pages.model import PageContent
from app.projects.model import Project
from tests.support.bees import page_at, store
from tests.support.publishing import TEXT
from tests.support.together import together


@pytest.fixture
def project_id(db_app: Flask, bees: SourceSnapshot) -> int:
    return store(bees)


def project_of(project_id: int) -> Project:
    return db.session.get_one(Project, project_id)


def written(project_id: int, **wanted: Any) -> WrittenPost:
    sources = collect_snapshot(project_id, SourceQuery("beehive", "en"))
    return write_extractive(GenerationRequest(**{"topic": "beehive", **wanted}), sources, lambda *_: None)


def saved(project_id: int, job_id: int, post: WrittenPost | None = None) -> BlogPost:
    row = saving.save_written(project_id, job_id, post or written(project_id))
    db.session.commit()
    return row


def stored(post_id: int) -> BlogPost:
    db.session.rollback()
    return db.session.get_one(BlogPost, post_id, populate_existing=True)


def refusal(post: BlogPost, version: int, **changes: Any) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        service.edit_post(post, version, changes)
    return caught.value


def field_of(refused: ServiceFailure) -> str:
    assert refused.failure.code in ("INVALID_REQUEST", "POST_CHANGED")
    return refused.errors[0]["field"]


def finding(post: BlogPost, code: str) -> QualityCheck:
    return next(check for check in quality_of(post).checks if check.code == code)


def test_a_written_post_is_saved_with_everything_known_about_it(project_id: int) -> None:
    made = written(project_id)
    post = stored(saved(project_id, 7, made).id)
    assert (post.status, post.version, post.job_id, post.edited_at) == ("draft", 1, 7, None)
    assert (post.title, post.slug, post.content) == (made.post.title, made.post.slug, made.post.markdown)
    assert (post.draft_kind, post.engine, post.language) == ("extractive", "extractive", "en")
    assert post.sources == [source.to_dict() for source in made.post.sources]
    assert post.trace == [entry.to_dict() for entry in made.post.trace]
    assert post.quality == made.quality.to_dict()
    assert post.source_hashes == {str(s["page_id"]): f"hash of {s['page_id']}" for s in post.sources}
    assert post.generator is not None
    assert post.generator["provider"] == "none"


def test_a_slug_that_is_taken_gets_a_number(project_id: int) -> None:
    made = written(project_id)
    assert [saved(project_id, job_id, made).slug for job_id in (1, 2, 3)] == [
        made.post.slug,
        f"{made.post.slug}-2",
        f"{made.post.slug}-3",
    ]


def test_posts_saved_at_the_same_moment_get_slugs_of_their_own(db_app: Flask, project_id: int) -> None:
    made, jobs = written(project_id), iter(range(1, 5))

    def save() -> str:
        try:
            return saved(project_id, next(jobs), made).slug
        finally:
            db.session.remove()

    expected = {made.post.slug, *(f"{made.post.slug}-{number}" for number in (2, 3, 4))}
    assert set(together(db_app, save, 4)) == expected


def test_the_longest_slug_still_fits_with_its_number(project_id: int) -> None:
    made = written(project_id, title="a" * 150)
    assert len(made.post.slug) == 80
    second = [saved(project_id, job_id, made).slug for job_id in (1, 2)][1]
    assert second == "a" * 75 + "-2"


def test_another_project_may_have_the_same_slug(project_id: int) -> None:
    other = Project(account_id=project_of(project_id).account_id, name="x", url="https://x.example/")
    db.session.add(other)
    db.session.commit()
    made = written(project_id)
    assert saved(project_id, 1, made).slug == saved(other.id, 2, made).slug


def test_an_edit_changes_the_text_its_counts_and_its_version(project_id: int) -> None:
    post = saved(project_id, 1)
    edited = service.edit_post(post, 1, {"content": "Ten words " * 5, "title": "New", "tags": ["bees"]})
    assert (edited.title, edited.word_count, edited.reading_minutes, edited.version) == ("New", 10, 1, 2)
    row = stored(post.id)
    assert (row.tags, row.status) == (["bees"], "draft")
    assert row.edited_at is not None
    assert row.quality is not None
    assert any(c["code"] == "CONTENT_TOO_SHORT" and not c["passed"] for c in row.quality["checks"])


@pytest.mark.parametrize(
    ("field", "text"),
    [("title", "x" * 201), ("meta_title", "x" * 201), ("slug", "x" * 81), ("description", "x" * 5001)]
    + [(field, "a\x00b") for field in ("title", "meta_title", "slug", "description", "content")],
)
def test_text_that_cannot_be_stored_is_refused_beside_its_field(
    project_id: int, field: str, text: str
) -> None:
    post = saved(project_id, 1)
    assert field_of(refusal(post, 1, **{field: text})) == f"/{field}"
    assert stored(post.id).version == 1


def test_only_the_editable_members_can_be_edited(project_id: int) -> None:
    post = saved(project_id, 1)
    service.edit_post(post, 1, {"title": "New", "status": "published", "job_id": 99, "version": 50})
    row = stored(post.id)
    assert (row.title, row.status, row.job_id, row.version) == ("New", "draft", 1, 2)


def test_an_edit_of_an_older_version_is_refused_and_changes_nothing(project_id: int) -> None:
    post = saved(project_id, 1)
    service.edit_post(post, 1, {"title": "First"})
    assert field_of(refusal(post, 1, title="Second")) == "/version"
    assert (stored(post.id).title, stored(post.id).version) == ("First", 2)


def test_of_edits_at_the_same_moment_one_wins(db_app: Flask, project_id: int) -> None:
    post_id = saved(project_id, 1).id

    def edit() -> str:
        try:
            service.edit_post(db.session.get_one(BlogPost, post_id), 1, {"content": TEXT})
        except ServiceFailure as refused:
            return field_of(refused)
        finally:
            db.session.remove()
        return "saved"

    assert sorted(together(db_app, edit, 4)) == ["/version"] * 3 + ["saved"]
    assert stored(post_id).version == 2


def test_a_title_may_not_be_emptied_and_a_slug_not_taken_twice(project_id: int) -> None:
    first, second = saved(project_id, 1), saved(project_id, 2)
    assert field_of(refusal(second, 1, title="  ")) == "/title"
    assert field_of(refusal(second, 1, slug=first.slug)) == "/slug"
    assert service.edit_post(second, 1, {"slug": second.slug, "title": "Same slug"}).version == 2


def test_one_slug_is_given_to_one_of_two_posts_at_the_same_moment(db_app: Flask, project_id: int) -> None:
    ids = [saved(project_id, job_id).id for job_id in (1, 2, 3)]
    waiting = iter(ids)

    def edit() -> str:
        post = db.session.get_one(BlogPost, next(waiting))
        try:
            service.edit_post(post, 1, {"slug": "the-one"})
        except ServiceFailure as refused:
            return field_of(refused)
        finally:
            db.session.remove()
        return "saved"

    assert sorted(together(db_app, edit, 3)) == ["/slug", "/slug", "saved"]
    assert [stored(post_id).slug for post_id in ids].count("the-one") == 1


def test_a_post_that_is_being_published_cannot_be_edited(project_id: int) -> None:
    post = saved(project_id, 1)
    post.status = "publishing"
    db.session.commit()
    assert refusal(post, 1, title="New").failure.code == "PUBLISH_IN_PROGRESS"


def test_a_post_that_was_deleted_meanwhile_cannot_be_edited(project_id: int) -> None:
    post = stored(saved(project_id, 1).id)
    db.session.expunge(post)
    db.session.delete(stored(post.id))
    db.session.commit()
    assert refusal(post, 1, content="Gone.").failure.code == "BLOG_POST_NOT_FOUND"


def test_the_checks_are_run_on_the_text_as_it_is_now(project_id: int) -> None:
    post = saved(project_id, 1)
    assert quality_of(post).decision != "block"
    service.edit_post(post, 1, {"content": f"{TEXT}\n\nLorem ipsum dolor sit amet [insert name]."})
    assert not finding(post, "PLACEHOLDER_TEXT").passed
    assert quality_of(post).decision == "block"
    service.edit_post(post, 2, {"content": TEXT})
    assert finding(post, "PLACEHOLDER_TEXT").passed


@pytest.mark.parametrize(
    "values",
    [{"is_stale": True}, {"noindex": True}, {"canonical_url": "https://bees.example/hives"}],
    ids=["stale", "noindex", "foreign-canonical"],
)
def test_links_are_checked_against_the_present_pages(project_id: int, values: dict[str, Any]) -> None:
    post = saved(project_id, 1)
    links = "[A](https://bees.example/care) [B](HTTPS://bees.example:443/care#top) [C](https://bees.example/)"
    service.edit_post(post, 1, {"content": f"{TEXT}\n\nSee {links}."})
    assert finding(post, "BROKEN_INTERNAL_LINK").passed
    for name, value in values.items():
        setattr(page_at(project_id, "care"), name, value)
    db.session.commit()
    broken = finding(post, "BROKEN_INTERNAL_LINK")
    assert not broken.passed
    assert "https://bees.example/care" in broken.where


def test_a_source_that_changed_or_went_stale_is_a_warning(project_id: int) -> None:
    post = saved(project_id, 1)
    assert finding(post, "SOURCES_CHANGED").passed
    source_id = post.sources[0]["page_id"]
    content = db.session.get_one(PageContent, source_id)
    old, content.content_hash = content.content_hash, "new"
    db.session.commit()
    assert not finding(post, "SOURCES_CHANGED").passed
    db.session.get_one(PageContent, source_id).content_hash = old
    page_at(project_id, post.sources[0]["url"]).is_stale = True
    db.session.commit()
    assert not finding(post, "SOURCES_CHANGED").passed


def test_a_persons_words_need_no_evidence_but_an_engines_do(project_id: int) -> None:
    post = saved(project_id, 1)
    post.content = f"{post.content}\n\nExactly 98765 beekeepers agree with every word of this."
    db.session.commit()
    claim = finding(post, "UNSUPPORTED_CLAIM")
    assert (claim.severity, claim.passed, claim.where) == ("block", False, ("98765",))
    service.edit_post(post, 1, {"content": f"{post.content} And 12345 more."})
    assert finding(post, "UNSUPPORTED_CLAIM").severity == "warn"


def test_posts_are_listed_newest_first_and_by_status(project_id: int) -> None:
    project = project_of(project_id)
    ids = [saved(project_id, job_id).id for job_id in (1, 2, 3)]
    db.session.get_one(BlogPost, ids[0]).status = "published"
    db.session.commit()
    rows, total = service.list_posts(project, PostFilter(), 1, 2)
    assert ([row.id for row in rows], total) == ([ids[2], ids[1]], 3)
    assert [row.id for row in service.list_posts(project, PostFilter(), 2, 2)[0]] == [ids[0]]
    rows, total = service.list_posts(project, PostFilter(status="published"), 1, 10)
    assert ([row.id for row in rows], total) == ([ids[0]], 1)


@pytest.mark.parametrize("topic", ["beehive", "zeppelin hangars"])
def test_an_edit_counts_words_as_the_engine_does(project_id: int, topic: str) -> None:
    post = saved(project_id, 1, written(project_id, topic=topic))
    counted = (post.word_count, post.reading_minutes)
    edited = service.edit_post(post, post.version, {"content": post.content + "\n"})
    assert (edited.word_count, edited.reading_minutes) == counted


def test_a_post_is_found_by_its_job_and_in_its_own_project_only(project_id: int) -> None:
    post = saved(project_id, 5)
    found = service.post_of_job(5)
    assert found is not None
    assert found.id == post.id
    assert service.post_of_job(6) is None
    other = Project(account_id=project_of(project_id).account_id, name="x", url="https://x.example/")
    db.session.add(other)
    db.session.commit()
    for project, post_id in ((other, post.id), (project_of(project_id), post.id + 1)):
        with pytest.raises(ServiceFailure, match="BLOG_POST_NOT_FOUND"):
            service.get_post(project, post_id)
