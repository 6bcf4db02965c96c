"""Reading and syncing sitemaps of 50,000 and 1,000,000 URLs, also by other readers; which targets are met.

bin/bench sitemaps [read] [sync] [web]
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from statistics import median
from typing import Any

from bench.measuring import Failed, measured
from bench.sitemap_readers import WAYS
from bench.sitemap_site import SIZES, SitemapSite, sitemap_site
from bench.sitemap_web import waits
from bench.stage import Stage, percentile, stage, table
from tests.support.databases import SqliteDatabases, migrate

ROUNDS = {"50k": 5, "1M": 3}
PEER_ROUNDS = {"50k": 5, "1M": 1}
PEERS = ("scrapy", "trafilatura", "ultimate-sitemap-parser", "advertools")
BARS = {
    "expat bare": 4.5,
    "expat, locs collected": 4.5,
    "scrapy": 0.45,
    "trafilatura": 0.50,
    "ultimate-sitemap-parser": 0.30,
    "advertools": 0.30,
}

Samples = dict[str, list[dict[str, Any]]]
Figures = dict[str, float]


def read(site: SitemapSite, stage: Stage) -> tuple[str, Figures]:
    """CPU and memory of reading, ours and others in turns, each in a process of its own."""
    rows, figures = [], {}
    for size in ("50k", "1M"):
        site.write(size)
        samples = _reading_samples(site, stage, size)
        for way, seen in samples.items():
            cpu, wall, memory = (median([one[name] for one in seen]) for name in ("cpu", "wall", "memory"))
            figures[f"{way} {size}"] = cpu
            rate = f"{SIZES[size] / cpu:,.0f}"
            rows.append([size, way, len(seen), f"{cpu:.3f}", f"{wall:.3f}", rate, f"{memory:.0f}"])
    head = ["URLs", "who", "rounds", "CPU s", "wall s", "URL/CPU s", "peak MB above idle"]
    return table(head, rows), figures


def _reading_samples(site: SitemapSite, stage: Stage, size: str) -> Samples:
    env = stage.environment(FETCH_ALLOW=site.address)
    samples: Samples = defaultdict(list)
    for number in range(ROUNDS[size]):
        for way in WAYS:
            if way in PEERS and number >= PEER_ROUNDS[size]:
                continue
            try:
                found = measured("bench.sitemap_readers", way, site.sitemap(size), env=env)
            except Failed as failed:
                sys.exit(f"{way}: {failed.output}")
            if way in PEERS and found["urls"] != SIZES[size]:
                print(f"{way} read {found['urls']} of {SIZES[size]} URLs and is left out", flush=True)
                continue
            assert way != "ours" or found["urls"] == SIZES[size], found
            samples[way].append(found)
    return samples


def sync(site: SitemapSite, stage: Stage) -> tuple[str, Figures]:
    """CPU of whole syncs, the database's process included, and the apply compared with a bare COPY."""
    rows, figures = [], {}
    sqlite = SqliteDatabases(Path(tempfile.mkdtemp(prefix="bench-")))
    for size in ("50k", "1M"):
        samples: dict[str, Samples] = {"PostgreSQL": defaultdict(list), "SQLite": defaultdict(list)}
        for _ in range(ROUNDS[size]):
            for kind in samples:
                database = stage.database() if kind == "PostgreSQL" else sqlite.create()
                if kind == "SQLite":
                    migrate(database)
                env = stage.environment(FETCH_ALLOW=site.address, DATABASE_URL=database)
                found = measured("bench.sitemap_syncs", site.url, size, str(site.folder), env=env)
                for name, costs in found.items():
                    samples[kind][name].append(costs)
        for kind, each in samples.items():
            for name, seen in each.items():
                columns = ("cpu", "wall", "apply cpu", "apply wall", "memory")
                middle = {column: median([one[column] for one in seen]) for column in columns}
                figures |= {f"{kind} {size} {name} {column}": value for column, value in middle.items()}
                rows.append([size, kind, name, len(seen), *(f"{value:.3f}" for value in middle.values())])
    head = ["URLs", "database", "sync", "rounds", "CPU s", "wall s", "apply CPU s", "apply wall s", "peak MB"]
    return table(head, rows), figures


def web(site: SitemapSite, stage: Stage) -> tuple[str, Figures]:
    """Milliseconds of GETs of a project's pages, and of others' jobs, while 1,000,000 pages are synced."""
    seen = waits(stage, site, "1M")
    rows = [
        [name, len(each), *(f"{percentile(each, share) * 1000:.0f}" for share in (0.5, 0.95, 1))]
        for name, each in seen.items()
    ]
    lists = {name: each for name, each in seen.items() if not name.endswith("of another")}
    figures = {f"GET in {name}": percentile(each, 0.95) * 1000 for name, each in lists.items()}
    return table(["during, or what", "requests", "p50 ms", "p95 ms", "most"], rows), figures


def bars(figures: Figures) -> str:
    """Return each target with its measurement, if its parts were run."""
    found: list[tuple[str, float, float]] = []

    def bar(what: str, limit: float, above: str, below: str) -> None:
        if above in figures and below in figures:
            found.append((what, limit, figures[above] / figures[below]))

    for way, limit in BARS.items():
        bar(f"reading 50k, CPU to {way}", limit, "ours 50k", f"{way} 50k")
    bar("reading 1M, CPU to 50k", 22, "ours 1M", "ours 50k")
    usp = "ultimate-sitemap-parser 50k"
    for kind in ("PostgreSQL", "SQLite"):
        bar(f"first sync of 50k on {kind}, CPU to {usp} read", 0.6, f"{kind} 50k first cpu", usp)
        for name in ("first", "same"):
            long, short = f"{kind} 1M {name} cpu", f"{kind} 50k {name} cpu"
            bar(f"{name} sync of 1M on {kind}, CPU to 50k", 22, long, short)
        large, small = f"{kind} 1M first memory", f"{kind} 50k first memory"
        bar(f"memory of a first sync of 1M on {kind} to 50k", 1.15, large, small)
        found += [(f"memory on {kind}, MB", 15, figures[name]) for name in (small, large) if name in figures]
    for name, limit in (("same", 3), ("first", 5)):
        for copy in ("bare COPY", "bare COPY, keyed", "bare COPY of page rows"):
            above, below = f"PostgreSQL 50k {name} apply cpu", f"PostgreSQL 50k {copy} apply cpu"
            bar(f"apply of a {name} sync of 50k, CPU to {copy}", limit, above, below)
    found += [(f"{name}, p95 ms", 100, value) for name, value in figures.items() if name.startswith("GET in")]
    rows = [
        [what, f"{value:.2f}", limit, "met" if value <= limit else "MISSED"] for what, limit, value in found
    ]
    return table(["bar", "measured", "at most", ""], rows)


PARTS = {"read": read, "sync": sync, "web": web}


def main() -> None:
    """Print a table for each part that was asked for, or for all, and the bars."""
    figures: Figures = {}
    with stage() as servers, sitemap_site(Path(tempfile.mkdtemp(prefix="bench-"))) as site:
        for name in sys.argv[1:] or PARTS:
            report, more = PARTS[name](site, servers)
            figures |= more
            print(f"{name}\n\n{report}\n", flush=True)
    print(bars(figures))


if __name__ == "__main__":
    main()
