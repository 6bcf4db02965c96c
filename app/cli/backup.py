"""``flask backup`` and ``flask restore``: the database as one file."""

from pathlib import Path

import click
from flask.cli import with_appcontext

from app.cli.output import Command
from app.infra import backup
from app.infra.db import db
from app.infra.migrations import is_migrated

_FILE = click.argument("file", type=click.Path(path_type=Path, dir_okay=False))


@click.command("backup", cls=Command)
@_FILE
@with_appcontext
def save(file: Path) -> None:
    """Write a backup of the database to a new FILE, while the service runs."""
    try:
        size = backup.save(file)
    except backup.BackupError as problem:
        raise click.ClickException(str(problem)) from problem
    click.echo(f"{size} bytes written to {file}. Store the three secrets elsewhere.")


@click.command("restore", cls=Command)
@_FILE
@with_appcontext
def restore(file: Path) -> None:
    """Fill the database of DATABASE_URL, which must be empty, from the backup FILE."""
    try:
        backup.restore(file)
    except backup.BackupError as problem:
        raise click.ClickException(str(problem)) from problem
    with db.engine.connect() as connection:
        is_current = is_migrated(connection)
    upgrade = "" if is_current else "run `flask --app wsgi db upgrade`, then "
    click.echo(f"Restored from {file}. Next: {upgrade}start the processes.")
