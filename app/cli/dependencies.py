"""``flask dependencies``: the installed packages and how old they are."""

import click
from flask.cli import with_appcontext

from app.cli.output import Command
from app.infra import package_index
from app.infra.clock import utc_now
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings

_SECONDS = 20.0
_MOST_BYTES = 5_000_000


@click.command("dependencies", cls=Command)
@click.option("--index", default="https://pypi.org", show_default=True, help="The package index to ask.")
@with_appcontext
def command(index: str) -> None:
    """List the installed packages, oldest release first: days since the release, its date, name, version.

    The index is asked once for each package. A package that it does not know comes last, with “-”.
    """
    http = fetcher_from(current_settings(), total_seconds=_SECONDS, max_bytes=_MOST_BYTES)
    now = utc_now()
    packages = list(package_index.with_dates(package_index.installed(), index.rstrip("/"), http))
    for each in sorted(packages, key=lambda package: package.released_at or now):
        released = each.released_at
        age = str((now - released).days) if released else "-"
        date = released.date().isoformat() if released else "-"
        click.echo(f"{age}\t{date}\t{each.name}\t{each.version}")
