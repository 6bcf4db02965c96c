"""What an address asks for after its question mark; anybody can type anything there."""

from __future__ import annotations

from typing import Final

from flask import request

from app.infra.db import LARGEST_ID

_MOST: Final = 200


def asked_text(name: str) -> str:
    """Return a text to look for, trimmed and cut, without NUL: PostgreSQL refuses to look for it."""
    return request.args.get(name, "").replace("\x00", "").strip()[:_MOST]


def asked_number(name: str) -> int | None:
    """Return the number of a row, None for what no row can have."""
    number = request.args.get(name, type=int)
    return number if number is not None and 0 < number <= LARGEST_ID else None
