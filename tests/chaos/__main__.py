"""bin/chaos: breaks a running service in every way we know and reports what happened."""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

from tests.chaos.run import Plan, run
from tests.chaos.system import DATABASES


def main() -> int:
    """Run as asked, print the table; returns 0 when every guarantee was kept."""
    parser = argparse.ArgumentParser(prog="bin/chaos", description=__doc__)
    parser.add_argument("--minutes", type=float, default=15, help="how long to break things (15)")
    parser.add_argument("--seed", type=int, default=1, help="repeats a schedule (1)")
    parser.add_argument("--database", choices=tuple(DATABASES), default="postgresql")
    parser.add_argument("--lease", type=int, default=3, help="LEASE_SECONDS of the service (3)")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="seo-chaos-"))
    plan = Plan(asked.minutes * 60, asked.seed, asked.database, asked.lease)
    print(f"{plan}; logs in {folder}", flush=True)
    report = run(plan, folder)
    print(report)
    return 0 if report.passed else 1


if __name__ == "__main__":
    sys.exit(main())
