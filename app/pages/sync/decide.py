"""What a sync may conclude from what it read (pure).

Staleness needs a complete reading; a sudden loss waits until the next such, or a person, says the same.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

SUDDEN_LOSS_OF: Final = 20
"""Below this many pages a loss of half of them is an everyday thing."""

EMPTY: Final = (
    "The sitemap lists no page of this site; it counts as empty when the next complete sync says the same."
)


@dataclass(frozen=True)
class Reading:
    """What a sync read, compared with the pages it knew: counts of URLs and pages.

    ``lists_everything``: the whole tree was read and is no feed. ``known`` counts the fresh pages that were
    in the sitemap before, ``missing`` those of them that are not in it now. ``said_empty``: the last
    sync that read the same sitemap to its end found it empty.
    """

    lists_everything: bool
    found: int
    known: int
    missing: int
    said_empty: bool = False


@dataclass(frozen=True)
class Decision:
    """Which of the missing pages turn stale, and why not all of them do.

    ``said_before`` are those of which the open held sync said the same.
    """

    state: Literal["ok", "partial", "held"]
    marks_stale: Literal["all", "said_before", "none"]
    reason: str = ""


def decide(reading: Reading, said_before: int) -> Decision:
    """Return what a sync does with missing pages.

    ``said_before`` counts those of the missing pages whose loss is held and open. They turn stale
    whatever else is missing now; the rest is judged without them, so that no loss waits for ever.
    """
    if not reading.lists_everything:
        return Decision("partial", "none", "Not every page was listed or read, so nothing was marked stale.")
    known, missing = reading.known - said_before, reading.missing - said_before
    if reading.found == 0 and not reading.known and not reading.said_empty:
        return Decision("held", "none", EMPTY)
    if not _is_sudden_loss(reading, known, missing):
        return Decision("ok", "all")
    lost = f"{missing} of {known} pages are suddenly missing"
    return Decision(
        "held", "said_before", f"{lost}; they turn stale when the next complete sync says the same."
    )


def _is_sudden_loss(reading: Reading, known: int, missing: int) -> bool:
    if not missing:
        return False
    if reading.found == 0:
        return True
    return reading.known >= SUDDEN_LOSS_OF and missing * 2 > known
