"""How a site spells the words of a topic that was typed in small letters. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

from app.content.retrieval.passages import Library

_PROSE: Final = frozenset({"p", "li", "quote"})
_WITHIN: Final = re.compile(
    r"(?:(?<=[^\W_][ ])|(?<=,[ ]))(?<!\b[zZ]um )(?<!\b[bB]eim )(?<!\b[dD]as )[^\W_][\w-]*"
)
"""A word within a sentence. At its beginning every word has a capital, and so has a verb after "zum"."""
_AS_VERBS: Final = "en"
"""As German verbs end. Written once, another word may be meant: "die Mieten" is no "mieten"."""
_OFTEN: Final = 2


def as_spelled(topic: str, library: Library) -> str:
    """Return a topic in small letters as the site writes its words: "sip für geigen" as "SIP für Geigen".

    A word is changed if the site never writes it in small letters within a sentence. A topic with a capital
    is somebody's own spelling.
    """
    if topic != topic.lower():
        return topic
    texts = (block.text for section in library.sections for block in section.blocks if block.kind in _PROSE)
    usual = _spellings(texts, set(topic.split()))
    return " ".join(usual.get(word, word) for word in topic.split())


def _spellings(texts: Iterable[str], asked: set[str]) -> dict[str, str]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for text in texts:
        for word in _WITHIN.findall(text):
            if (lowered := word.lower()) in asked:
                found[lowered][word] += 1
    return {
        word: max(sorted(counts), key=counts.__getitem__)
        for word, counts in found.items()
        if word not in counts and (counts.total() >= _OFTEN or not word.endswith(_AS_VERBS))
    }
