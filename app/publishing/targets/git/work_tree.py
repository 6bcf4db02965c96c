"""Files that somebody has checked out of a branch: kept in step with what this service commits to it.

Only files are changed that are as the branch had them. One that was edited there stays as it is, and git
status shows it as changed.
"""

import logging
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from dulwich.index import Index, IndexChecksumWriter, IndexEntry, index_entry_from_stat, write_index_dict
from dulwich.objects import ObjectID
from dulwich.refs import HEADREF, Ref
from dulwich.repo import Repo

from app.publishing.targets.git.branch import Changes, blob_id
from app.publishing.targets.git.locks import Locked, WriteLock

_log = logging.getLogger(__name__)

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
_FILE: Final = 0o100644


def is_checked_out(repository: Repo, ref: Ref) -> bool:
    return not repository.bare and repository.refs.follow(HEADREF)[0][-1] == ref


def update(repository: Repo, lock: WriteLock, before: dict[str, str | None], changes: Changes) -> None:
    """Write the committed changes to the files and the index; ``before`` has the former blob id of each path.

    What cannot be written stays as it is: the commit has been made.
    """
    try:
        _update(repository, lock, before, changes)
    except (OSError, Locked, ValueError, AssertionError) as error:
        _log.warning("a work tree was not updated: %s", type(error).__name__)


def _update(repository: Repo, lock: WriteLock, before: dict[str, str | None], changes: Changes) -> None:
    root = Path(repository.path)
    # The lock that Git takes, too, from before the index is read until it is replaced.
    with lock.replacing(Path(repository.index_path())) as file:
        index = Index(repository.index_path(), read=os.path.exists(repository.index_path()))
        if any(extension.signature.islower() for extension in index._extensions):
            raise ValueError("an index with parts elsewhere")
        for path, data in changes.items():
            name, former = os.fsencode(path), before[path]
            if _blob_in(index, name) != former or _blob_at(root, path) != former:
                continue
            if data is None:
                _remove(root, path)
                del index[name]
                continue
            status = _write(root, path, data)
            index[name] = index_entry_from_stat(status, ObjectID(blob_id(data).encode()), mode=_FILE)
        # Without extensions: those kept from before would describe the former entries.
        writer = IndexChecksumWriter(file)
        write_index_dict(writer, index._byname, version=index._version)
        writer.write_checksum()


def _blob_in(index: Index, name: bytes) -> str | None:
    if name not in index:
        return None
    entry = index[name]
    return entry.sha.decode("ascii") if isinstance(entry, IndexEntry) else "conflicted"


def _blob_at(root: Path, path: str) -> str | None:
    """Return the blob id of a file, None if there is none, and a text that is no id for anything else."""
    try:
        with _parent(root, path) as (folder, name):
            file = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK, dir_fd=folder)
            with os.fdopen(file, "rb") as opened:
                is_file = stat.S_ISREG(os.fstat(file).st_mode)
                return blob_id(opened.read()) if is_file else "no file"
    except FileNotFoundError:
        return None
    except OSError:
        return "unreadable"


def _write(root: Path, path: str, data: bytes) -> os.stat_result:
    with _parent(root, path, make=True) as (folder, name):
        new = f".{name}.{secrets.token_hex(4)}"
        file = os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666, dir_fd=folder)
        with os.fdopen(file, "wb") as opened:
            opened.write(data)
        os.replace(new, name, src_dir_fd=folder, dst_dir_fd=folder)
        return os.stat(name, dir_fd=folder, follow_symlinks=False)


def _remove(root: Path, path: str) -> None:
    with _parent(root, path) as (folder, name):
        os.unlink(name, dir_fd=folder)


@contextmanager
def _parent(root: Path, path: str, *, make: bool = False) -> Iterator[tuple[int, str]]:
    """Open the folder of a file, never through a symbolic link; yield it and the file's name."""
    *folders, name = path.split("/")
    opened = os.open(root, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for each in folders:
            if make and not _has(opened, each):
                os.mkdir(each, dir_fd=opened)
            below = os.open(each, _FOLDER, dir_fd=opened)
            os.close(opened)
            opened = below
        yield opened, name
    finally:
        os.close(opened)


def _has(folder: int, name: str) -> bool:
    try:
        os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return False
    return True
