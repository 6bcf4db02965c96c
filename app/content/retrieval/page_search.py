"""BM25 over the counted words of pages: which of thousands are on a subject. Pure.

Robertson, Zaragoza and Taylor, "Simple BM25 extension to multiple weighted fields" (2004): a field's weight
multiplies its counts before they saturate. The pages come one by one and only their hits are kept.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Final

from app.content.retrieval.bm25 import rarity, saturated
from app.language.stems import content_stems, stem, topic_stems
from app.language.synonyms import synonym_stems
from app.language.words import is_unspaced, words
from app.pages.vocabulary import terms_of

_ASPECT_WEIGHT: Final = 0.4
_MOST_SEEN: Final = 300_000

Query = Mapping[str, float]


def page_query(subject: str, aspects: tuple[str, ...], language: str) -> dict[str, float]:
    """Return the stems to search pages for with their weights: the subject's weigh more than the aspects'.

    Two neighbouring words are also searched as one word: "backup" for "back up". In a script without spaces
    each two neighbouring characters are searched, and a single character only if it is alone.
    """
    found = {each: _ASPECT_WEIGHT for aspect in aspects for each in _query_stems(aspect, language)}
    return found | dict.fromkeys(_query_stems(subject, language), 1.0)


def _query_stems(text: str, language: str) -> list[str]:
    terms = terms_of(text)
    pairs = [term for term in terms if is_unspaced(term) and len(term) > 1]
    paired = {character for pair in pairs for character in pair}
    alone = [term for term in terms if is_unspaced(term) and len(term) == 1 and term not in paired]
    meaningful = (each for each in topic_stems(text, language) if not is_unspaced(each))
    synonymous = sorted({meant for each in meaningful for meant in synonym_stems(each, language)})
    written = [word for word in words(text) if not is_unspaced(word)]
    joined = (stem(first + second, language) for first, second in pairwise(written))
    compounds = sorted({meant for each in joined for meant in synonym_stems(each, language)})
    return list(dict.fromkeys([*synonymous, *compounds, *pairs, *alone]))


class PageSearch:
    """Ranks the pages it is given; the order they come in does not matter."""

    def __init__(self, query: Query, language: str) -> None:
        self._query = query
        self._language = language
        self._seen: set[str] = set()
        self._stems: dict[str, frozenset[str]] = {}
        self._pages: list[tuple[int, int, Counter[str]]] = []

    def add(self, page_id: int, length: int, counted: str) -> None:
        """Add a page by its number of words and its Vocabulary.words."""
        listed, _, weights = counted.partition("\n")
        written = listed.split(" ")
        distinct = set(written)
        if unseen := distinct - self._seen:
            self._learn(unseen)
        said: Counter[str] = Counter()
        hits = self._stems.keys() & distinct
        if hits:
            numbers = weights.split(" ")
            for word in hits:
                for each in self._stems[word]:
                    said[each] += int(numbers[written.index(word)])
        self._pages.append((page_id, length, said))

    def ranked(self) -> list[tuple[int, float]]:
        """Return (page id, score) of all pages, the best first, equal ones by id."""
        average = sum(length for _, length, _ in self._pages) / max(1, len(self._pages)) or 1.0
        on = Counter(each for _, _, said in self._pages for each in said)
        weights = {each: weight * rarity(on[each], len(self._pages)) for each, weight in self._query.items()}
        scored = [
            (page_id, sum(weights[each] * saturated(said[each], length / average) for each in sorted(said)))
            for page_id, length, said in self._pages
        ]
        return sorted(scored, key=lambda page: (-page[1], page[0]))

    def said(self) -> Iterator[tuple[int, Mapping[str, int]]]:
        """Yield (page id, weight of each stem of the query that the page says), in the order they came in."""
        return ((page_id, said) for page_id, _, said in self._pages)

    def _learn(self, unseen: set[str]) -> None:
        """Record which new words match the query. Each is stemmed only once, unless there are very many."""
        if len(self._seen) > _MOST_SEEN:
            self._seen.clear()
        self._seen |= unseen
        for word in unseen:
            asked = self._query.keys() & _stems(word, self._language)
            if asked:
                self._stems[word] = frozenset(asked)


def _stems(word: str, language: str) -> list[str]:
    if not word.isascii() and is_unspaced(word):
        return [word]
    return [stem(word, language)] if word.isalnum() else content_stems(word, language)
