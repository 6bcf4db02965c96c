"""Removes keywords, and brings them back as they were."""

from collections.abc import Collection
from typing import Final

from sqlalchemy import delete

from app.accounts import security_log
from app.infra.db import changed_rows, db, insert_all_new
from app.infra.packed_rows import packed_rows, unpacked
from app.infra.pruning import delete_older
from app.infra.removals import KEPT, removal_to_undo
from app.keywords.model import Keyword, KeywordRemoval
from app.projects.model import Project
from app.projects.service import schedule_coverage

MOST: Final = 1000


def remove_keywords(project: Project, keyword_ids: Collection[int]) -> KeywordRemoval | None:
    """Remove up to MOST of the project's keywords; commits.

    Returns the removal, which ``undo_removal`` takes within a day; None if none of them is there.
    """
    chosen = Keyword.project_id == project.id, Keyword.id.in_(sorted(keyword_ids)[:MOST])
    rows = packed_rows(Keyword, *chosen)
    if not rows:
        return None
    removal = KeywordRemoval(project_id=project.id, keywords=rows)
    db.session.add(removal)
    changed_rows(delete(Keyword).where(*chosen))
    security_log.record(project.account_id, "keywords_removed", f"{len(rows)} of {project.name}")
    db.session.commit()
    return removal


def undo_removal(project: Project, removal_id: int) -> int:
    """Bring removed keywords back with their ids; commits. Returns how many there were.

    A keyword that was added again meanwhile stays as it is. Raises NOT_FOUND when that is done already, or
    the removal is more than a day ago.
    """
    removal = removal_to_undo(KeywordRemoval, project.id, removal_id)
    restored = insert_all_new(Keyword, [unpacked(Keyword, row) for row in removal.keywords])
    schedule_coverage(project.id)
    db.session.delete(removal)
    db.session.commit()
    return restored


def prune_removals() -> int:
    """Delete the removals that cannot be undone any more; commits. Returns how many. Run it periodically."""
    return delete_older(KeywordRemoval.created_at, KEPT)
