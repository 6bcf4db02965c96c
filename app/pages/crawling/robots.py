"""What a site allows robots: robots.txt (RFC 9309) and the X-Robots-Tag header. Pure."""

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

from app.infra.urls import InvalidUrl, normalise, percent_normal

MAX_BYTES: Final = 500 * 1024
_MAX_DELAY: Final = 30.0
_TOKEN: Final = re.compile(r"[A-Za-z_-]+")
_OURS: Final = ("*", "robots", "googlebot")
_WITH_VALUE: Final = ("max-snippet", "max-image-preview", "max-video-preview", "unavailable_after")
_NAMED: Final = re.compile(r"\s*([\w*-]+)\s*:(.*)", re.ASCII | re.DOTALL)


@dataclass
class _Group:
    """The rules for some agents: (allowed, pattern) in order, and the delay in seconds."""

    agents: set[str] = field(default_factory=set)
    rules: list[tuple[bool, str]] = field(default_factory=list)
    delay: float | None = None


class Robots:
    """The rules of a robots.txt for one agent.

    An empty ``text`` allows everything. ``agent`` is the User-Agent header or its product token.
    ``crawl_delay``: seconds, at most 30, None if not stated. Only the first 500 KB count.
    """

    def __init__(self, text: str, agent: str) -> None:
        groups = _parsed(text[:MAX_BYTES])
        self._sitemaps = sitemap_lines(text)
        token = _TOKEN.match(agent)
        chosen = _groups_for(groups, token.group().lower() if token else "*")
        self._rules = [rule for group in chosen for rule in group.rules]
        self.crawl_delay = max((group.delay for group in chosen if group.delay is not None), default=None)

    def allows(self, url: str) -> bool:
        """Return whether a normalised URL may be read: the longest matching rule decides, Allow at a tie."""
        path = "/" + url.split("/", 3)[3]
        if path == "/robots.txt":
            return True
        matching = [(len(pattern), allowed) for allowed, pattern in self._rules if _matches(pattern, path)]
        return max(matching)[1] if matching else True

    def pause(self, usual: float) -> float:
        """Return the seconds to wait between two pages: ``usual``, or the Crawl-delay if it is longer."""
        return max(usual, self.crawl_delay or 0.0)

    def sitemaps(self, url: str) -> tuple[str, ...]:
        """Return the sitemaps that it names, each once; ``url`` is its own address."""
        found = []
        for value in self._sitemaps:
            with suppress(InvalidUrl):
                found.append(normalise(value, url))
        return tuple(dict.fromkeys(found))


def sitemap_lines(text: str) -> list[str]:
    """Return what the Sitemap lines of a robots.txt say, as it is written."""
    return [value for name, value in _lines(text[:MAX_BYTES]) if name == "sitemap"]


def _parsed(text: str) -> list[_Group]:
    groups: list[_Group] = []
    open_for_agents = False
    for name, value in _lines(text):
        if name == "user-agent":
            if not open_for_agents:
                groups.append(_Group())
            token = _TOKEN.match(value)
            groups[-1].agents.add("*" if value.startswith("*") else token.group().lower() if token else "")
            open_for_agents = True
        elif groups and name in ("allow", "disallow", "crawl-delay"):
            open_for_agents = False
            _add_rule(groups[-1], name, value)
    return groups


def _lines(text: str) -> list[tuple[str, str]]:
    pairs = []
    for line in text.removeprefix("\ufeff").splitlines():
        name, colon, value = line.partition("#")[0].partition(":")
        if colon:
            pairs.append((name.strip().lower(), value.strip()))
    return pairs


def _add_rule(group: _Group, name: str, value: str) -> None:
    if name == "crawl-delay":
        try:
            delay = float(value)
        except ValueError:
            return
        if delay >= 0:
            group.delay = min(delay, _MAX_DELAY)
    elif value.startswith(("/", "*")):
        group.rules.append((name == "allow", percent_normal(value)))


def _groups_for(groups: Sequence[_Group], agent: str) -> list[_Group]:
    return [group for group in groups if agent in group.agents] or [
        group for group in groups if "*" in group.agents
    ]


def _matches(pattern: str, path: str) -> bool:
    """Return whether a rule's path matches the beginning of ``path``, without regular expressions.

    Each piece between stars is matched at its first place, so that no pattern takes more than linear time.
    """
    anchored = pattern.endswith("$")
    first, *pieces = pattern.removesuffix("$").split("*")
    if not path.startswith(first):
        return False
    place = len(first)
    if not pieces:
        return not anchored or place == len(path)
    last = pieces.pop() if anchored else ""
    for piece in pieces:
        found = path.find(piece, place)
        if found < 0:
            return False
        place = found + len(piece)
    return not anchored or (path.endswith(last) and len(path) - len(last) >= place)


def says_noindex(values: Iterable[str]) -> bool:
    """Return whether a value of an X-Robots-Tag header says noindex to all robots or to Google.

    Rules after the name of another robot, up to the next name, are for that robot alone.
    """
    return any(_says_noindex(value.lower()) for value in values)


def _says_noindex(value: str) -> bool:
    for_us = True
    for rule in value.split(","):
        named = _NAMED.fullmatch(rule)
        if named and named[1] in _WITH_VALUE:
            continue
        if named:
            for_us, rule = named[1] in _OURS, named[2]
        if for_us and rule.strip() in ("noindex", "none"):
            return True
    return False
