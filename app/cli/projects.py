"""``flask project``: projects."""

from __future__ import annotations

import click

from app.cli.telling import Group
from app.cli.users import find
from app.projects import service

group = Group("project", help="Projects.")


@group.command("add")
@click.argument("email")
@click.argument("url")
@click.option("--sitemap", help="Where the sitemap is; it is looked for otherwise.")
def add(email: str, url: str, sitemap: str | None) -> None:
    """Add a website to an account; standard output is the project's id."""
    project = service.create_project(find(email), {"url": url, "sitemap_url": sitemap})
    click.echo(project.id)
