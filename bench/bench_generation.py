"""Posts of projects of 30, 500 and 5,000 read pages; their extraction compared with other extractors.

bin/bench generation [posts] [extraction]
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from statistics import mean, median
from typing import Any

from bench.customer import inside
from bench.extraction_readers import READERS, find_folders
from bench.generation_site import project_with, read_pages
from bench.measuring import Failed, measured
from bench.stage import Stage, percentile, stage, table
from tests.support.databases import SqliteDatabases, migrate

SIZES = (30, 500, 5000)
POSTS = 20
EXTRACTED = 150
ROUNDS = 3
BARS = {500: 1.0, 5000: 3.0}
MEMORY_BAR = 150

Figures = dict[str, tuple[float, float]]


def posts(stage: Stage) -> tuple[str, Figures]:
    """Seconds of whole generations, claim to saved post, in one process."""
    rows, figures = [], {}
    sqlite = SqliteDatabases(Path(tempfile.mkdtemp(prefix="bench-")))
    for size in SIZES:
        pages = read_pages(size)
        texts = set()
        for kind in ("SQLite", "PostgreSQL"):
            database = stage.database() if kind == "PostgreSQL" else sqlite.create()
            if kind == "SQLite":
                migrate(database)
            env = stage.environment(DATABASE_URL=database, QUEUED_EXECUTIONS="1000000")
            with inside(env):
                project_id = project_with(pages)
            found = _run(env, project_id, size)
            texts.add(tuple(one["text"] for one in [*found["asked"], *found["free"]]))
            for name, seen in found.items():
                rows.append([size, kind, name, *_figures(seen)])
            seen = found["asked"]
            figures[f"{size} {kind}, p95 CPU s"] = (
                percentile([one["cpu"] for one in seen], 0.95),
                BARS.get(size, 1),
            )
            figures[f"{size} {kind}, MB"] = max(one["memory"] for one in seen), MEMORY_BAR
        print(
            f"{size} pages: {'the same' if len(texts) == 1 else 'OTHER'} posts on both databases", flush=True
        )
    head = [
        "pages", "database", "topic", "posts", "CPU p50 s", "CPU p95 s", "wall p50 s", "wall p95 s",
        "posts/CPU s", "peak MB above idle", "words", "sources",
    ]  # fmt: skip
    return table(head, rows), figures


def _run(env: dict[str, str], project_id: int, size: int) -> dict[str, Any]:
    try:
        return dict(measured("bench.generation_runs", str(project_id), str(size), str(POSTS), env=env))
    except Failed as failed:
        sys.exit(failed.output)


def _figures(seen: list[dict[str, Any]]) -> list[str]:
    cpu, wall = ([one[name] for one in seen] for name in ("cpu", "wall"))
    return [
        str(len(seen)), f"{median(cpu):.3f}", f"{percentile(cpu, 0.95):.3f}", f"{median(wall):.3f}",
        f"{percentile(wall, 0.95):.3f}", f"{len(cpu) / sum(cpu):.1f}",
        f"{max(one['memory'] for one in seen):.0f}",
        f"{mean(one['words'] for one in seen):.0f}", f"{mean(one['sources'] for one in seen):.1f}",
    ]  # fmt: skip


def extraction(stage: Stage) -> tuple[str, Figures]:
    """CPU of taking content out of HTML, ours and others in turns, and the headings and text left."""
    rows = []
    for site, folder in find_folders().items():
        samples: dict[str, list[dict[str, Any]]] = {name: [] for name in READERS}
        for _ in range(ROUNDS):
            for name, seen in samples.items():
                seen.append(
                    measured(
                        "bench.extraction_readers", name, folder, str(EXTRACTED), env=stage.environment()
                    )
                )
        for name, seen in samples.items():
            one, cpu = seen[0], median([each["cpu"] for each in seen])
            rows.append([
                site, name, one["pages"], f"{cpu / one['pages'] * 1000:.1f}",
                f"{one['kept']} of {one['headings']}", one["words"],
                f"{one['recall']:.3f}", f"{one['precision']:.3f}",
                f"{max(each['memory'] for each in seen):.0f}",
            ])  # fmt: skip
    head = [
        "site", "who", "pages", "CPU ms a page", "h1 to h3 kept", "words kept", "main text recall",
        "precision", "peak MB above idle",
    ]  # fmt: skip
    return table(head, rows), {}


PARTS = {"posts": posts, "extraction": extraction}


def main() -> None:
    """Print a table for each part that was asked for, or for all, and the bars."""
    figures: Figures = {}
    with stage() as servers:
        for name in sys.argv[1:] or PARTS:
            report, more = PARTS[name](servers)
            figures |= more
            print(f"{name}\n\n{report}\n", flush=True)
    rows = [
        [what, f"{value:.2f}", limit, "met" if value <= limit else "MISSED"]
        for what, (value, limit) in figures.items()
    ]
    print(table(["bar", "measured", "at most", ""], rows))


if __name__ == "__main__":
    main()
