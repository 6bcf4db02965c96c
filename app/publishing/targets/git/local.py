"""Git repositories on this machine's disk, below the folder that the operator set as GIT_ROOT."""

import os
import stat
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dulwich.errors import (
    ChecksumMismatch,
    FileFormatException,
    NotGitRepository,
    NotTreeError,
    ObjectFormatException,
    WrongObjectException,
)
from dulwich.file import FileLocked
from dulwich.object_store import (
    BaseObjectStore,
    MemoryObjectStore,
    OverlayObjectStore,
    commit_tree_changes,
    iter_tree_contents,
)
from dulwich.objects import Blob, Commit, ObjectID, Tree
from dulwich.refs import HEADREF, DiskRefsContainer, Ref, check_ref_format
from dulwich.repo import Repo

from app.failures import failure
from app.infra.clock import utc_now
from app.publishing.targets.base import NOT_DELIVERED, UNKNOWN, DeliveryCertainty, PublishProblem
from app.publishing.targets.git import work_tree
from app.publishing.targets.git.branch import BranchMoved, Changes
from app.publishing.targets.git.locks import Locked, LockTimeout, WriteLock

_FILE: Final = 0o100644
_HEADS: Final = b"refs/heads/"
_UNREADABLE: Final = (
    AssertionError,
    ChecksumMismatch,
    FileFormatException,
    KeyError,
    NotTreeError,
    ObjectFormatException,
    ValueError,
    WrongObjectException,
    zlib.error,
)
"""What the library raises for a repository that lacks objects, or whose objects cannot be read."""


class LocalBranch:
    """A branch of an open repository, as its head was when this was made, for as long as the lock."""

    def __init__(self, repository: Repo, lock: WriteLock, ref: Ref, author: bytes) -> None:
        self._repository = repository
        self._lock = lock
        self._ref = ref
        self._author = author
        with problems():
            self._head: ObjectID | None = repository.refs.as_dict().get(ref)
            self._tree = self._tree_of_head()

    def files(self, folder: str) -> Mapping[str, str]:
        with problems():
            mode, tree = self._entry(folder)
            if tree is None:
                return {}
            if not stat.S_ISDIR(mode):
                message = f"In the repository, {folder} is not a folder."
                raise PublishProblem(failure("PUBLISH_REJECTED", message), NOT_DELIVERED)
            entries = iter_tree_contents(self._repository.object_store, tree)
            return {
                f"{folder}/{os.fsdecode(entry.path)}": entry.sha.decode("ascii")
                for entry in entries
                if entry.path is not None and entry.sha is not None
            }

    def has(self, path: str) -> bool:
        with problems():
            return self._entry(path)[1] is not None

    def read(self, path: str) -> bytes:
        """Return the content of a file that is there; of a link or a submodule, nothing."""
        with problems():
            mode, blob = self._entry(path)
            if blob is None or not stat.S_ISREG(mode):
                return b""
            return self._repository.object_store[blob].as_raw_string()

    def commit(self, changes: Changes, message: str) -> None:
        """Make one commit of all changes, none if they change nothing. Raises BranchMoved."""
        with problems():
            commit = self._stored(changes, message)
        if commit is None:
            return
        self._advance(commit)
        if work_tree.is_checked_out(self._repository, self._ref):
            before = {path: self._blob(path) for path in changes}
            work_tree.update(self._repository, self._lock, before, changes)

    def _blob(self, path: str) -> str | None:
        found = self._entry(path)[1]
        return found.decode("ascii") if found is not None else None

    def _tree_of_head(self) -> Tree:
        if self._head is None:
            return Tree()
        commit = self._repository.object_store[self._head]
        assert isinstance(commit, Commit)
        tree = self._repository.object_store[commit.tree]
        assert isinstance(tree, Tree)
        return tree

    def _entry(self, path: str) -> tuple[int, ObjectID | None]:
        tree, parts = self._tree, os.fsencode(path).split(b"/")
        for number, part in enumerate(parts):
            if part not in tree:
                return 0, None
            mode, found = tree[part]
            if number == len(parts) - 1 or not stat.S_ISDIR(mode):
                return mode, found
            below = self._repository.object_store[found]
            assert isinstance(below, Tree)
            tree = below
        return 0, None

    def _stored(self, changes: Changes, message: str) -> ObjectID | None:
        stored = self._repository.object_store
        new = MemoryObjectStore(object_format=stored.object_format)
        tree = self._tree_with(changes, OverlayObjectStore([stored, new], add_store=new))
        if tree == self._tree.id:
            return None
        commit = self._commit_of(tree, message)
        new.add_object(commit)
        stored.fsync_object_files = True
        try:
            stored.add_objects([(new[each], None) for each in new if each not in stored])
        except FileLocked as left:
            # The pack has this very commit, so under our lock only a killed process can have left Git's lock.
            os.unlink(left.lockfilename)
            raise BranchMoved from None
        return commit.id

    def _tree_with(self, changes: Changes, store: BaseObjectStore) -> ObjectID:
        made: list[tuple[bytes, int | None, ObjectID | None]] = []
        for path, data in changes.items():
            if data is None:
                made.append((os.fsencode(path), None, None))
                continue
            blob = Blob.from_string(data)
            store.add_object(blob)
            made.append((os.fsencode(path), _FILE, blob.id))
        return commit_tree_changes(store, self._tree_of_head(), made)

    def _commit_of(self, tree: ObjectID, message: str) -> Commit:
        commit = Commit()
        commit.tree = tree
        commit.parents = [self._head] if self._head is not None else []
        commit.author = commit.committer = self._author
        commit.author_time = commit.commit_time = int(utc_now().timestamp())
        commit.author_timezone = commit.commit_timezone = 0
        commit.encoding = b"UTF-8"
        commit.message = message.encode()
        return commit

    def _advance(self, commit: ObjectID) -> None:
        refs = self._repository.refs
        assert isinstance(refs, DiskRefsContainer)
        try:
            with problems(UNKNOWN), self._lock.replacing(Path(os.fsdecode(refs.refpath(self._ref)))) as file:
                if refs.follow(self._ref)[1] != self._head:
                    raise BranchMoved
                file.write(commit + b"\n")
        except Locked:
            raise BranchMoved from None


