"""What an operator sees when a process of the Procfile, or a command, refuses its settings."""

from __future__ import annotations

import subprocess

import pytest

from app.config import InvalidSettings, load_settings
from app.factory import REFUSED
from devtools.local import ROOT
from tests.support.environment import service_environment

PROCFILE = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
COMMANDS = {**PROCFILE, "doctor": "flask --app wsgi doctor", "help": "flask --app wsgi --help"}
SECRET = "hunter2"
BROKEN = {
    "APP_ENV": "production",
    "DATABASE_URL": f"postgresql://alice:{SECRET}@db.example.com:port/seo",
    "REDIS_URL": f"http://:{SECRET}@redis.example.com",
    "SECRET_KEY": "",
    "API_KEY_PEPPER": SECRET,
    "FETCH_ALLOW": "10.0.0.1:80",
    "WORKER_CLASS": "clever",
    "PAGE_BATCH": "many",
}


def started(command: str) -> subprocess.CompletedProcess[str]:
    """The command, as a platform starts it, when it has ended."""
    env = service_environment(**BROKEN, BIND_ADDRESS="127.0.0.1", PORT="0")
    return subprocess.run(
        ["/bin/sh", "-c", f"exec {command}"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "web" else [pytest.mark.thorough]) for name in COMMANDS]
)
def test_refused_settings_are_told_all_at_once_in_plain_lines(name: str) -> None:
    ended = started(COMMANDS[name])
    told = [line for line in ended.stderr.splitlines() if line.startswith("  - ")]
    assert {line.split()[1].strip(":") for line in told} == BROKEN.keys() - {"APP_ENV"}
    assert len(told) == len(BROKEN) - 1
    assert ended.returncode == REFUSED
    assert "Traceback" not in ended.stdout + ended.stderr
    assert SECRET not in ended.stdout + ended.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["worker", "scheduler", "release"])
def test_nothing_else_is_said(name: str) -> None:
    with pytest.raises(InvalidSettings) as refused:
        load_settings(service_environment(**BROKEN))
    ended = started(COMMANDS[name])
    assert (ended.stdout, ended.stderr) == ("", f"{refused.value}\n")
