"""Files of rows as the world writes them."""

from __future__ import annotations

import io
import re
import zipfile
from decimal import Decimal

import pytest

from app.spreadsheets.columns import guess_columns
from app.spreadsheets.numbers import decimal_number, whole_number
from app.spreadsheets.tables import MOST_BYTES, MOST_ROWS, UnreadableFile, safe_cell, tables_of

KEYWORD = ("keyword", "difficulty", "volume", "cpc_value", "cpc_currency", "country")


def zipped(**files: bytes) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(f"{name}.csv", data)
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("text", "whole", "decimal"),
    [
        ("1,234", 1234, "1.234"),
        ("1.234.567", 1234567, None),
        ("1 234", 1234, "1234"),
        ("12.0", 12, "12.0"),
        ("7,5", None, "7.5"),
        ("1.234,5", None, "1234.5"),
        ("3.45%", None, "3.45"),
        ("–", None, None),
        ("1K – 10K", None, None),
        ("", None, None),
        ("²", None, None),
        ("1" * 100, None, None),
    ],
)
def test_numbers_are_read_as_each_country_writes_them(
    text: str, whole: int | None, decimal: str | None
) -> None:
    assert whole_number(text) == whole
    assert decimal_number(text) == (None if decimal is None else Decimal(decimal))


def test_a_keyword_planner_file_is_utf_16_with_tabs_and_two_lines_before_its_header() -> None:
    text = (
        "Keyword Stats 2026-05-13 at 10_11_12\n1 April 2025 - 31 March 2026\n"
        "Keyword\tCurrency\tAvg. monthly searches\tThree month change\tTop of page bid (low range)\t"
        "Top of page bid (high range)\tSearches: Apr 2025\n"
        "beehive stand\tEUR\t5000\t0%\t0,31\t1,42\t4400\n"
        "queen bee\tEUR\t\t\t\t\t\n"
    )
    (table,) = tables_of("Keyword Stats.csv", text.encode("utf-16"))
    assert guess_columns(table.header, KEYWORD) == {
        "keyword": 0,
        "cpc_currency": 1,
        "volume": 2,
        "cpc_value": 5,
    }
    assert [row[:3] for row in table.rows()] == [["beehive stand", "EUR", "5000"], ["queen bee", "EUR", ""]]


@pytest.mark.parametrize(
    ("header", "found"),
    [
        ("#,Keyword,Country,Difficulty,Volume,CPC,Parent Keyword,Last Update", (1, 3, 4, 5, None, 2)),
        ("Keyword,Intent,Volume,Trend,Keyword Difficulty,CPC (USD),SERP Features", (0, 4, 2, 5, None, None)),
        ("Suchbegriff;Suchvolumen;Schwierigkeit;CPC;Währung;Land", (0, 2, 1, 3, 4, 5)),
    ],
)
def test_the_columns_of_keyword_tools_are_recognised(header: str, found: tuple[int | None, ...]) -> None:
    row = re.sub("[^,;]+", "a", header)
    (table,) = tables_of("export.csv", f"{header}\n{row}\n{row}\n".encode())
    guessed = guess_columns(table.header, KEYWORD)
    assert tuple(guessed.get(role) for role in KEYWORD) == found


def test_decimal_commas_do_not_split_a_file_with_semicolons() -> None:
    text = "Häufigste Suchanfragen;Klicks;CTR;Position\nbienen, kaufen;12;3,4 %;7,5\nwabe;1;2,0 %;11,25\n"
    (table,) = tables_of("a.csv", text.encode("cp1252"))
    assert table.header[0] == "Häufigste Suchanfragen"
    assert next(table.rows()) == ["bienen, kaufen", "12", "3,4 %", "7,5"]


def test_a_list_without_a_header_keeps_its_first_line() -> None:
    (plain,) = tables_of("list.csv", b"bees\nhives\n")
    (numbered,) = tables_of("list.csv", b"bees,1200\nhives,30\n")
    assert [row[0] for row in plain.rows()] == ["bees", "hives"]
    assert list(numbered.rows()) == [["bees", "1200"], ["hives", "30"]]


def test_formulas_are_quoted_on_the_way_out_and_read_back_without_the_quote() -> None:
    cells = ["=1+1", "+49", "-5", "@now", "\tx", "plain", "it's"]
    assert [safe_cell(cell) for cell in cells] == ["'=1+1", "'+49", "'-5", "'@now", "'\tx", "plain", "it's"]
    (table,) = tables_of("a.csv", b"Keyword,Note\n'=1+1,'quoted'\n")
    assert list(table.rows()) == [["=1+1", "'quoted'"]]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n\n",
        b"x" * (MOST_BYTES + 1),
        zipped(bomb=b"a,b\n" * (MOST_BYTES // 4 + 1)),
        zipped(a=b"a" * MOST_BYTES, b=b"a,b\n1,2\n"),
        zipped(a=b"a,b\n1,2\n")[:60],
        zipped(**{f"file{number}": b"a,b\n1,2\n" for number in range(31)}),
        zipped(a=b"a,b\n1,2\n").replace(b".csv", b".xml"),
        b'a,b\n"' + b"x" * 200_000,
    ],
    ids=["empty", "blank", "large", "bomb", "bombs", "torn", "many", "no csv", "huge cell"],
)
def test_a_file_that_is_no_table_or_too_large_says_so(data: bytes) -> None:
    with pytest.raises(UnreadableFile):
        tables_of("a.csv", data)


def test_rows_beyond_the_limit_are_not_read() -> None:
    (table,) = tables_of("a.csv", b"Keyword,Volume\n" + b"a,1\n" * (MOST_ROWS + 1))
    with pytest.raises(UnreadableFile, match="50,000"):
        sum(1 for _ in table.rows())
