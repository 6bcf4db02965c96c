"""bin/dev in a project of stubs: real processes, a real Redis, real signals."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dotenv import dotenv_values

from devtools import launcher, local
from devtools.embedded_redis import answers
from devtools.launcher import Launcher
from devtools.postgres import free_port
from devtools.procfile import read_procfile
from tests.support.process_tree import alive
from tests.support.redis import RedisServer
from tests.support.waiting import PATIENCE, eventually

WEB = """
import http.server, os
print("web sees", os.environ["REDIS_URL"], os.environ["DATABASE_URL"])
place = (os.environ["BIND_ADDRESS"], int(os.environ["PORT"]))
http.server.ThreadingHTTPServer(place, http.server.SimpleHTTPRequestHandler).serve_forever()
"""
WORKER = """
import os, signal, sys
from redis import Redis
def on_term(*_):
    print("Redis answers to the last:", Redis.from_url(os.environ["REDIS_URL"]).ping())
    sys.exit()
signal.signal(signal.SIGTERM, on_term)
print("worker is", os.getpid())
while True: signal.pause()
"""
PROCFILE = "release: echo migrating\nweb: python web.py\nworker: python worker.py\n"

Run = Callable[..., "DevRun"]


class DevRun:
    """One run of bin/dev."""

    def __init__(self, project: Path, number: int, env: dict[str, str]) -> None:
        self.port = free_port()
        self._log = project / f"run-{number}.log"
        home = project / "empty-home"
        home.mkdir(exist_ok=True)
        base = {"PATH": os.environ["PATH"], "HOME": str(home), "PORT": str(self.port)}
        with self._log.open("wb") as output:
            self.process = subprocess.Popen(
                ["bin/dev"],
                cwd=project,
                env={**base, **env},
                stdout=output,
                stderr=output,
                start_new_session=True,
            )

    @property
    def output(self) -> str:
        return self._log.read_text()

    def says(self, text: str) -> None:
        """Wait until it has printed this."""
        try:
            eventually(lambda: text in self.output, text)
        except AssertionError as error:
            raise AssertionError(f"{error}\n{self.output}") from None

    def interrupt(self) -> int:
        """Press Ctrl-C and wait for the end; returns the exit status."""
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A copy of what bin/dev is made of, with stubs for the service."""
    for folder in ("bin", "devtools"):
        shutil.copytree(local.ROOT / folder, tmp_path / folder)
    (tmp_path / "app").mkdir()
    ours = ("app/__init__.py", "app/config.py", "app/environment.py", "app/prices.py")
    for name in (*ours, "requirements.txt", "requirements-dev.txt"):
        shutil.copy(local.ROOT / name, tmp_path / name)
    (tmp_path / ".venv").symlink_to(Path(sys.executable).parent.parent)
    (tmp_path / "Procfile").write_text(PROCFILE)
    (tmp_path / "web.py").write_text(WEB)
    (tmp_path / "worker.py").write_text(WORKER)
    return tmp_path


@pytest.fixture
def bin_dev(project: Path) -> Iterator[Run]:
    """Call it to run bin/dev; what is still running after the test is stopped."""
    runs: list[DevRun] = []

    def run(**env: str) -> DevRun:
        runs.append(DevRun(project, len(runs), env))
        return runs[-1]

    yield run
    for each in runs:
        if each.process.poll() is None:
            each.interrupt()


def redis_socket(project: Path) -> Path:
    url = dotenv_values(project / "var/defaults.env")["REDIS_URL"] or ""
    return Path(url.removeprefix("unix://"))


def test_it_starts_everything_and_says_where_to_sign_up(bin_dev: Run, project: Path) -> None:
    run = bin_dev()
    run.says(f"http://127.0.0.1:{run.port}/sign-up")
    run.says("release   | migrating")
    run.says("worker    | worker is")
    assert answers(redis_socket(project))


def test_ctrl_c_ends_everything_and_redis_last(bin_dev: Run, project: Path) -> None:
    run = bin_dev()
    run.says("sign-up")
    run.says("worker is")
    assert run.interrupt() == 0
    assert "Redis answers to the last: True" in run.output
    assert not answers(redis_socket(project))


def test_the_generated_settings_are_private_and_kept(bin_dev: Run, project: Path) -> None:
    run = bin_dev()
    run.says("sign-up")
    run.interrupt()
    path = project / "var/defaults.env"
    first = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = bin_dev()
    again.says("sign-up")
    assert path.read_bytes() == first


@pytest.mark.thorough
def test_a_redis_url_replaces_the_embedded_redis(
    bin_dev: Run, project: Path, private_redis: RedisServer
) -> None:
    (project / ".env").write_text(f"REDIS_URL={private_redis.url}\nDATABASE_URL=sqlite:////own.sqlite3\n")
    run = bin_dev()
    run.says(f"web sees {private_redis.url} sqlite:////own.sqlite3")
    assert not answers(redis_socket(project))


@pytest.mark.thorough
def test_a_second_launcher_shares_redis_and_takes_it_over(bin_dev: Run, project: Path) -> None:
    first = bin_dev()
    first.says("sign-up")
    second = bin_dev()
    second.says("sign-up")
    first.interrupt()
    second.says("redis     | had ended; started again")
    assert answers(redis_socket(project))


