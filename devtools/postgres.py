"""A temporary PostgreSQL: a new cluster in a temporary directory, fast because it is not durable."""

from __future__ import annotations

import os
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path

from devtools import tied

PACKAGES = ("postgresql",)
START_SECONDS = 30
OPTIONS = {
    "fsync": "off",
    "full_page_writes": "off",
    "synchronous_commit": "off",
    "shared_buffers": "64MB",
    "max_connections": "200",
    "listen_addresses": "127.0.0.1",
}


class PostgresUnavailable(Exception):
    """Raised when the server does not start; the message is the server's output."""


def find_binaries() -> Path | None:
    """Return the directory of initdb and postgres: that of the PATH, or Debian's newest, or None."""
    if (initdb := shutil.which("initdb")) and shutil.which("postgres"):
        return Path(initdb).resolve().parent
    versions = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return max(versions, key=lambda folder: float(folder.parent.name), default=None)


class Cluster:
    """A running server whose superuser ``postgres`` needs no password. ``stop`` removes everything.

    It lives in ``folder`` (default: the temporary one). ``options`` replace single OPTIONS.
    """

    def __init__(self, binaries: Path, folder: Path | None = None, **options: str) -> None:
        self._binaries = binaries
        self._options = {**OPTIONS, **options}
        self._user = unprivileged_user()
        self._folder = Path(tempfile.mkdtemp(prefix="seo-pg-", dir=folder))
        self._data = self._folder / "data"
        self.port = free_port()
        if self._user:
            shutil.chown(self._folder, self._user)
        self._initialise()
        self._server = self._start()

    def url(self, database: str) -> str:
        """Return a database's URL, as a platform would set DATABASE_URL."""
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def shut_down(self, how: signal.Signals = signal.SIGINT) -> None:
        """End the server and keep its files: SIGINT is the fast shutdown, SIGQUIT the immediate one."""
        tied.stop(self._server, how)

    def start_again(self) -> None:
        """Start the server that was shut down, at its old address."""
        self._server = self._start()

    def stop(self) -> None:
        """End the server at once and remove its files."""
        tied.stop(self._server, signal.SIGQUIT)
        shutil.rmtree(self._folder, ignore_errors=True)

    def _initialise(self) -> None:
        words = [str(self._binaries / "initdb"), "-D", str(self._data), "-U", "postgres", "-A", "trust"]
        words += ["-E", "UTF8", "--locale=C", "--lc-ctype=C.UTF-8", "--no-sync"]
        group = self._user
        result = subprocess.run(
            words,
            cwd=self._folder,
            user=self._user,
            group=group,
            extra_groups=[] if group else None,
            capture_output=True,
            text=True,
            check=False,
        )
        if result.returncode != 0:
            raise PostgresUnavailable(result.stderr)

    def _start(self) -> subprocess.Popen[bytes]:
        words = [str(self._binaries / "postgres"), "-D", str(self._data), "-k", str(self._folder)]
        words += ["-p", str(self.port)]
        words += [word for name, value in self._options.items() for word in ("-c", f"{name}={value}")]
        path = self._folder / "log"
        with path.open("wb") as log:
            server = tied.start(
                words, output=log, cwd=self._folder, user=self._user, at_our_death=signal.SIGQUIT
            )
        deadline = time.monotonic() + START_SECONDS
        while time.monotonic() < deadline and server.poll() is None:
            if b"ready to accept connections" in path.read_bytes():
                return server
            time.sleep(0.02)
        tied.stop(server, signal.SIGQUIT)
        raise PostgresUnavailable(path.read_text(errors="replace"))


def unprivileged_user() -> str | None:
    """Return the user for the server, None for the current one. PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    return "postgres" if "postgres" in names else "nobody"


def free_port() -> int:
    """Return a free loopback port.

    It is below the ephemeral ports, one of which would often be taken before the server listens on it.
    """
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
