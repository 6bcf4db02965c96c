"""``flask project``: projects."""

import click

from app.cli.output import Group
from app.cli.users import find
from app.executions.service import Submission, submit
from app.infra.db import LARGEST_ID
from app.operations import sync_sitemap
from app.pages.page_counts import PageCounts, recount, recount_all
from app.pages.sync.quarantine import confirm_removals, open_quarantine
from app.projects import service

group = Group("project", help="Projects.")


@group.command("add")
@click.argument("email")
@click.argument("url")
@click.option("--sitemap", help="The URL of the sitemap; found automatically if omitted.")
def add(email: str, url: str, sitemap: str | None) -> None:
    """Add a website to an account and print the id of the project."""
    project = service.create_project(find(email), {"url": url, "sitemap_url": sitemap})
    click.echo(project.id)


@group.command("sync")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
def sync(project_id: int) -> None:
    """Queue a sync of a project's sitemap and print the id of the job."""
    project = service.find_project(project_id)
    submitted = submit(
        Submission(
            project=project,
            operation=sync_sitemap.OPERATION,
            payload={},
            scope=f"create:{project_id}",
            requested_by="the command line",
        )
    )
    click.echo(submitted.job.id)


@group.command("confirm-removals")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
def confirm_quarantine(project_id: int) -> None:
    """Mark the pages in quarantine stale and print how many there were."""
    project = service.find_project(project_id)
    quarantine = open_quarantine(project_id)
    confirmation = confirm_removals(project, quarantine.id) if quarantine is not None else None
    if confirmation is None:
        raise click.ClickException("This project has no pages in quarantine.")
    click.echo(confirmation.stale)


@group.command("recount")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID), required=False)
def recount_pages(project_id: int | None) -> None:
    """Count the pages of a project, or of all, and correct the totals that its lists show.

    Prints one line for each project whose counts were wrong.
    """
    if project_id is not None:
        service.find_project(project_id)
    found = recount_all() if project_id is None else filter(None, [recount(project_id)])
    for one in found:
        if one.was_wrong:
            click.echo(
                f"project {one.project_id}: {_described(one.counted)}; stored were {_described(one.stored)}"
            )


def _described(counts: PageCounts) -> str:
    newest = counts.newest_at.isoformat(" ", "seconds") if counts.newest_at else "never"
    return f"{counts.pages} pages, {counts.stale} stale, newest {newest}"
