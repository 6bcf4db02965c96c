"""A project's publish targets, and the publications of its posts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import Select, func, select, update
from sqlalchemy.exc import IntegrityError

from app.content.model import BlogPost
from app.failures import ServiceFailure, failure, invalid_field
from app.infra.checks import required_text
from app.infra.clock import rfc3339, utc_now
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import db, release
from app.infra.http.client import Fetcher, fetcher_from
from app.infra.settings import current_settings
from app.projects.model import Project
from app.publishing.model import IN_PROGRESS_STATES, MAYBE_LIVE, Publication, PublishTarget
from app.publishing.targets.base import (
    CALL_SECONDS,
    UNKNOWN,
    Access,
    CheckStep,
    EnteredSecret,
    GeneratedSecret,
    PublishProblem,
    TargetKind,
)
from app.publishing.targets.registry import kind_of

_MOST_NAME: Final = 80
_MOST_REMOVED_NAME: Final = 45


def add_target(
    project: Project, kind_name: str, name: str, settings: Mapping[str, Any], secret: str | None = None
) -> tuple[PublishTarget, str | None]:
    """Add a target; return it with its generated secret, which is shown only now, or None without one.

    ``secret`` is the one that the owner enters, for a kind that takes one. Raises INVALID_REQUEST for a
    field, URL_NOT_ALLOWED for a URL that may not be called.
    """
    kind = kind_of(kind_name)
    target = PublishTarget(
        project_id=project.id,
        name=required_text("name", name, _MOST_NAME),
        kind=kind.name,
        settings=kind.checked_settings(settings),
    )
    entered = _entered(kind, secret)
    generated = kind.secret.generate() if isinstance(kind.secret, GeneratedSecret) else None
    target.secret = _encrypted(entered or generated)
    db.session.add(target)
    _commit_name()
    return target, generated


def edit_target(
    target: PublishTarget,
    *,
    name: str | None = None,
    settings: Mapping[str, Any] | None = None,
    secret: str | None = None,
    is_default: bool | None = None,
) -> PublishTarget:
    """Change what is given; settings that are left out stay. A changed connection has to be tested again.

    Raises INVALID_REQUEST for a field, URL_NOT_ALLOWED for a URL that may not be called.
    """
    kind = kind_of(target.kind)
    if name is not None:
        target.name = required_text("name", name, _MOST_NAME)
    if settings is not None:
        target.settings = kind.checked_settings({**target.settings, **settings})
    if secret is not None:
        target.secret = _encrypted(_entered(kind, secret))
    if settings is not None or secret is not None:
        target.last_check = None
    if is_default is not None:
        _mark_default(target, is_default)
    _commit_name()
    return target


def list_targets(project: Project) -> Sequence[PublishTarget]:
    """Return a project's targets, oldest first, without removed ones."""
    return db.session.scalars(_present(project.id)).all()


def names_of_targets(project: Project) -> dict[int, str]:
    """Return the names of a project's targets by id, with those of removed ones."""
    rows = db.session.execute(
        select(PublishTarget.id, PublishTarget.name).where(PublishTarget.project_id == project.id)
    )
    return {row.id: row.name for row in rows}


def get_target(project_id: int, ref: int | str | None) -> PublishTarget:
    """Return a project's target by its id or name; None means its only target or its own choice.

    Raises PUBLISH_TARGET_MISSING, also for another project's or a removed target, and PUBLISH_TARGET_REQUIRED
    if there are several and none is the project's own choice.
    """
    statement = _present(project_id)
    if ref is None:
        return _choice_of(db.session.scalars(statement).all())
    if isinstance(ref, int):
        statement = statement.where(PublishTarget.id == ref)
    else:
        statement = statement.where(PublishTarget.name == ref)
    target = db.session.scalar(statement.limit(1))
    if target is None:
        raise ServiceFailure("PUBLISH_TARGET_MISSING", details={"target": ref})
    return target


