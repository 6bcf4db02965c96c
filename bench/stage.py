"""What a measurement needs: a Redis, a PostgreSQL that keeps its promises, processes, and medians."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import psycopg

from devtools import tied
from devtools.local import ROOT
from devtools.postgres import Cluster, find_binaries
from tests.support.databases import migrate
from tests.support.environment import service_environment
from tests.support.redis import RedisServer

DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on"}


class Stage:
    """Servers of our own and the processes under measurement; everything ends with ``close``."""

    def __init__(self) -> None:
        binaries = find_binaries()
        if binaries is None:
            sys.exit("PostgreSQL is needed (Debian: apt-get install postgresql).")
        self.folder = Path(tempfile.mkdtemp(prefix="bench-"))
        self.redis = RedisServer()
        self._cluster = Cluster(binaries, **DURABLE)
        self._numbers = count(1)
        self._processes: list[subprocess.Popen[bytes]] = []

    def database(self) -> str:
        """Make a migrated PostgreSQL database; returns its address."""
        name = f"bench_{next(self._numbers)}"
        with psycopg.connect(self._cluster.url("postgres"), autocommit=True) as admin:
            admin.execute(f"CREATE DATABASE {name} TEMPLATE template0")
        migrate(self._cluster.url(name))
        return self._cluster.url(name)

    def environment(self, **overrides: str) -> dict[str, str]:
        """The environment of a process that uses this stage's Redis."""
        defaults = {"LEASE_SECONDS": "30", "HEARTBEAT_SECONDS": "10", "LOG_LEVEL": "WARNING"}
        return service_environment(**{"REDIS_URL": self.redis.url, **defaults, **overrides})

    @contextmanager
    def running(
        self, words: Sequence[str], env: Mapping[str, str], copies: int = 1
    ) -> Iterator[list[subprocess.Popen[bytes]]]:
        """Keep ``copies`` processes of a command alive inside the block; their output goes to files."""
        started: list[subprocess.Popen[bytes]] = []
        for _ in range(copies):
            with (self.folder / f"{next(self._numbers)}.log").open("wb") as log:
                started.append(tied.start(words, output=log, env=env, cwd=ROOT))
        try:
            yield started
        finally:
            for process in started:
                tied.stop(process)

    def close(self) -> None:
        """End the servers."""
        self.redis.remove()
        self._cluster.stop()


@contextmanager
def stage() -> Iterator[Stage]:
    """Build a stage and take it down."""
    made = Stage()
    try:
        yield made
    finally:
        made.close()


def table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return rows as a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value that ``share`` (0 to 1) of the values do not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]
