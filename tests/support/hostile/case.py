"""One case: what servers answer, which URLs are right, and what has to be said about them."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from app.pages.sitemaps.report import Limits
from tests.support.sitemaps import A, B, C, index, urlset

__all__ = ["SITE", "A", "Answer", "B", "C", "Case", "Verdict", "index", "one", "tree", "urlset", "whole"]

SITE = "https://example.com/"
Wire = Callable[[socket.socket], None]
"""Answers by itself, byte by byte; what stands in for ``{base}`` is not replaced."""


class Verdict(StrEnum):
    """What a reader must conclude."""

    COMPLETE = "complete"
    FEED = "feed"  # whole, but it lists only the newest
    PARTIAL = "partial"
    EMPTY = "empty"  # whole, and lists nothing
    INVALID = "invalid"
    UNREACHABLE = "unreachable"
    REFUSED = "refused"  # leads where nobody may be sent

    @property
    def loses_something(self) -> bool:
        """Whether a reader who says nothing has hidden a loss."""
        return self not in (Verdict.COMPLETE, Verdict.FEED, Verdict.EMPTY)


@dataclass(frozen=True)
class Answer:
    """A response. ``{base}``, ``{other}``, ``{origin}`` and ``{inside}`` in it are replaced when it is sent."""

    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=lambda: {"Content-Type": "application/xml"})
    wire: Wire | None = None


@dataclass(frozen=True)
class Case:
    """Documents by their path below the case's own folder; reading begins at ``start``.

    ``codes`` are all the codes of the reported problems. ``dates``: what lastmod says, by URL, as ISO text.
    ``heavy``: the memory of reading it is measured. ``ours``: it asks for a rule that only this service has,
    so that other readers cannot be measured by it.
    """

    name: str
    answers: Mapping[str, Answer] = field(repr=False)
    urls: tuple[str, ...] = ()
    verdict: Verdict = Verdict.COMPLETE
    codes: frozenset[str] = frozenset()
    start: str = "sitemap.xml"
    site: str = SITE
    dates: Mapping[str, str | None] = field(default_factory=dict)
    limits: Limits | None = None
    seconds: float = 10.0
    heavy: bool = False
    ours: bool = False


def whole(body: bytes | str, kind: str = "application/xml", status: int = 200, **headers: str) -> Answer:
    """An answer with a body; header names are written with underscores."""
    content = body.encode() if isinstance(body, str) else body
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Answer(content, status, {"Content-Type": kind, **named} if kind else named)


def one(
    name: str,
    answer: Answer | bytes | str,
    urls: Iterable[str] = (),
    verdict: Verdict = Verdict.COMPLETE,
    *codes: str,
    start: str = "sitemap.xml",
    **more: object,
) -> Case:
    """A case of a single document."""
    given = answer if isinstance(answer, Answer) else whole(answer)
    return Case(name, {start: given}, tuple(urls), verdict, frozenset(codes), start, **more)  # type: ignore[arg-type]


def tree(
    name: str,
    answers: Mapping[str, Answer | bytes],
    urls: Iterable[str] = (),
    verdict: Verdict = Verdict.COMPLETE,
    *codes: str,
    **more: object,
) -> Case:
    """A case of several documents; the first begins."""
    given = {path: a if isinstance(a, Answer) else whole(a) for path, a in answers.items()}
    return Case(name, given, tuple(urls), verdict, frozenset(codes), next(iter(given)), **more)  # type: ignore[arg-type]
