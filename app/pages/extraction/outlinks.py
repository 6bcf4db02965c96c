"""Finds the links of a text to other sites that posts may quote. Pure.

It leaves out links that the site does not vouch for (``rel`` nofollow, ugc, sponsored), addresses with a user
name, a host that is not public or an example host, and anchor texts that cannot be found again in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final

from app.infra.hosts import registrable_domain
from app.infra.urls import InvalidUrl, host_of, normalise, same_site
from app.pages.extraction.blocks import OutLink

MOST_OF_A_BLOCK: Final = 5
LONGEST_TEXT: Final = 10_000
_LONGEST_URL: Final = 500
_ANCHOR: Final = range(3, 81)
_NOT_VOUCHED: Final = frozenset({"nofollow", "ugc", "sponsored"})
_EXAMPLES: Final = re.compile(
    r"(?:^|\.)(?:example(?:\.(?:com|net|org))?|test|invalid|localhost|local|internal)$"
)
_FRAGMENT: Final = re.compile(r"[A-Za-z0-9._~:=,-]*")
_WORD: Final = re.compile(r"[^\W\d_]{2}")


class OutLinks:
    """Finds links of a page to other sites. ``url``: its address, ``base``: the base of relative links."""

    def __init__(self, url: str, base: str) -> None:
        self._url, self._base = url, base

    def of(self, text: str, links: Iterable[tuple[str, Mapping[str, str]]]) -> tuple[OutLink, ...]:
        """Return the links to other sites among those of a text, each with its words and attributes.

        A link whose anchor text occurs twice in the text is left out, because its place would not be clear. A
        text of over 10,000 characters keeps none: it is no paragraph, and searching it for each takes long.
        """
        if len(text) > LONGEST_TEXT:
            return ()
        found: dict[str, OutLink] = {}
        for anchor, attributes in links:
            url = self._target(attributes) if _is_quotable(anchor) else None
            if url is None or url in found or text.count(anchor) != 1:
                continue
            written = attributes["href"].strip()
            found[url] = OutLink(anchor, written if _is_same(written, url) else url)
            if len(found) == MOST_OF_A_BLOCK:
                break
        return tuple(found.values())

    def _target(self, attributes: Mapping[str, str]) -> str | None:
        if _NOT_VOUCHED & set(attributes.get("rel", "").lower().split()):
            return None
        try:
            url = normalise(attributes.get("href", ""), self._base)
            elsewhere = not same_site(normalise(self._url), url)
        except InvalidUrl:
            return None
        host = host_of(url)
        public = registrable_domain(host) is not None and not _EXAMPLES.search(host)
        return url if elsewhere and public and len(url) <= _LONGEST_URL else None


def _is_quotable(anchor: str) -> bool:
    return len(anchor) in _ANCHOR and _WORD.search(anchor) is not None


def _is_same(written: str, url: str) -> bool:
    """Return whether an address as written differs from the normalised one only at its end."""
    bare, _, fragment = written.partition("#")
    return url in (bare, f"{bare}/") and _FRAGMENT.fullmatch(fragment) is not None