@contextmanager
def opened(root: str | None, name: str) -> Iterator[Repo]:
    """Open the repository of this name below ``root``. Raises PublishProblem."""
    if not root:
        message = "The operator of this service has not set a folder for Git repositories."
        raise PublishProblem(failure("TARGET_API_NOT_FOUND", message), NOT_DELIVERED)
    with problems():
        base = Path(root).resolve()
        path = (base / name).resolve()
        if path == base or not path.is_relative_to(base) or not path.is_dir():
            raise _not_found(f"There is no repository “{name}” below the folder that the operator set.")
        try:
            repository = Repo(str(path))
        except NotGitRepository:
            raise _not_found(f"“{name}” is not a Git repository.") from None
    try:
        with problems():
            _refuse_outside(repository, base, name)
        if not isinstance(repository.refs, DiskRefsContainer):
            raise _not_found(f"“{name}” does not store its branches as files, but as a reftable.")
        yield repository
    finally:
        repository.close()


@contextmanager
def write_lock(repository: Repo) -> Iterator[WriteLock]:
    """Take the lock of a repository. Raises PublishProblem if another process has it for too long."""
    with problems():
        lock = WriteLock(Path(repository.commondir()))
    try:
        yield lock
    finally:
        lock.end()


def branch_ref(repository: Repo, name: str) -> Ref:
    """Return the branch of this name, or the one that HEAD names. Raises PublishProblem.

    In a repository without a branch any name is taken: the first commit makes the branch.
    """
    with problems():
        branches = [ref for ref in repository.refs.as_dict() if ref.startswith(_HEADS)]
        names, _ = repository.refs.follow(Ref(_HEADS + name.encode()) if name else HEADREF)
        ref = names[-1]
        if not ref.startswith(_HEADS) or not check_ref_format(ref):
            raise _not_found("The repository's HEAD is not a branch: name the branch in the settings.")
        if branches and ref not in branches:
            shown = ref.removeprefix(_HEADS).decode("utf-8", "replace")
            raise _not_found(f"The repository has no branch “{shown}”.")
        return ref


@contextmanager
def problems(certainty: DeliveryCertainty = NOT_DELIVERED) -> Iterator[None]:
    """Raise errors of the disk, a lock or a damaged repository as PublishProblem of this certainty."""
    try:
        yield
    except PermissionError:
        message = "This service may not write to the repository."
        raise PublishProblem(failure("TARGET_FORBIDDEN", message), certainty) from None
    except LockTimeout as error:
        message = "Another job has been writing to the repository for too long."
        raise PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", message), certainty) from error
    except OSError as error:
        details = {"reason": os.strerror(error.errno) if error.errno else type(error).__name__}
        raise PublishProblem(failure("PUBLISH_ENDPOINT_FAILED", details=details), certainty) from error
    except _UNREADABLE as error:
        message = "The repository cannot be read: run git fsck there."
        raise PublishProblem(failure("PUBLISH_REJECTED", message), certainty) from error


def _refuse_outside(repository: Repo, base: Path, name: str) -> None:
    control, common = Path(repository.controldir()), Path(repository.commondir())
    places = [Path(repository.path), control, common, common / "objects", common / "refs" / "heads"]
    if not all(place.resolve().is_relative_to(base) for place in places):
        raise _not_found(f"Parts of the repository “{name}” are outside the folder that the operator set.")


def _not_found(message: str) -> PublishProblem:
    hint = "Check the repository and the branch of the connection, or ask the operator of this service."
    return PublishProblem(failure("TARGET_API_NOT_FOUND", message, hints=[hint]), NOT_DELIVERED)
