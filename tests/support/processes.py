"""Web, worker and scheduler as real processes, started by the commands of the Procfile."""

from __future__ import annotations

import signal
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path

import pytest
from redis import Redis

from devtools import tied
from devtools.dev import web_answers
from devtools.local import ROOT
from devtools.postgres import free_port
from devtools.procfile import read_procfile
from tests.support.databases import Databases
from tests.support.environment import service_environment
from tests.support.redis import RedisServer
from tests.support.waiting import eventually

ALL = ("web", "worker", "scheduler")


@dataclass(frozen=True)
class Running:
    """One process and where its output goes."""

    name: str
    process: subprocess.Popen[bytes]
    log: Path


class Service:
    """A service of its own: database, Redis, address and processes.

    ``env`` and ``commands`` may be changed between starts.
    """

    def __init__(self, folder: Path, database_url: str, overrides: dict[str, str]) -> None:
        self.redis = RedisServer()
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.processes: list[Running] = []
        self._folder = folder
        self._numbers = count(1)
        self.commands = read_procfile(ROOT / "Procfile")
        places = {"DATABASE_URL": database_url, "REDIS_URL": self.redis.url}
        where = {"PORT": str(self.port), "BIND_ADDRESS": "127.0.0.1"}
        self.env = service_environment(**{**places, **where, **overrides})

    def start(self, *names: str) -> None:
        """Start one process for each name and wait until it is ready (the scheduler is not waited for)."""
        workers = self.live_workers() + names.count("worker")
        for name in names:
            self._spawn(name)
        if "web" in names:
            self._wait(lambda: web_answers(self.url.removeprefix("http://")), "the web process answers")
        if "worker" in names:
            self._wait(lambda: self.live_workers() >= workers, "the worker is registered")

    def running(self, name: str) -> list[Running]:
        """The processes of this name that are alive."""
        return [run for run in self.processes if run.name == name and run.process.poll() is None]

    def signal(self, name: str, number: signal.Signals = signal.SIGTERM) -> None:
        """Send a signal to each process of this name (not to its children)."""
        for run in self.running(name):
            run.process.send_signal(number)

    def kill(self, name: str) -> None:
        """End each process of this name at once and wait until it is gone; not its children."""
        for run in self.running(name):
            run.process.kill()
            run.process.wait()

    def stop(self, *names: str) -> None:
        """Ask the processes of these names (or all) to end, and wait for it."""
        for name in names or ALL:
            self.signal(name)
        for name in names or ALL:
            for run in self.running(name):
                tied.stop(run.process, grace=30)

    def logs(self) -> str:
        """What all processes have printed so far."""
        return "\n".join(
            f"--- {run.log.name}\n{run.log.read_text(errors='replace')}" for run in self.processes
        )

    def live_workers(self) -> int:
        """How many workers Redis knows of."""
        with Redis.from_url(self.redis.url) as connection:
            return int(connection.scard("rq:workers"))

    def close(self) -> None:
        """Kill everything that is left."""
        for run in self.processes:
            tied.kill_group(run.process)
            run.process.wait()
        self.redis.remove()

    def _spawn(self, name: str) -> None:
        log = self._folder / f"{name}-{next(self._numbers)}.log"
        with log.open("wb") as output:
            words = ["/bin/sh", "-c", f"exec {self.commands[name]}"]
            process = tied.start(words, output=output, env=self.env, cwd=ROOT)
        self.processes.append(Running(name, process, log))

    def _wait(self, condition: Callable[[], bool], what: str) -> None:
        try:
            eventually(condition, what)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.logs()}") from None


RunService = Callable[..., Service]


@pytest.fixture(scope="session")
def make_service(
    databases: Databases, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[str, dict[str, str]], Service]:
    """For fixtures of a wider scope than a test: makes a Service, which the caller closes."""

    def make(kind: str, overrides: dict[str, str]) -> Service:
        return Service(tmp_path_factory.mktemp("service"), databases.fresh(kind), overrides)

    return make


@pytest.fixture
def run_service(make_service: Callable[[str, dict[str, str]], Service]) -> Iterator[RunService]:
    """Call it as ``run_service("web", "worker", kind="sqlite", LEASE_SECONDS="4")`` for a running Service."""
    made: list[Service] = []

    def run(*names: str, kind: str = "sqlite", **overrides: str) -> Service:
        service = make_service(kind, overrides)
        made.append(service)
        service.start(*(names or ALL))
        return service

    yield run
    for service in made:
        service.close()
