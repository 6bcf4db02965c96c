"""Which keywords a page targets. Pure.

A page targets a keyword when its title holds all the keyword's words, in any order, or when its description
or one of its headings holds them as a phrase. Case does not count; each character of a script written without
spaces is a word.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")

Words = tuple[str, ...]


class Matcher:
    """Finds a project's keywords on its pages; keywords are looked up by their first word."""

    def __init__(self, keywords: Iterable[str]) -> None:
        self._by_first: dict[str, list[tuple[Words, str]]] = defaultdict(list)
        for keyword in keywords:
            words = words_of(keyword)
            if words:
                self._by_first[words[0]].append((words, keyword))

    def targets(self, title: str | None, description: str | None, headings: Iterable[str]) -> set[str]:
        """Return the keywords that a page with these texts targets."""
        found = self._anywhere(frozenset(words_of(title or "")))
        for text in (description or "", *headings):
            found |= self._phrases(words_of(text))
        return found

    def _anywhere(self, words: frozenset[str]) -> set[str]:
        return {
            keyword
            for first in words & self._by_first.keys()
            for wanted, keyword in self._by_first[first]
            if words.issuperset(wanted)
        }

    def _phrases(self, words: Sequence[str]) -> set[str]:
        return {
            keyword
            for at, first in enumerate(words)
            for wanted, keyword in self._by_first.get(first, ())
            if words[at : at + len(wanted)] == wanted
        }


def words_of(text: str) -> Words:
    """Return the words of a text, folded so that case does not count."""
    return tuple(_WORD.findall(text.casefold()))
