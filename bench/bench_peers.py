"""GET of a project by ours, FastAPI and django-ninja: the same data, key, limit and members, by turns.

bin/bench peers [SECONDS]. The peers are installed into an environment that ends with the measurement. Each
has two processes and 16 connections that are kept.
"""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from statistics import median
from typing import Final

from app.infra import rate_limit
from bench.customer import inside, sign_up
from bench.edge_clients import Customers, Request
from bench.edge_servers import PROCESSES, Server, is_path_served, running
from bench.stage import Stage, percentile, stage, table
from devtools.local import ROOT
from devtools.postgres import free_port
from tests.support.waiting import eventually

CONNECTIONS: Final = 16
ROUNDS: Final = 5
SECONDS: Final = 4.0
_COMMANDS: Final[Mapping[str, Callable[[str], list[str]]]] = {
    "FastAPI, uvicorn": lambda port: [
        *("uvicorn", "bench.peers.fastapi_app:app", "--port", port, "--workers", str(PROCESSES)),
        *("--log-level", "warning"),
    ],
    "django-ninja, granian": lambda port: [
        *("granian", "--interface", "wsgi", "--port", port, "--workers", str(PROCESSES)),
        *("--blocking-threads", "8", "--no-log", "bench.peers.ninja_app:app"),
    ],
}


def main() -> None:
    """Print requests a second and CPU of the server for each request: medians of the rounds."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with stage() as made, ExitStack() as stack:
        database = made.database()
        with inside(made.environment(DATABASE_URL=database)):
            project_id, key = sign_up()
        request = Request("GET", f"/public-api/projects/{project_id}", {"X-API-Key": key})
        python = _installed(made)
        servers = {"ours": stack.enter_context(running(made, "ours", database))}
        for name in _COMMANDS:
            servers[name] = stack.enter_context(_peer(made, python, name, database, request))
        measured: dict[str, list[list[float]]] = {name: [] for name in servers}
        for _ in range(ROUNDS):
            for name, server in servers.items():
                measured[name].append(_round(server, request, seconds))
    rows = [
        [name, *(f"{median(column):.1f}" for column in zip(*rounds, strict=True))]
        for name, rounds in measured.items()
    ]
    print(table(["server", "requests/s", "CPU ms", "p95 ms"], rows))


def _round(server: Server, request: Request, seconds: float) -> list[float]:
    with Customers(server.port, [request], CONNECTIONS, keep=True):
        time.sleep(0.5)
    before = sum(server.cpu())
    with Customers(server.port, [request], CONNECTIONS, keep=True) as answers:
        time.sleep(seconds)
    done = len(answers.seconds)
    if answers.failures or not done:
        sys.exit(f"{answers.failures[:3]} of {done}")
    spent = sum(server.cpu()) - before
    return [done / seconds, 1000 * spent / done, 1000 * percentile(answers.seconds, 0.95)]


def _installed(made: Stage) -> str:
    """Install the peers into an environment of their own; returns its Python."""
    folder = made.folder / "peers"
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    needs = str(ROOT / "bench" / "peers" / "requirements.txt")
    subprocess.run([folder / "bin" / "pip", "install", "-q", "-r", needs], check=True)
    return str(folder / "bin" / "python")


@contextmanager
def _peer(made: Stage, python: str, name: str, database: str, request: Request) -> Iterator[Server]:
    port = free_port()
    url = (
        database if name.startswith("django") else database.replace("postgresql://", "postgresql+psycopg://")
    )
    env = made.environment(DATABASE_URL=url, LIMIT_SCRIPT=rate_limit.HIT, PYTHONPATH=str(ROOT))
    with made.running([python, "-m", *_COMMANDS[name](str(port))], env) as started:
        server = Server(port, started[0].pid)
        eventually(lambda: is_path_served(port, request.path, request.headers), f"{name} answers", seconds=30)
        yield server


if __name__ == "__main__":
    main()
