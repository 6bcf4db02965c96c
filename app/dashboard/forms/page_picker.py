"""The page picker: ticked pages and up to ten that a search finds. It works without JavaScript."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from wtforms import Field

from app.dashboard.ui.query import row_ids
from app.pages.lookup import find_pages, pages_of
from app.pages.model import Page
from app.projects.model import Project

MOST_FOUND: Final = 10
_MOST_TICKED: Final = 200
"""More ticked pages are not looked up; the operation rejects that many."""


class TickedPages(Field):
    """The ids of ticked pages. Values that are no ids are ignored."""

    data: list[int]

    def process_formdata(self, valuelist: list[Any]) -> None:
        self.data = row_ids(valuelist)

    def process_data(self, value: Any) -> None:
        self.data = list(value or ())


@dataclass(frozen=True)
class Picker:
    """The rows of the picker: ticked pages, and pages found for ``query``; ``more`` if there are others."""

    chosen: Sequence[Page]
    found: Sequence[Page]
    query: str
    more: bool


def picker(project: Project, ticked: Sequence[int], query: str) -> Picker:
    """Return the rows to show: every ticked page, then other pages with the words of ``query``."""
    chosen = pages_of(project, list(dict.fromkeys(ticked))[:_MOST_TICKED])
    taken = {page.id for page in chosen}
    found = [page for page in find_pages(project, query, MOST_FOUND + 1 + len(taken)) if page.id not in taken]
    return Picker(chosen, found[:MOST_FOUND], query, len(found) > MOST_FOUND)
