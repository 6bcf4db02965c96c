"""The names of the kinds of mails, and why somebody gets them."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from app.dashboard.ui.zones import local_text, zone_words
from app.infra.local_time import zone_named
from app.notifications.kinds import PUBLISHING_FAILED, REMOVALS_QUARANTINED, SIGN_IN_CHANGED, WEEKLY_SUMMARY

NAMES: Final[Mapping[str, str]] = {
    PUBLISHING_FAILED: "A post could not be published",
    REMOVALS_QUARANTINED: "Many pages vanished at once",
    WEEKLY_SUMMARY: "Weekly summary",
}
HELP: Final[Mapping[str, str]] = {
    PUBLISHING_FAILED: "At once, with the reason and the way to fix it.",
    REMOVALS_QUARANTINED: "When your sitemap lacks many pages, and you should decide whether they are gone.",
    WEEKLY_SUMMARY: "On Mondays: what was published, what waits, and what needs attention.",
}
FOOTERS: Final[Mapping[str, str]] = {
    PUBLISHING_FAILED: "You get this mail because a post of yours could not be published.",
    REMOVALS_QUARANTINED: "You get this mail because many pages of your site vanished from its sitemap.",
    WEEKLY_SUMMARY: "You get this mail every Monday if there is something to say.",
    SIGN_IN_CHANGED: "You get this mail whenever the way to sign in to your account changes.",
}


@dataclass(frozen=True)
class SignInChange:
    """What changed about signing in: for the subject, and what that means."""

    subject: str
    meaning: str


SIGN_IN_CHANGES: Final[Mapping[str, SignInChange]] = {
    "password_changed": SignInChange("Your password was changed", "All other browsers were signed out."),
    "second_factor_on": SignInChange(
        "Your second factor was turned on", "Signing in takes a code of your authenticator app from now on."
    ),
    "second_factor_off": SignInChange(
        "Your second factor was turned off", "The password alone is enough to sign in now."
    ),
}


@dataclass(frozen=True)
class Happening:
    """What became of a post: for the subject, as a sentence after its title, and what that means."""

    subject: str
    words: str
    meaning: str


NOT_PUBLISHED: Final = Happening("Not published", "could not be published.", "The post is safe here.")
NOT_UNPUBLISHED: Final = Happening(
    "Not unpublished", "could not be unpublished.", "Readers may still see the post."
)
UNCLEAR: Final = Happening(
    "Please check",
    "may or may not be live.",
    "The blog did not say what became of it. Look whether it is there.",
)


def in_zone(moment: datetime, zone_name: str | None) -> str:
    """Return a time in the zone of a profile, such as ``Tue 24 Nov 2026, 09:00 Europe/Berlin time``.

    Without one it is in UTC: a mail does not know its reader's browser.
    """
    zone = zone_named(zone_name) or ZoneInfo("UTC")
    return f"{local_text(moment, zone)} {zone_words(zone)}"
