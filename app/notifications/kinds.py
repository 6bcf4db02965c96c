"""The kinds of mails."""

from __future__ import annotations

from typing import Final

PUBLISHING_FAILED: Final = "publishing_failed"
REMOVALS_QUARANTINED: Final = "removals_quarantined"
WEEKLY_SUMMARY: Final = "weekly_summary"

KINDS: Final = (PUBLISHING_FAILED, REMOVALS_QUARANTINED, WEEKLY_SUMMARY)
"""Every account gets all of them until it turns one off."""
