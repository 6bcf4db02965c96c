"""``flask target``: a project's publish targets."""

from __future__ import annotations

from collections.abc import Sequence

import click

from app.cli.output import Group
from app.infra.db import LARGEST_ID
from app.projects.service import find_project
from app.publishing import service
from app.publishing.targets.registry import KINDS

_SETTINGS = "; ".join(
    f"{kind.name}: {', '.join(setting.name for setting in kind.settings)}" for kind in KINDS.values()
)

group = Group("target", help="Publish targets.")


@group.command("add", epilog=f"Settings of each kind. {_SETTINGS}.")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("kind")
@click.argument("settings", metavar="[SETTING=VALUE]...", nargs=-1)
@click.option("--name", help="The name of the target; defaults to its kind.")
def add(project_id: int, kind: str, settings: Sequence[str], name: str | None) -> None:
    """Add a publish target and print its secret. It cannot be shown again."""
    values = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"Write it as SETTING=VALUE: {setting}", param_hint="settings")
        values[key] = value
    target, secret = service.add_target(find_project(project_id), kind, name or kind, values)
    click.echo(f"Added target {target.id}: {target.name}", err=True)
    if secret is not None:
        click.echo(secret)
