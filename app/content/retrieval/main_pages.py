"""Which pages carry a post: those about its topic, and those that say what it costs. Pure."""

from __future__ import annotations

from app.content.artefacts import Intent
from app.content.language.synonyms import synonyms
from app.content.language.text import root, words
from app.content.retrieval.coverage import PageStems, TopicCoverage

_PRICE: frozenset[str] = frozenset({"price", "preis", "prix", "precio", "prezzo"})


def main_pages(
    topic: str, intent: Intent, coverage: TopicCoverage, pages: tuple[PageStems, ...], language: str
) -> tuple[int, ...]:
    """Return the pages about a topic, the best first; of one that asks for a price those with prices lead.

    A page of prices has to say something else of the topic too. Without a page about the topic there is none.
    """
    if intent != "buy" or not coverage.about:
        return coverage.about
    price = frozenset[str]().union(*(synonyms(root(word, language), language) for word in _PRICE))
    subject = {root(word, language) for word in words(topic)} - price
    priced = [
        page.page_id for page in pages if page.title & price and page.said & subject and not page.is_hub
    ]
    first = [page_id for page_id in coverage.about if page_id in priced]
    further = [page_id for page_id in priced if page_id not in first]
    return tuple(dict.fromkeys([*first, *further[:1], *coverage.about]))
