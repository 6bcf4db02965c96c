"""Finds the links of a text to other sites and pages that posts may quote. Pure.

It leaves out links that the site does not vouch for (``rel`` nofollow, ugc, sponsored), addresses with a user
name, another host that is not public or an example host, and anchor texts that cannot be found again in the
text.
"""

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
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
    """Finds links of a page. ``url``: its address, ``base``: the base of relative links."""

    def __init__(self, url: str, base: str) -> None:
        self._url, self._base = url, base

    def of(
        self, text: str, links: Iterable[tuple[str, Mapping[str, str]]]
    ) -> tuple[tuple[OutLink, ...], tuple[OutLink, ...]]:
        """Return the links of a text to other sites, and those to other pages of the own one.

        ``links`` are words with attributes. A link whose anchor text occurs twice in the text is left out,
        because its place would not be clear. A text of over 10,000 characters keeps none: it is no paragraph,
        and searching it for each takes long.
        """
        if len(text) > LONGEST_TEXT:
            return (), ()
        out: dict[str, OutLink] = {}
        own: dict[str, OutLink] = {}
        for anchor, attributes in links:
            url = self._target(attributes) if _is_quotable(anchor) else None
            if url is None or text.count(anchor) != 1:
                continue
            found = own if same_site(self._page, url) else out
            written = attributes["href"].strip()
            if url not in found and (found is own or _is_public(url)):
                as_it_is = found is out and _is_same(written, url)
                found[url] = OutLink(anchor, written if as_it_is else url)
            if len(out) + len(own) == MOST_OF_A_BLOCK:
                break
        return tuple(out.values()), tuple(own.values())

    def leads_on(self, attributes: Mapping[str, str]) -> bool:
        """Return whether a link leads to another page of the site."""
        url = self._target(attributes)
        return url is not None and same_site(self._page, url) and url.partition("#")[0] != self._page

    @cached_property
    def _page(self) -> str:
        return normalise(self._url)

    def _target(self, attributes: Mapping[str, str]) -> str | None:
        """Return where a link leads, None for what posts should not lead to and for this page."""
        if _NOT_VOUCHED & set(attributes.get("rel", "").lower().split()):
            return None
        try:
            url = normalise(attributes.get("href", ""), self._base)
            return url if len(url) <= _LONGEST_URL and url != self._page else None
        except InvalidUrl:
            return None


def _is_public(url: str) -> bool:
    host = host_of(url)
    return registrable_domain(host) is not None and not _EXAMPLES.search(host)


def _is_quotable(anchor: str) -> bool:
    return len(anchor) in _ANCHOR and _WORD.search(anchor) is not None


def _is_same(written: str, url: str) -> bool:
    """Return whether an address as written differs from the normalised one only at its end."""
    bare, _, fragment = written.partition("#")
    return url in (bare, f"{bare}/") and _FRAGMENT.fullmatch(fragment) is not None
