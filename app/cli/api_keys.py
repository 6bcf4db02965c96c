"""``flask api-key``: keys of the Public API."""

from __future__ import annotations

import click

from app.accounts import keys
from app.cli.output import Group
from app.cli.users import find
from app.infra.clock import rfc3339, utc_now

group = Group("api-key", help="Keys of the Public API.")


@group.command("create")
@click.argument("email")
@click.option("--name", required=True, help="What the key is for.")
@click.option("--read-only", is_flag=True, help="The key cannot change anything.")
def create(email: str, name: str, read_only: bool) -> None:
    """Create a key and print it. It cannot be shown again."""
    _key, text = keys.create_key(find(email), name, can_write=not read_only)
    click.echo(text)


@group.command("list")
@click.argument("email")
def list_all(email: str) -> None:
    """List an account's keys, newest first: id, prefix, state, scope, last used, name."""
    for key in keys.list_keys(find(email)):
        scope = "write" if key.can_write else "read"
        used = rfc3339(key.last_used_at) or "never"
        click.echo(
            "\t".join([str(key.id), f"{key.prefix}…", keys.state_of(key, utc_now()), scope, used, key.name])
        )


@group.command("revoke")
@click.argument("email")
@click.argument("key_id", type=int)
def revoke(email: str, key_id: int) -> None:
    """Revoke a key."""
    key = keys.revoke_key(find(email), key_id)
    click.echo(f"Revoked {key.prefix}… ({key.name})", err=True)
