"""Which keywords a page or post targets, and which of them compete for one. Pure.

A page targets a keyword if its title has all the keyword's words, in any order, or if its description or one
of its headings has them as a phrase. It competes for the keyword if it is about it: its title without the
site's name has the words, or a main heading has the phrase. Case does not matter. Each character of a script
without spaces is a word.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from app.language.words import word_parts

STATES: Final = ("gap", "thin", "covered", "contested")
MOST_NAMED: Final = 10

Words = tuple[str, ...]


class Matcher:
    """Finds a project's keywords on its pages.

    The index has each keyword by the word that it shares with the fewest others. If all keywords began with
    the same word, an index by first words would try each of them on every page.
    """

    def __init__(self, keywords: Iterable[str]) -> None:
        wanted = {keyword: words for keyword in keywords if (words := words_of(keyword))}
        shared = Counter(word for words in wanted.values() for word in set(words))
        self._by_word: dict[str, list[tuple[Words, int, str]]] = defaultdict(list)
        for keyword, words in wanted.items():
            rarest = min(words, key=shared.__getitem__)
            self._by_word[rarest].append((words, words.index(rarest), keyword))

    def targets(self, title: str | None, description: str | None, headings: Iterable[str]) -> set[str]:
        found = self.in_title(title or "")
        for text in (description or "", *headings):
            found |= self._phrases(words_of(text))
        return found

    def in_title(self, text: str) -> set[str]:
        """Return the keywords whose words are all in a title, in any order."""
        return self._anywhere(frozenset(words_of(text)))

    def named(self, name: str, headings: Iterable[str]) -> set[str]:
        """Return the keywords that a page with this name and these main headings competes for."""
        return self.in_title(name).union(*(self._phrases(words_of(text)) for text in headings))

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
    """Return the words of a text, folded so that case does not count, and "E-Mail" is "e mail"."""
    return tuple(word_parts(text.casefold()))


@dataclass
class Coverage:
    """How many pages and posts cover a keyword and compete for it, with the ids of up to ten of each."""

    pages: int = 0
    posts: int = 0
    competing_pages: int = 0
    competing_posts: int = 0
    page_ids: list[int] = field(default_factory=list)
    post_ids: list[int] = field(default_factory=list)

    def add_page(self, page_id: int) -> None:
        self.competing_pages += 1
        if len(self.page_ids) < MOST_NAMED:
            self.page_ids.append(page_id)

    def add_post(self, post_id: int) -> None:
        self.competing_posts += 1
        if len(self.post_ids) < MOST_NAMED:
            self.post_ids.append(post_id)

    @property
    def state(self) -> str:
        """One of STATES: nothing targets the keyword, something does, one is about it, or several compete."""
        competing = self.competing_pages + self.competing_posts
        if competing:
            return "contested" if competing > 1 else "covered"
        return "thin" if self.pages or self.posts else "gap"

    @property
    def competing(self) -> dict[str, Any] | None:
        """The competing pages and posts as they are stored, None if there are none."""
        if not (self.competing_pages or self.competing_posts):
            return None
        return {
            "pages": self.competing_pages,
            "posts": self.competing_posts,
            "page_ids": self.page_ids,
            "post_ids": self.post_ids,
        }
