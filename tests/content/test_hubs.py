"""Pages that lead to others: their sections have the names of these."""

from __future__ import annotations

from app.content.evidence.sections import sections_of
from app.content.retrieval.page_stems import page_stems
from tests.content.conftest import PageMaker


def test_a_page_with_one_heading_many_times_leads_to_no_other(make_page: PageMaker) -> None:
    options = [("h2", "Options"), ("p", "It takes a list of hives.")] * 4
    pages = sections_of(
        [
            make_page(1, "remote", [("h1", "Remote control"), ("p", "Control hives from afar."), *options]),
            make_page(2, "options", [("h1", "Options"), ("p", "What each command takes.")]),
        ]
    )
    assert not page_stems(pages, "en")[0].is_hub
