"""What grows with the whole service: periodic steps and lists on a large PostgreSQL database.

bin/bench scale [SHARE]

With a SHARE of 1, the default, there are 10,000 accounts, 100,000 projects, 5,000,000 pages and 1,000,000
jobs. Prints the milliseconds of each step and list, and the plans of its longest statements.
"""

from __future__ import annotations

import resource
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from flask import Flask
from sqlalchemy import event, text

from app.accounts.keys import create_key
from app.accounts.model import Account
from app.config import load_settings
from app.executions import dispatcher, reaper, retention
from app.executions.schedule import submit_due_publications, submit_due_syncs
from app.factory import create_app
from app.infra.db import db, release
from app.jobs import tasks
from bench.scale_rows import Sizes, fill, spread_syncs
from bench.stage import percentile, stage, table

WHOLE: Final = Sizes(10_000, 100_000, 5_000_000, 1_000_000, pages_of_first=100_000)
STEPS: Final[dict[str, Callable[[], object]]] = {
    "reap": reaper.reap,
    "dispatch": dispatcher.dispatch,
    "submit due syncs": submit_due_syncs,
    "submit due publications": submit_due_publications,
    "enqueue due pages": tasks.enqueue_due_pages,
    "run autopilots": tasks.run_autopilots,
    "send mails": tasks.send_mails,
    "write summaries": tasks.write_summaries,
    "refresh coverage": tasks.refresh_coverage,
    "reconcile publications": tasks.reconcile_publications,
    "prune jobs": retention.prune,
    "prune syncs": tasks.prune_syncs,
}
LISTS: Final = {
    "projects": "/public-api/projects",
    "jobs": "/public-api/executions",
    "jobs found": "/public-api/executions?q=number+17",
    "failed jobs": "/public-api/executions?status=failed",
    "a job": "/public-api/executions/{job}",
    "pages of 100,000": "/public-api/projects/1/pages?page_size=100",
    "pages found among 100,000": "/public-api/projects/1/pages?q=number-99",
    "stale pages of 100,000": "/public-api/projects/1/pages?stale=true",
    "the last of 100,000": "/public-api/projects/1/pages?page_size=100&page=1000",
    "keywords": "/public-api/projects/1/keywords",
    "posts": "/public-api/projects/1/blog-posts",
}
ROUNDS: Final = 9
ROUND_SECONDS: Final = 5.0
"""How often the scheduler looks for due syncs."""
SYNC_INTERVAL: Final = 6 * 3600
TIMES_LIST: Final = 20
PLANS: Final = 3
"""Statements of each step or list whose plans are printed; inserts have none to speak of."""
_EXPLAINED: Final = ("SELECT", "UPDATE", "DELETE", "WITH")
MOST_STEP: Final = 200.0
MOST_LIST: Final = 50.0


Statements = dict[str, tuple[float, Any]]
"""Statements with the most milliseconds that each took, and the parameters of that time."""


@dataclass
class Measured:
    """One step or list with its times in milliseconds."""

    name: str
    act: Callable[[], object]
    bar: float
    times: list[float] = field(default_factory=list)
    statements: Statements = field(default_factory=dict)
    plans: str = ""

    def once(self) -> None:
        """Do it and take the time."""
        with _listening(self.statements):
            began = time.perf_counter()
            self.act()
            self.times.append(1000 * (time.perf_counter() - began))

    def longest(self) -> float:
        """Return the milliseconds of the longest statement."""
        return max((taken for taken, _ in self.statements.values()), default=0.0)

    def at(self, share: float) -> float:
        """Return the time that this share of the times does not exceed."""
        return percentile(self.times, share)


