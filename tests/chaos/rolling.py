"""A formation as on a platform, whose processes are replaced one by one while customers go on."""

from __future__ import annotations

import http.client
import itertools
import json
import signal
import ssl
import threading
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

from devtools import tied
from devtools.postgres import free_port
from tests.chaos.system import Postgresql
from tests.support.certificates import certificate
from tests.support.databases import migrate
from tests.support.forwarder import Forwarder
from tests.support.processes import Running, Service
from tests.support.waiting import eventually

COPIES = 2
"""Processes of each kind."""
KILLED_AFTER = 30
"""Seconds after SIGTERM when platforms kill a process."""
TIMEOUT = 30.0


class Formation(Service):
    """Two web processes behind a router, two workers, two schedulers, PostgreSQL, and Redis over TLS."""

    def __init__(self, folder: Path, database: Postgresql, settings: dict[str, str]) -> None:
        migrate(database.url)
        super().__init__(folder, database.url, {**settings, "REDIS_TLS_VERIFY": "0", "TRUSTED_PROXIES": "1"})
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(certificate(folder / "redis.pem", "127.0.0.1"))
        self._redis_tls = Forwarder(self.redis.url.removeprefix("unix://"), tls=tls)
        self.env["REDIS_URL"] = f"rediss://127.0.0.1:{self._redis_tls.port}"
        self._ports = [free_port() for _ in range(COPIES)]
        self._router = Forwarder(*self._ports)
        self.address = self._router.port
        self.slowest_stop = 0.0

    def open(self) -> None:
        """Start everything and wait until it is ready."""
        for port in self._ports:
            self._start_web(port)
        self.start(*(name for name in ("worker", "scheduler") for _ in range(COPIES)))

    def deploy(self) -> int:
        """Migrate, then replace each process by a new one; returns how many were replaced."""
        migrate(self.env["DATABASE_URL"])
        old = [run for name in ("web", "worker", "scheduler") for run in self.running(name)]
        for port, run in zip(self._ports, self.running("web"), strict=True):
            self._end(run)
            self._start_web(port)
        for name in ("worker", "scheduler"):
            for run in self.running(name):
                self._end(run)
                self.start(name)
        return len(old)

    def close(self) -> None:
        super().close()
        self._router.close()
        self._redis_tls.close()

    def _start_web(self, port: int) -> None:
        self.env["PORT"] = str(port)
        self._spawn("web")
        eventually(lambda: _is_ready(port), "the web process is ready")

    def _end(self, run: Running) -> None:
        """Send SIGTERM, and wait; a process that is not gone in time would be killed."""
        began = time.monotonic()
        run.process.send_signal(signal.SIGTERM)
        tied.stop(run.process, grace=KILLED_AFTER)
        self.slowest_stop = max(self.slowest_stop, time.monotonic() - began)


def _is_ready(port: int) -> bool:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", "/health/ready")
        return connection.getresponse().status == 200
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


@dataclass
class Answers:
    """What became of the requests. ``jobs`` has the id of the job that each key led to."""

    number: Counter[str] = field(default_factory=Counter)
    failures: list[str] = field(default_factory=list)
    jobs: dict[str, int] = field(default_factory=dict)
    slowest: float = 0.0


class Load:
    """Customers that read, write and order jobs until the block ends; each request has its own connection."""

    def __init__(self, port: int, project_id: int, key: str, customers: int = 4, pause: float = 0.05) -> None:
        self.answers = Answers()
        self._port = port
        self._project = f"/public-api/projects/{project_id}"
        self._headers = {"X-API-Key": key, "Content-Type": "application/json"}
        self._pause = pause
        self._over = threading.Event()
        self._threads = [
            threading.Thread(target=self._work, args=(number,), daemon=True) for number in range(customers)
        ]

    def __enter__(self) -> Answers:
        for thread in self._threads:
            thread.start()
        return self.answers

    def __exit__(
        self, _kind: type[BaseException] | None, _error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _work(self, customer: int) -> None:
        for number in itertools.count():
            if self._over.is_set():
                return
            if number % 20 == 0:
                self._order(f"customer-{customer}-{number}")
            elif number % 5 == 0:
                self._ask("PATCH", self._project, {"name": f"Garden {customer} {number}"})
            else:
                self._ask("GET", "/sign-in" if number % 5 == 1 else self._project)
            self._over.wait(self._pause)

    def _order(self, key: str) -> None:
        body = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": f"Garden notes of {key}"}}
        answer = self._ask("POST", f"{self._project}/executions", body, {"Idempotency-Key": key}, status=202)
        if answer is not None:
            self.answers.jobs[key] = json.loads(answer)["job"]["id"]

    def _ask(
        self,
        method: str,
        path: str,
        body: object = None,
        headers: dict[str, str] | None = None,
        status: int = 200,
    ) -> bytes | None:
        """Send a request once; returns the body of its answer, None if it failed."""
        began = time.monotonic()
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=TIMEOUT)
        sent = None if body is None else json.dumps(body)
        try:
            connection.request(
                method, path, sent, {**self._headers, "Connection": "close", **(headers or {})}
            )
            answer = connection.getresponse()
            text = answer.read()
        except (OSError, http.client.HTTPException) as error:
            self.answers.failures.append(f"{method} {path}: {error!r}")
            return None
        finally:
            connection.close()
            self.answers.slowest = max(self.answers.slowest, time.monotonic() - began)
        self.answers.number[method] += 1
        if answer.status != status:
            self.answers.failures.append(f"{method} {path}: {answer.status} {text[:200]!r}")
            return None
        return text
