"""How a site spells the words of a topic that was typed in small letters. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from app.content.evidence.sections import PageSection

_PROSE: Final = frozenset({"p", "li", "quote"})
_WITHIN: Final = re.compile(
    r"(?:(?<=[^\W_][ ])|(?<=,[ ]))(?<!\b[zZ]um )(?<!\b[bB]eim )(?<!\b[dD]as )[^\W_][\w-]*"
)
"""A word within a sentence. At its beginning every word has a capital, and so has a verb after "zum"."""
_AS_VERBS: Final = "en"
"""As German verbs end. Written once, another word may be meant: "die Mieten" is no "mieten"."""
_OFTEN: Final = 2


def as_spelled(topic: str, sections: Iterable[PageSection]) -> str:
    """Return a topic in small letters as the site writes its words: "sip für geigen" as "SIP für Geigen".

    A topic with a capital is somebody's own spelling.
    """
    return topic if topic != topic.lower() else spelled(topic, spellings(sections, set(topic.split())))


def spelled(text: str, known: Mapping[str, str]) -> str:
    """Return a text with the words spelled that are known."""
    return " ".join(known.get(word, word) for word in text.split(" "))


def spellings(sections: Iterable[PageSection], asked: Collection[str]) -> dict[str, str]:
    """Return those of the words asked for that the site never writes so within a sentence.

    A hyphen makes no other word: who asks for "wifi" means "Wi-Fi".
    """
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in _texts(sections):
        for word in _WITHIN.findall(text):
            lowered = word.lower()
            if (meant := lowered if lowered in asked else lowered.replace("-", "")) in asked:
                found[meant][word] += 1
    return {
        word: max(sorted(counts), key=counts.__getitem__)
        for word, counts in found.items()
        if word not in counts and (counts.total() >= _OFTEN or not word.endswith(_AS_VERBS))
    }


def _texts(sections: Iterable[PageSection]) -> Iterator[str]:
    """Yield the sentences of the sections, and the descriptions of their pages."""
    described: dict[int, str] = {}
    for section in sections:
        described[section.page.page_id] = section.page.description or ""
        yield from (block.text for block in section.blocks if block.kind in _PROSE)
    yield from described.values()
