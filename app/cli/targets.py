"""``flask target``: where posts are published."""

from __future__ import annotations

import sys

import click

from app.cli.telling import Group
from app.infra.db import LARGEST_ID
from app.projects.service import find_project
from app.publishing import service

group = Group("target", help="Publish targets.")


@group.command("add")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("kind")
@click.argument("url")
@click.option("--name", help="What to call the target; its kind otherwise.")
@click.option("--username", help="The user at the target, for WordPress.")
@click.option(
    "--secret-stdin",
    is_flag=True,
    help="Read the secret that the target has made from standard input, for WordPress.",
)
def add(
    project_id: int, kind: str, url: str, name: str | None, username: str | None, secret_stdin: bool
) -> None:
    """Add a publish target of KIND webhook or wordpress.

    For a webhook standard output is its signing secret, which cannot be shown again.
    """
    settings = {"url": url} if username is None else {"url": url, "username": username}
    given = sys.stdin.readline() if secret_stdin else None
    target, secret = service.add_target(find_project(project_id), kind, name or kind, settings, given)
    click.echo(f"Added target {target.id}: {target.name}", err=True)
    if secret is not None:
        click.echo(secret)


@group.command("test")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("name")
def test(project_id: int, name: str) -> None:
    """Try the way to the publish target NAME; nothing is published or changed there."""
    checks = service.test_target(service.choose_target(find_project(project_id), name))
    for check in checks:
        click.echo(f"{'failed' if check.failure else 'ok':<7} {check.title}")
        if check.failure is not None:
            for line in (check.failure.message, *check.failure.hints):
                click.echo(f"        {line}")
    if any(check.failure for check in checks):
        raise SystemExit(1)
