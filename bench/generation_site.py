"""A project whose pages of a documentation site have all been read, in a database of ours."""

from __future__ import annotations

from typing import Any

from sqlalchemy import insert

from app.infra.clock import utc_now
from app.infra.db import db
from app.infra.urls import url_key
from app.pages.extraction.extract import extract
from app.pages.model import Page, PageContent
from app.pages.vocabulary import vocabulary_of
from app.projects.model import Project
from bench.documentation_pages import SITE, documentation_page
from tests.support.sites import project_at

AT_ONCE = 500

Read = dict[str, Any]


def read_pages(count: int) -> list[Read]:
    """Extract every page of a site, as a reading does."""
    return [_read(number, count) for number in range(count)]


def project_with(pages: list[Read]) -> int:
    """Store pages as a project of Alice; returns its id."""
    project_id = project_at(SITE, email=f"{len(pages)}@example.com").id
    db.session.get_one(Project, project_id).name = "Example"
    now = utc_now()
    for at in range(0, len(pages), AT_ONCE):
        some = pages[at : at + AT_ONCE]
        fixed = {"project_id": project_id, "source": "SITEMAP", "in_sitemap": True, "fetched_at": now}
        ids = db.session.scalars(
            insert(Page).returning(Page.id, sort_by_parameter_order=True),
            [{**fixed, **p["page"]} for p in some],
        ).all()
        contents = [{"page_id": i, **p["content"]} for i, p in zip(ids, some, strict=True)]
        db.session.execute(insert(PageContent), contents)
        db.session.commit()
    return project_id


def _read(number: int, of: int) -> Read:
    made = documentation_page(number, of)
    content = extract(made.html, made.url, "text/html")
    blocks = [block.to_json() for block in content.blocks]
    found = vocabulary_of(content.title, content.description, blocks)
    return {
        "page": {
            "url": made.url, "url_key": url_key(made.url), "title": content.title,
            "description": content.description, "language": content.language,
            "word_count": content.word_count,
        },
        "content": {
            "blocks": blocks, "content_hash": content.content_hash, "words": found.words,
            "headings": found.headings,
        },
    }  # fmt: skip
