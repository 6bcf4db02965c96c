"""Pages of a list, as links."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode

from flask import request, url_for

PAGE_SIZE: Final = 25


@dataclass(frozen=True)
class Pager:
    """Where a list stands: page ``page`` of ``total`` rows, in the view ``endpoint`` or the present one."""

    page: int
    total: int
    endpoint: str = ""

    @property
    def pages(self) -> int:
        """How many pages there are, at least one."""
        return max(1, -(-self.total // PAGE_SIZE))

    @property
    def first(self) -> int:
        """The number of the first row shown, from 1; 0 in an empty list."""
        return min(self.total, (self.page - 1) * PAGE_SIZE + 1)

    @property
    def last(self) -> int:
        """The number of the last row shown."""
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
        """Return the address of another page of the same list, its filters kept."""
        path = url_for(self.endpoint or request.endpoint or "", **(request.view_args or {}))
        return with_query(path, {"page": str(page) if page > 1 else ""})


def with_query(path: str, changes: Mapping[str, str]) -> str:
    """Return an address with the present filters, changed; what is empty is left out."""
    kept = {name: value for name, value in request.args.items() if name not in ("page", "since", *changes)}
    text = urlencode({name: value for name, value in {**kept, **changes}.items() if value})
    return f"{path}?{text}" if text else path


def asked_page() -> int:
    """Return the page that the address asks for; nonsense is page 1."""
    text = request.args.get("page", "1")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) <= 6 else 1
