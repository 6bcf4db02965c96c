"""Keywords from the files of keyword tools, and as a file that spreadsheet programs open."""

import re
from collections.abc import Iterator, Sequence
from decimal import Decimal
from typing import Any, Final

from sqlalchemy import select

from app.failures import invalid_field
from app.infra.db import in_order
from app.keywords.bulk import Checked, add_keywords, check_keywords
from app.keywords.model import Keyword
from app.projects.model import Project
from app.spreadsheets.columns import Mapped, guess_columns
from app.spreadsheets.export import csv_lines
from app.spreadsheets.model import UploadedFile
from app.spreadsheets.numbers import decimal_number, whole_number
from app.spreadsheets.service import discard
from app.spreadsheets.tables import Table, UnreadableFile

ROLES: Final = ("keyword", "difficulty", "volume", "cpc_value", "cpc_currency", "country")
PURPOSE: Final = "keywords"
_MOST_VOLUME: Final = 2**31 - 1
_MOST_CPC: Final = Decimal("99999999.99")
_CURRENCY: Final = re.compile(r"\(([A-Z]{3})\)")
_HEADER: Final = (
    *("Keyword", "Volume", "Difficulty", "CPC", "Currency", "Country"),
    *("Coverage", "Pages", "Posts", "In use"),
)


def guessed(table: Table) -> dict[str, int]:
    """Return which column has each of ROLES; without a hint the first column has the keywords."""
    return {"keyword": 0, **guess_columns(table.header, ROLES)}


def check_table(project: Project, table: Table, columns: Mapped, source: str) -> Checked:
    """Return what importing the keywords of a table would do. Raises INVALID_REQUEST.

    A metric that cannot be read, such as a range, is left out. ``source`` names the file.
    """
    try:
        return check_keywords(project, _members(table, columns, source))
    except UnreadableFile as error:
        raise invalid_field("/file", str(error)) from None


def import_table(project: Project, table: Table, columns: Mapped, uploaded: UploadedFile) -> int:
    """Add the new keywords of a table, commit, and return how many. Raises INVALID_REQUEST."""
    checked = check_table(project, table, columns, uploaded.name)
    discard(uploaded)
    return add_keywords(project, checked)


def export_lines(project: Project) -> Iterator[str]:
    of_project = select(Keyword).where(Keyword.project_id == project.id)
    return csv_lines(_HEADER, in_order(of_project, Keyword.id), _cells)


def _members(table: Table, columns: Mapped, source: str) -> Iterator[dict[str, Any]]:
    currency = _currency_of(table, columns)
    for row in table.rows():
        cells = {role: row[index] for role, index in columns.items()}
        difficulty = decimal_number(cells.get("difficulty", ""))
        volume = whole_number(cells.get("volume", ""))
        price = decimal_number(cells.get("cpc_value", ""))
        if price is not None and price > _MOST_CPC:
            price = None
        yield {
            "keyword_text": cells["keyword"],
            "volume": volume if volume is not None and volume <= _MOST_VOLUME else None,
            "difficulty": round(difficulty) if difficulty is not None and difficulty <= 100 else None,
            "cpc_value": None if price is None else round(price, 2),
            "cpc_currency": _code(cells.get("cpc_currency"), 3) or (currency if price is not None else None),
            "country": _code(cells.get("country"), 2),
            "data_source": source[:80],
        }


def _currency_of(table: Table, columns: Mapped) -> str | None:
    """Return the currency that the heading of the prices names: "CPC (USD)"."""
    index = columns.get("cpc_value")
    found = _CURRENCY.search(table.header[index]) if index is not None else None
    return found[1] if found else None


def _code(text: str | None, letters: int) -> str | None:
    return text.upper() if text and len(text) == letters and text.isascii() and text.isalpha() else None


def _cells(row: Sequence[Any]) -> tuple[object, ...]:
    found: Keyword = row[0]
    return (
        *(found.keyword_text, found.volume, found.difficulty, found.cpc_value, found.cpc_currency),
        *(found.country, found.coverage_state, found.covered_pages, found.covered_posts),
        "yes" if found.in_use else "no",
    )
