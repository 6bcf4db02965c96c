"""Which sentences of an article are outdated: those whose quote their pages no longer contain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.content.writing.article.refreshing import outdated
from tests.content.conftest import SiteMaker, page

GARDEN = replace(page(1, "garden", [("p", "Peas grow here.")]), description="A seed garden by the sea.")


def entry(quote: str, source: str) -> dict[str, Any]:
    return {"sentence": "Said.", "quote": quote, "source_ids": [source]}


def test_a_quote_from_a_description_holds_while_the_page_has_it(make_site: SiteMaker) -> None:
    trace = [
        entry("Peas grow", "1:b0"),
        entry("garden by the sea", "1:description"),
        entry("by the lake", "1:description"),
    ]
    assert outdated(trace, make_site(GARDEN)) == [2]
