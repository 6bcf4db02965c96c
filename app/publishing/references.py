"""Where a publication is at its target: stored before the target is asked to change anything there."""

from __future__ import annotations

from sqlalchemy import exists, select

from app.infra.db import db
from app.publishing.lease import PublicationLease
from app.publishing.model import Publication
from app.publishing.targets.base import Reference, RemotePost


def save_external_id(lease: PublicationLease, remote: RemotePost, fingerprint: str | None) -> bool:
    """Record the id of a post that was just created or found at the target, and commit.

    ``fingerprint`` is that of its text as this service left it there, None for a new post. Returns False if
    the lease is lost.
    """
    slug = remote.slug or Publication.slug
    changed = lease.change(external_id=remote.external_id, slug=slug, fingerprint=fingerprint)
    db.session.commit()
    return changed


def save_reference(lease: PublicationLease, reference: Reference) -> bool:
    """Record that a publication is to be another post there, and commit; False if the lease is lost."""
    changed = lease.change(
        external_id=reference.external_id,
        existing_id=reference.existing_id,
        slug=reference.slug,
        fingerprint=None,
    )
    db.session.commit()
    return changed


def is_of_another_post(publication_id: str, post_id: int) -> bool:
    """Return whether a publication id belongs to another post of this service than ``post_id``."""
    others = (Publication.publication_id == publication_id, Publication.blog_post_id != post_id)
    return bool(db.session.scalar(select(exists().where(*others))))
