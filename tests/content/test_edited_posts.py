"""What an edit makes of a post besides its text."""

from __future__ import annotations

from typing import Any

import pytest
from flask import Flask

from app.content import service
from app.content.artefacts import SourceSnapshot
from app.content.extractive.engine import write_extractive
from app.content.model import BlogPost
from app.content.request import GenerationRequest
from app.content.retrieval.page_choice import Wish
from app.content.retrieval.snapshot import collect_snapshot
from app.content.saving import save_written
from app.infra.db import db
from tests.support.bees import store


@pytest.fixture
def post(db_app: Flask, bees: SourceSnapshot) -> BlogPost:
    project_id = store(bees)
    sources = collect_snapshot(project_id, Wish("beehive", "en"))
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
