"""``flask target``: a project's publish targets."""

import sys
from collections.abc import Mapping, Sequence

import click

from app.cli.output import Group
from app.infra.db import LARGEST_ID
from app.projects.service import find_project
from app.publishing import service
from app.publishing.target_check import check_target
from app.publishing.targets.base import EnteredSecret, Setting, TargetKind
from app.publishing.targets.registry import KINDS, kind_of


def _needs(kind: TargetKind) -> str:
    names = ", ".join(_shown(setting) for setting in kind.settings)
    secret = kind.secret.label if isinstance(kind.secret, EnteredSecret) else None
    return f"{kind.name}: {names}" + (f"; asks for: {secret}" if secret else "")


def _shown(setting: Setting) -> str:
    choices = "|".join(value for value, _ in setting.choices)
    shown = f"{setting.name}={choices}" if choices else setting.name
    return shown if setting.required else f"[{shown}]"


group = Group("target", help="Publish targets.")


@group.command("add", epilog="Settings of each kind. " + ". ".join(map(_needs, KINDS.values())) + ".")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("kind")
@click.argument("settings", metavar="[SETTING=VALUE]...", nargs=-1)
@click.option("--name", help="The name of the target; defaults to its kind.")
@click.option("--secret-stdin", is_flag=True, help="Read the secret from standard input instead of asking.")
@click.option("--default", "is_default", is_flag=True, help="Make it the project's default.")
def add(
    project_id: int,
    kind: str,
    settings: Sequence[str],
    name: str | None,
    secret_stdin: bool,
    is_default: bool,
) -> None:
    """Add a publish target.

    A secret that is generated is printed, and cannot be shown again. One that its owner enters, such as a
    password made at the vendor, is asked for; it is never an argument.
    """
    values, project = _values(settings), find_project(project_id)
    entered = _entered(kind_of(kind), secret_stdin)
    target, secret = service.add_target(project, kind, name or kind, values, entered, is_default=is_default)
    click.echo(f"Added target {target.id}: {target.name}", err=True)
    if secret is not None:
        click.echo(secret)


@group.command("test")
@click.argument("project_id", type=click.IntRange(1, LARGEST_ID))
@click.argument("name")
def test(project_id: int, name: str) -> None:
    """Test a publish target by its NAME, step by step. Nothing is published. Exits with 1 if a step fails."""
    result = check_target(service.get_target(find_project(project_id).id, name))
    for step in result["steps"]:
        click.echo(f"{'ok' if step['passed'] else 'failed'}  {step['name']}: {step['message']}")
        for hint in (step["failure"] or {}).get("remediation_hints", ()):
            click.echo(f"        {hint}")
    if not result["passed"]:
        raise SystemExit(1)


def _values(settings: Sequence[str]) -> Mapping[str, str]:
    values = {}
    for setting in settings:
        key, equals, value = setting.partition("=")
        if not equals:
            raise click.BadParameter(f"Write it as SETTING=VALUE: {setting}", param_hint="settings")
        values[key] = value
    return values


def _entered(kind: TargetKind, from_stdin: bool) -> str | None:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not isinstance(kind.secret, EnteredSecret) or not kind.secret.required:
        return None
    click.echo(kind.secret.hint, err=True)
    text: str = click.prompt(kind.secret.label, hide_input=True, err=True)
    return text
