"""Choosing pages for a post: those with a tick, and up to ten that a search finds; works without scripts."""

from __future__ import annotations

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
"""More ticks than anybody makes are not looked up; the operation refuses them by their number."""


class TickedPages(Field):
    """The ids of pages whose box is ticked; what is no id of a row counts for nothing."""

    data: list[int]

    def process_formdata(self, valuelist: list[Any]) -> None:
        """Take the boxes that were ticked."""
        self.data = row_ids(valuelist)

    def process_data(self, value: Any) -> None:
        """Take what the form starts with."""
        self.data = list(value or ())


@dataclass(frozen=True)
class Picker:
    """The rows of the form: ``chosen`` have a tick, ``found`` are what the words ``looked_for`` found."""

    chosen: Sequence[Page]
    found: Sequence[Page]
    looked_for: str
    more: bool


def picker(project: Project, ticked: Sequence[int], words: str) -> Picker:
    """Return the rows to show: every ticked page, then pages that hold these words and have no tick."""
    chosen = pages_of(project, list(dict.fromkeys(ticked))[:_MOST_TICKED])
    taken = {page.id for page in chosen}
    found = [page for page in find_pages(project, words, MOST_FOUND + 1 + len(taken)) if page.id not in taken]
    return Picker(chosen, found[:MOST_FOUND], words, len(found) > MOST_FOUND)
