"""A WordPress-like and a Ghost-like site that misbehave at times, and what they have of our posts."""

from __future__ import annotations

import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from tests.chaos.receiver import Call, Text
from tests.support.gateway import Forward, Gateway
from tests.support.ghost_site import GhostSite
from tests.support.servers import Reply, Request
from tests.support.wordpress_site import OPTIONS, WordPressSite

BEHAVIOURS: Final = {
    "well": 55, "slow": 10, "lost answer": 8, "hangs up": 6, "garbage": 4, "redirects": 3,
    "not taken": 6, "asks for patience": 4, "refuses": 4,
}  # fmt: skip
"""How a write is treated, and how often. All but the last three are carried out."""
_HTML: Final = {"Content-Type": "text/html"}
_INSTEAD: Final = {
    "not taken": Reply(503, _HTML, b"<h1>Service Unavailable</h1>"),
    "asks for patience": Reply(429, {**_HTML, "Retry-After": "1"}, b"<h1>Too Many Requests</h1>"),
    "refuses": Reply(403, _HTML, b"<h1>Forbidden</h1>"),
}
_AFTERWARDS: Final = {
    "lost answer": Reply(502, _HTML, b"<h1>Bad Gateway</h1>"),
    "hangs up": Reply(hang_up=True),
    "garbage": Reply(200, _HTML, b"<!DOCTYPE html><p>Hello"),
    "redirects": Reply(302, {"Location": "/elsewhere/"}),
}
_UNSURE: Final = 0.02
LONGEST: Final = 2.0
"""Seconds that a slow answer takes at most."""
_MARKER: Final = re.compile(r"publication:(\w+) sha256:([0-9a-f]+)")
_EDITION: Final = re.compile(r"Edition (\d+)\.")


@dataclass(frozen=True)
class Row:
    """A post of ours at a blog."""

    publication_id: str
    is_live: bool
    digest: str
    edition: int


class Blogs:
    """Two sites whose search finds nothing. ``shown`` has each text of a post when it changed there.

    ``doubles`` says when a site had two posts of one publication at once.
    """

    def __init__(self, rng: random.Random) -> None:
        self.shown: list[Call] = []
        self.doubles: list[str] = []
        self._rng = rng
        self._lock = threading.Lock()
        self._behaves = False
        self._known: set[Row] = set()
        self._wordpress, self._ghost = WordPressSite(), GhostSite()
        self._ghost.filters = False
        self._gateways = {
            "wordpress": Gateway(lambda request: self._answer(request, self._answer_of_wordpress)),
            "ghost": Gateway(lambda request: self._answer(request, self._ghost.answer)),
        }

    @property
    def addresses(self) -> list[str]:
        return [gateway.address for gateway in self._gateways.values()]

    def target(self, kind: str) -> tuple[dict[str, str], str]:
        """The settings and the secret of a target at one of them."""
        settings = {"url": f"{self._gateways[kind].url}/"}
        if kind == "ghost":
            return settings, self._ghost.key
        return {**settings, "username": "author"}, self._wordpress.passwords["author"]

    def behave(self) -> None:
        """Treat every call well from now on."""
        self._behaves = True

    def rows(self) -> list[Row]:
        """What both have now."""
        with self._lock:
            return list(self._rows())

    def close(self) -> None:
        for server in (*self._gateways.values(), self._ghost):
            server.close()

    def _answer(self, request: Request, site: Forward) -> Reply:
        is_write = request.method != "GET"
        with self._lock:
            behaviour = self._behaviour(is_write)
            pause = self._rng.uniform(0.5, LONGEST)
            if behaviour in _INSTEAD:
                return _INSTEAD[behaviour]
            reply = site(request)
            if is_write:
                self._note()
        if behaviour == "slow":
            threading.Event().wait(pause)
        return _AFTERWARDS.get(behaviour, reply)

    def _behaviour(self, is_write: bool) -> str:
        if self._behaves:
            return "well"
        if is_write:
            return self._rng.choices(list(BEHAVIOURS), BEHAVIOURS.values())[0]
        return "not taken" if self._rng.random() < _UNSURE else "well"

    def _answer_of_wordpress(self, request: Request) -> Reply:
        return self._wordpress.answer(replace(request, headers={**request.headers, OPTIONS: "no_search"}))

    def _note(self) -> None:
        rows = list(self._rows())
        numbers = Counter(row.publication_id for row in rows)
        self.doubles += [f"{name} is there {number} times" for name, number in numbers.items() if number > 1]
        for row in set(rows) - self._known:
            text = Text(0, 0, row.digest, row.edition)
            self.shown.append(Call(time.time(), "shown", row.publication_id, None, text, "well"))
        self._known = set(rows)

    def _rows(self) -> Iterator[Row]:
        for post in self._wordpress.posts.values():
            if post["status"] != "trash":
                yield from _row(post["content"], post["content"], post["status"] in ("publish", "future"))
        for post in self._ghost.posts.values():
            yield from _row(
                post["codeinjection_head"] or "", post["html"] or "", post["status"] == "published"
            )


def _row(marked: str, text: str, is_live: bool) -> Iterator[Row]:
    marker = _MARKER.search(marked)
    if marker is not None:
        edition = _EDITION.search(text)
        yield Row(marker[1], is_live, marker[2], int(edition[1]) if edition else 0)
