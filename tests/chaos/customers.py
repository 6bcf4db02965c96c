"""Customers who never stop asking: they create, repeat, cancel, retry, publish, edit and roll back."""

from __future__ import annotations

import http.client
import itertools
import json
import random
import threading
import time
import urllib.error
import urllib.request
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from app.executions.states import TERMINAL, Status
from tests.chaos.editor import Editor

GENERATE = "GENERATE_BLOG_POST"
PUBLISH = "PUBLISH_BLOG_POST"
UNPUBLISH = "UNPUBLISH_BLOG_POST"
TIMEOUT = 30.0
MOST_AT_ONCE = 3
"""Unfinished jobs that a customer has at most: recovery is measured, not a backlog."""
REASON = "The text does not matter here, its fate does."

Job = dict[str, Any]


@dataclass
class Ledger:
    """What the service answered, to be compared with what it did. Lists and counters are only added to.

    ``editions`` has which edition of its post was certainly saved before a job was asked for.
    """

    jobs_of_keys: defaultdict[tuple[str, str], set[int]] = field(default_factory=lambda: defaultdict(set))
    canceled: dict[int, float] = field(default_factory=dict)
    rolled_back: set[int] = field(default_factory=set)
    editions: dict[int, int] = field(default_factory=dict)
    seen: dict[int, list[Any]] = field(default_factory=dict)
    answers: Counter[str] = field(default_factory=Counter)

    def saw(self, job: Job) -> None:
        """Keep the longest history that was shown of a job."""
        if len(job["history"]) > len(self.seen.get(job["id"], ())):
            self.seen[job["id"]] = job["history"]


