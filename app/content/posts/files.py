"""The list of posts as a file that spreadsheet programs open."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from sqlalchemy import select

from app.content.model import BlogPost
from app.content.posts.service import PostFilter
from app.infra.clock import rfc3339
from app.infra.db import in_order, release
from app.projects.model import Project
from app.spreadsheets.tables import csv_line

_HEADER: Final = (
    *("Title", "Status", "Keyword", "Words", "Language", "End of address"),
    *("Created", "Changed", "Published", "Address"),
)
_COLUMNS: Final = (
    *(BlogPost.title, BlogPost.status, BlogPost.primary_keyword, BlogPost.word_count, BlogPost.language),
    *(BlogPost.slug, BlogPost.created_at, BlogPost.updated_at, BlogPost.published_at, BlogPost.published_url),
)


def export_lines(project: Project, where: PostFilter) -> Iterator[str]:
    """Yield the project's posts that the filter leaves as the lines of a CSV file, the newest last."""
    yield csv_line(_HEADER)
    chosen = select(*_COLUMNS).where(BlogPost.project_id == project.id, *where.conditions())
    for rows in in_order(chosen, BlogPost.id):
        lines = [
            csv_line((*cells, rfc3339(created), rfc3339(changed), rfc3339(published), address))
            for *cells, created, changed, published, address, _ in rows
        ]
        release()
        yield from lines
