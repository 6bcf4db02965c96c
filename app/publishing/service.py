"""A project's publish targets."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any, Final

from sqlalchemy import Exists, Select, func, select, update
from sqlalchemy.exc import IntegrityError

from app.accounts import security_log
from app.failures import ServiceFailure, existing, failure, invalid_field
from app.infra.checks import required_line
from app.infra.clock import utc_now
from app.infra.crypto import UnreadableSecret, decrypt, encrypt
from app.infra.db import db, page_of
from app.infra.http.client import Fetcher
from app.projects.model import Project
from app.publishing.model import IN_PROGRESS_STATES, Publication, PublishTarget
from app.publishing.targets.base import (
    UNKNOWN,
    Access,
    EnteredSecret,
    GeneratedSecret,
    PublishProblem,
    TargetKind,
)
from app.publishing.targets.registry import kind_of

MOST_NAME: Final = 80
_MOST_REMOVED_NAME: Final = 45


def add_target(
    project: Project,
    kind_name: str,
    name: str,
    settings: Mapping[str, Any],
    secret: str | None = None,
    *,
    is_default: bool = False,
) -> tuple[PublishTarget, str | None]:
    """Add a target; return it with its generated secret, which is shown only now, or None without one.

    ``secret`` is the one that the owner enters, for a kind that takes one. ``is_default`` marks the target
    as the project's default. Raises INVALID_REQUEST for a field, URL_NOT_ALLOWED for a URL that may not
    be called.
    """
    kind = kind_of(kind_name)
    entered = _entered(kind, secret)
    generated = kind.secret.generate() if isinstance(kind.secret, GeneratedSecret) else None
    target = PublishTarget(
        project_id=project.id,
        name=required_line("name", name, MOST_NAME),
        kind=kind.name,
        settings=kind.checked_settings(settings),
        secret=_encrypted(entered or generated),
        is_default=is_default,
    )
    with _committed():
        if is_default:
            _unmark_default(project.id)
        db.session.add(target)
        _record(target, "target_added")
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

    An empty ``secret`` removes one that the kind does not require. Raises INVALID_REQUEST for a field,
    URL_NOT_ALLOWED for a URL that may not be called, and PUBLISH_TARGET_IN_USE for settings or a secret while
    a post is being published there.
    """
    kind = kind_of(target.kind)
    changes: dict[str, Any] = {}
    if name is not None:
        changes["name"] = required_line("name", name, MOST_NAME)
    if settings is not None:
        changes["settings"] = kind.checked_settings({**target.settings, **settings})
        if secret is None and target.secret:
            kind.refuse_another_host(target.settings, changes["settings"])
    if secret is not None:
        changes["secret"] = _encrypted(_entered(kind, secret))
    if "secret" in changes or changes.get("settings", target.settings) != target.settings:
        _refuse_in_use(target)
        changes["last_check"] = None
    if is_default is not None:
        changes["is_default"] = is_default
    with _committed():
        if is_default:
            _unmark_default(target.project_id)
        for member, value in changes.items():
            setattr(target, member, value)
        _record(target, "target_changed")
    return target


def list_targets(project: Project) -> Sequence[PublishTarget]:
    """Return a project's targets, oldest first, without removed ones."""
    return db.session.scalars(_present(project.id)).all()


def has_target(project: Project) -> Exists:
    """Select whether a project has a target that is not removed."""
    return _present(project.id).exists()


def page_of_targets(project: Project, page: int, page_size: int) -> tuple[Sequence[PublishTarget], int]:
    """Return one page of a project's targets, newest first, without removed ones, and their number."""
    newest = _present(project.id).order_by(None).order_by(PublishTarget.id.desc())
    return page_of(newest, page, page_size)


def find_target(project: Project, target_id: int) -> PublishTarget:
    """Return a project's target that is not removed. Raises PUBLISH_TARGET_NOT_FOUND."""
    target = db.session.scalar(_present(project.id).where(PublishTarget.id == target_id))
    return existing(target, "PUBLISH_TARGET_NOT_FOUND")


def names_of_targets(project: Project) -> dict[int, str]:
    """Return the names of a project's targets by id, with those of removed ones."""
    names = select(PublishTarget.id, PublishTarget.name).where(PublishTarget.project_id == project.id)
    return {row.id: row.name for row in db.session.execute(names)}


def get_target(project_id: int, ref: int | str | None) -> PublishTarget:
    """Return a project's target by its id or name; None means its only target or its default.

    Raises PUBLISH_TARGET_MISSING, also for another project's or a removed target, and PUBLISH_TARGET_REQUIRED
    if there are several and none is the project's default.
    """
    statement = _present(project_id)
    if ref is None:
        return _choice_of(db.session.scalars(statement).all())
    if isinstance(ref, int):
        statement = statement.where(PublishTarget.id == ref)
    else:
        statement = statement.where(PublishTarget.name == ref)
    return existing(db.session.scalar(statement.limit(1)), "PUBLISH_TARGET_MISSING", target=ref)


