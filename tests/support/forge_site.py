"""A look-alike of the API of a forge, over a real bare repository that git itself changes.

It follows the documentation of GitHub's and Gitea's REST APIs; neither of the two was run.
"""

from __future__ import annotations

import base64
import json
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from app.publishing.targets.git.branch import blob_id
from tests.support.git import Repository, git
from tests.support.servers import Reply, Request

NAME: Final = "alice/blog"
TOKEN: Final = "token-of-alice"
PAGE: Final = 3
"""Entries of one page of a tree, at Gitea: few, so that tests need several."""


@dataclass
class ForgeSite:
    """The answers of GitHub, or of Gitea (``is_gitea``). ``may_push`` is what the token may do."""

    repository: Repository
    is_gitea: bool = False
    may_push: bool = True
    default_branch: str = "main"
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def prefix(self) -> str:
        """The path of the API."""
        return "/api/v1" if self.is_gitea else ""

    def answer(self, request: Request) -> Reply:
        """Answer a request as the forge would."""
        parts = urlsplit(request.path)
        if not parts.path.startswith(f"{self.prefix}/"):
            return Reply(404, {"Content-Type": "text/html"}, b"<h1>Not found</h1>")
        if request.headers.get("authorization") != f"{'token' if self.is_gitea else 'Bearer'} {TOKEN}":
            return reply(401, {"message": "Bad credentials"})
        path = parts.path.removeprefix(self.prefix)
        if path == "/user":
            return reply(200, {"login": "alice"})
        if path != f"/repos/{NAME}" and not path.startswith(f"/repos/{NAME}/"):
            return reply(404, {"message": "Not Found"})
        rest = path.removeprefix(f"/repos/{NAME}")
        body = json.loads(request.body) if request.body else {}
        with self._lock:
            return self._about_repository(request.method, rest, parse_qs(parts.query), body)

    def _about_repository(
        self, method: str, path: str, query: Mapping[str, list[str]], body: Mapping[str, Any]
    ) -> Reply:
        noun, _, rest = path.removeprefix("/").partition("/")
        if method == "GET" and not noun:
            members = {"full_name": NAME, "default_branch": self.default_branch}
            return reply(200, {**members, "permissions": {"push": self.may_push}})
        if method == "GET" and noun == "branches":
            return self._branches(unquote(rest))
        if method == "GET" and rest.startswith("trees/"):
            return self._tree(rest.removeprefix("trees/"), int(query.get("page", ["1"])[0]))
        if method == "GET" and rest.startswith("blobs/"):
            return self._blob(rest.removeprefix("blobs/"))
        if not self.may_push:
            return reply(403, {"message": "Resource not accessible by personal access token"})
        if method == "POST" and rest == "blobs" and not self.is_gitea:
            return reply(201, {"sha": blob_id(b"")})
        if noun == "contents":
            return self._change(method, unquote(rest), body)
        return reply(404, {"message": "Not Found"})

    def _heads(self) -> dict[str, str]:
        lines = git(
            self.repository.path, "for-each-ref", "--format=%(refname:short) %(objectname)", "refs/heads"
        )
        return dict(line.split(" ") for line in lines.splitlines())  # type: ignore[misc]

    def _branches(self, name: str) -> Reply:
        heads, member = self._heads(), "id" if self.is_gitea else "sha"
        if not name:
            return reply(200, [{"name": each, "commit": {member: head}} for each, head in heads.items()])
        if name not in heads:
            return reply(404, {"message": "Branch not found"})
        return reply(200, {"name": name, "commit": {member: heads[name]}})

    def _tree(self, sha: str, page: int) -> Reply:
        lines = git(self.repository.path, "ls-tree", "-r", "-t", sha).splitlines()
        entries = []
        for line in lines:
            mode, kind, rest = line.split(" ", 2)
            blob, path = rest.split("\t")
            entries.append({"path": path, "mode": mode, "type": kind, "sha": blob})
        if not self.is_gitea:
            return reply(200, {"sha": sha, "tree": entries, "truncated": False})
        shown = entries[(page - 1) * PAGE : page * PAGE]
        return reply(200, {"sha": sha, "tree": shown, "truncated": page * PAGE < len(entries), "page": page})

    def _blob(self, sha: str) -> Reply:
        text = git(self.repository.path, "cat-file", "blob", sha).encode()
        content = base64.encodebytes(text).decode()
        return reply(200, {"sha": sha, "encoding": "base64", "content": content})

    def _change(self, method: str, path: str, body: Mapping[str, Any]) -> Reply:
        heads, branch = self._heads(), body["branch"]
        if branch not in heads and heads:
            return reply(404, {"message": f"Branch {branch} not found"})
        head = heads.get(branch)
        known = self._blob_at(head, path)
        refusal = self._refusal(method, known, body.get("sha"))
        if refusal is not None:
            return refusal
        data = None if method == "DELETE" else base64.b64decode(body["content"])
        commit = self._commit(branch, head, path, data, body)
        content = None if data is None else {"path": path, "sha": blob_id(data)}
        created = known is None and data is not None
        return reply(201 if created else 200, {"content": content, "commit": {"sha": commit}})

    def _refusal(self, method: str, known: str | None, sha: str | None) -> Reply | None:
        if self.is_gitea and method == "POST":
            return None if known is None else reply(422, {"message": "repository file already exists"})
        if self.is_gitea and sha is None:
            return reply(422, {"message": "[SHA]: Required"})
        if known is None:
            missing = method == "DELETE" or sha is not None
            return reply(404, {"message": "Not Found"}) if missing else None
        if sha is None:
            return reply(422, {"message": 'Invalid request.\n\n"sha" wasn\'t supplied.'})
        if sha != known:
            return reply(422 if self.is_gitea else 409, {"message": f"does not match {sha}"})
        return None

    def _blob_at(self, head: str | None, path: str) -> str | None:
        if head is None:
            return None
        line = git(self.repository.path, "ls-tree", head, "--", path)
        return line.split()[2] if line else None

    def _commit(
        self, branch: str, head: str | None, path: str, data: bytes | None, body: Mapping[str, Any]
    ) -> str:
        with tempfile.TemporaryDirectory() as place:
            here = {
                "GIT_DIR": str(self.repository.path),
                "GIT_WORK_TREE": place,
                "GIT_INDEX_FILE": f"{place}/i",
            }
            if author := body.get("author"):
                here |= {"GIT_AUTHOR_NAME": author["name"], "GIT_AUTHOR_EMAIL": author["email"]}

            def run(*arguments: str) -> str:
                return git(Path(place), *arguments, environment=here).strip()

            if head is not None:
                run("read-tree", head)
            if data is None:
                run("update-index", "--force-remove", path)
            else:
                (Path(place) / "data").write_bytes(data)
                blob = run("hash-object", "-w", "--no-filters", "data")
                run("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
            parents = ["-p", head] if head is not None else []
            made = run("commit-tree", run("write-tree"), *parents, "-m", body["message"])
            run("update-ref", f"refs/heads/{branch}", made, *([head] if head else []))
        return made


def reply(status: int, document: Any) -> Reply:
    """A JSON answer."""
    return Reply(status, {"Content-Type": "application/json; charset=utf-8"}, json.dumps(document).encode())
