"""The service to be mistreated: its database, its Redis, and processes that somebody starts again."""

from __future__ import annotations

import random
import signal
import sqlite3
import time
from pathlib import Path

import psycopg

from devtools.postgres import Cluster, find_binaries
from tests.support.databases import SqliteDatabases, migrate
from tests.support.processes import Service

WANTED = {"web": 1, "worker": 2, "scheduler": 2}
PAUSE = (0.3, 2.5)
"""Seconds until something that died is started again."""


class Postgresql:
    """A server of its own that keeps what it acknowledged through every shutdown."""

    def __init__(self, _folder: Path) -> None:
        binaries = find_binaries()
        if binaries is None:
            raise RuntimeError("PostgreSQL is not installed")
        # An immediate shutdown loses nothing that was committed, as on a real server.
        self._cluster = Cluster(binaries, synchronous_commit="on", full_page_writes="on")
        with psycopg.connect(self._cluster.url("postgres"), autocommit=True) as admin:
            admin.execute("CREATE DATABASE chaos TEMPLATE template0")
        self.url = self._cluster.url("chaos")
        self.faults = {
            "database restarted, fast": self.shut_down,
            "database restarted, immediate": lambda: self.shut_down(signal.SIGQUIT),
        }

    def shut_down(self, how: signal.Signals = signal.SIGINT) -> None:
        self._cluster.shut_down(how)

    def heal(self) -> None:
        self._cluster.start_again()

    def close(self) -> None:
        self._cluster.stop()


class Sqlite:
    """A file. It cannot be restarted: somebody holds its write lock for longer than a writer waits."""

    def __init__(self, folder: Path) -> None:
        self.url = SqliteDatabases(folder).create()
        self._locker: sqlite3.Connection | None = None
        self.faults = {"database locked": self._lock}

    def heal(self) -> None:
        if self._locker is not None:
            self._locker.close()

    def close(self) -> None:
        self.heal()

    def _lock(self) -> bool:
        """Take the write lock; False when a frozen process has it, which nobody would wake meanwhile."""
        path = self.url.removeprefix("sqlite:///")
        self._locker = sqlite3.connect(path, timeout=1, isolation_level=None)
        try:
            self._locker.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            self._locker.close()
            return False
        return True


Database = Postgresql | Sqlite
DATABASES = {"postgresql": Postgresql, "sqlite": Sqlite}


class System(Service):
    """Web, two workers and two schedulers; ``supervise`` starts again what has died, after a while."""

    def __init__(
        self, folder: Path, database: Database, rng: random.Random, overrides: dict[str, str]
    ) -> None:
        migrate(database.url)
        self.database = database
        self.points = folder / "points"
        self.points.mkdir()
        super().__init__(folder, database.url, {**overrides, "FAULT_DIRECTORY": str(self.points)})
        self._clock = folder / "clock"
        self.set_clock(0)
        for name, command in self.commands.items():
            program = command.removeprefix("python ")
            self.commands[name] = f"python -m tests.chaos.stepped {self._clock} {program}"
        self._rng = rng
        self._due: dict[str, float] = {}

    def open(self) -> None:
        """Start everything and wait until it is ready."""
        self.start(*(name for name, number in WANTED.items() for _ in range(number)))

    def set_clock(self, seconds: int) -> None:
        """Step the clock of all processes to ``seconds`` ahead of the truth; those of the servers stay."""
        new = self._clock.with_suffix(".new")
        new.write_text(f"{seconds:+d}")
        new.replace(self._clock)

    def supervise(self) -> None:
        """Start one process of each kind that is short, if its pause is over."""
        for name, number in WANTED.items():
            if len(self.running(name)) >= number:
                self._due.pop(name, None)
                continue
            due = self._due.setdefault(name, time.monotonic() + self._rng.uniform(*PAUSE))
            if time.monotonic() >= due:
                del self._due[name]
                self._spawn(name)

    def complete(self) -> bool:
        """Whether as many processes run as should."""
        return all(len(self.running(name)) >= number for name, number in WANTED.items())

    def settings(self) -> dict[str, str]:
        """The environment for an application of the harness itself, which nobody kills."""
        return {name: value for name, value in self.env.items() if name != "FAULT_DIRECTORY"}
