"""What a refresh of single sentences makes of a post: the columns that change, judged anew."""

from __future__ import annotations

from typing import Any

from app.content.language.text import reading_minutes
from app.content.model import BlogPost
from app.content.posts.saving import source_hashes
from app.content.posts.service import quality_of
from app.content.writing.article.refreshing import RefreshedText

_JUDGED = (
    "id", "project_id", "status", "slug", "version", "title", "meta_title", "primary_keyword", "tags",
    "keywords", "language", "draft_kind", "engine", "sources", "request", "faq", "json_ld", "edited_at",
)  # fmt: skip


def refreshed_members(post: BlogPost, refreshed: RefreshedText) -> dict[str, Any]:
    """Return the columns of WrittenText that a refresh changes, with the report of the quality checks."""
    hashes = source_hashes([source["page_id"] for source in post.sources])
    changed: dict[str, Any] = {
        "content": refreshed.markdown,
        "description": refreshed.description,
        "trace": [entry.to_dict() for entry in refreshed.trace],
        "source_hashes": hashes,
        "editor_notes": [*refreshed.changes, *post.editor_notes],
    }
    # Never added to the session: only what the checks look at.
    judged = BlogPost(**{name: getattr(post, name) for name in _JUDGED}, **changed)
    report = quality_of(judged)
    words = int(report.metrics["words"])
    return {
        **changed,
        "quality": report.to_dict(),
        "word_count": words,
        "reading_minutes": reading_minutes(words),
    }
