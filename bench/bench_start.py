"""What the start of a web process takes, and its memory before the first request but that of a health check.

bin/bench start
"""

import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

from bench.edge_servers import Server, running
from bench.stage import stage, table
from devtools.local import ROOT
from tests.support.environment import service_environment

ROUNDS: Final = 10


def main() -> None:
    """Print the least CPU seconds of an import in ten rounds, and the megabytes of each of two processes."""
    _import()  # writes the bytecode
    seconds = min(_import() for _ in range(ROUNDS))
    with stage() as servers, running(servers, "ours", servers.database()) as server:
        rows = _memory(server)
    print(f"import wsgi: {seconds:.2f} s of CPU\n")
    print(table(["process", "RSS MB", "PSS MB"], rows))


def _import() -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    words = [sys.executable, "-c", "import wsgi"]
    subprocess.run(words, cwd=ROOT, env=service_environment(), check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _memory(server: Server) -> list[list[str]]:
    return [["main", *_megabytes(server.pid)], *(["web", *_megabytes(pid)] for pid in server.pids())]


def _megabytes(pid: int) -> list[str]:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    sizes = dict(line.split(":") for line in lines[1:])
    return [f"{int(sizes[name].split()[0]) / 1024:.0f}" for name in ("Rss", "Pss")]


if __name__ == "__main__":
    main()
