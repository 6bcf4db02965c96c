"""A webhook receiver by docs/webhooks.md that misbehaves at times and records every call."""

from __future__ import annotations

import json
import random
import threading
import time
from dataclasses import dataclass, field

from standardwebhooks import Webhook, WebhookVerificationError

from tests.chaos.editor import edition_of
from tests.support.servers import Reply, Request, SiteServer

BEHAVIOURS = {"well": 45, "slow": 30, "lost answer": 9, "hangs up": 6, "not taken": 5, "refuses": 5}
"""How a text is treated, and how often. All but the last two take it."""
NOT_TAKEN = ("not taken", "refuses", "knows nothing")
"""The last is what an update of an unknown publication gets."""

LONGEST = 5.0
"""Seconds that a slow answer takes at most."""


@dataclass(frozen=True)
class Text:
    """A text of a post, as it was sent. Another version with the same digest is the same text."""

    post_id: int
    version: int = field(compare=False)
    digest: str
    edition: int


@dataclass(frozen=True)
class Call:
    """One call: ``kind`` is published, updated, unpublished or lookup, ``answer`` what came of it.

    ``sent`` is the text that it brought, ``there`` the one that the target had after it.
    """

    at: float
    kind: str
    publication_id: str
    sent: Text | None
    there: Text | None
    answer: str


class Receiver:
    """Takes each text once. ``posts`` has the present one of each publication id that was taken."""

    def __init__(self, site: SiteServer, rng: random.Random) -> None:
        self.posts: dict[str, Text] = {}
        self.calls: list[Call] = []
        self._site = site
        self._rng = rng
        self._lock = threading.Lock()

    def open(self, path: str, secret: str) -> None:
        """Take deliveries at a path that are signed with the secret."""
        self._site.routes[path] = lambda request: self._answer(request, secret)

    def _answer(self, request: Request, secret: str) -> Reply:
        try:
            message = Webhook(secret).verify(request.body, dict(request.headers))
        except WebhookVerificationError:  # the service's clock is wrong by more than five minutes
            return Reply(401)
        data = message["data"]
        publication_id, kind = data["publication_id"], message["type"].removeprefix("blog_post.")
        if kind == "lookup":
            return self._look(publication_id)
        if kind == "unpublished":
            return self._take_away(publication_id)
        post = data["post"]
        text = Text(post["id"], post["version"], data["content_sha256"], edition_of(post["content"]))
        return self._take(kind, publication_id, text)

    def _look(self, publication_id: str) -> Reply:
        with self._lock:
            known, unsure = self.posts.get(publication_id), self._rng.random() < 0.1
            answer = "unsure" if unsure else "found" if known else "absent"
            self.calls.append(Call(time.time(), "lookup", publication_id, None, known, answer))
        if unsure:
            return Reply(503)
        return self._known(publication_id) if known else Reply(404)

    def _take_away(self, publication_id: str) -> Reply:
        with self._lock:
            behaviour = self._rng.choices(list(BEHAVIOURS), BEHAVIOURS.values())[0]
            if behaviour not in NOT_TAKEN:
                self.posts.pop(publication_id, None)
            there = self.posts.get(publication_id)
            self.calls.append(Call(time.time(), "unpublished", publication_id, None, there, behaviour))
        if behaviour == "hangs up":
            return Reply(hang_up=True)
        if behaviour in ("lost answer", "not taken"):
            return Reply(503)
        return Reply(422) if behaviour == "refuses" else Reply(204)

    def _take(self, kind: str, publication_id: str, text: Text) -> Reply:
        with self._lock:
            behaviour = self._rng.choices(list(BEHAVIOURS), BEHAVIOURS.values())[0]
            pause = self._rng.uniform(0.5, LONGEST)
            known = self.posts.get(publication_id)
            is_new = known is None or (kind == "updated" and known.version < text.version)
            if kind == "updated" and known is None:
                behaviour = "knows nothing"
            elif behaviour == "refuses" and not is_new:
                behaviour = "well"
            if is_new and behaviour not in NOT_TAKEN:
                self.posts[publication_id] = text
            self.calls.append(
                Call(time.time(), kind, publication_id, text, self.posts.get(publication_id), behaviour)
            )
        if behaviour == "slow":
            threading.Event().wait(pause)
        if behaviour == "hangs up":
            return Reply(hang_up=True)
        if behaviour in ("lost answer", "not taken"):
            return Reply(503)
        refusal = {"refuses": 422, "knows nothing": 404}.get(behaviour)
        return Reply(refusal) if refusal else self._known(publication_id)

    def _known(self, publication_id: str) -> Reply:
        known = self.posts.get(publication_id)
        if known is None:  # taken away meanwhile
            return Reply(404)
        answer = {
            "id": publication_id, "url": f"https://blog.example/{publication_id.removeprefix('pub_')}",
            "content_sha256": known.digest,
        }  # fmt: skip
        return Reply(200, {"Content-Type": "application/json"}, json.dumps(answer).encode())