def main(share: float) -> int:
    """Fill a database and measure. Returns the exit status: 1 if a bar was missed."""
    sizes = Sizes(*(max(int(number * share), 10) for number in vars(WHOLE).values()))
    with stage() as made:
        database = made.database()
        app = create_app(load_settings(made.environment(DATABASE_URL=database, REQUESTS_PER_MINUTE="100000")))
        with app.app_context():
            began = time.monotonic()
            with db.engine.connect() as connection:
                fill(connection, sizes)
                size = connection.scalar(text("SELECT pg_size_pretty(pg_database_size(current_database()))"))
            print(f"{sizes}\n{size}, filled in {time.monotonic() - began:.0f} s\n", flush=True)
            key = create_key(db.session.get_one(Account, 1), "bench")[1]
            job = db.session.scalar(text("SELECT max(id) FROM execution_jobs WHERE account_id = 1"))
            release()
            idle = _peak_megabytes()
            measured = [*_steps(), *_lists(app, key, job)]
            print(f"peak memory of the process: {idle:.0f} MB before, {_peak_megabytes():.0f} MB after\n")
            for each in measured:
                each.plans = _plans(each.statements)
    print(
        table(
            ["step or list", "p50 ms", "p95 ms", "bar ms", "longest statement ms"],
            [
                [
                    each.name,
                    f"{each.at(0.5):.1f}",
                    f"{each.at(0.95):.1f}",
                    each.bar,
                    f"{each.longest():.1f}",
                ]
                for each in measured
            ],
        )
    )
    for each in measured:
        print(f"\n{each.name}\n{each.plans}")
    return int(any(each.at(0.95) > each.bar for each in measured))


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _steps() -> list[Measured]:
    """Measure all steps once in each round, with as much due in a round as becomes due in its time."""
    measured = [Measured(name, _alone(step), MOST_STEP) for name, step in STEPS.items()]
    with db.engine.begin() as connection:
        spread_syncs(connection, SYNC_INTERVAL)
    begins = time.monotonic()
    for _ in range(ROUNDS):
        begins += ROUND_SECONDS
        time.sleep(max(begins - time.monotonic(), 0))
        for each in measured:
            each.once()
    return measured


def _lists(app: Flask, key: str, job: int | None) -> list[Measured]:
    measured = [
        Measured(name, _asking(app, path.format(job=job), key), MOST_LIST) for name, path in LISTS.items()
    ]
    for each in measured:
        for _ in range(TIMES_LIST):
            each.once()
        release()
    return measured


def _alone(step: Callable[[], object]) -> Callable[[], None]:
    def act() -> None:
        step()
        release()

    return act


def _asking(app: Flask, path: str, key: str) -> Callable[[], None]:
    client = app.test_client()

    def ask() -> None:
        answer = client.get(path, headers={"X-API-Key": key})
        if answer.status_code != 200:
            sys.exit(f"{path}: {answer.status} {answer.text[:300]}")

    ask()
    return ask


@contextmanager
def _listening(found: Statements) -> Iterator[None]:
    began = 0.0

    def before(*_: Any) -> None:
        nonlocal began
        began = time.perf_counter()

    def after(_connection: Any, _cursor: Any, statement: str, parameters: Any, *_: Any) -> None:
        taken = 1000 * (time.perf_counter() - began)
        is_slower = taken > found.get(statement, (0.0, None))[0]
        if is_slower and statement.lstrip().upper().startswith(_EXPLAINED):
            found[statement] = taken, parameters

    event.listen(db.engine, "before_cursor_execute", before)
    event.listen(db.engine, "after_cursor_execute", after)
    try:
        yield
    finally:
        event.remove(db.engine, "before_cursor_execute", before)
        event.remove(db.engine, "after_cursor_execute", after)


def _plans(found: Statements) -> str:
    """Return the plans of the longest statements: their nodes, and of equal ones in a row the first."""
    longest = sorted(found.items(), key=lambda each: each[1][0], reverse=True)[:PLANS]
    return "\n".join(_plan(statement, parameters) for statement, (_, parameters) in longest)


def _plan(statement: str, parameters: Any) -> str:
    with db.engine.connect() as connection:
        lines = connection.exec_driver_sql(f"EXPLAIN (COSTS OFF) {statement}", parameters).scalars().all()
    nodes = [line for line in lines if "->" in line or line == lines[0]]
    return "\n".join(node for node, _ in groupby(nodes))


if __name__ == "__main__":
    sys.exit(main(float(sys.argv[1]) if len(sys.argv) > 1 else 1.0))
