"""``flask sweep``: everything periodic, once; for a cron job where no scheduler runs."""

from __future__ import annotations

import click
from flask.cli import with_appcontext

from app.cli.output import Command
from app.content.posts import keyword_coverage
from app.executions import dispatcher, queries, reaper, retention, schedule
from app.pages.crawling import reading
from app.pages.sync import sync_retention
from app.publishing import reconcile

_BATCH = 100


@click.command("sweep", cls=Command)
@with_appcontext
def command() -> None:
    """Do everything periodic once and print how much there was of each."""
    done = {
        "stuck jobs settled": reaper.reap(),
        "syncs submitted": schedule.submit_due_syncs(),
        "jobs rung": dispatcher.dispatch(),
        "page readings rung": reading.enqueue_due_pages(_BATCH),
        "projects recounted": keyword_coverage.refresh_due_coverage(_BATCH),
        "publications settled": reconcile.reconcile_publications(queries.active_job_ids()),
        "old jobs pruned": retention.prune(),
        "old syncs removed": sync_retention.prune(),
    }
    for what, number in done.items():
        click.echo(f"{what}: {number}")
