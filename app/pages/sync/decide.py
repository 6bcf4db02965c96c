"""What a sync does with the pages that the sitemap no longer lists. Pure.

Only a complete reading marks pages stale. A mass removal is quarantined until a complete sync at least ten
minutes later, or a person, confirms it.
"""

from dataclasses import dataclass
from datetime import timedelta
from typing import Final, Literal

MASS_REMOVAL_FROM: Final = 20
"""With fewer known pages it is normal that half of them are removed at once."""

CONFIRMED_AFTER: Final = timedelta(minutes=10)
"""A sync that follows sooner may find the same fault of the site."""

_CONFIRMING: Final = "a complete sync at least ten minutes later finds the same"
EMPTY: Final = f"The sitemap lists no page of this site; it counts as empty when {_CONFIRMING}."


@dataclass(frozen=True)
class Reading:
    """What a sync read, compared with the known pages: counts of URLs and pages.

    ``lists_everything``: the whole tree was read and is no feed. ``known`` counts the fresh pages that were
    in the sitemap before, ``missing`` those of them that are not in it now. ``was_empty``: the last complete
    sync of the same sitemap, at least CONFIRMED_AFTER ago, found no page.
    """

    lists_everything: bool
    found: int
    known: int
    missing: int
    was_empty: bool = False


@dataclass(frozen=True)
class Decision:
    """Which of the missing pages turn stale, and why the others do not.

    ``confirmed`` pages are those whose removal has been in quarantine for long enough.
    """

    state: Literal["ok", "partial", "quarantined"]
    marks_stale: Literal["all", "confirmed", "none"]
    reason: str = ""


def decide(reading: Reading, missing_again: int, waiting: int = 0) -> Decision:
    """Return what a sync does with missing pages.

    ``missing_again`` counts the missing pages whose removal has been in quarantine for CONFIRMED_AFTER. They
    turn stale whatever else is missing. The others are judged without them, so that no quarantine lasts for
    ever. ``waiting`` counts those whose quarantine is younger; while there are some, it stays open.
    """
    if not reading.lists_everything:
        return Decision("partial", "none", "Not every page was listed or read, so nothing was marked stale.")
    known, missing = reading.known - missing_again, reading.missing - missing_again
    if reading.found == 0 and not reading.known and not reading.was_empty:
        return Decision("quarantined", "none", EMPTY)
    if not waiting and not _is_mass_removal(reading, known, missing):
        return Decision("ok", "all")
    reason = f"{missing} of {known} pages are suddenly missing; they turn stale when {_CONFIRMING}."
    return Decision("quarantined", "confirmed", reason)


def _is_mass_removal(reading: Reading, known: int, missing: int) -> bool:
    if not missing:
        return False
    if reading.found == 0:
        return True
    return reading.known >= MASS_REMOVAL_FROM and missing * 2 > known