def remove_target(target: PublishTarget) -> None:
    """Remove a target and its secret. What was published there stays there, and in the history.

    Raises PUBLISH_TARGET_IN_USE while a post is being published there.
    """
    # A new publication locks the target's row for its foreign key, so none can be added until this ends.
    db.session.execute(select(PublishTarget.id).where(PublishTarget.id == target.id).with_for_update())
    in_progress = (Publication.target_id == target.id, Publication.state.in_(IN_PROGRESS_STATES))
    count = db.session.scalar(select(func.count()).where(*in_progress))
    if count:
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_IN_USE", details={"publications": count})
    target.removed_at, target.secret, target.is_default = utc_now(), None, False
    # Another target may take the name.
    target.name = f"{target.name[:_MOST_REMOVED_NAME]} (removed, {target.id})"
    db.session.commit()


def check_target(target: PublishTarget) -> dict[str, Any]:
    """Test a target step by step, store the result and return it: ``passed``, ``at`` and the ``steps``.

    No transaction is open during the calls. A step that was not reached is missing.
    """
    kind, target_id = kind_of(target.kind), target.id
    try:
        access = access_to(target, fetcher_from(current_settings(), total_seconds=CALL_SECONDS))
        release()
        steps = list(kind.check(access))
    except PublishProblem as problem:
        steps = [CheckStep("signed_in", problem.failure.message, problem.failure)]
    result = {
        "passed": all(step.failure is None for step in steps),
        "at": rfc3339(utc_now()),
        "steps": [
            {
                "name": step.name,
                "passed": step.failure is None,
                "message": step.message,
                "failure": step.failure.to_dict() if step.failure is not None else None,
            }
            for step in steps
        ],
    }
    db.session.execute(
        update(PublishTarget)
        .where(PublishTarget.id == target_id)
        .values(last_check=result, updated_at=PublishTarget.updated_at)
    )
    db.session.commit()
    return result


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
    if not isinstance(generated, GeneratedSecret):
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
    """Return what calls to a target need.

    Raises PublishProblem if the target was removed, or its secret cannot be decrypted.
    """
    if target.removed_at is not None:
        message = "The target was removed, so it cannot be asked any more."
        raise PublishProblem(failure("PUBLISH_TARGET_MISSING", message), UNKNOWN)
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


def _present(project_id: int) -> Select[PublishTarget]:
    return (
        select(PublishTarget)
        .where(PublishTarget.project_id == project_id, PublishTarget.removed_at.is_(None))
        .order_by(PublishTarget.id)
    )


def _choice_of(targets: Sequence[PublishTarget]) -> PublishTarget:
    if not targets:
        raise ServiceFailure("PUBLISH_TARGET_MISSING", details={"target": None})
    if len(targets) == 1:
        return targets[0]
    chosen = [target for target in targets if target.is_default]
    if not chosen:
        known = [{"id": target.id, "name": target.name, "kind": target.kind} for target in targets]
        raise ServiceFailure("PUBLISH_TARGET_REQUIRED", details={"targets": known})
    return chosen[0]


def _mark_default(target: PublishTarget, is_default: bool) -> None:
    others = (PublishTarget.project_id == target.project_id, PublishTarget.id != target.id)
    if is_default:
        db.session.execute(update(PublishTarget).where(*others).values(is_default=False))
    target.is_default = is_default


def _commit_name() -> None:
    try:
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        raise invalid_field("/name", "The project has a target of this name already.") from None


def _entered(kind: TargetKind, secret: str | None) -> str | None:
    """Return the secret that the owner entered, checked. Raises INVALID_REQUEST for ``/secret``."""
    if isinstance(kind.secret, EnteredSecret):
        return kind.secret.checked(secret)
    if secret is not None:
        raise invalid_field("/secret", "This kind of target takes no secret of yours.")
    return None


def _encrypted(secret: str | None) -> str | None:
    return None if secret is None else encrypt(secret, current_settings().encryption_key)
