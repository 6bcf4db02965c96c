"""The lock under which this service writes to a repository on the disk, and Git's own locks."""

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, Final

WAIT_SECONDS: Final = 20.0
STALE_SECONDS: Final = 300.0
"""Git holds a lock for moments: one as old as this was left by a program that was killed."""
_LOOK_AGAIN: Final = 0.02
_FILE: Final = os.O_CREAT | os.O_NOFOLLOW


class Locked(Exception):
    """Raised if a file has Git's lock of another program."""


class LockTimeout(Exception):
    """Raised if another job keeps the lock for too long."""


class WriteLock:
    """The right to write to a repository, which one process or thread of this service has at a time.

    The kernel releases the lock when its process ends. While a file is replaced, Git's lock of that file is a
    hard link to the file of this lock. The next process with this lock recognises by the link that a process
    was killed.
    """

    def __init__(self, folder: Path) -> None:
        """Wait for the lock in a repository's folder. Raises LockTimeout, and OSError of the disk."""
        self._file = folder / "publishing.turn"
        self._opened = os.open(self._file, os.O_RDWR | _FILE, 0o644)
        try:
            _lock(self._opened)
            os.utime(self._opened)  # other programs may look at the age of a lock
        except BaseException:
            self.end()
            raise

    def end(self) -> None:
        os.close(self._opened)

    @contextmanager
    def replacing(self, path: Path) -> Iterator[BinaryIO]:
        """Lock a file as Git does, and replace it unless the block raises. Raises Locked, and OSError."""
        lock = path.with_name(f"{path.name}.lock")
        self._take(lock)
        try:
            new = self._file.with_suffix(".new")
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_TRUNC | _FILE, 0o644), "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.replace(new, path)
        finally:
            lock.unlink(missing_ok=True)

    def _take(self, lock: Path) -> None:
        lock.parent.mkdir(parents=True, exist_ok=True)
        try:
            _link(self._file, lock)
        except FileExistsError:
            if not _is_same(self._opened, lock):
                _remove_if_stale(lock)
                raise Locked from None


def _lock(opened: int) -> None:
    """Lock an open file; others that have it keep it for moments. Raises LockTimeout."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        with suppress(BlockingIOError):
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        if time.monotonic() > deadline:
            raise LockTimeout
        time.sleep(_LOOK_AGAIN)


def _link(file: Path, lock: Path) -> None:
    """Make a lock, recognisable by its link where the disk has hard links."""
    try:
        os.link(file, lock, follow_symlinks=False)
    except FileExistsError:
        raise
    except OSError:
        os.close(os.open(lock, os.O_WRONLY | os.O_EXCL | _FILE, 0o644))


def _is_same(opened: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(opened), lock.lstat())
    except FileNotFoundError:
        return False


def _remove_if_stale(lock: Path) -> None:
    with suppress(FileNotFoundError):
        if time.time() - lock.lstat().st_mtime > STALE_SECONDS:
            lock.unlink()
