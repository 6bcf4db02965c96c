"""The state directory var/ of this machine: generated secrets, the embedded database and Redis' socket.

``var/defaults.env`` is written on the first start with generated values. ``.env`` and the environment have
precedence. Delete var/ to start from nothing; secrets encrypted with its key become unreadable.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from dotenv import dotenv_values

from app.environment import OF_DEVELOPMENT

ROOT = Path(__file__).resolve().parent.parent
SOCKET_BYTES = 107  # the longest address of a unix socket on Linux, without its closing zero byte
HEADER = "# Written by bin/dev for this machine. Put changes into .env, which has precedence.\n"


class UnusableDirectory(Exception):
    """Raised when a directory cannot be written, or that of the socket belongs to somebody else."""


def write_defaults(root: Path = ROOT) -> dict[str, str]:
    """Write var/defaults.env if it is incomplete, and return its values. Existing secrets are kept.

    Raises UnusableDirectory.
    """
    state = root / "var"
    with writing_to(state):
        state.mkdir(mode=0o700, exist_ok=True)
        path = state / "defaults.env"
        present = {name: value for name, value in dotenv_values(path).items() if value}
        wanted = {**new_secrets(), **present, **places(state)}
        if wanted != present:
            draft = state / f".defaults.{os.getpid()}"
            with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w") as file:
                file.write(HEADER + "".join(f"{name}='{value}'\n" for name, value in wanted.items()))
            draft.replace(path)
    return wanted


@contextmanager
def writing_to(state: Path) -> Iterator[None]:
    """Turn an error of the file system inside, such as a full disk, into UnusableDirectory."""
    try:
        yield
    except OSError as error:
        raise UnusableDirectory(f"{state} cannot be written: {error.strerror}.") from error


def places(state: Path) -> dict[str, str]:
    """Return the settings that depend on the state directory's path."""
    return {
        "APP_ENV": "development",
        "DATABASE_URL": f"sqlite:///{state / 'seo.sqlite3'}",
        "REDIS_URL": f"unix://{quote(str(socket_path(state)))}",
    }


def new_secrets() -> dict[str, str]:
    """Return new random secrets."""
    return {
        name: OF_DEVELOPMENT + secrets.token_urlsafe(48)
        for name in ("SECRET_KEY", "API_KEY_PEPPER", "ENCRYPTION_KEY")
    }


def socket_path(state: Path) -> Path:
    """Return the path of Redis' socket: in the state directory, or in a short one if that is too long."""
    path = state / "redis.sock"
    if len(os.fsencode(path)) <= SOCKET_BYTES:
        return path
    name = hashlib.sha256(os.fsencode(state)).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"seo-{os.geteuid()}-{name}"
    if len(os.fsencode(folder / path.name)) > SOCKET_BYTES:
        folder = Path("/tmp") / folder.name  # noqa: S108 - ownership and mode are checked below
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.geteuid() or found.st_mode & 0o077 or folder.is_symlink():
        raise UnusableDirectory(f"{folder} should be a private directory of yours and is not; remove it.")
    return folder / path.name


def layered(defaults: Mapping[str, str], root: Path = ROOT) -> dict[str, str]:
    """Return the processes' environment: the environment over .env over ``defaults``.

    An empty value counts as not set.
    """
    own = {name: value for name, value in dotenv_values(root / ".env").items() if value}
    return {**defaults, **own, **{name: value for name, value in os.environ.items() if value}}
