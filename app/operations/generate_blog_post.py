"""GENERATE_BLOG_POST: a draft grounded in the project's own pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from marshmallow import Schema, fields, validate
from sqlalchemy import select

from app.content import pipeline
from app.content.saving import save_written
from app.failures import invalid_field
from app.infra.db import db
from app.keywords.model import Keyword
from app.operations.base import Operation, Outcome, Payload, Run
from app.operations.fields import Text, ids
from app.pages.model import Page
from app.projects.model import Project
from app.projects.service import ask_for_coverage


class GenerateBlogPostInput(Schema):
    """What a generation may be told; nothing at all works too."""

    topic = Text(3, 200, metadata={"description": "What the post is about."})
    title = Text(1, 150, metadata={"description": "The title, used as it is."})
    keywords = fields.List(
        Text(1, 80, allow_none=False), allow_none=True, validate=validate.Length(max=10),
        metadata={"description": "Search phrases; the first is the primary one."},
    )  # fmt: skip
    keyword_ids = ids(10, "Keywords of the project; the first is the primary one.")
    page_ids = ids(50, "Pages of the project that the post may use; all live pages when left out.")
    target_words = fields.Integer(
        strict=True, allow_none=True, validate=validate.Range(200, 3000),
        metadata={"description": "How long the post should be, in words; 900 when left out."},
    )  # fmt: skip


def admit(project: Project, payload: Payload) -> None:
    """Refuse keywords and pages that are not the project's, naming the field."""
    _own(project, payload, "keyword_ids", Keyword)
    _own(project, payload, "page_ids", Page)


def perform(run: Run) -> Outcome:
    """Write the post; it is saved in the transaction that ends the job."""
    written = pipeline.generate(
        run.project_id, run.payload, lambda stage, done, total: run.progress(stage, done, total),
        run.should_stop,
    )  # fmt: skip

    def save() -> Mapping[str, Any]:
        post = save_written(run.project_id, run.job_id, written)
        ask_for_coverage(run.project_id)
        return {"blog_post_id": post.id, "title": post.title, "slug": post.slug}

    result = {
        "draft_kind": written.draft_kind,
        "engine": written.engine,
        "word_count": written.post.word_count,
        "quality": {"score": written.quality.score, "decision": written.quality.decision},
        "warnings": list(written.warnings),
    }
    artefacts = {"brief": written.brief.to_dict(), "outline": written.outline.to_dict()}
    return Outcome(result, save, artefacts)


def _own(project: Project, payload: Payload, field: str, model: type[Keyword] | type[Page]) -> None:
    wanted = set(payload.get(field) or ())
    if not wanted:
        return
    found = set(
        db.session.scalars(select(model.id).where(model.project_id == project.id, model.id.in_(wanted)))
    )
    missing = sorted(wanted - found)
    if missing:
        told = ", ".join(str(number) for number in missing)
        raise invalid_field(f"/payload/{field}", f"The project has none with the id {told}.")


OPERATION = Operation(
    name="GENERATE_BLOG_POST",
    title="Generate blog post",
    summary="Writes a draft from the project's own pages.",
    schema=GenerateBlogPostInput,
    perform=perform,
    admit=admit,
    limited=True,
    supports_rollback=True,
)
