"""The web servers that can run the service: two processes of eight threads each, or one of sixteen."""

from __future__ import annotations

import http.client
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from pathlib import Path
from typing import Final

from bench.stage import Stage
from devtools.local import ROOT
from devtools.postgres import free_port
from devtools.procfile import read_procfile
from tests.support.process_tree import children
from tests.support.waiting import eventually

PROCESSES: Final = 2
_THREADS: Final = 8
_TICKS: Final = 100.0
"""Clock ticks a second in /proc/PID/stat."""


@dataclass(frozen=True)
class Server:
    """A running server."""

    port: int
    pid: int

    def pids(self) -> list[int]:
        """Its processes that serve, or itself."""
        return [pid for child in children(self.pid) for pid in (child, *children(child))] or [self.pid]

    def cpu(self) -> list[float]:
        """CPU seconds of each of these processes."""
        return [_cpu(pid) for pid in self.pids()]

    def megabytes(self) -> float:
        """Memory of the largest of these processes."""
        return max(_kilobytes(pid) for pid in self.pids()) / 1024


def _python(module: str, *arguments: str) -> list[str]:
    return [sys.executable, "-m", module, *arguments]


def _gunicorn(worker_class: str, *more: str) -> Callable[[str], list[str]]:
    return lambda address: _python(
        "gunicorn", "wsgi:app", "--bind", address, "--worker-class", worker_class, "--graceful-timeout", "25",
        "--no-control-socket", *more,
    )  # fmt: skip


def _ours(_address: str) -> list[str]:
    return ["/bin/sh", "-c", f"exec {read_procfile(ROOT / 'Procfile')['web']}"]


def _granian(address: str) -> list[str]:
    host, port = address.split(":")
    return _python(
        "granian", "--interface", "wsgi", "--host", host, "--port", port, "--workers", str(PROCESSES),
        "--blocking-threads", str(_THREADS), "--workers-kill-timeout", "20", "wsgi:app",
    )  # fmt: skip


SERVERS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "ours": _ours,
    "gunicorn gthread": _gunicorn("gthread", "--threads", str(_THREADS), "--keep-alive", "0"),
    "gunicorn gevent": _gunicorn("gevent"),
    # One process only, with the threads of two.
    "waitress": lambda address: _python(
        "waitress", f"--listen={address}", f"--threads={_THREADS * PROCESSES}", "--connection-limit=1000",
        "--asyncore-use-poll", "--no-clear-untrusted-proxy-headers", "wsgi:app",
    ),
    "cheroot": lambda address: _python(
        "cheroot", "--bind", address, "--threads", str(_THREADS * PROCESSES), "wsgi:app"
    ),
    "granian": _granian,
    "hypercorn": lambda address: _python(
        "hypercorn", "--bind", address, "--workers", str(PROCESSES), "--read-timeout", "20",
        "--graceful-timeout", "25", "wsgi:wsgi:app",
    ),
}  # fmt: skip


@contextmanager
def running(stage: Stage, name: str, database: str) -> Iterator[Server]:
    """Run a server inside the block."""
    port = free_port()
    address = f"127.0.0.1:{port}"
    env = stage.environment(
        DATABASE_URL=database,
        REQUESTS_PER_MINUTE="1000000",
        QUEUED_EXECUTIONS="1000000",
        WEB_CONCURRENCY=str(PROCESSES),
        PORT=str(port),
        BIND_ADDRESS="127.0.0.1",
    )
    with stage.running(SERVERS[name](address), env) as started:
        server = Server(port, started[0].pid)
        eventually(lambda: is_path_served(port, "/health/ready"), f"{name} answers")
        yield server


def is_path_served(port: int, path: str, headers: Mapping[str, str] | None = None) -> bool:
    """Return whether a server answers a GET with 200."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=5)
    try:
        connection.request("GET", path, headers=dict(headers or {}))
        return connection.getresponse().status == HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()


def _cpu(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


def _kilobytes(pid: int) -> int:
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS"))
