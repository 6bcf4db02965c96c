"""Bring a post to its target once: after an unclear result the target is asked before anything is written.

find | the post is there as wanted: done
     | not there: create, hidden if the kind has drafts, and save its id; or write over an existing post
     | there with another text or visibility: write
each write | accepted: done
           | certainly not delivered: the problem is raised
           | unknown: find again, up to three times, and go on from what is there
                    | the target does not know: stays unknown, nothing is written again
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final

from app.failures import failure
from app.publishing.existing import (
    ExistingPost,
    IsForeign,
    existing_post,
    find_ours,
    refused,
    with_existing_post,
)
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
    TargetKind,
)
from app.publishing.targets.problems import certain, edited_there, slug_taken

LOOKUP_DELAYS: Final = (1.0, 3.0, 9.0)
"""Seconds to wait before each lookup: a target that lost an answer may need them to show the post."""

_MOST_ATTEMPTS: Final = 2


def look_until(
    is_enough: Callable[[RemotePost | None], bool],
    look: Callable[[], RemotePost | None],
    pause: Callable[[float], None],
    delays: Sequence[float],
) -> RemotePost | None:
    """Look after each delay until ``is_enough`` accepts what was found; return what was found last.

    Raises PublishProblem, with certainty unknown, if the target did not answer clearly at the last lookup.
    """
    problem: PublishProblem | None = None
    found: RemotePost | None = None
    for seconds in delays:
        pause(seconds)
        try:
            found, problem = look(), None
        except PublishProblem as error:
            problem = PublishProblem(error.failure, UNKNOWN)
            continue
        if is_enough(found):
            return found
    if problem is not None:
        raise problem
    return found


def require_digest(found: RemotePost | None, update: str | None) -> RemotePost | None:
    """Return the post that was found. Raises PublishProblem if it does not say whether it has an update."""
    if found is not None and update is not None and found.digest is None:
        message = "The target has the post but does not say which text."
        raise PublishProblem(failure("PUBLISH_REJECTED", message), UNKNOWN)
    return found


@dataclass
class Delivery:
    """The calls about one publication. ``pause`` waits, and raises when the job has to end.

    ``update`` is the digest of a text that replaces one that is live at the target, None otherwise.
    ``fingerprint`` is that of the text as this service left it there, None if it is not known. ``created``
    gets each post that was just created, or found under another id, and ``fingerprint``, to save both before
    the next call. With ``overwrite`` a text that was edited at the target is replaced. ``existing`` is the
    post there that is to become this one. ``refer`` stores a reference before it refers to another post at
    the target.
    """

    kind: TargetKind
    access: Access
    reference: Reference
    pause: Callable[[float], None]
    lookup_delays: Sequence[float] = LOOKUP_DELAYS
    update: str | None = None
    fingerprint: str | None = None
    overwrite: bool = False
    created: Callable[[RemotePost, str | None], None] = lambda *_: None
    existing: ExistingPost | None = None
    refer: Callable[[Reference], None] = lambda _: None
    is_foreign: IsForeign = lambda _: False

    def find(self) -> RemotePost | None:
        """Look up until found; return None if the target certainly does not have the post at the last lookup.

        Raises PublishProblem, with certainty unknown, if the last lookup gave no clear answer.
        """
        return look_until(self._has_arrived, self.find_now, self.pause, self.lookup_delays)

    def find_now(self) -> RemotePost | None:
        found = find_ours(self.kind, self.reference, self.access)
        if found is not None and self.reference.external_id is None and self.reference.existing_id:
            self.reference = replace(self.reference, external_id=found.external_id)
        return require_digest(found, self.update)

    def send(self, prepare: Callable[[], Document], found: RemotePost | None = None) -> RemotePost:
        """Bring the target from what was ``found`` there to the document; return the post as it is then.

        ``prepare`` returns the document, and is called before each attempt, of which there are two at most.
        Raises PublishProblem.
        """
        for _ in range(_MOST_ATTEMPTS):
            document = prepare()
            try:
                return self._write(document, found)
            except PublishProblem as problem:
                if problem.certainty == NOT_DELIVERED:
                    problem = with_existing_post(problem, self.kind, document, self.access, self.is_foreign)
                    raise self._as_far_as_known(problem, found) from problem
                failed = problem.failure
            try:
                found = self.find()
            except PublishProblem:
                # Why sending failed says more than why the lookup failed.
                raise PublishProblem(failed, UNKNOWN) from None
            if found is not None and self.is_as_wanted(found, document):
                return found
        raise PublishProblem(failed, NOT_DELIVERED if found is None else UNKNOWN)

    def _has_arrived(self, found: RemotePost | None) -> bool:
        return found is not None and (self.update is None or found.digest == self.update)

    def is_as_wanted(self, remote: RemotePost, document: Document) -> bool:
        is_visible = remote.status in ("live", "scheduled")
        if is_visible != (document.visibility == "live"):
            return False
        return remote.digest == document.digest or (remote.digest is None and self.update is None)

    def _as_far_as_known(self, problem: PublishProblem, found: RemotePost | None) -> PublishProblem:
        """Return a problem before which the post was ``found``: one that is live there is not absent."""
        if self.update is None and found is not None and found.status != "draft":
            return PublishProblem(problem.failure, UNKNOWN)
        return problem

    def _write(self, document: Document, found: RemotePost | None) -> RemotePost:
        if self.existing is not None and (found is None or self.reference.existing_id != self.existing.id):
            return self._take_over(self.existing, document, found)
        remote = found if found is not None else self._create(document)
        self._save_id(remote)
        if found is None or (self.fingerprint is None and not document.is_update):
            self._refuse_taken_slug(remote)
        if self.is_as_wanted(remote, document):
            return remote
        if found is not None:
            self._refuse_if_edited(found, document)
        written = self.kind.write(document, remote, self.access)
        return self._confirmed(document) if self.kind.has_drafts else written

    def _confirmed(self, document: Document) -> RemotePost:
        """Return the post as the target has it now; only the target knows what came of the change."""
        with certain(UNKNOWN):  # only the lookup may be refused: the change before it was accepted
            remote = self.find_now()
        if remote is None or not self.is_as_wanted(remote, document):
            message = f"The target accepted the post, but does not have it as {document.visibility}."
            raise PublishProblem(failure("PUBLISH_REJECTED", message), UNKNOWN)
        return remote

    def _create(self, document: Document) -> RemotePost:
        former = self.reference
        self.reference = replace(former, slug=document.post["slug"], existing_id=None)
        self.fingerprint = None  # what was there before is gone
        if former.existing_id is not None:
            self.reference = replace(self.reference, external_id=None)
            self.refer(self.reference)
        return self.kind.create(document, self.access)

    def _take_over(self, wanted: ExistingPost, document: Document, found: RemotePost | None) -> RemotePost:
        """Make an existing post the publication's. A hidden draft of ours that was ``found`` is deleted."""
        if found is not None and (found.status != "draft" or self.reference.existing_id is not None):
            raise refused("The post is at the target already, under another address.")
        there = existing_post(wanted, self.kind, document, self.access, self.is_foreign)
        if found is not None and self.kind.delete is not None:
            self.kind.delete(found, self.access)
        slug = document.post["slug"]
        self.reference = replace(self.reference, slug=slug, external_id=None, existing_id=wanted.id)
        self.fingerprint = None
        self.refer(self.reference)
        self.kind.write(document, there, self.access)
        return self._confirmed(document)

    def _save_id(self, remote: RemotePost) -> None:
        if remote.external_id != self.reference.external_id:
            self.reference = replace(self.reference, external_id=remote.external_id)
            self.created(remote, self.fingerprint)

    def _refuse_taken_slug(self, remote: RemotePost) -> None:
        """Remove a draft that the target gave another slug than it was sent with: another post has that."""
        is_ours_alone = self.reference.existing_id is None
        if remote.slug in (None, self.reference.slug) or self.kind.delete is None or not is_ours_alone:
            return
        with suppress(PublishProblem):
            self.kind.delete(remote, self.access)
        slug, url_of_slug = self.reference.slug, self.kind.url_of_slug
        details = {"slug": slug, "offered_slug": remote.slug}
        if url_of_slug is not None:
            details["url_there"] = url_of_slug(slug, remote, self.access)
        raise slug_taken(details)

    def _refuse_if_edited(self, remote: RemotePost, document: Document) -> None:
        known = self.fingerprint
        if self.overwrite or None in (known, remote.fingerprint) or known == remote.fingerprint:
            return
        raise edited_there(remote, document)
