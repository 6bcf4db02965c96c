"""What a sync may conclude from what it read (pure).

Staleness needs a complete reading; a sudden loss waits until the next sync, or a person, says the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

SUDDEN_LOSS_OF: Final = 20
"""Below this many pages a loss of half of them is an everyday thing."""


@dataclass(frozen=True)
class Reading:
    """What a sync read, compared with the pages it knew: counts of URLs and pages.

    ``lists_everything``: the whole tree was read and is no feed. ``known`` counts the fresh pages that were
    in the sitemap before, ``missing`` those of them that are not in it now.
    """

    lists_everything: bool
    found: int
    known: int
    missing: int


@dataclass(frozen=True)
class Decision:
    """What happens to the missing pages, and why when nothing does."""

    state: Literal["ok", "partial", "held"]
    marks_stale: bool
    reason: str = ""


def decide(reading: Reading, said_before: bool) -> Decision:
    """Return what a sync does with missing pages.

    ``said_before``: the last sync was held because of exactly these pages.
    """
    if not reading.lists_everything:
        return Decision("partial", False, "Not every page was listed or read, so nothing was marked stale.")
    if said_before or not _is_sudden_loss(reading):
        return Decision("ok", marks_stale=True)
    lost = f"{reading.missing} of {reading.known} pages are suddenly missing"
    return Decision("held", False, f"{lost}; they turn stale when the next sync says the same.")


def _is_sudden_loss(reading: Reading) -> bool:
    if not reading.missing:
        return False
    if reading.found == 0:
        return True
    return reading.known >= SUDDEN_LOSS_OF and reading.missing * 2 > reading.known
