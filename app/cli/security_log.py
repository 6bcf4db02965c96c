"""``flask security-log``: what happened to accounts."""

import click
from flask.cli import with_appcontext

from app.accounts import security_log
from app.cli.output import Command
from app.cli.users import find
from app.infra.clock import rfc3339


@click.command("security-log", cls=Command)
@click.argument("email", required=False)
@click.option("--most", type=click.IntRange(1, 10_000), default=100, show_default=True)
@with_appcontext
def command(email: str | None, most: int) -> None:
    """List the newest events of one account or of all: time, account, event, through, from, subject."""
    for event in security_log.latest_events(find(email) if email else None, most):
        fields = (event.at, event.account_id, event.kind, event.via, event.address, event.subject)
        click.echo("\t".join([rfc3339(fields[0]) or "", *(str(each or "-") for each in fields[1:])]))
