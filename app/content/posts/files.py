"""The list of posts as a file that spreadsheet programs open."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from sqlalchemy import select

from app.content.model import BlogPost
from app.content.posts.service import PostFilter
from app.infra.clock import rfc3339
from app.infra.db import in_order
from app.projects.model import Project
from app.spreadsheets.export import csv_lines

_HEADER: Final = (
    *("Title", "Status", "Keyword", "Words", "Language", "End of address"),
    *("Created", "Changed", "Published", "Address"),
)
_COLUMNS: Final = (
    *(BlogPost.title, BlogPost.status, BlogPost.primary_keyword, BlogPost.word_count, BlogPost.language),
    *(BlogPost.slug, BlogPost.created_at, BlogPost.updated_at, BlogPost.published_at, BlogPost.published_url),
)


def export_lines(project: Project, where: PostFilter) -> Iterator[str]:
    """Return the project's posts that the filter leaves as the lines of a CSV file, the newest last."""
    chosen = select(*_COLUMNS).where(BlogPost.project_id == project.id, *where.conditions())
    return csv_lines(_HEADER, in_order(chosen, BlogPost.id), _cells)


def _cells(row: Sequence[Any]) -> tuple[object, ...]:
    *cells, created, changed, published, address, _id = row
    return *cells, rfc3339(created), rfc3339(changed), rfc3339(published), address
