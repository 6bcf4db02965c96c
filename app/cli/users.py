"""``flask user``: accounts."""

import secrets
import sys
from dataclasses import asdict
from typing import BinaryIO

import click
from flask import current_app, url_for

from app.accounts import second_factor, service
from app.accounts.model import Account
from app.cli.output import Group
from app.infra.settings import current_settings
from app.offboarding import blocking, deletion
from app.offboarding.export import export_chunks

group = Group("user", help="Accounts.")

_FROM_STDIN = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")


@group.command("create")
@click.argument("email")
@click.option("--name", default="", help="The name of the person.")
@_FROM_STDIN
def create(email: str, name: str, password_stdin: bool) -> None:
    """Create an account. Without --password-stdin a password is generated and printed once."""
    password = _password(password_stdin)
    account = service.sign_up(email, password, name)
    click.echo(f"Created account {account.id}: {account.email}", err=True)
    _show(password, password_stdin)


@group.command("invite")
@click.argument("email")
def invite(email: str) -> None:
    """Print a link with which an account for this address can be created: once, within seven days."""
    token = service.invite(email)
    with current_app.test_request_context(base_url=current_settings().public_url):
        click.echo(url_for("auth.accept", token=token, _external=True))


@group.command("reset-password")
@click.argument("email")
@_FROM_STDIN
def reset_password(email: str, password_stdin: bool) -> None:
    """Set a new password and end all sessions. Without --password-stdin it is generated and printed once."""
    account = find(email)
    password = _password(password_stdin)
    service.set_password(account, password)
    click.echo(f"Set a new password for {account.email}", err=True)
    _show(password, password_stdin)


@group.command("block")
@click.argument("email")
def block(email: str) -> None:
    """Block an account: nobody signs in, no key works, its jobs are canceled. Live posts stay live."""
    account = find(email)
    canceled = blocking.block(account)
    click.echo(f"{email} is blocked; jobs canceled: {canceled}")


@group.command("unblock")
@click.argument("email")
def unblock(email: str) -> None:
    """Let a blocked account in again."""
    blocking.unblock(find(email))
    click.echo(f"{email} is no longer blocked")


@group.command("export")
@click.argument("email")
@click.argument("file", type=click.File("wb", lazy=False))
def export(email: str, file: BinaryIO) -> None:
    """Write everything of an account into a zip FILE, without secrets."""
    for chunk in export_chunks(find(email)):
        file.write(chunk)


@group.command("delete")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(email: str, yes: bool) -> None:
    """Delete an account with everything in it, after saying what that is."""
    account = find(email)
    for name, number in asdict(deletion.losses_of_account(account)).items():
        click.echo(f"{name.replace('_', ' ')}: {number}")
    click.echo("Jobs are canceled. Live posts stay at their blogs, out of the service's reach.")
    if not yes:
        click.confirm(f"Delete {email}?", abort=True)
    deletion.ask_for_deletion(account)
    click.echo("The account is blocked. Its rows are deleted from in a minute on.")


@group.command("reset-second-factor")
@click.argument("email")
def reset_second_factor(email: str) -> None:
    """Turn the second factor off, for somebody who has lost it and the recovery codes."""
    second_factor.turn_off(find(email))
    click.echo(f"{email} signs in with the password alone")


def find(email: str) -> Account:
    """Return the account with this e-mail. Raises ClickException if there is none."""
    account = service.find_account(email)
    if account is None:
        raise click.ClickException(f"There is no account {email}.")
    return account


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    return secrets.token_urlsafe(15)


def _show(password: str, given: bool) -> None:
    if not given:
        click.echo(password)
