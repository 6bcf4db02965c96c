"""The kinds of mails."""

from typing import Final

PUBLISHING_FAILED: Final = "publishing_failed"
REMOVALS_QUARANTINED: Final = "removals_quarantined"
WEEKLY_SUMMARY: Final = "weekly_summary"
PASSWORD_RESET: Final = "password_reset"  # noqa: S105 (the name of a kind)
SIGN_UP: Final = "sign_up"
"""These two go to an address that somebody typed."""
SIGN_IN_CHANGED: Final = "sign_in_changed"
"""Goes to every account that it is about, and cannot be turned off."""

KINDS: Final = (PUBLISHING_FAILED, REMOVALS_QUARANTINED, WEEKLY_SUMMARY)
"""The kinds about what happens by itself. Every account gets all of them until it turns one off."""
