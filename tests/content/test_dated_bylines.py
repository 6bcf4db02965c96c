"""A page whose first line is a name and a day: "Tom Hale, 14 January 2025"."""

from __future__ import annotations

import pytest

from app.content.evidence.authors import author_of
from tests.content.conftest import page

PROSE = "I tune two hundred pianos a year and write each pitch down before I touch a pin."


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("Tom Hale, 14 January 2025", "Tom Hale"),
        ("Hester Quill, 3. Juni 2025", "Hester Quill"),
        ("12 May 2026, by Orla Fenwick, managing director", "Orla Fenwick"),
        ("May 12, 2026, by Orla Fenwick", "Orla Fenwick"),
        ("12 May 2026, by Orla Fenwick and Tom Hale", ""),
        ("12 May 2026, by the river", ""),
        ("Tuning Team, 14 January 2025", ""),
        ("Tuned, 14 January 2025", ""),
        ("Tom Hale, on a cold day in January 2025", ""),
    ],
)
def test_a_name_with_a_date_right_below_the_title_is_the_author(line: str, author: str) -> None:
    assert author_of(page(1, "guide", [("h1", "Tuning"), ("p", line), ("p", PROSE)])) == author
    assert author_of(page(1, "guide", [("h1", "Tuning"), ("p", PROSE), ("p", line)])) == ""
