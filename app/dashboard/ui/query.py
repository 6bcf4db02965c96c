"""The query string of a page: filters, ids and page numbers. Any value may be in it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import request, url_for

from app.infra.db import LARGEST_ID

PAGE_SIZE: Final = 25
BY_TIME: Final = {"newest": "Newest first", "oldest": "Oldest first", "longest": "Longest first"}
_MOST_CHARACTERS: Final = 200
_MOST_PAGES: Final = 1_000_000


@dataclass(frozen=True)
class Pager:
    """Links to the pages of a list of ``total`` rows. ``endpoint`` defaults to the current view."""

    page: int
    total: int
    endpoint: str = ""

    @property
    def pages(self) -> int:
        return max(1, -(-self.total // PAGE_SIZE))

    @property
    def first(self) -> int:
        """The number of the first row shown, from 1; 0 in an empty list."""
        return min(self.total, (self.page - 1) * PAGE_SIZE + 1)

    @property
    def last(self) -> int:
        return min(self.total, self.page * PAGE_SIZE)

    @property
    def numbers(self) -> list[int | None]:
        """The page numbers to offer; None stands for a gap."""
        near = {1, self.pages, *range(self.page - 1, self.page + 2)}
        shown: list[int | None] = []
        for number in sorted(n for n in near if 1 <= n <= self.pages):
            if shown and number - (shown[-1] or 0) > 1:
                shown.append(None)
            shown.append(number)
        return shown

    def url(self, page: int) -> str:
        path = url_for(self.endpoint or request.endpoint or "", **(request.view_args or {}))
        return with_query(path, {"page": str(page) if page > 1 else ""})


def with_query(path: str, changes: Mapping[str, str]) -> str:
    """Return ``path`` with the current filters and these changes. Empty values are left out."""
    kept = {name: value for name, value in request.args.items() if name not in ("page", "since", *changes)}
    text = urlencode({name: value for name, value in {**kept, **changes}.items() if value})
    return f"{path}?{text}" if text else path


def page_that_is_there(pager: Pager) -> str | None:
    """Return the address of the last page if the one that is asked for is behind it, as after a removal."""
    return pager.url(pager.pages) if pager.page > pager.pages else None


def query_page() -> int:
    """Return the page number, 1 if it is missing or unusable."""
    page = row_id(request.args.get("page")) or 1
    return page if page < _MOST_PAGES else 1


def query_text(name: str) -> str:
    """Return a search text, trimmed and cut, without NUL characters, which PostgreSQL rejects."""
    return request.args.get(name, "").replace("\x00", "").strip()[:_MOST_CHARACTERS]


def chosen_order(orders: Mapping[str, str]) -> str:
    """Return the order that is asked for, the first of ``orders`` if it is none of them."""
    order = request.args.get("order", "")
    return order if order in orders else next(iter(orders))


def query_id(name: str) -> int | None:
    """Return the id of a row, None if it is missing or no row can have it."""
    return row_id(request.args.get(name))


def row_id(text: str | None) -> int | None:
    """Return the number in ``text`` if a row can have it as its id, else None."""
    number = int(text) if text and text.isascii() and text.isdigit() and len(text) < 20 else 0
    return number if 0 < number <= LARGEST_ID else None


def row_ids(texts: Iterable[str]) -> list[int]:
    return list(dict.fromkeys(number for text in texts if (number := row_id(text))))
