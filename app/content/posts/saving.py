"""What an engine wrote, as a row: a draft under a slug of its own, with the state of its sources."""

from typing import Any

from sqlalchemy import select

from app.content.drafts import Usage, WrittenPost
from app.content.model import BlogPost
from app.content.posts.page_links import note_pages
from app.content.posts.slugs import free_slug
from app.content.posts.source_pages import source_hashes
from app.content.posts.versions import keep_version
from app.infra.clock import utc_now
from app.infra.db import db
from app.projects.model import Project


def save_written(project_id: int, job_id: int, written: WrittenPost) -> BlogPost:
    """Write the draft that an engine made, under a slug that is free now; the caller commits."""
    now = utc_now()
    # One post at a time in a project, or two would find the same slug free. Rows that name it may be written.
    db.session.execute(select(Project.id).where(Project.id == project_id).with_for_update(key_share=True))
    post = BlogPost(
        project_id=project_id,
        job_id=job_id,
        status="draft",
        slug=free_slug(project_id, written.post.slug),
        created_at=now,
        updated_at=now,
        **written_members(written),
    )
    if post.slug != written.post.slug == written.request.get("slug"):
        post.warnings = [*post.warnings, f"The slug {written.post.slug} was taken in the meantime."]
    db.session.add(post)
    db.session.flush()
    note_pages(post)
    keep_version(post, "generated")
    return post


def written_members(written: WrittenPost) -> dict[str, Any]:
    """Return the columns of WrittenText for what an engine made, its sources as they are now."""
    made = written.post
    sources = [source.to_dict() for source in made.sources]
    return {
        "title": made.title,
        "meta_title": made.meta_title,
        "description": made.description,
        "primary_keyword": written.brief.primary_keyword or None,
        "tags": list(made.tags),
        "keywords": _keywords(written),
        "language": written.brief.language,
        "content": made.markdown,
        "word_count": made.word_count,
        "reading_minutes": made.reading_minutes,
        "draft_kind": written.draft_kind,
        "engine": written.engine,
        "sources": sources,
        "source_hashes": source_hashes([source["page_id"] for source in sources]),
        "trace": [entry.to_dict() for entry in made.trace],
        "quality": written.quality.to_dict(),
        "generator": _generator(written.usage),
        "faq": [entry.to_dict() for entry in made.faq],
        "json_ld": [dict(entry) for entry in made.json_ld],
        "outline": [section.to_dict() for section in written.outline.sections],
        "editor_notes": list(written.editor_notes),
        "warnings": list(written.warnings),
        "request": dict(written.request),
        "edited_at": None,
    }


def _generator(usage: Usage) -> dict[str, Any]:
    """Return who wrote a post and what that took, as the post shows it."""
    return {name: value for name, value in usage.to_dict().items() if name != "calls"}


def _keywords(written: WrittenPost) -> list[str]:
    keywords = [written.brief.primary_keyword, *written.brief.secondary]
    return list(dict.fromkeys(keyword for keyword in keywords if keyword))
