"""A post that its target had before, and that becomes a post of this service because a person decided so.

    TARGET_SLUG_TAKEN shows the post that has the address | the person names it, with the fingerprint of what
    was shown | it is read again: changed since, nothing is replaced | its id is stored | it is written

It is ours as soon as it carries the publication's marker. Until then it counts as not found. It is never
deleted, because it was there before.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

from app.failures import failure
from app.publishing.targets.base import (
    NOT_DELIVERED,
    Access,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
    TargetKind,
)
from app.publishing.targets.problems import changed_there, slug_taken_by

IsForeign = Callable[[str], bool]
"""Returns whether a publication id belongs to another post of this service."""


@dataclass(frozen=True)
class ExistingPost:
    """A post at a target as a person saw it: its id there, and the fingerprint of its text."""

    id: str
    fingerprint: str


def find_ours(kind: TargetKind, reference: Reference, access: Access) -> RemotePost | None:
    """Find a reference's post; an existing one only by the publication's marker. Raises PublishProblem."""
    if reference.external_id is not None or reference.existing_id is None:
        return kind.find(reference, access)
    found = kind.find(replace(reference, external_id=reference.existing_id), access)
    is_ours = found is not None and found.publication_id == reference.publication_id
    return found if is_ours else None


def with_existing_post(
    problem: PublishProblem, kind: TargetKind, document: Document, access: Access, is_foreign: IsForeign
) -> PublishProblem:
    """Add to TARGET_SLUG_TAKEN the post that has the slug, if the target shows one that may be updated."""
    if problem.failure.code != "TARGET_SLUG_TAKEN" or kind.post_with_slug is None:
        return problem
    with suppress(PublishProblem):  # the choices without it are enough
        there = kind.post_with_slug(document.post["slug"], access)
        if there is not None and _may_be_updated(there, document, is_foreign):
            return slug_taken_by(there, document, problem.failure.details or {})
    return problem


def existing_post(
    wanted: ExistingPost, kind: TargetKind, document: Document, access: Access, is_foreign: IsForeign
) -> RemotePost:
    """Return the post that a person decided to update, as the target has it now.

    Raises PublishProblem: TARGET_POST_EDITED if its text is not the one that the person saw, PUBLISH_REJECTED
    if it may not be updated.
    """
    there = None if kind.post_with_slug is None else kind.post_with_slug(document.post["slug"], access)
    if there is None or there.external_id != wanted.id or not _may_be_updated(there, document, is_foreign):
        raise refused("The post there that was to be updated no longer has this address, or is another one.")
    if there.fingerprint != wanted.fingerprint:
        raise changed_there(there, document)
    if document.visibility == "draft" and there.status != "draft":
        raise refused("Readers can see the post there, so it cannot be updated with a hidden draft.")
    return there


def refused(message: str) -> PublishProblem:
    """Return the problem of an existing post that cannot be updated."""
    hints = ["Publish again without existing_post to see what the target has now."]
    return PublishProblem(failure("PUBLISH_REJECTED", message, hints=hints), NOT_DELIVERED)


def _may_be_updated(there: RemotePost, document: Document, is_foreign: IsForeign) -> bool:
    if there.publication_id is None:
        return True
    return there.publication_id != document.publication_id and not is_foreign(there.publication_id)
