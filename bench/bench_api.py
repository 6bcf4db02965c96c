"""CPU of a request of the API beside that of a bare Flask view with one query and the same bytes.

bin/bench api [rounds]
"""

from __future__ import annotations

import sys

from bench.measuring import Failed, measured
from bench.stage import stage, table

ROUNDS = 9


def main() -> None:
    """Print a table: milliseconds of CPU of ours and of the bare view, and how many times as much ours is."""
    rounds = sys.argv[1] if len(sys.argv) > 1 else str(ROUNDS)
    with stage() as servers:
        try:
            env = servers.environment(DATABASE_URL=servers.database(), REQUESTS_PER_MINUTE="100000000")
            found = measured("bench.api_requests", rounds, env=env)
        except Failed as failed:
            sys.exit(failed.output)
    rows = [_row(name, **costs) for name, costs in found.items()]
    print(table(["request", "bare ms", "ours ms", "times", "statements", "bytes"], rows))


def _row(name: str, ours: float, bare: float, statements: int, bytes: int) -> list[str]:
    return [name, f"{bare:.2f}", f"{ours:.2f}", f"{ours / bare:.1f}", str(statements), str(bytes)]


if __name__ == "__main__":
    main()
