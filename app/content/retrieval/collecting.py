"""Collects what a post may be made from: the pages that say most on its subject."""

from __future__ import annotations

from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.snapshot import existing_posts, snapshot_of_pages
from app.content.retrieval.page_choice import Wish, choose_pages

READ_FIRST: Final = 20
"""With fewer pages read than this, due ones are read before a post is written: a new project has sources."""


def collect_snapshot(project_id: int, wish: Wish) -> SourceSnapshot:
    """Return the snapshot for a post, with at most 50 pages; commits."""
    posts = existing_posts(project_id)
    chosen = choose_pages(project_id, wish, tuple(post for post, _slug in posts))
    return snapshot_of_pages(project_id, wish.language, chosen, posts)
