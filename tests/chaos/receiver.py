"""A webhook receiver by docs/webhooks.md, with moods, which writes down everything it is told."""

from __future__ import annotations

import json
import random
import threading
import time
from dataclasses import dataclass

from standardwebhooks import Webhook

from tests.support.servers import Reply, Request, SiteServer

MOODS = {"well": 45, "slow": 30, "lost answer": 9, "hangs up": 6, "not taken": 5, "refuses": 5}
"""How a delivery is treated, and how often. All but the last two take the post."""

LONGEST = 5.0
"""Seconds that a slow answer takes at most."""


@dataclass(frozen=True)
class Call:
    """One call: ``kind`` is delivery or lookup, ``answer`` what came of it."""

    at: float
    kind: str
    sid: str
    post_id: int | None
    answer: str


class Receiver:
    """Takes each publication once. ``posts`` holds the post id of each publication id that was taken."""

    def __init__(self, site: SiteServer, rng: random.Random) -> None:
        self.posts: dict[str, int] = {}
        self.calls: list[Call] = []
        self._site = site
        self._rng = rng
        self._lock = threading.Lock()

    def open(self, path: str, secret: str) -> None:
        """Take deliveries at a path that are signed with the secret."""
        self._site.routes[path] = lambda request: self._answer(request, secret)

    def _answer(self, request: Request, secret: str) -> Reply:
        message = Webhook(secret).verify(request.body, dict(request.headers))
        sid = message["data"]["publication_id"]
        if message["type"] == "blog_post.lookup":
            return self._look(sid)
        return self._take(sid, int(message["data"]["post"]["id"]))

    def _look(self, sid: str) -> Reply:
        with self._lock:
            unsure = self._rng.random() < 0.1
            answer = "unsure" if unsure else "found" if sid in self.posts else "absent"
            self.calls.append(Call(time.time(), "lookup", sid, self.posts.get(sid), answer))
        return {"unsure": Reply(503), "found": self._known(sid), "absent": Reply(404)}[answer]

    def _take(self, sid: str, post_id: int) -> Reply:
        with self._lock:
            mood = self._rng.choices(list(MOODS), MOODS.values())[0]
            pause = self._rng.uniform(0.5, LONGEST)
            if mood not in ("not taken", "refuses") or sid in self.posts:
                self.posts.setdefault(sid, post_id)
            self.calls.append(Call(time.time(), "delivery", sid, post_id, mood))
        if mood == "slow":
            threading.Event().wait(pause)
        if mood == "hangs up":
            return Reply(hang_up=True)
        if mood in ("lost answer", "not taken"):
            return Reply(503)
        return self._known(sid) if sid in self.posts else Reply(422)

    def _known(self, sid: str) -> Reply:
        answer = {"id": sid, "url": f"https://blog.example/{sid.removeprefix('sid:')}"}
        return Reply(200, {"Content-Type": "application/json"}, json.dumps(answer).encode())
