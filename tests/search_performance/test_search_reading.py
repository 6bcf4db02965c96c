"""What is read in exports of search results."""

from __future__ import annotations

from datetime import date

import pytest

from app.search_performance.importing import guessed_choices
from app.search_performance.reading import Choice, period_of, read_rows, recognise
from app.spreadsheets.tables import tables_of
from tests.support.search_exports import HEADERS, search_export

SITE = "https://example.com/"


@pytest.mark.parametrize("language", HEADERS)
def test_a_zip_in_any_language_has_its_searches_pages_and_days_recognised(language: str) -> None:
    data = search_export(
        [("bees, honey", 12, 340, "7.5"), ("wabe", 0, 12, "18")],
        [("https://example.com/hives#top", 3, 40, "4"), ("https://example.com/hives", 1, 60, "9")],
        ["2026-03-02", "2026-03-01", "2026-03-03"],
        language,
    )
    tables = tables_of("export.zip", data)
    choices = guessed_choices(tables)
    assert [choice.kind for choice in choices] == ["queries", "pages", None, None, None]
    assert period_of(tables) == (date(2026, 3, 1), date(2026, 3, 3))
    found = read_rows(tables[0], choices[0], SITE).found
    assert {text: (m.clicks, m.impressions, m.position) for text, m in found.items()} == {
        "bees, honey": (12, 340, 7.5),
        "wabe": (0, 12, 18.0),
    }
    (pages,) = read_rows(tables[1], choices[1], SITE).found.items()
    assert (pages[0], pages[1].clicks, pages[1].impressions) == ("https://example.com/hives", 4, 100)
    assert pages[1].position == pytest.approx(7.0), "the average, weighted by how often each was shown"


def test_a_csv_saved_by_a_german_spreadsheet_is_read() -> None:
    text = "Häufigste Suchanfragen;Klicks;Impressionen;CTR;Position\nhonig;1.234;12.345;10,0 %;7,25\n"
    (table,) = tables_of("Suchanfragen.csv", text.encode("cp1252"))
    (measured,) = read_rows(table, recognise(table), SITE).found.values()
    assert (measured.clicks, measured.impressions, measured.position) == (1234, 12345, 7.25)


def test_rows_that_cannot_be_imported_say_why() -> None:
    lines = [
        "Page,Clicks,Impressions",
        "https://example.com/a,1,2",
        "https://other.test/,1,2",
        "not an address,1,2",
        "https://example.com/b,many,2",
        "https://example.com/c,1,99999999999999999999",
        f"https://other.test/{'x' * 5000},1,2",
    ]
    (table,) = tables_of("Pages.csv", "\n".join(lines).encode())
    rows = read_rows(table, Choice("pages", {"page": 0, "clicks": 1, "impressions": 2}), SITE)
    assert list(rows.found) == ["https://example.com/a"]
    assert rows.reasons == {"of another site": 1, "not an address": 2, "without numbers": 2}
    assert [problem.row for problem in rows.problems] == [2, 3, 4, 5, 6]
    assert rows.problems[-1].text == "https://other.test/".ljust(100, "x")


def test_a_list_of_countries_is_not_taken_for_searches() -> None:
    (table,) = tables_of("Countries.csv", b"Country,Clicks,Impressions,CTR,Position\nGermany,1,2,50%,3\n")
    assert recognise(table).kind is None
