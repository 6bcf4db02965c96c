"""Messages after an action: a note on the next page, with JavaScript a toast, perhaps with an undo."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from flask import flash, get_flashed_messages

from app.dashboard.ui.blueprint import local_path

_UNDO: Final = "undo:"


@dataclass(frozen=True)
class Toast:
    """A message, and the address that its undo button posts to."""

    text: str
    undo_url: str | None


def say(text: str, undo_url: str | None = None) -> None:
    """Show a message on the next page, with a button that posts to ``undo_url``."""
    flash(text, f"{_UNDO}{undo_url}" if undo_url else "message")


def toasts() -> list[Toast]:
    """Return the messages that wait to be shown."""
    waiting: Any = get_flashed_messages(with_categories=True)
    return [
        Toast(text, local_path(category.removeprefix(_UNDO)) if category.startswith(_UNDO) else None)
        for category, text in waiting
    ]
