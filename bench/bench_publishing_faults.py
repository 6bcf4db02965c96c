"""Posts published while one call of each is spoiled: how many are live afterwards, and what is known.

bin/bench publishing_faults [--number N] [--kinds wordpress,ghost,webhook,git] [--steps …] [--faults …]
    [--wordpress URL USER PASSWORD] [--ghost URL KEY]

Without addresses it uses look-alikes: a WordPress whose search finds nothing, a Ghost whose filters find
nothing, and a receiver of webhooks that makes a post of every message; and a Git repository, whose workers
are lost. What it makes there it removes.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from app.config import load_settings
from app.factory import create_app
from app.infra.db import db
from app.projects.model import Project
from app.publishing.service import add_target
from bench.stage import table
from tests.support import lost_workers
from tests.support.databases import SqliteDatabases, migrate
from tests.support.environment import settings_environment
from tests.support.fault_cells import HEAD, STEPS, Cell, cell_at, rows_of
from tests.support.gateway import FAULTS
from tests.support.git import Repository, bare_repository
from tests.support.publishing import leave_out_waits, project_of
from tests.support.redis import RedisServer
from tests.support.target_places import GhostPlace, Place, WordPressPlace, look_alikes

_REAL_PATIENCE = 6.0


def main() -> int:
    """Run the cells that were asked for and print the table; return 1 if one has a contradiction."""
    asked = _arguments()
    with _places(asked) as places:
        cells = _measured([place for place in places if place.kind in asked.kinds], asked)
    print(table(HEAD, rows_of(cells)))
    for cell in cells:
        for line in cell.wrong[:3]:
            print(f"{cell.kind}, {cell.step}, {cell.fault}: {line}")
    return 1 if any(cell.wrong for cell in cells) else 0


def _measured(places: Sequence[Place], asked: argparse.Namespace) -> list[Cell]:
    redis, folder = RedisServer(), Path(tempfile.mkdtemp(prefix="bench-"))
    database = SqliteDatabases(folder).create()
    migrate(database)
    root = folder / "repositories"
    root.mkdir()
    environment = settings_environment(
        DATABASE_URL=database, REDIS_URL=redis.url, LOG_LEVEL="ERROR", HEARTBEAT_SECONDS="10",
        LEASE_SECONDS="600", GIT_ROOT=str(root), SIGN_UP="closed",
        FETCH_ALLOW=",".join(place.gateway.address for place in places),
    )  # fmt: skip
    cells: list[Cell] = []
    try:
        with create_app(load_settings(environment)).app_context(), pytest.MonkeyPatch.context() as patch:
            leave_out_waits(patch)
            for place in places:
                cells += _run(place, asked)
            if "git" in asked.kinds and not asked.wordpress and not asked.ghost:
                cells += _run_git(bare_repository(root, "blog.git"), asked)
    finally:
        redis.remove()
    return cells


def _run(place: Place, asked: argparse.Namespace) -> Iterator[Cell]:
    """Run all cells of a place, and yield each when it is done."""
    project = project_of(f"alice-{place.kind}")
    project_id = project.id
    add_target(project, place.kind, "Blog", place.settings, place.secret)
    faults = [fault for fault in FAULTS if any(word in fault for word in asked.faults)]
    for step in (step for step in STEPS if step in place.steps and step in asked.steps):
        for fault in faults:
            cell = cell_at(place, project_id, step, fault)
            cell.run(asked.number)
            print(*next(rows_of([cell])), sep=" | ", file=sys.stderr, flush=True)
            yield cell


def _run_git(repository: Repository, asked: argparse.Namespace) -> Iterator[Cell]:
    """Run the cells of lost workers, and yield each when it is done."""
    project_id = project_of("alice-git").id
    add_target(db.session.get_one(Project, project_id), "git", "Blog", lost_workers.SETTINGS)
    workers = lost_workers.LostWorkers(repository)
    for step in (step for step in lost_workers.STEPS if step in asked.steps):
        cell = workers.cell(project_id, step)
        cell.run(asked.number)
        print(*next(rows_of([cell])), sep=" | ", file=sys.stderr, flush=True)
        yield cell


@contextmanager
def _places(asked: argparse.Namespace) -> Iterator[list[Place]]:
    if not asked.wordpress and not asked.ghost:
        with look_alikes() as places:
            yield places
        return
    real: list[Place] = []
    if asked.wordpress:
        real.append(WordPressPlace(*asked.wordpress, _REAL_PATIENCE))
    if asked.ghost:
        real.append(GhostPlace(*asked.ghost, _REAL_PATIENCE))
    yield real


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="bin/bench publishing_faults", description=__doc__)
    words = lambda text: text.split(",")  # noqa: E731
    parser.add_argument("--number", type=int, default=30, help="posts of each cell (30)")
    parser.add_argument("--kinds", type=words, default=["wordpress", "ghost", "webhook", "git"])
    parser.add_argument("--steps", type=words, default=list(STEPS))
    parser.add_argument("--faults", type=words, default=[""], help="words in their names")
    parser.add_argument("--wordpress", nargs=3, metavar=("URL", "USER", "PASSWORD"))
    parser.add_argument("--ghost", nargs=2, metavar=("URL", "KEY"))
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
