"""What README.md says works: its tour is run against the running service, its links lead somewhere."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from flask import Flask

from app.config import DEMO_SITE
from devtools import demo_site
from devtools.local import ROOT
from tests.support.processes import RunService

README = ROOT / "README.md"
TOUR = re.compile(r"^<!-- tour -->\n```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|image:)([^)#\s]+)")
PATH = re.compile(r"`((?:app|bin|demo|devtools|docs|migrations|tests)/[\w./-]+)(?:::\w+|\.[A-Z]\w+)?`")
CLI = re.compile(r"flask --app wsgi ([a-z-]+)(?: ([a-z-]+))?")
COMMANDS = ["bin/dev", "bin/test", "bin/demo"]
"""The commands that stay until they are stopped or run the tests themselves; each has tests of its own."""


def documents() -> list[Path]:
    return [README, ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


@pytest.fixture
def sample_site() -> Iterator[str]:
    with demo_site.served(0) as port:
        yield f"127.0.0.1:{port}"


@pytest.mark.smoke
def test_the_tour_of_the_readme_works_as_written(run_service: RunService, sample_site: str) -> None:
    service = run_service(FETCH_ALLOW=sample_site)
    script = "set -euo pipefail\n" + "\n".join(TOUR.findall(README.read_text()))
    env = {**service.env, "BASE": service.url, "SITE": f"http://{sample_site}"}
    done = subprocess.run(
        ["bash", "-c", script], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120, check=False
    )
    output = f"{done.stdout}\n{done.stderr}\n{service.logs()}"
    assert done.returncode == 0, output
    assert "\nFalse\n" in done.stdout, output
    assert "## Rotation: every second or third weekend" in done.stdout, output
    assert f"http://{sample_site}/blog/share-weekend-shifts-fairly" in done.stdout, output
    assert "ROLLBACK_REQUIRES_MANUAL_UNPUBLISH" in done.stdout, output
    assert "draft\ncompleted\n" in done.stdout, output
    assert "'state': 'completed'" in done.stdout, output


def test_every_command_of_the_readme_is_in_the_tour_or_tested_elsewhere() -> None:
    text = README.read_text()
    assert [block.strip() for block in BLOCK.findall(text) if block not in TOUR.findall(text)] == COMMANDS


def test_the_readme_names_the_sample_sites_own_address() -> None:
    host, port = DEMO_SITE
    assert f"http://{host}:{port}" in README.read_text()


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_to_a_file(document: Path) -> None:
    targets = LINK.findall(document.read_text())
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing


@pytest.mark.parametrize("document", documents(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_that_a_document_names_exists(document: Path) -> None:
    named = {path.rstrip(".") for path in PATH.findall(document.read_text())}
    assert not sorted(path for path in named if not (ROOT / path).exists())


def test_every_command_that_a_document_names_exists(app: Flask) -> None:
    context = click.Context(app.cli)
    for document in documents():
        for noun, verb in CLI.findall(document.read_text()):
            command = app.cli.get_command(context, noun)
            assert command is not None, (document.name, noun)
            if verb and isinstance(command, click.Group):
                assert verb in command.commands, (document.name, noun, verb)
