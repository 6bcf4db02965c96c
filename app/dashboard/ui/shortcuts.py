"""The keyboard shortcuts of the dashboard, as its help sheet lists them. shortcuts.js carries them out."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.dashboard.ui.navigation import ALL_JOBS, EVERYTHING, SITE, SITE_JOBS, SITE_SETTINGS

GO: Final = "g"


@dataclass(frozen=True)
class Shortcut:
    """Keys that are pressed one after the other, or together, and what they do."""

    keys: Sequence[str]
    does: str
    together: bool = False


ANYWHERE: Final = (
    Shortcut(("?",), "Show this list"),
    Shortcut(("/",), "Search the list on the page"),
    Shortcut(("n",), "Go to the main button of the page"),
)
SCREENS: Final = tuple(
    Shortcut((GO, entry.key), entry.text)
    for entry in (*SITE, *SITE_SETTINGS, SITE_JOBS, *EVERYTHING)
    if entry.key and entry is not ALL_JOBS
)
"""On a page of no site, the letter of a site's executions leads to all of them."""
WRITING: Final = (
    Shortcut(("Ctrl", "S"), "Save the post", together=True),
    Shortcut(("Ctrl", "B"), "Bold", together=True),
    Shortcut(("Ctrl", "I"), "Italic", together=True),
    Shortcut(("Ctrl", "K"), "Link to one of your pages", together=True),
)
CALENDAR: Final = (
    Shortcut(("m",), "Pick up the planned post that has the focus"),
    Shortcut(("←", "→", "↑", "↓"), "Choose its day"),
    Shortcut(("Enter",), "Put it there"),
    Shortcut(("Esc",), "Put it back"),
)
GROUPS: Final = (
    ("On every page", ANYWHERE),
    ("Go to", SCREENS),
    ("In the editor", WRITING),
    ("In the calendar", CALENDAR),
)
