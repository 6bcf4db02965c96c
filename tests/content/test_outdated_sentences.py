"""Which sentences of an article are outdated: those whose quote their pages no longer contain."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from app.content.evidence.quotes import QuotedPage, outdated
from tests.content.conftest import page

GARDEN = replace(page(1, "garden", [("p", "Peas grow here.")]), description="A seed garden by the sea.")


def entry(quote: str, source: str) -> dict[str, Any]:
    return {"sentence": "Said.", "quote": quote, "source_ids": [source]}


def test_a_quote_from_a_description_holds_while_the_page_has_it() -> None:
    trace = [
        entry("Peas grow", "1:b0"),
        entry("garden by the sea", "1:description"),
        entry("by the lake", "1:description"),
    ]
    assert outdated(trace, {1: QuotedPage(GARDEN)}) == [2]
