"""Which keywords a page targets. Pure.

A page targets a keyword when its title holds all the keyword's words, in any order, or when its description
or one of its headings holds them as a phrase. Case does not count; each character of a script written without
spaces is a word.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from typing import Final

_CJK: Final = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD: Final = re.compile(rf"[{_CJK}]|[^\W{_CJK}]+")

Words = tuple[str, ...]


class Matcher:
    """Finds a project's keywords on its pages.

    Each keyword is looked up by its word that the fewest keywords share: where all begin alike, the others
    would have to be tried one by one on every page.
    """

    def __init__(self, keywords: Iterable[str]) -> None:
        wanted = {keyword: words for keyword in keywords if (words := words_of(keyword))}
        shared = Counter(word for words in wanted.values() for word in set(words))
        self._by_word: dict[str, list[tuple[Words, int, str]]] = defaultdict(list)
        for keyword, words in wanted.items():
            rarest = min(words, key=shared.__getitem__)
            self._by_word[rarest].append((words, words.index(rarest), keyword))

    def targets(self, title: str | None, description: str | None, headings: Iterable[str]) -> set[str]:
        """Return the keywords that a page with these texts targets."""
        found = self._anywhere(frozenset(words_of(title or "")))
        for text in (description or "", *headings):
            found |= self._phrases(words_of(text))
        return found

    def _anywhere(self, words: frozenset[str]) -> set[str]:
        return {
            keyword
            for word in words & self._by_word.keys()
            for wanted, _offset, keyword in self._by_word[word]
            if words.issuperset(wanted)
        }

    def _phrases(self, words: Words) -> set[str]:
        return {
            keyword
            for at, word in enumerate(words)
            for wanted, offset, keyword in self._by_word.get(word, ())
            if at >= offset and words[at - offset : at - offset + len(wanted)] == wanted
        }


def words_of(text: str) -> Words:
    """Return the words of a text, folded so that case does not count."""
    return tuple(_WORD.findall(text.casefold()))
