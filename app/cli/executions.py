"""``flask execution``: execution jobs."""

import json

import click

from app.cli.output import Group
from app.executions import dispatcher, queries, runner
from app.executions.claims import claim_with_retry
from app.executions.model import ExecutionJob
from app.executions.states import Status
from app.infra.clock import rfc3339
from app.infra.db import LARGEST_ID

group = Group("execution", help="Execution jobs.")


@group.command("show")
@click.argument("job_id", type=click.IntRange(1, LARGEST_ID))
def show(job_id: int) -> None:
    """Print a job and its history."""
    job = queries.reload(job_id)
    _print(job, queries.history_of([job_id])[job_id])


@group.command("run")
@click.argument("job_id", type=click.IntRange(1, LARGEST_ID))
def run(job_id: int) -> None:
    """Run one attempt of a queued job in this process, and print the job."""
    queries.reload(job_id)
    claim = claim_with_retry(job_id)
    if claim is not None:
        dispatcher.enqueue_next(job_id)
        runner.execute(claim)
        dispatcher.enqueue_next(job_id)
    job = queries.reload(job_id)
    _print(job, queries.history_of([job_id])[job_id])
    if job.status != Status.SUCCEEDED:
        raise click.ClickException(f"The job is {job.status}.")


def _print(job: ExecutionJob, history: list[queries.HistoryEntry]) -> None:
    click.echo(f"Execution {job.id}: {job.operation} for project {job.project_id}, {job.status}")
    for name in ("payload", "progress", "result", "failure"):
        value = getattr(job, name)
        if value is not None:
            click.echo(f"{name}: {json.dumps(value, ensure_ascii=False)}")
    for line in history:
        details = json.dumps(line.details, ensure_ascii=False) if line.details else ""
        click.echo("  ".join([rfc3339(line.at) or "", line.event, line.status, details]).rstrip())