class Customer(threading.Thread):
    """One customer with a project and an API key of its own; ``pace`` is the seconds between two actions."""

    def __init__(
        self, url: str, project_id: int, api_key: str, editor: Editor, ledger: Ledger, rng: random.Random,
        pace: float, has_drafts: bool,
    ) -> None:  # fmt: skip
        super().__init__(name=f"customer of project {project_id}", daemon=True)
        self.project_id = project_id
        self.error: Exception | None = None
        self._url = url
        self._headers = {"X-API-Key": api_key, "Content-Type": "application/json"}
        self._editor = editor
        self._ledger = ledger
        self._rng = rng
        self._pace = pace
        self._has_drafts = has_drafts
        self._enough = threading.Event()
        self._numbers = itertools.count(1)
        self._jobs: dict[int, Job] = {}
        self._editions: Counter[int] = Counter()

    def run(self) -> None:
        actions = {
            self._generate: 24, self._generate_and_cancel: 8, self._publish: 36, self._publish_and_cancel: 6,
            self._look: 20, self._cancel: 4, self._retry: 8, self._roll_back: 8,
            self._unpublish: 40, self._unpublish_and_cancel: 6, self._schedule: 6,
            self._publish_draft: 12 if self._has_drafts else 0,
            self._publish_and_roll_back: 6, self._edit_and_publish: 40, self._edit_publish_and_cancel: 6,
        }  # fmt: skip
        try:
            while not self._enough.wait(self._rng.uniform(0.5, 1.5) * self._pace):
                action = self._rng.choices(list(actions), actions.values())[0]
                unfinished = [job for job in self._jobs.values() if job["status"] not in TERMINAL]
                (action if len(unfinished) < MOST_AT_ONCE else self._look)()
        except Exception as error:
            self.error = error

    def stop(self) -> None:
        """Ask for nothing new; what was asked for already is repeated until it is answered."""
        self._enough.set()

    def seconds_for_a_post(self, patience: float) -> float:
        """Generate one post and wait until its job has ended, at most ``patience``; returns the seconds."""
        started = time.monotonic()
        job_id = self._generate() or 0
        while (took := time.monotonic() - started) < patience:
            self._ask("GET", f"/executions/{job_id}")
            if self._jobs[job_id]["status"] in TERMINAL:
                break
            time.sleep(0.05)
        return took

    def _generate(self) -> int | None:
        topic = f"Garden notes of season {self.project_id} {next(self._numbers)}"
        return self._create(GENERATE, {"topic": topic})

    def _publish(self) -> int | None:
        for job in self._with_a_post():
            return self._create(PUBLISH, _publishing(job["result"]["blog_post_id"]))
        return None

    def _publish_draft(self) -> int | None:
        for job in self._with_a_post():
            payload = {**_publishing(job["result"]["blog_post_id"]), "visibility": "draft"}
            return self._create(PUBLISH, payload)
        return None

    def _unpublish(self) -> int | None:
        for job in self._some(lambda job: job["operation"] == PUBLISH and job["status"] == "succeeded"):
            return self._create(UNPUBLISH, {"blog_post_id": job["payload"]["blog_post_id"]})
        return None

    def _unpublish_and_cancel(self) -> None:
        self._cancel_soon(self._unpublish())

    def _schedule(self) -> None:
        """Let a post be published in some seconds."""
        for job in self._with_a_post():
            moment = datetime.now(UTC) + timedelta(seconds=self._rng.uniform(2, 5))
            body = {
                "publish_at": moment.isoformat(),
                "override_quality_gate": True,
                "override_reason": REASON,
            }
            post = f"/projects/{self.project_id}/blog-posts/{job['result']['blog_post_id']}"
            self._call("POST", f"{post}/schedule", body)

    def _edit_and_publish(self) -> int | None:
        """Change a post that is published, or may be, and publish it again."""
        for job in self._some(lambda job: job["operation"] == PUBLISH and job["status"] in TERMINAL):
            post_id, edition = job["payload"]["blog_post_id"], next(self._numbers)
            if self._editor.save(self.project_id, post_id, edition):
                self._editions[post_id] = edition
            return self._create(PUBLISH, _publishing(post_id))
        return None

    def _generate_and_cancel(self) -> None:
        self._cancel_soon(self._generate())

    def _publish_and_cancel(self) -> None:
        self._cancel_soon(self._publish())

    def _edit_publish_and_cancel(self) -> None:
        self._cancel_soon(self._edit_and_publish())

    def _cancel_soon(self, job_id: int | None) -> None:
        time.sleep(self._rng.uniform(0, 1.5))
        if job_id is not None:
            self._ask("POST", f"/executions/{job_id}/cancel")

    def _cancel(self) -> None:
        for job in self._some(lambda job: job["status"] not in TERMINAL):
            self._ask("POST", f"/executions/{job['id']}/cancel")

    def _look(self) -> None:
        status, answer = self._call("GET", "/executions?page_size=30")
        for job in answer["jobs"] if status == 200 else ():
            self._know(job)

    def _retry(self) -> None:
        for job in self._some(lambda job: job["status"] in (Status.FAILED, Status.CANCELED)):
            self._order(f"/executions/{job['id']}/retry", None)

    def _roll_back(self) -> None:
        for job in self._with_a_post():
            self._ask("POST", f"/executions/{job['id']}/rollback")

    def _publish_and_roll_back(self) -> None:
        for job in self._with_a_post():
            other = threading.Thread(target=self._ask, args=("POST", f"/executions/{job['id']}/rollback"))
            other.start()
            self._create(PUBLISH, _publishing(job["result"]["blog_post_id"]))
            other.join()

    def _with_a_post(self) -> list[Job]:
        """A generation whose post was there when we last looked."""
        return self._some(lambda job: job["rollback"]["state"] == "available")

    def _some(self, wanted: Any) -> list[Job]:
        found = [job for job in list(self._jobs.values()) if wanted(job)]
        return [self._rng.choice(found[-12:])] if found else []

    def _create(self, operation: str, payload: dict[str, Any]) -> int | None:
        return self._order(
            f"/projects/{self.project_id}/executions", {"operation": operation, "payload": payload}
        )

    def _order(self, path: str, body: Any) -> int | None:
        """Make a job, now and then by two equal requests at once, or asked for again; returns its id."""
        key = f"{self.project_id}-{next(self._numbers)}"
        again = self._rng.random()
        duplicate = threading.Thread(target=self._ask, args=("POST", path, body, key))
        if again < 0.3:
            duplicate.start()
        job_id = self._ask("POST", path, body, key)
        if again < 0.3:
            duplicate.join()
        elif again < 0.5:
            self._ask("POST", path, body, key)
        if job_id is not None:
            post_id = self._jobs[job_id]["payload"].get("blog_post_id")
            self._ledger.editions[job_id] = self._editions[post_id]
        return job_id

    def _ask(self, method: str, path: str, body: Any = None, key: str | None = None) -> int | None:
        """Repeat a request until it has an answer that is not the service's trouble; write it down.

        Returns the id of the job that it was answered with.
        """
        while True:
            status, answer = self._call(method, path, body, key)
            if 0 < status < 500 or (key is None and self._enough.is_set()):
                break
            time.sleep(0.3)
        if status not in (200, 202):
            return None
        job = answer["job"]
        job_id = int(job["id"])
        self._know(job)
        if key is not None:
            self._ledger.jobs_of_keys[path, key].add(job_id)
        elif path.endswith("/cancel"):
            self._ledger.canceled.setdefault(job_id, time.time())
        elif path.endswith("/rollback"):
            self._ledger.rolled_back.add(job_id)
        return job_id

    def _know(self, job: Job) -> None:
        self._jobs[job["id"]] = job
        self._ledger.saw(job)

    def _call(
        self, method: str, path: str, body: Any = None, key: str | None = None
    ) -> tuple[int, dict[str, Any]]:
        headers = {**self._headers, **({"Idempotency-Key": key} if key else {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            f"{self._url}/public-api{path}", data=data, headers=headers, method=method
        )
        try:
            with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
                status, answer = response.status, json.loads(response.read())
        except urllib.error.HTTPError as refused:
            with refused:
                status, answer = refused.code, {}
        except (OSError, http.client.HTTPException, ValueError):
            status, answer = 0, {}
        self._ledger.answers[str(status) if status else "no answer"] += 1
        return status, answer


def _publishing(post_id: int) -> dict[str, Any]:
    return {"blog_post_id": post_id, "override_quality_gate": True, "override_reason": REASON}
