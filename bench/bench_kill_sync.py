"""200 syncs killed by SIGKILL at random moments: pages are as before or as after, the next sync heals them.

bin/bench kill_sync [--seed S]: 97 kills of syncs of 2,000 names and 3 of 200,000 on each database.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from pathlib import Path

from app.config import load_settings
from app.factory import create_app
from bench.stage import table
from tests.support.databases import KINDS, Databases
from tests.support.environment import settings_environment
from tests.support.servers import SiteServer
from tests.support.sync_kills import KilledSyncs

PLAN = {2_000: 97, 200_000: 3}
"""How many kills for each number of names; a sitemap lists three in four of them."""


def main() -> None:
    parser = argparse.ArgumentParser(prog="bin/bench kill_sync", description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    seed = parser.parse_args().seed
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    folder.chmod(0o755)  # PostgreSQL, which root may not be, lives below it
    databases, site = Databases(folder), SiteServer()
    rows = []
    try:
        for kind in KINDS:
            places = {"DATABASE_URL": databases.fresh(kind), "FETCH_ALLOW": site.address}
            with create_app(load_settings(settings_environment(**places))).app_context():
                for pages, kills in PLAN.items():
                    started = time.monotonic()
                    syncs = KilledSyncs(site, pages, seed)
                    for _ in range(kills):
                        syncs.kill_one()
                    outcomes = ", ".join(f"{name} {count}" for name, count in sorted(syncs.outcomes.items()))
                    rows.append([kind, f"{pages:,}", kills, outcomes, f"{time.monotonic() - started:.0f}"])
                    print(*rows[-1], sep=" | ", flush=True)
    finally:
        site.close()
        databases.close()
    print(table(["database", "names", "kills", "pages after the kill", "seconds"], rows))


if __name__ == "__main__":
    main()
