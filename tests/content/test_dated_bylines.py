"""A page whose first line is a day and a name: "12 May 2026, by Orla Fenwick"."""

from __future__ import annotations

import pytest

from app.content.evidence.authors import author_of
from tests.content.conftest import page

PROSE = "I tune two hundred pianos a year and write each pitch down before I touch a pin."


@pytest.mark.parametrize(
    ("line", "author"),
    [
        ("3. Juni 2025, von Hester Quill", "Hester Quill"),
        ("12 May 2026, by Orla Fenwick, managing director", "Orla Fenwick"),
        ("May 12, 2026, by Orla Fenwick", "Orla Fenwick"),
        ("12 May 2026, by Orla Fenwick and Tom Hale", ""),
        ("12 May 2026, by the river", ""),
        ("New York, 14 January 2025", ""),
        ("On a cold day in January 2025, by Tom Hale", ""),
    ],
)
def test_a_name_behind_a_day_right_below_the_title_is_the_author(line: str, author: str) -> None:
    assert author_of(page(1, "guide", [("h1", "Tuning"), ("p", line), ("p", PROSE)])) == author
    assert author_of(page(1, "guide", [("h1", "Tuning"), ("p", PROSE), ("p", line)])) == ""
