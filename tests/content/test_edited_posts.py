"""What an edit makes of a post besides its text."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.content.artefacts import SourceSnapshot
from app.content.model import BlogPost
from app.content.posts import service
from app.content.posts.checking import quality_of
from app.content.posts.saving import save_written
from app.content.request import GenerationRequest
from app.content.retrieval.page_choice import SourceQuery, collect_snapshot
from app.content.writing.digest.engine import write_extractive
from app.infra.db import db
from tests.support.bees import store


@pytest.fixture
def post(db_app: Flask, bees: SourceSnapshot) -> BlogPost:
    project_id = store(bees)
    sources = collect_snapshot(project_id, SourceQuery("beehive", "en"))
    written = write_extractive(GenerationRequest(topic="beehive"), sources, lambda *_: None)
    made = save_written(project_id, 1, written)
    db.session.commit()
    return made


def all_of(post: BlogPost) -> dict[str, Any]:
    return {name: getattr(post, name) for name in service.EDITABLE}


def test_a_save_that_changes_no_text_leaves_a_post_the_engines(post: BlogPost) -> None:
    for version, slug in enumerate((post.slug, "another-slug"), start=1):
        saved = service.edit_post(post, version, {**all_of(post), "slug": slug})
        assert (saved.version, saved.slug, saved.edited_at) == (version + 1, slug, None)


@pytest.mark.parametrize("name", ["title", "meta_title", "description", "content"])
def test_a_save_that_changes_the_text_makes_a_post_a_persons(post: BlogPost, name: str) -> None:
    changed = service.edit_post(post, 1, {name: f"{getattr(post, name)} More."}).edited_at
    assert changed is not None
    assert service.edit_post(post, 2, {"slug": "another-slug"}).edited_at == changed


def data_of(post: BlogPost, kind: str) -> dict[str, Any] | None:
    return next((entry for entry in post.json_ld if entry["@type"] == kind), None)


def test_a_save_without_changes_keeps_questions_and_data_as_the_engine_made_them(post: BlogPost) -> None:
    made = (post.faq, post.json_ld)
    assert len(post.faq) > 1
    saved = service.edit_post(post, 1, all_of(post))
    assert (saved.faq, saved.json_ld) == made


def test_a_question_that_an_edit_takes_away_is_no_longer_shipped(post: BlogPost) -> None:
    first, *others = post.faq
    saved = service.edit_post(
        post, 1, {"content": post.content.replace(f"## {first['question']}", "## Other")}
    )
    assert saved.faq == others
    page = data_of(saved, "FAQPage")
    assert page is not None
    assert [each["name"] for each in page["mainEntity"]] == [each["question"] for each in others]


def test_a_question_whose_answer_was_rewritten_is_no_longer_shipped(post: BlogPost) -> None:
    first, *others = post.faq
    begins = first["answer"][:20]
    assert begins in post.content
    saved = service.edit_post(post, 1, {"content": post.content.replace(begins, "Nobody knows")})
    assert saved.faq == others


def test_a_text_without_questions_has_no_faq_page(post: BlogPost) -> None:
    saved = service.edit_post(post, 1, {"content": "Only a sentence is left."})
    assert (saved.faq, data_of(saved, "FAQPage")) == ([], None)


def test_an_edit_changes_the_structured_data(post: BlogPost) -> None:
    before = data_of(post, "BlogPosting")
    assert before is not None
    changes = {
        "title": "Bees < wasps",
        "description": "New.",
        "tags": ["wax"],
        "content": "Four words are here.",
    }
    saved = service.edit_post(post, 1, changes)
    assert data_of(saved, "BlogPosting") == before | {
        "headline": "Bees < wasps", "description": "New.", "keywords": ["wax"], "wordCount": 4,
    }  # fmt: skip


def test_a_post_that_was_asked_for_without_data_gets_none(post: BlogPost) -> None:
    post.json_ld = []
    db.session.commit()
    assert service.edit_post(post, 1, {"title": "New"}).json_ld == []


def test_a_figure_that_a_sentence_works_out_needs_no_source(post: BlogPost) -> None:
    def unsupported() -> tuple[str, ...]:
        return next(check for check in quality_of(post).checks if check.code == "UNSUPPORTED_CLAIM").where

    post.content = f"{post.content}\n\nAt 98765 a day that is a lot."
    db.session.commit()
    assert unsupported() == ("98765",)
    post.trace = [*post.trace, {**post.trace[-1], "worked_out": ["98765"]}]
    db.session.commit()
    assert unsupported() == ()
