"""A project's publish targets, and where its posts are published."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.content.model import BlogPost
from app.failures import ServiceFailure, failure, invalid_field
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import db
from app.infra.fields import required_text
from app.infra.http.client import Fetcher
from app.infra.settings import current_settings
from app.projects.model import Project
from app.publishing.base import UNKNOWN, Access, PublishProblem
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.registry import publisher_of


def add_target(
    project: Project, kind: str, name: str, settings: Mapping[str, Any]
) -> tuple[PublishTarget, str | None]:
    """Add a target; return it with its secret, which is never shown again.

    Raises INVALID_REQUEST for a field, URL_NOT_ALLOWED for an address that may not be called.
    """
    publisher = publisher_of(kind)
    label = required_text("name", name, 80)
    checked = publisher.checked_settings(settings)
    secret = publisher.new_secret()
    target = PublishTarget(
        project_id=project.id, name=label, kind=kind, settings=checked,
        secret=_sealed(secret) if secret is not None else None,
    )  # fmt: skip
    db.session.add(target)
    try:
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        raise invalid_field("/name", "The project has a target of this name already.") from None
    return target, secret


def list_targets(project: Project) -> Sequence[PublishTarget]:
    """Return a project's targets, oldest first."""
    return db.session.scalars(
        select(PublishTarget).where(PublishTarget.project_id == project.id).order_by(PublishTarget.id)
    ).all()


def get_target(project: Project, target_id: int) -> PublishTarget:
    """Return a project's target. Raises PUBLISH_TARGET_MISSING, for another project's target too."""
    return choose_target(project, target_id)


def choose_target(project: Project, ref: int | str | None) -> PublishTarget:
    """Return the target with an id or a name, or the project's first. Raises PUBLISH_TARGET_MISSING."""
    return target_of(project.id, ref)


def target_of(project_id: int, ref: int | str | None) -> PublishTarget:
    """As ``choose_target``, for a project known by its id."""
    statement = select(PublishTarget).where(PublishTarget.project_id == project_id)
    if isinstance(ref, int):
        statement = statement.where(PublishTarget.id == ref)
    elif isinstance(ref, str):
        statement = statement.where(PublishTarget.name == ref)
    target = db.session.scalar(statement.order_by(PublishTarget.id).limit(1))
    if target is None:
        raise ServiceFailure("PUBLISH_TARGET_MISSING", details={"target": ref})
    return target


def remove_target(target: PublishTarget) -> None:
    """Remove a target and its records.

    Raises PUBLISH_TARGET_IN_USE while a publication is, or may be, there: the record is what keeps such a
    post from being rolled back, and by which it can be confirmed as unpublished.
    """
    # Whoever adds a publication needs the target's row, so none can be added until this ends.
    db.session.execute(select(PublishTarget.id).where(PublishTarget.id == target.id).with_for_update())
    there = select(func.count()).where(Publication.target_id == target.id, Publication.state.in_(MAYBE_LIVE))
    count = db.session.scalar(there)
    if count:
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_IN_USE", details={"publications": count})
    db.session.delete(target)
    db.session.commit()


def posts_at(target: PublishTarget, most: int) -> Sequence[BlogPost]:
    """Return the posts that are, or may be, at a target, newest publication first."""
    return db.session.scalars(
        select(BlogPost)
        .join(Publication, Publication.blog_post_id == BlogPost.id)
        .where(Publication.target_id == target.id, Publication.state.in_(MAYBE_LIVE))
        .order_by(Publication.id.desc())
        .limit(most)
    ).all()


def rotate_secret(target: PublishTarget) -> str:
    """Give a target a new secret and return it, shown once; the one before signs along until the next.

    Raises INVALID_REQUEST for a kind whose secret comes from the vendor.
    """
    secret = publisher_of(target.kind).new_secret()
    if secret is None:
        raise invalid_field("/kind", "The secret of this kind of target is made at the target.")
    try:
        former = (
            decrypt(target.secret, current_settings().encryption_key).split()[:1] if target.secret else []
        )
    except UnreadableSecret:
        former = []
    target.secret = _sealed(" ".join([secret, *former]))
    db.session.commit()
    return secret


def access_to(target: PublishTarget, http: Fetcher) -> Access:
    """Return what the target's publisher needs. Raises PublishProblem when its secret cannot be read."""
    try:
        secret = decrypt(target.secret, current_settings().encryption_key) if target.secret else None
    except UnreadableSecret:
        message = "The target's stored secret can no longer be read."
        raise PublishProblem(failure("TARGET_AUTH", message), UNKNOWN) from None
    return Access(target.settings, secret, http)


def publications_of(post_ids: Iterable[int]) -> dict[int, list[Publication]]:
    """Return the publications of posts, newest first; a post without any has an empty list."""
    found: dict[int, list[Publication]] = {post_id: [] for post_id in post_ids}
    rows = db.session.scalars(
        select(Publication).where(Publication.blog_post_id.in_(list(found))).order_by(Publication.id.desc())
    )
    for row in rows:
        found[row.blog_post_id].append(row)
    return found


def _sealed(secret: str) -> str:
    return encrypt(secret, current_settings().encryption_key)
