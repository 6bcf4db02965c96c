"""Publication leases: each change of a publication is one UPDATE that has effect only under a valid lease."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import ColumnElement, update

from app.content.model import BlogPost
from app.infra.db import changed_rows, database_now, db
from app.publishing.document import content_sha256
from app.publishing.model import IN_PROGRESS_STATES, OPEN_STATES, Publication


@dataclass(frozen=True)
class PublicationLease:
    """The right of one job, or one reconciliation, to change a publication.

    The lease is valid while the row meets ``guards``. Another job that takes the publication over changes
    the row so that it no longer does. ``update`` is the digest of a text that replaces the one at the target,
    None for the first text.
    """

    id: int
    post_id: int
    target_id: int
    publication_id: str
    state: str
    update: str | None
    guards: tuple[ColumnElement[bool], ...]

    def change(self, **values: Any) -> bool:
        """Update the publication; return False if the lease is lost. Commits nothing."""
        guards = (Publication.id == self.id, *self.guards)
        return update_row(Publication, guards, updated_at=database_now(), **values)

    def change_now(self, **values: Any) -> bool:
        """Do the same and commit: a call to the target follows."""
        changed = self.change(**values)
        db.session.commit()
        return changed


def lease_for_job(publication: Publication, job_id: int) -> PublicationLease:
    """Return a lease that is valid while the job works on the publication."""
    return _lease(publication, Publication.job_id == job_id, Publication.state.in_(OPEN_STATES))


def lease_unchanged(publication: Publication) -> PublicationLease:
    """Return a lease that is valid until the publication is changed."""
    return _lease(
        publication,
        Publication.job_id.is_not_distinct_from(publication.job_id),
        Publication.state == publication.state,
        Publication.updated_at == publication.updated_at,
    )


def update_row(
    model: type[BlogPost] | type[Publication], guards: tuple[ColumnElement[bool], ...], **values: Any
) -> bool:
    """Update one row; return whether a row met every guard. Commits nothing."""
    return bool(changed_rows(update(model).where(*guards).values(**values)))


def _lease(publication: Publication, *guards: ColumnElement[bool]) -> PublicationLease:
    return PublicationLease(
        publication.id,
        publication.blog_post_id,
        publication.target_id,
        publication.publication_id,
        publication.state,
        _update_of(publication),
        guards,
    )


def _update_of(publication: Publication) -> str | None:
    """Return the digest of the text being sent if the target has another text of this post already.

    A post cannot be changed while it is being published, so this is the digest of the post's present text.
    """
    if publication.published_at is None or publication.state not in IN_PROGRESS_STATES:
        return None
    if publication.desired_state == "unpublished":
        return None
    return content_sha256(db.session.get_one(BlogPost, publication.blog_post_id))
