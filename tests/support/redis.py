"""A real Redis on a unix socket in a directory of its own."""

from __future__ import annotations

import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from devtools import tied
from devtools.embedded_redis import start_server


class RedisServer:
    """A server to use and to mistreat. Its address stays the same through ``kill`` and ``start``."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="seo-redis-"))  # short: a socket's path has 107 bytes
        self._log = (self._folder / "log").open("ab")
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{self._folder}/redis.sock"
        self._connection = Redis.from_url(self.url)
        self.start()

    def start(self) -> None:
        """Start it, empty, and wait until it answers."""
        self._process = start_server(self._folder / "redis.sock", self._log)

    def empty(self) -> None:
        """Delete every key."""
        self._connection.flushall()

    def kill(self) -> None:
        """End it at once, as a machine that fails would."""
        assert self._process is not None
        tied.stop(self._process, signal.SIGKILL)

    def fill(self) -> None:
        """Let it refuse every command that needs memory, as one does that may not evict keys."""
        self._connection.config_set("maxmemory-policy", "noeviction")
        self._connection.config_set("maxmemory", 1)

    def freeze(self) -> None:
        """Let it keep its connections and answer nobody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        assert self._process is not None
        self._process.send_signal(signal.SIGCONT)

    def remove(self) -> None:
        """End it and remove its files."""
        self._connection.close()
        self.kill()
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)


@pytest.fixture(scope="session")
def shared_redis() -> Iterator[RedisServer]:
    """One server for all tests that leave it in peace."""
    server = RedisServer()
    yield server
    server.remove()


@pytest.fixture
def redis_url(shared_redis: RedisServer) -> str:
    """The address of a Redis without a key in it."""
    shared_redis.empty()
    return shared_redis.url


@pytest.fixture
def private_redis() -> Iterator[RedisServer]:
    """A server of the test's own."""
    server = RedisServer()
    yield server
    server.remove()
