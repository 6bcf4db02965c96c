"""``flask reconcile``: does all periodic work once, for a cron job where no scheduler runs."""

import click
from flask.cli import with_appcontext

from app.accounts import security_log
from app.autopilot import runs
from app.cli.output import Command
from app.content.posts import keyword_coverage, picture_upkeep
from app.executions import dispatcher, queries, reaper, retention, schedule
from app.keywords import removal as keyword_removal
from app.notifications import delivery, outbox, weekly
from app.offboarding import deletion
from app.pages.crawling import reading
from app.pages.sync import sync_retention
from app.publishing import abandoned, calls, reconcile
from app.publishing import removal as post_removal
from app.spreadsheets.service import remove_old_files

_BATCH = 100


@click.command("reconcile", cls=Command)
@with_appcontext
def command() -> None:
    """Do all periodic work once and print the numbers."""
    done = {
        "stuck jobs requeued or ended": reaper.reap(),
        "syncs submitted": schedule.submit_due_syncs(),
        "fetches of search results submitted": schedule.submit_due_search_fetches(),
        "scheduled publications submitted": schedule.submit_due_publications(),
        "runs of autopilots continued": runs.continue_runs(),
        "runs of autopilots started": runs.start_due_runs(),
        "jobs enqueued": dispatcher.dispatch(),
        "page readings enqueued": reading.enqueue_due_pages(_BATCH),
        "projects recounted": keyword_coverage.refresh_due_coverage(_BATCH),
        "publications reconciled": reconcile.reconcile_publications(queries.active_job_ids()),
        "abandoned drafts deleted": abandoned.delete_abandoned_drafts(),
        "weekly summaries written": weekly.write_due_summaries(),
        "mails sent": delivery.send_due(),
        "accounts deleted": deletion.delete_due_accounts(),
        "old jobs pruned": retention.prune(),
        "old syncs removed": sync_retention.prune(),
        "old files removed": remove_old_files(),
        "deleted keywords dropped": keyword_removal.prune_removals(),
        "deleted drafts dropped": post_removal.prune_removals(),
        "old calls to targets removed": calls.prune_calls(),
        "old mails removed": outbox.prune(),
        "old events of the security log removed": security_log.prune(),
        "pictures without a row removed": picture_upkeep.prune_objects(),
    }
    for what, number in done.items():
        click.echo(f"{what}: {number}")
