"""A project's publish targets, and the publications of its posts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from app.content.model import BlogPost
from app.failures import ServiceFailure, failure, invalid_field
from app.infra.checks import required_text
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import db
from app.infra.http.client import Fetcher
from app.infra.settings import current_settings
from app.projects.model import Project
from app.publishing.model import MAYBE_LIVE, Publication, PublishTarget
from app.publishing.targets.base import UNKNOWN, Access, PublishProblem
from app.publishing.targets.registry import kind_of


def add_target(
    project: Project, kind_name: str, name: str, settings: Mapping[str, Any]
) -> tuple[PublishTarget, str | None]:
    """Add a target; return it with its secret, which is shown only now, or None if its kind has none.

    Raises INVALID_REQUEST for a field, URL_NOT_ALLOWED for a URL that may not be called.
    """
    kind = kind_of(kind_name)
    target = PublishTarget(
        project_id=project.id,
        name=required_text("name", name, 80),
        kind=kind.name,
        settings=kind.checked_settings(settings),
    )
    secret = kind.secret.generate() if kind.secret is not None else None
    if secret is not None:
        target.secret = _encrypted(secret)
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


def get_target(project_id: int, ref: int | str | None) -> PublishTarget:
    """Return a project's target by its id or name; None means its oldest target.

    Raises PUBLISH_TARGET_MISSING, also for another project's target.
    """
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
    """Delete a target and the records of its publications.

    Raises PUBLISH_TARGET_IN_USE while a post is, or may be, live there: its record blocks the rollback of the
    post until the post is confirmed as unpublished.
    """
    # A new publication locks the target's row for its foreign key, so none can be added until this ends.
    db.session.execute(select(PublishTarget.id).where(PublishTarget.id == target.id).with_for_update())
    maybe_live = (Publication.target_id == target.id, Publication.state.in_(MAYBE_LIVE))
    count = db.session.scalar(select(func.count()).where(*maybe_live))
    if count:
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_IN_USE", details={"publications": count})
    db.session.delete(target)
    db.session.commit()


def posts_at(target: PublishTarget, most: int) -> Sequence[BlogPost]:
    """Return at most ``most`` posts that are, or may be, live at a target, newest publication first."""
    return db.session.scalars(
        select(BlogPost)
        .join(Publication, Publication.blog_post_id == BlogPost.id)
        .where(Publication.target_id == target.id, Publication.state.in_(MAYBE_LIVE))
        .order_by(Publication.id.desc())
        .limit(most)
    ).all()


def rotate_secret(target: PublishTarget) -> str:
    """Give a target a new secret and return it, shown only now; the former one stays valid until the next.

    Raises INVALID_REQUEST for a kind without a generated secret.
    """
    generated = kind_of(target.kind).secret
    if generated is None:
        raise invalid_field("/kind", "This kind of target has no secret that can be renewed here.")
    secret = generated.generate()
    former: list[str] = []
    if target.secret:
        try:
            former = decrypt(target.secret, current_settings().encryption_key).split()[:1]
        except UnreadableSecret:
            former = []
    target.secret = _encrypted(" ".join([secret, *former]))
    db.session.commit()
    return secret


def access_to(target: PublishTarget, http: Fetcher) -> Access:
    """Return what calls to a target need. Raises PublishProblem if its secret cannot be decrypted."""
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


def _encrypted(secret: str) -> str:
    return encrypt(secret, current_settings().encryption_key)
