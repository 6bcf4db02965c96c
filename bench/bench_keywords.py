"""Keywords and the pages that cover them, 100,000 of each: counting them, and listing them by their state.

bin/bench keywords
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from bench.measuring import Failed, measured
from bench.stage import Stage, stage, table
from tests.support.databases import SqliteDatabases, migrate

NUMBER = 100_000


def main() -> None:
    """Print a table of counting and one of the lists."""
    counts, lists = [], []
    sqlite = SqliteDatabases(Path(tempfile.mkdtemp(prefix="bench-"))).create()
    migrate(sqlite)
    with stage() as servers:
        for kind, database in (("SQLite", sqlite), ("PostgreSQL", servers.database())):
            found = _measured(servers, database)
            for name, cost in found["counts"].items():
                counts.append(
                    [kind, name, f"{cost['cpu']:.1f}", f"{cost['wall']:.1f}", f"{cost['memory']:.0f}"]
                )
            lists += [[kind, name, f"{value:.0f}"] for name, value in found["lists"].items()]
            print(f"{kind}: {found['states']}", flush=True)
    print(table(["database", "count", "CPU s", "wall s", "peak MB above idle"], counts), "\n")
    print(table(["database", "list", "ms"], lists))


def _measured(servers: Stage, database: str) -> dict[str, Any]:
    try:
        env = servers.environment(DATABASE_URL=database)
        return dict(measured("bench.keyword_counts", str(NUMBER), env=env))
    except Failed as failed:
        sys.exit(failed.output)


if __name__ == "__main__":
    main()
