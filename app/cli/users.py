"""``flask user``: accounts."""

from __future__ import annotations

import secrets
import sys

import click
from flask import current_app, url_for

from app.accounts import service
from app.accounts.model import Account
from app.cli.output import Group
from app.infra.settings import current_settings

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
