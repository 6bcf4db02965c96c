"""Messages after an action: a note on the next page, with JavaScript a toast, perhaps with an undo."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final

from flask import flash, get_flashed_messages

from app.dashboard.ui.addresses import local_path
from app.dashboard.ui.presentation import counted
from app.failures import ServiceFailure

_UNDO: Final = "undo:"


@dataclass(frozen=True)
class Toast:
    """A message, and the address that its undo button posts to."""

    text: str
    undo_url: str | None


def say(text: str, undo_url: str | None = None) -> None:
    """Show a message on the next page, with a button that posts to ``undo_url``."""
    flash(text, f"{_UNDO}{undo_url}" if undo_url else "message")


@contextmanager
def refusals_said() -> Iterator[None]:
    """Say why what is called inside is refused."""
    try:
        yield
    except ServiceFailure as refused:
        say(refused.first_message)


def say_brought_back(undo: Callable[[], int], noun: str) -> None:
    """Undo a removal, and say how many are back, or why none is."""
    with refusals_said():
        say(f"{counted(undo(), noun)} brought back.")


def toasts() -> list[Toast]:
    waiting: Any = get_flashed_messages(with_categories=True)
    return [
        Toast(text, local_path(category.removeprefix(_UNDO)) if category.startswith(_UNDO) else None)
        for category, text in waiting
    ]