@pytest.mark.thorough
def test_nothing_outlives_a_killed_launcher(bin_dev: Run, project: Path) -> None:
    run = bin_dev()
    run.says("sign-up")
    run.says("worker is")
    worker = int(re.findall(r"worker is (\d+)", run.output)[0])
    run.process.kill()
    run.process.wait()
    eventually(lambda: not alive(worker), "the worker has gone")
    eventually(lambda: not answers(redis_socket(project)), "Redis has gone")


def test_a_port_in_use_is_named(bin_dev: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        run = bin_dev(PORT=str(port))
        assert run.process.wait(PATIENCE) == 1
    assert f"Port {port} of 127.0.0.1 cannot be used" in run.output
    assert "Choose another port" in run.output


def test_a_failed_migration_starts_nothing(bin_dev: Run, project: Path) -> None:
    (project / "Procfile").write_text(PROCFILE.replace("echo migrating", "false"))
    run = bin_dev()
    assert run.process.wait(PATIENCE) == 1
    assert "The database could not be prepared" in run.output
    assert "web sees" not in run.output


def test_unusable_settings_are_printed_before_anything_starts(bin_dev: Run, project: Path) -> None:
    run = bin_dev(APP_ENV="production")
    assert run.process.wait(PATIENCE) == 1
    assert "production needs PostgreSQL" in run.output
    assert not answers(redis_socket(project))


def test_a_process_that_ends_is_started_again(tmp_path: Path, lines: list[str]) -> None:
    script = "test -e been || { touch been; exit 3; }; echo steady; sleep 60"
    (tmp_path / "once.sh").write_text(script)
    run_until(tmp_path, lines, "sh once.sh", "steady")
    assert any("exit status 3); starting again in 1 s" in line for line in lines)


def test_a_process_that_keeps_ending_ends_everything(
    tmp_path: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "LONGEST_PAUSE", 0.01)
    commands = {"web": "sleep 60", "worker": "sh -c 'exit 7'"}
    assert launch(commands, tmp_path, lines).run(lambda: None) == 1
    assert "dev worker ended 5 times in a row; see the lines above." in lines


def test_a_process_that_ignores_the_request_to_end_is_killed(
    tmp_path: Path, lines: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(launcher, "GRACE", 0.3)
    (tmp_path / "deaf.sh").write_text("trap '' TERM; echo deaf; while :; do sleep 1; done")
    run_until(tmp_path, lines, "sh deaf.sh", "deaf")
    assert "it did not end in time; killed" in lines


class Seen(Exception):
    """Ends a launcher from within."""


@pytest.fixture
def lines() -> list[str]:
    """What a launcher has said."""
    return []


def run_until(folder: Path, lines: list[str], command: str, text: str) -> None:
    """Run one process named ``it`` until it has printed ``text``."""

    def check() -> None:
        if f"it {text}" in lines:
            raise Seen

    with pytest.raises(Seen):
        launch({"it": command}, folder, lines).run(check)


def launch(commands: dict[str, str], folder: Path, lines: list[str]) -> Launcher:
    """A launcher that writes what it says into ``lines``."""
    return Launcher(commands, dict(os.environ), folder, lambda name, line: lines.append(f"{name} {line}"))


def test_the_procfile_names_the_processes_of_every_platform() -> None:
    commands = read_procfile(local.ROOT / "Procfile")
    assert list(commands) == ["release", "web", "worker", "scheduler"]
    assert "$PORT" in commands["web"]


def test_a_line_of_the_procfile_that_is_no_process_is_refused(tmp_path: Path) -> None:
    (tmp_path / "Procfile").write_text("web python web.py\n")
    with pytest.raises(ValueError, match="web python"):
        read_procfile(tmp_path / "Procfile")


@pytest.mark.thorough
def test_a_failure_of_pip_is_explained(tmp_path: Path) -> None:
    (tmp_path / "devtools").mkdir()
    shutil.copy(local.ROOT / "devtools/venv.py", tmp_path / "devtools")
    (tmp_path / "requirements.txt").write_text("no-such-package==1.0\n")
    words = [sys.executable, "devtools/venv.py", "requirements.txt"]
    env = {**os.environ, "PIP_NO_INDEX": "1"}
    result = subprocess.run(words, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert "pip could not install the packages of requirements.txt" in result.stderr
    assert "no-such-package" in result.stderr


def test_a_failed_virtual_environment_is_explained_with_pythons_output(tmp_path: Path) -> None:
    (tmp_path / "devtools").mkdir()
    shutil.copy(local.ROOT / "devtools/venv.py", tmp_path / "devtools")
    (tmp_path / ".venv").write_text("a file is in the way")
    words = [sys.executable, "devtools/venv.py", "requirements.txt"]
    nothing_to_install_with = {**os.environ, "PATH": str(tmp_path)}
    result = subprocess.run(
        words, cwd=tmp_path, env=nothing_to_install_with, capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    assert "Python cannot make a virtual environment here" in result.stderr
    assert "Not a directory" in result.stderr
