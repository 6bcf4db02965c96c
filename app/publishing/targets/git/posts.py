"""Posts as files of a branch: find, create, write, hide and remove, one commit for each change.

A file is found by its path and recognised by the publication id in its front matter. Each change is worked
out for the branch as it is then, and once more if somebody else commits in between.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.content.rendering.html import render_html
from app.failures import failure
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Document,
    PublishProblem,
    Reference,
    RemotePost,
)
from app.publishing.targets.git import front_matter
from app.publishing.targets.git.branch import BranchMoved, Changes
from app.publishing.targets.git.contents_api import ForgeBranch
from app.publishing.targets.git.flavours import is_text, slug_of
from app.publishing.targets.git.front_matter import MarkdownFile
from app.publishing.targets.git.post_file import (
    StoredPost,
    date_of,
    files_of,
    hidden_file,
    image_paths_of,
    message_of,
)
from app.publishing.targets.git.site import Site
from app.publishing.targets.problems import edited_there, slug_taken

_PAUSE: Final = 0.05

if TYPE_CHECKING:  # loads dulwich
    from app.publishing.targets.git.local import LocalBranch

    Branch = LocalBranch | ForgeBranch

Commit = tuple[Changes, str]


@dataclass(frozen=True)
class Posts:
    """The posts of a site. ``open_branch`` returns the branch as it is at that moment.

    ``most_tries`` is how often a change is tried while others change the branch. Of files that are neither at
    the known path of a post nor have its slug, at most ``most_reads`` are read; with None, all.
    """

    site: Site
    open_branch: Callable[[], Branch]
    most_tries: int = 10
    most_reads: int | None = None

    def find(self, reference: Reference) -> RemotePost | None:
        """Return a publication's post, None if no file of the folder is it."""
        stored = self._find(self.open_branch(), reference)
        return self._remote(stored) if stored is not None else None

    def create(self, document: Document) -> RemotePost:
        """Commit a new post; one that is there already stays as it is. Raises PublishProblem."""
        reference = Reference(document.publication_id, document.post["slug"])

        def commit(branch: Branch) -> Commit | None:
            stored = self._find(branch, reference)
            return None if stored is not None else self._written(branch, document, None)

        return self._after(commit, reference)

    def write(self, document: Document, remote: RemotePost) -> RemotePost:
        """Commit the document over the post ``remote``. Raises PublishProblem, also if that was edited."""
        slug = document.post["slug"]
        reference = Reference(document.publication_id, slug, external_id=remote.external_id)
        was_there_before = remote.publication_id != document.publication_id

        def commit(branch: Branch) -> Commit:
            stored = self._find(branch, reference)
            if stored is None and was_there_before:
                stored = self._at(branch, remote.external_id)
            if stored is not None and remote.fingerprint not in (None, stored.fingerprint):
                raise edited_there(self._remote(stored), document)
            return self._written(branch, document, stored, keeps_images=was_there_before)

        return self._after(commit, reference)

    def with_slug(self, slug: str) -> RemotePost | None:
        """Return the post that has a slug, whoever wrote it; None if there is none, or several."""
        branch = self.open_branch()
        paths = [path for path in branch.files(self.site.folder) if is_text(path) and slug_of(path) == slug]
        stored = self._at(branch, paths[0]) if len(paths) == 1 else None
        return None if stored is None else self._remote(stored)

    def unpublish(self, remote: RemotePost) -> None:
        """Commit the post as hidden, with the text that it has there. One that is gone is hidden, too."""

        def commit(branch: Branch) -> Commit | None:
            stored = self._at(branch, remote.external_id)
            if stored is None or self._is_hidden(stored):
                return None
            path, data = hidden_file(self.site, stored)
            moved: dict[str, bytes | None] = {} if path == stored.path else {stored.path: None}
            return {**moved, path: data}, self._message("Unpublish", stored)

        self._commit(commit)
        stored = self._at(self.open_branch(), remote.external_id)
        if stored is not None and not self._is_hidden(stored):
            raise PublishProblem(failure("UNPUBLISH_NOT_CONFIRMED"), UNKNOWN)

    def delete(self, remote: RemotePost) -> None:
        def commit(branch: Branch) -> Commit | None:
            stored = self._at(branch, remote.external_id)
            if stored is None:
                return None
            gone = [stored.path, *self._images(branch, stored)]
            return dict.fromkeys(gone), self._message("Remove", stored)

        self._commit(commit)

    def _after(self, commit: Callable[[Branch], Commit | None], reference: Reference) -> RemotePost:
        self._commit(commit)
        stored = self._find(self.open_branch(), reference)
        if stored is None:
            message = "The post was committed, but the branch does not have it any more."
            raise PublishProblem(failure("PUBLISH_REJECTED", message), UNKNOWN)
        return self._remote(stored)

    def _commit(self, commit: Callable[[Branch], Commit | None]) -> None:
        problem: PublishProblem | None = None
        for number in range(self.most_tries):
            branch = self.open_branch()
            wanted = commit(branch)
            if wanted is None:
                return
            try:
                branch.commit(*wanted)
                return
            except BranchMoved as moved:
                problem = moved.problem
                time.sleep(_PAUSE * number)
        message = "Other programs kept changing the branch, or left it locked."
        if problem is not None:
            raise problem
        raise PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message), NOT_DELIVERED)

    def _written(
        self, branch: Branch, document: Document, stored: StoredPost | None, *, keeps_images: bool = False
    ) -> Commit:
        """Return the commit after which the branch has the document; the post's own file comes last."""
        is_live = stored is not None and not self._is_hidden(stored)
        # A post keeps the date under which readers know it: its address may contain it.
        date = stored.date if stored is not None and is_live else date_of(document)
        files = files_of(self.site, document, date)
        self._refuse_taken(branch, document.post["slug"], files.path, stored)
        changes: dict[str, bytes | None] = dict(files.images)
        if stored is not None:
            images = [] if keeps_images else self._images(branch, stored)
            gone = {stored.path, *images} - {files.path, *files.images}
            changes |= dict.fromkeys(sorted(gone))
        changes[files.path] = files.data
        verb = "Update" if is_live else "Publish" if stored is not None else "Add"
        if document.visibility == "draft":
            verb = f"{'Add' if stored is None else 'Update'} draft"
        url = self.site.url(document.post["slug"], date)
        return changes, message_of(verb, document.post["title"], document.publication_id, url)

    def _refuse_taken(self, branch: Branch, slug: str, path: str, stored: StoredPost | None) -> None:
        ours = stored.path if stored is not None else None
        for other in branch.files(self.site.folder):
            if other != ours and (other == path or (is_text(other) and slug_of(other) == slug)):
                raise slug_taken({"slug": slug, "path": other})

    def _find(self, branch: Branch, reference: Reference) -> StoredPost | None:
        for path in self._candidates(branch, reference):
            data = branch.read(path)
            file = front_matter.read(data)
            if _is_ours(data, file, reference.publication_id, is_known=path == reference.external_id):
                return StoredPost(path, data, file or _unreadable(data))
        return None

    def _candidates(self, branch: Branch, reference: Reference) -> list[str]:
        """Return the files that may be a post, the likely ones first. Raises PublishProblem for too many.

        A post whose id is not known yet is at its first place, so with a limit no other file is read for it.
        """
        texts = [path for path in branch.files(self.site.folder) if is_text(path)]
        known = [path for path in texts if path == reference.external_id]
        likely = [path for path in texts if path not in known and slug_of(path) == reference.slug]
        others = [path for path in texts if path not in known and path not in likely]
        if self.most_reads is None or known:
            return [*known, *likely, *others]
        if reference.external_id is None:
            return likely
        if len(others) > self.most_reads:
            message = "The post is not where it was, and the folder has too many files to look for it."
            raise PublishProblem(failure("PUBLISH_REJECTED", message), UNKNOWN)
        return [*likely, *others]

    def _at(self, branch: Branch, path: str | None) -> StoredPost | None:
        if path is None or path not in branch.files(self.site.folder):
            return None
        data = branch.read(path)
        return StoredPost(path, data, front_matter.read(data) or _unreadable(data))

    def _images(self, branch: Branch, stored: StoredPost) -> list[str]:
        return [path for path in image_paths_of(self.site, stored) if branch.has(path)]

    def _is_hidden(self, stored: StoredPost) -> bool:
        return self.site.flavour.is_hidden(stored.path, stored.file.members)

    def _message(self, verb: str, stored: StoredPost) -> str:
        members, url = stored.file.members, self._url(stored)
        return message_of(verb, members.get("title", stored.slug), members.get("publication_id"), url)

    def _url(self, stored: StoredPost) -> str:
        return self.site.url(stored.slug, stored.date)

    def _remote(self, stored: StoredPost) -> RemotePost:
        members = stored.file.members
        digest, title = members.get("content_sha256"), members.get("title")
        publication_id = members.get("publication_id")
        return RemotePost(
            stored.path,
            self._url(stored),
            status="draft" if self._is_hidden(stored) else "live",
            digest=digest if isinstance(digest, str) else "",
            fingerprint=stored.fingerprint,
            title=title if isinstance(title, str) else None,
            text=render_html(stored.file.text),
            publication_id=publication_id if isinstance(publication_id, str) else None,
        )


def _is_ours(data: bytes, file: MarkdownFile | None, publication_id: str, *, is_known: bool) -> bool:
    if file is None:
        return is_known or publication_id.encode() in data
    found = file.members.get("publication_id")
    return found == publication_id or (is_known and found is None)


def _unreadable(data: bytes) -> MarkdownFile:
    return MarkdownFile({}, data.decode("utf-8", "replace"))
