"""Pages of a list, as links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from flask import request, url_for

PAGE_SIZE: Final = 25


@dataclass(frozen=True)
class Pager:
    """Where a list stands: page ``page`` of ``total`` rows."""

    page: int
    total: int

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
        assert request.endpoint is not None
        query = {key: value for key, value in request.args.items() if key != "page" and value}
        if page > 1:
            query["page"] = str(page)
        return url_for(request.endpoint, **(request.view_args or {}), **query)  # type: ignore[arg-type]


def asked_page() -> int:
    """Return the page that the address asks for; nonsense is page 1."""
    text = request.args.get("page", "1")
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) <= 6 else 1
