"""``flask target``: where posts are published."""

from __future__ import annotations

import click

from app.cli.output import Group
from app.infra.db import LARGEST_ID
from app.projects.service import find_project
from app.publishing import service

group = Group("target", help="Publish targets.")


@group.command("add")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("kind")
@click.argument("url")
@click.option("--name", help="What to call the target; its kind otherwise.")
def add(project_id: int, kind: str, url: str, name: str | None) -> None:
    """Add a publish target; standard output is its signing secret, which cannot be shown again."""
    target, secret = service.add_target(find_project(project_id), kind, name or kind, {"url": url})
    click.echo(f"Added target {target.id}: {target.name}", err=True)
    if secret is not None:
        click.echo(secret)
