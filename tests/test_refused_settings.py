"""Invalid settings, as an operator sees them in a process of the Procfile or a command."""

from __future__ import annotations

import subprocess

import pytest

from app.config import InvalidSettings, load_settings
from app.factory import INVALID_SETTINGS_EXIT
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


def run_command(command: str) -> subprocess.CompletedProcess[str]:
    """Run the command as a platform would and return the ended process."""
    env = service_environment(**BROKEN, BIND_ADDRESS="127.0.0.1", PORT="0")
    return subprocess.run(
        ["/bin/sh", "-c", f"exec {command}"], cwd=ROOT, env=env, capture_output=True, text=True, timeout=120
    )


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[] if name == "web" else [pytest.mark.thorough]) for name in COMMANDS]
)
def test_invalid_settings_are_listed_all_at_once_in_plain_lines(name: str) -> None:
    ended = run_command(COMMANDS[name])
    lines = [line for line in ended.stderr.splitlines() if line.startswith("  - ")]
    assert {line.split()[1].strip(":") for line in lines} == BROKEN.keys() - {"APP_ENV"}
    assert len(lines) == len(BROKEN) - 1
    assert ended.returncode == INVALID_SETTINGS_EXIT
    assert "Traceback" not in ended.stdout + ended.stderr
    assert SECRET not in ended.stdout + ended.stderr


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["worker", "scheduler", "release"])
def test_nothing_else_is_printed(name: str) -> None:
    with pytest.raises(InvalidSettings) as invalid:
        load_settings(service_environment(**BROKEN))
    ended = run_command(COMMANDS[name])
    assert (ended.stdout, ended.stderr) == ("", f"{invalid.value}\n")