def remove_target(target: PublishTarget) -> None:
    """Remove a target and its secret. What was published there stays there, and in the history.

    Raises PUBLISH_TARGET_IN_USE while a post is being published there.
    """
    _refuse_in_use(target)
    _record(target, "target_removed")
    target.removed_at, target.secret, target.is_default = utc_now(), None, False
    # Another target may take the name.
    target.name = f"{target.name[:_MOST_REMOVED_NAME]} (removed, {target.id})"
    db.session.commit()


def refuse_removed(target_id: int) -> None:
    """Raise PUBLISH_TARGET_MISSING for a removed target; a removal waits for this transaction."""
    target = select(PublishTarget.removed_at).where(PublishTarget.id == target_id)
    if db.session.scalar(target.with_for_update(read=True)) is not None:
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_MISSING")


def rotate_secret(target: PublishTarget) -> str:
    """Give a target a new secret and return it, shown only now; the former one stays valid until the next.

    Raises INVALID_REQUEST for a kind without a generated secret.
    """
    generated = kind_of(target.kind).secret
    if not isinstance(generated, GeneratedSecret):
        raise invalid_field("/kind", "This kind of target has no secret that can be renewed here.")
    secret, former = generated.generate(), []
    if target.secret:
        with suppress(UnreadableSecret):
            former = decrypt(target.secret).split()[:1]
    target.secret = _encrypted(" ".join([secret, *former]))
    _record(target, "target_secret_renewed")
    db.session.commit()
    return secret


def access_to(target: PublishTarget, http: Fetcher) -> Access:
    """Return what calls to a target need. Raises PublishProblem if it is removed, or its secret lost."""
    if target.removed_at is not None:
        message = "The target was removed, so it cannot be asked any more."
        raise PublishProblem(failure("PUBLISH_TARGET_MISSING", message), UNKNOWN)
    try:
        secret = decrypt(target.secret) if target.secret else None
    except UnreadableSecret:
        message = "The target's stored secret can no longer be read."
        raise PublishProblem(failure("TARGET_AUTH", message), UNKNOWN) from None
    return Access(target.settings, secret, http)


def _present(project_id: int) -> Select[PublishTarget]:
    return (
        select(PublishTarget)
        .where(PublishTarget.project_id == project_id, PublishTarget.removed_at.is_(None))
        .order_by(PublishTarget.id)
    )


def _refuse_in_use(target: PublishTarget) -> None:
    """Raise PUBLISH_TARGET_IN_USE while a post is being published at a target; keep it locked otherwise."""
    # A new publication locks the target's row for its foreign key, so none can be added until this ends.
    db.session.execute(select(PublishTarget.id).where(PublishTarget.id == target.id).with_for_update())
    in_progress = (Publication.target_id == target.id, Publication.state.in_(IN_PROGRESS_STATES))
    if count := db.session.scalar(select(func.count()).where(*in_progress)):
        db.session.rollback()
        raise ServiceFailure("PUBLISH_TARGET_IN_USE", details={"publications": count})


def _choice_of(targets: Sequence[PublishTarget]) -> PublishTarget:
    if not targets:
        raise ServiceFailure("PUBLISH_TARGET_MISSING", details={"target": None})
    if len(targets) == 1:
        return targets[0]
    if chosen := [target for target in targets if target.is_default]:
        return chosen[0]
    known = [{"id": target.id, "name": target.name, "kind": target.kind} for target in targets]
    raise ServiceFailure("PUBLISH_TARGET_REQUIRED", details={"targets": known})


def _unmark_default(project_id: int) -> None:
    """Unmark the project's default; the lock lets concurrent requests take turns."""
    targets = select(PublishTarget.id).where(PublishTarget.project_id == project_id)
    db.session.execute(targets.order_by(PublishTarget.id).with_for_update())
    marked = (PublishTarget.project_id == project_id, PublishTarget.is_default)
    db.session.execute(update(PublishTarget).where(*marked).values(is_default=False))


@contextmanager
def _committed() -> Iterator[None]:
    try:
        yield
        db.session.commit()
    except IntegrityError:
        db.session.rollback()
        raise invalid_field("/name", "The project has a target of this name already.") from None


def _record(target: PublishTarget, kind: security_log.Kind) -> None:
    owner = select(Project.account_id).where(Project.id == target.project_id)
    security_log.record(db.session.scalars(owner).one(), kind, target.name)


def _entered(kind: TargetKind, secret: str | None) -> str | None:
    if isinstance(kind.secret, EnteredSecret):
        return kind.secret.checked(secret)
    if secret is not None:
        raise invalid_field("/secret", "This kind of target takes no secret of yours.")
    return None


def _encrypted(secret: str | None) -> str | None:
    return None if secret is None else encrypt(secret)
