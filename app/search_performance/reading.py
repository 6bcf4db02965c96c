"""From the tables of a search export to checked rows. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import islice
from typing import Final, Literal, NamedTuple, Self

from app.infra.urls import InvalidUrl, normalise, same_site
from app.spreadsheets.columns import Mapped, guess_columns
from app.spreadsheets.numbers import decimal_number, whole_number
from app.spreadsheets.refusals import Refusals
from app.spreadsheets.tables import Table

Kind = Literal["queries", "pages"]
KINDS: Final[tuple[Kind, ...]] = ("queries", "pages")
SUBJECT: Final[dict[Kind, str]] = {"queries": "query", "pages": "page"}
FIGURES: Final = ("clicks", "impressions", "position")
LONGEST_QUERY: Final = 200
_MOST_COUNT: Final = 2**53
_LOOKED_AT: Final = 20
_MOST_DAYS: Final = 1000
_DAY_FORMATS: Final = ("%Y-%m-%d", "%d.%m.%Y", "%d/%m/%Y")


class Choice(NamedTuple):
    """What a table lists, None for what is not imported, and which columns have what."""

    kind: Kind | None
    columns: Mapped


@dataclass(slots=True)
class Measured:
    """The figures of one query or page."""

    clicks: int
    impressions: int
    position: float | None

    def add(self, other: Self) -> None:
        """Add the figures of another spelling of the same thing; the position becomes their average."""
        shown = self.impressions + other.impressions
        if self.position is not None and other.position is not None and shown:
            weighted = self.position * self.impressions + other.position * other.impressions
            self.position = weighted / shown
        self.clicks += other.clicks
        self.impressions = shown


@dataclass
class Rows(Refusals):
    """The rows of one kind by their query or URL; ``known`` of them take the place of stored ones."""

    found: dict[str, Measured] = field(default_factory=dict)
    known: int = 0

    @property
    def summary(self) -> str:
        """The counts in words."""
        return self.beside(len(self.found) - self.known, self.known)


def recognise(table: Table) -> Choice:
    """Return what a table seems to list, by its headings and, failing these, by its first rows."""
    first = [row[0] for row in islice(table.rows(), _LOOKED_AT)]
    figures = guess_columns(table.header, FIGURES)
    if "clicks" not in figures and "impressions" not in figures:
        return Choice(None, figures)
    if first and all(cell.startswith(("http://", "https://")) for cell in first):
        return Choice("pages", {"page": 0, **figures})
    for kind in KINDS:
        if SUBJECT[kind] in (found := guess_columns(table.header, (SUBJECT[kind], *FIGURES))):
            return Choice(kind, found)
    return Choice(None, figures)


def period_of(tables: Iterable[Table]) -> tuple[date, date] | None:
    """Return the first and last day that a table of days lists; None if there is no such table."""
    for table in tables:
        column = guess_columns(table.header, ("day",)).get("day")
        if column is None:
            continue
        days = [_day(row[column]) for row in islice(table.rows(), _MOST_DAYS)]
        found = [day for day in days if day is not None]
        if found and len(found) == len(days):
            return min(found), max(found)
    return None


def read_rows(table: Table, choice: Choice, site: str) -> Rows:
    """Return the checked rows of a table. Raises UnreadableFile.

    Pages have to belong to ``site``. Rows of the same query or page are added up.
    """
    rows = Rows()
    if choice.kind is None:
        return rows
    subject = choice.columns[SUBJECT[choice.kind]]
    for number, cells in enumerate(table.rows(), 1):
        text, problem = checked_subject(cells[subject], choice.kind, site)
        measured = _measured(cells, choice.columns)
        if problem is not None:
            rows.refuse(number, cells[subject], problem)
        elif measured is None:
            rows.refuse(number, cells[subject], "without numbers")
        elif text in rows.found:
            rows.found[text].add(measured)
        else:
            rows.found[text] = measured
    return rows


def checked_subject(cell: str, kind: Kind, site: str) -> tuple[str, str | None]:
    """Return a query or URL as it is stored, and why it is left out, None if it is not."""
    if kind == "queries":
        text = " ".join(cell.split()).lower()
        if not text:
            return text, "empty"
        return text, "too long" if len(text) > LONGEST_QUERY else None
    try:
        url = normalise(cell)
    except InvalidUrl:
        return cell, "not an address"
    return url, None if same_site(site, url) else "of another site"


def _measured(cells: Sequence[str], columns: Mapped) -> Measured | None:
    counts = [
        whole_number(cells[columns[role]]) if role in columns else 0 for role in ("clicks", "impressions")
    ]
    position = decimal_number(cells[columns["position"]]) if "position" in columns else None
    clicks, impressions = counts
    if clicks is None or impressions is None or max(clicks, impressions) > _MOST_COUNT:
        return None
    return Measured(clicks, impressions, float(position) if position else None)


def _day(text: str) -> date | None:
    for form in _DAY_FORMATS:
        try:
            return datetime.strptime(text, form).date()
        except ValueError:
            continue
    return None
