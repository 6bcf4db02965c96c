"""The service as its customers and operators use it: over HTTP with a key, and on the command line."""

from __future__ import annotations

import json
import subprocess
import sys
import urllib.error
import urllib.request
from dataclasses import dataclass
from itertools import count
from typing import Any

from devtools.local import ROOT
from tests.support.processes import Service
from tests.support.waiting import eventually

_KEYS = count(1)


def command(service: Service, *words: str, given: str = "") -> str:
    """Run a command of the service's command line; returns its output. Raises AssertionError."""
    result = subprocess.run(
        [sys.executable, "-m", "flask", "--app", "wsgi", *words],
        cwd=ROOT, env=service.env, input=given, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert result.returncode == 0, result.stderr
    return result.stdout.strip()


@dataclass(frozen=True)
class Answer:
    """What the service answered."""

    status: int
    body: dict[str, Any]


class Api:
    """The Public API of a running service for an account of its own."""

    def __init__(self, service: Service, email: str = "alice@example.com") -> None:
        self.service = service
        command(service, "user", "create", email, "--password-stdin", given="correct horse battery\n")
        self._key = command(service, "api-key", "create", email, "--name", "journey")

    def call(self, method: str, path: str, body: Any = None, key: str | None = None) -> Answer:
        """Send a request; every status is an answer."""
        headers = {"X-API-Key": self._key, "Content-Type": "application/json"}
        if key is not None:
            headers["Idempotency-Key"] = key
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self.service.url}/public-api{path}", data=data, headers=headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=60) as response:
                return Answer(response.status, json.loads(response.read()))
        except urllib.error.HTTPError as refused:
            with refused:
                return Answer(refused.code, json.loads(refused.read()))

    def get(self, path: str) -> dict[str, Any]:
        """Read something that is there."""
        answer = self.call("GET", path)
        assert answer.status == 200, answer
        return answer.body

    def all(self, path: str, name: str) -> list[dict[str, Any]]:
        """Every entry of a list, whatever its pages."""
        found: list[dict[str, Any]] = []
        while True:
            body = self.get(f"{path}?page_size=20&page={len(found) // 20 + 1}")
            found += body[name]
            if len(found) >= body["pagination"]["total"] or not body[name]:
                return found

    def start(self, project_id: int, operation: str, payload: dict[str, Any] | None = None) -> int:
        """Create an execution job; returns its id."""
        body: dict[str, Any] = {"operation": operation}
        if payload is not None:
            body["payload"] = payload
        answer = self.call("POST", f"/projects/{project_id}/executions", body, key=f"key-{next(_KEYS)}")
        assert answer.status == 202, answer
        return int(answer.body["job"]["id"])

    def ended(self, job_id: int) -> dict[str, Any]:
        """Wait until the job has ended; returns it."""

        def look() -> dict[str, Any] | None:
            job: dict[str, Any] = self.get(f"/executions/{job_id}")["job"]
            return job if job["status"] in ("succeeded", "failed", "canceled") else None

        return eventually(look, f"job {job_id} ends\n{self.service.logs()[-3000:]}", pause=0.1)

    def succeeded(self, project_id: int, operation: str, payload: dict[str, Any] | None = None) -> Any:
        """Run an operation to its good end; returns the job."""
        job = self.ended(self.start(project_id, operation, payload))
        assert job["status"] == "succeeded", job["failure"]
        return job
