"""Text that people give: trimmed, measured, and free of what a database cannot store."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from app.failures import ServiceFailure, invalid_field

# PostgreSQL refuses NUL, and a lone surrogate cannot be written as UTF-8.
_UNSTORABLE: Final = re.compile(r"[\x00\ud800-\udfff]")


def clean_text(name: str, value: Any, most: int) -> str | None:
    """Return a text trimmed, None for an absent or empty one.

    ``most`` is the number of characters it may have. Raises INVALID_REQUEST that names ``/name``.
    """
    if value is None:
        return None
    if not isinstance(value, str):
        raise invalid_field(f"/{name}", "This must be a text.")
    if _UNSTORABLE.search(value):
        raise invalid_field(f"/{name}", "This holds a character that cannot be stored.")
    text = value.strip()
    if len(text) > most:
        raise invalid_field(f"/{name}", f"This may have at most {most} characters.")
    return text or None


def required_text(name: str, value: Any, most: int) -> str:
    """Return a text as ``clean_text`` does. Raises INVALID_REQUEST for an absent or empty one too."""
    text = clean_text(name, value, most)
    if text is None:
        raise invalid_field(f"/{name}", "This is required.")
    return text


def refuse_unknown(fields: Mapping[str, Any], known: Iterable[str]) -> None:
    """Raise INVALID_REQUEST that names every member of ``fields`` that is not in ``known``."""
    unknown = sorted(set(fields) - set(known))
    if unknown:
        raise ServiceFailure(
            "INVALID_REQUEST",
            errors=[{"location": "body", "field": f"/{n}", "message": "Unknown field."} for n in unknown],
        )
