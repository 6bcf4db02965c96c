"""``flask encryption``: the key of the stored secrets."""

import click

from app.cli.output import Group
from app.infra import key_rotation

group = Group("encryption", help="The key of the stored secrets.")


@group.command("rotate")
def rotate() -> None:
    """Encrypt every stored secret with ENCRYPTION_KEY. FORMER_ENCRYPTION_KEYS can be dropped afterwards.

    Ends with exit code 1 if there are secrets that no key can read.
    """
    done = key_rotation.rotate_all()
    for each in done:
        click.echo(f"{each.column}: {each.changed} encrypted anew, {len(each.unreadable)} unreadable")
        for row_id in each.unreadable:
            click.echo(f"{each.column}: row {row_id} can be read with no key", err=True)
    if any(each.unreadable for each in done):
        raise click.exceptions.Exit(1)
