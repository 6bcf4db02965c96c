"""Removes drafts, and brings them back as they were within a day."""

from collections.abc import Collection
from typing import Any, Final

from sqlalchemy import ColumnElement, Exists, and_, delete, select

from app.accounts import security_log
from app.content.model import (
    BlogPost,
    BlogPostCover,
    BlogPostPage,
    BlogPostProposal,
    BlogPostVersion,
    PostRemoval,
    RemovedPost,
)
from app.content.posts.slugs import free_slug
from app.infra.db import Base, db, insert_all_new
from app.infra.packed_rows import packed_rows, unpacked
from app.infra.pruning import delete_older
from app.infra.removals import KEPT, removal_to_undo
from app.projects.model import Project
from app.projects.service import schedule_coverage
from app.publishing.model import MAYBE_LIVE, Publication, ScheduledPublication

MOST: Final = 100

_PARTS: Final[tuple[Any, ...]] = (
    BlogPostPage,
    BlogPostCover,
    BlogPostProposal,
    BlogPostVersion,
    Publication,
    ScheduledPublication,
)


def _exists(model: type[Publication] | type[ScheduledPublication], where: ColumnElement[bool]) -> Exists:
    return select(model.id).where(model.blog_post_id == BlogPost.id, where).correlate(BlogPost).exists()


DELETABLE: Final[ColumnElement[bool]] = and_(
    BlogPost.status == "draft", ~_exists(Publication, Publication.state.in_(MAYBE_LIVE))
)
"""The posts that a rollback may delete: drafts that no target shows or may show."""

REMOVABLE: Final[ColumnElement[bool]] = and_(
    DELETABLE,
    ~_exists(Publication, Publication.external_id.is_not(None)),
    ~_exists(ScheduledPublication, ScheduledPublication.state == "waiting"),
)
"""The posts that a person may remove: of these, the ones that no target has and that wait for no time."""


def remove_drafts(project: Project, post_ids: Collection[int]) -> tuple[int, int]:
    """Remove those of up to MOST of the project's posts that are REMOVABLE; commits.

    Returns the id of the removal, which ``undo_removal`` takes within a day, and how many posts are removed;
    both are 0 if none is.
    """
    chosen = BlogPost.project_id == project.id, BlogPost.id.in_(sorted(post_ids)[:MOST]), REMOVABLE
    # The project is locked before its posts, as everywhere.
    schedule_coverage(project.id)
    found = db.session.scalars(select(BlogPost.id).where(*chosen).with_for_update()).all()
    if not found:
        db.session.rollback()
        return 0, 0
    security_log.record(project.account_id, "posts_removed", f"{len(found)} of {project.name}")
    removal = PostRemoval(project_id=project.id)
    db.session.add(removal)
    db.session.flush()
    for post_id in found:
        db.session.add(RemovedPost(removal_id=removal.id, blog_post_id=post_id, rows=_packed(post_id)))
        db.session.flush()
    # A publication that began since the rows were read keeps its post.
    gone = db.session.scalars(
        delete(BlogPost).where(*chosen).returning(BlogPost.id).execution_options(synchronize_session=False)
    ).all()
    db.session.execute(
        delete(RemovedPost).where(RemovedPost.removal_id == removal.id, RemovedPost.blog_post_id.not_in(gone))
    )
    db.session.commit()
    return removal.id, len(gone)


def undo_removal(project: Project, removal_id: int) -> int:
    """Bring removed drafts back with their ids, versions and covers; commits. Returns how many.

    A slug that another post has taken meanwhile gets a number. Raises NOT_FOUND when that is done already,
    or the removal is more than a day ago.
    """
    removal = removal_to_undo(PostRemoval, project.id, removal_id)
    schedule_coverage(project.id)
    # A rollback of its job forgets a removed draft: it waits, or has been before.
    of_removal = select(RemovedPost.id).where(RemovedPost.removal_id == removal_id).with_for_update()
    ids = db.session.scalars(of_removal).all()
    for removed_id in ids:
        _restore(project, db.session.get_one(RemovedPost, removed_id).rows)
    db.session.delete(removal)
    db.session.commit()
    return len(ids)


def prune_removals() -> int:
    """Delete the removals that cannot be undone any more; commits. Returns how many. Run it periodically."""
    return delete_older(PostRemoval.created_at, KEPT)


def _packed(post_id: int) -> dict[str, Any]:
    rows = {BlogPost.__tablename__: packed_rows(BlogPost, BlogPost.id == post_id)}
    return rows | {part.__tablename__: packed_rows(part, part.blog_post_id == post_id) for part in _PARTS}


def _restore(project: Project, rows: dict[str, Any]) -> None:
    (post,) = (unpacked(BlogPost, row) for row in rows[BlogPost.__tablename__])
    if not insert_all_new(BlogPost, [post | {"slug": free_slug(project.id, post["slug"])}]):
        raise RuntimeError("another post took the slug at the same moment")
    for part in _PARTS:
        model: type[Base] = part
        insert_all_new(model, [unpacked(model, row) for row in rows.get(part.__tablename__, ())])
