"""A real WordPress for the thorough tests: Debian's package and a MariaDB of its own, on the loopback."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from devtools import tied, wordpress
from devtools.postgres import free_port
from tests.support.gateway import to_server
from tests.support.needs import need
from tests.support.servers import Reply, Request

FILES = Path(__file__).with_name("real_wordpress_site")
START_SECONDS = 60
ADMINISTRATORS_PASSWORD = "the administrator signs in with it"
PHP_OPTIONS = ("-d", "display_errors=0", "-d", "sendmail_path=/bin/true", "-d", "opcache.enable_cli=1")
DATABASE_OPTIONS = (
    "--skip-networking",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-buffer-pool-size=32M",
)


class RealWordPress:
    """A site that was just installed. ``forward`` passes a request on to it; ``passwords`` are by role."""

    def __init__(self, php: str) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="seo-wordpress-"))
        self._folder.chmod(0o755)
        self._site = self._folder / "site"
        self._database_user = "mysql" if os.geteuid() == 0 else None
        self._socket = self._folder / "database" / "socket"
        self._environment = {
            **os.environ,
            "TEST_DATABASE_SOCKET": str(self._socket),
            "TEST_PASSWORD": ADMINISTRATORS_PASSWORD,
        }
        self._log = (self._folder / "log").open("wb")
        self._processes: list[subprocess.Popen[bytes]] = []
        try:
            self._copy_files()
            self._start_database()
            self.passwords: dict[str, str] = json.loads(
                self._output(php, *PHP_OPTIONS, str(FILES / "install.php"))
            )
            self.forward = self._start_site(php)
        except BaseException:
            self.stop()
            raise

    def stop(self) -> None:
        """End both servers and remove their files."""
        for process in reversed(self._processes):
            tied.stop(process, signal.SIGKILL)
        self._log.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _copy_files(self) -> None:
        left_out = shutil.ignore_patterns("wp-config.php", ".htaccess")
        shutil.copytree(wordpress.FILES, self._site, ignore=left_out)
        shutil.copy(FILES / "wp-config.php", self._site)
        plugins = self._site / "wp-content" / "mu-plugins"
        plugins.mkdir(exist_ok=True)
        shutil.copy(FILES / "options.php", plugins)

    def _start_database(self) -> None:
        data = self._socket.parent
        data.mkdir()
        user = [f"--user={self._database_user}"] if self._database_user else []
        if self._database_user:
            shutil.chown(data, self._database_user)
        self._output(
            "mariadb-install-db", "--no-defaults", f"--datadir={data}", "--skip-test-db",
            "--auth-root-authentication-method=normal", *user,
        )  # fmt: skip
        server = [
            "mariadbd",
            "--no-defaults",
            f"--datadir={data}",
            f"--socket={self._socket}",
            *DATABASE_OPTIONS,
        ]
        self._start(server, self._database_user)
        client = ["mariadb", "--no-defaults", "-S", str(self._socket), "-uroot", "-e"]
        self._wait(lambda: self._succeeds(*client, "CREATE DATABASE IF NOT EXISTS wordpress"))

    def _start_site(self, php: str) -> Callable[[Request], Reply]:
        port = free_port()
        self._start(
            [php, *PHP_OPTIONS, "-S", f"127.0.0.1:{port}", "-t", str(self._site), str(FILES / "router.php")]
        )
        forward = to_server(port)

        def answers() -> bool:
            try:
                return forward(Request("GET", "/wp-json/", {"host": f"127.0.0.1:{port}"}, b"")).status == 200
            except OSError:
                return False

        self._wait(answers)
        return forward

    def _start(self, words: list[str], user: str | None = None) -> None:
        process = tied.start(words, output=self._log, env=self._environment, cwd=self._site, user=user)
        self._processes.append(process)

    def _output(self, *words: str) -> str:
        result = subprocess.run(
            words, env=self._environment, cwd=self._site, capture_output=True, text=True, check=False
        )
        assert result.returncode == 0, result.stdout + result.stderr
        return result.stdout

    def _succeeds(self, *words: str) -> bool:
        return subprocess.run(words, capture_output=True, check=False).returncode == 0

    def _wait(self, is_ready: Callable[[], bool]) -> None:
        deadline = time.monotonic() + START_SECONDS
        while not is_ready():
            is_late = time.monotonic() > deadline or any(each.poll() is not None for each in self._processes)
            assert not is_late, (self._folder / "log").read_text(errors="replace")[-2000:]
            time.sleep(0.05)


@pytest.fixture(scope="session")
def real_wordpress() -> Iterator[RealWordPress]:
    """One site for all tests."""
    site = RealWordPress(need(wordpress.find_php(), "WordPress with PHP and MariaDB"))
    yield site
    site.stop()
