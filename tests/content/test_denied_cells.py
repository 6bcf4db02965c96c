"""What a table says no to, no sentence may say yes to."""

from __future__ import annotations

import pytest

from app.content.writing.veto.denied_cells import denied_cells
from tests.support.article_material import unit

HEADER = ("", "Tickover", "Shuttle", "Full Loom")
ROWS = (
    ("Wheels trued", "No", "Yes", "Yes"),
    ("Hydraulic brakes bled", "No", "No (£28 a brake)", "Yes, both"),
    ("Loan bike", "–", "–", "Free"),
    ("Free coffee", "No", "No", "No"),
)
TABLE = unit(
    "1:b1", "\n".join(map(" | ".join, (HEADER, *ROWS))), "table", header=HEADER, rows=ROWS, row_heads=1
)


@pytest.mark.parametrize(
    ("text", "row", "column"),
    [
        ("Book a Shuttle, and both hydraulic brakes are bled.", "Hydraulic brakes bled", "Shuttle"),
        ("A Tickover gives you wheels that are trued and a loan bike.", "Wheels trued", "Tickover"),
    ],
)
def test_what_a_table_denies_of_a_column_is_a_fault(text: str, row: str, column: str) -> None:
    assert (row, column) in list(denied_cells(text, [TABLE], "en"))


@pytest.mark.parametrize(
    "text",
    [
        "Book a Shuttle, and your wheels are trued.",
        "With a Shuttle you get no loan bike.",
        "Unlike a Shuttle, the dearest service has both hydraulic brakes bled.",
        "On a Shuttle, hydraulic brakes are bled for £28 each.",
        "On a Shuttle, having the hydraulic brakes bled is extra.",
        "Does a Shuttle have the hydraulic brakes bled?",
        "A Shuttle or a Full Loom: the hydraulic brakes are bled in one of them.",
        # Nobody has the row, so it says nothing of one column.
        "A Tickover ends with free coffee.",
        "A Shuttle does your brakes.",
        "If you want your wheels trued, a Tickover is too small.",
        "What a Tickover lacks is having the wheels trued.",
        "A Tickover cannot have its wheels trued.",
    ],
)
def test_what_may_be_true_beside_a_denied_cell_is_no_fault(text: str) -> None:
    assert list(denied_cells(text, [TABLE], "en")) == []


def test_a_german_table_denies_too() -> None:
    header, rows = ("", "Basis", "Profi"), (("Kettenschutz montiert", "nein", "ja"),)
    table = unit(
        "1:b1", "\n".join(map(" | ".join, (header, *rows))), "table", header=header, rows=rows, row_heads=1
    )
    assert list(denied_cells("Mit Basis ist der Kettenschutz montiert.", [table], "de"))
    assert not list(denied_cells("Mit Basis ist der Kettenschutz nicht montiert.", [table], "de"))


@pytest.mark.parametrize("cell", ["No limit", "No extra charge", "None", "Free"])
def test_a_cell_that_lifts_something_denies_nothing(cell: str) -> None:
    header, rows = ("", "Nest", "Flock"), (("Booking limit a month", cell, "Yes"),)
    table = unit(
        "1:b1", "\n".join(map(" | ".join, (header, *rows))), "table", header=header, rows=rows, row_heads=1
    )
    assert not list(denied_cells("Nest lifts the booking limit of a month.", [table], "en"))


def test_a_clause_that_compares_hides_no_denied_cell_of_another() -> None:
    text = "A Tickover has the wheels trued, and its brake pads are cheaper."
    assert list(denied_cells(text, [TABLE], "en"))
    assert not list(denied_cells("Unlike a Tickover, it has the wheels trued.", [TABLE], "en"))
