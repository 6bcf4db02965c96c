"""``flask api-key``: keys of the Public API."""

from datetime import timedelta

import click

from app.accounts import keys
from app.accounts.model import ApiKey
from app.cli.output import Group
from app.cli.users import find
from app.infra.clock import rfc3339, utc_now
from app.infra.db import LARGEST_ID
from app.projects.service import get_project

group = Group("api-key", help="Keys of the Public API.")


@group.command("create")
@click.argument("email")
@click.option("--name", required=True, help="What the key is for.")
@click.option("--read-only", is_flag=True, help="The key cannot change anything.")
@click.option("--project", type=click.IntRange(1, LARGEST_ID), help="The id of the only project.")
@click.option("--scope", "scopes", multiple=True, type=click.Choice(keys.SCOPES), help="Repeat for several.")
def create(email: str, name: str, read_only: bool, project: int | None, scopes: tuple[str, ...]) -> None:
    """Create a key and print it. It cannot be shown again."""
    account = find(email)
    project_id = None if project is None else get_project(account.id, project).id
    _key, text = keys.create_key(account, name, can_write=not read_only, scopes=scopes, project_id=project_id)
    click.echo(text)


@group.command("roll")
@click.argument("email")
@click.argument("key_id", type=int)
@click.option(
    "--overlap-hours", default=24, show_default=True, help="How long the present key works beside it."
)
def roll(email: str, key_id: int, overlap_hours: int) -> None:
    """Give a key a new text and print it. It cannot be shown again."""
    _key, text = keys.roll_key(find(email), key_id, timedelta(hours=overlap_hours))
    click.echo(text)


@group.command("list")
@click.argument("email")
def list_all(email: str) -> None:
    """List an account's keys, newest first: id, prefix, state, what it may do, last used, name."""
    for key in keys.list_keys(find(email)):
        used = rfc3339(key.last_used_at) or "never"
        click.echo(
            "\t".join(
                [str(key.id), f"{key.prefix}…", keys.state_of(key, utc_now()), _may(key), used, key.name]
            )
        )


@group.command("revoke")
@click.argument("email")
@click.argument("key_id", type=int)
def revoke(email: str, key_id: int) -> None:
    """Revoke a key."""
    key = keys.revoke_key(find(email), key_id)
    click.echo(f"Revoked {key.prefix}… ({key.name})", err=True)


def _may(key: ApiKey) -> str:
    """Return what a key may do in one word, such as ``write:posts,pages@7`` for project 7."""
    scopes = f":{','.join(key.scopes)}" if key.scopes else ""
    project = f"@{key.project_id}" if key.project_id else ""
    return f"{'write' if key.can_write else 'read'}{scopes}{project}"
