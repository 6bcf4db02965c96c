"""Template filters: how pages show times, numbers, statuses and names."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import urlsplit

from app.content.drafts import REPEATED_IN_NOTES, QualityCheck
from app.failures import CATALOGUE
from app.infra.clock import utc_now
from app.infra.urls import readable

_STEPS: Final = (
    (60, 1, "s"),
    (3600, 60, "min"),
    (86_400, 3600, "h"),
    (30 * 86_400, 86_400, "d"),
    (365 * 86_400, 30 * 86_400, "mo"),
)


@dataclass(frozen=True)
class Word:
    """How a status is shown: a sign and a word, because colour alone is not accessible."""

    sign: str
    text: str
    tone: str


STATUS: Final[Mapping[str, Word]] = {
    "queued": Word("◌", "queued", "quiet"),
    "running": Word("◐", "running", "busy"),
    "succeeded": Word("✓", "succeeded", "good"),
    "failed": Word("✗", "failed", "bad"),
    "canceled": Word("⊘", "canceled", "quiet"),
    "fresh": Word("●", "fresh", "good"),
    "stale": Word("○", "stale", "warn"),
    "draft": Word("◌", "draft", "quiet"),
    "publishing": Word("◐", "publishing", "busy"),
    "published": Word("✓", "published", "good"),
    "outline": Word("○", "outline", "warn"),
    "edited": Word("◍", "edited since", "warn"),
    "proposed": Word("◍", "new text waiting", "busy"),
    "connected": Word("✓", "connected", "good"),
    "broken": Word("✗", "does not work", "bad"),
    "untested": Word("◌", "not tested yet", "quiet"),
    "chosen": Word("★", "default", "quiet"),
    "never": Word("◌", "not synced yet", "quiet"),
    "ok": Word("✓", "synced", "good"),
    "not_read": Word("✗", "not read", "bad"),
    "partial": Word("◐", "partial", "warn"),
    "quarantined": Word("◍", "missing pages kept", "warn"),
    "confirmed": Word("✓", "removals confirmed", "good"),
    "intent": Word("◌", "waiting", "quiet"),
    "sending": Word("◐", "sending", "busy"),
    "live": Word("✓", "live", "good"),
    "scheduled": Word("◌", "scheduled", "quiet"),
    "unknown": Word("?", "outcome unknown", "warn"),
    "on": Word("✓", "on", "good"),
    "off": Word("⊘", "off", "quiet"),
    "paused": Word("!", "paused", "warn"),
    "writing": Word("◐", "being written", "busy"),
    "done": Word("✓", "done", "good"),
    "missed": Word("⊘", "missed", "quiet"),
    "planned": Word("◌", "planned", "busy"),
    "planned_refused": Word("✗", "planned, not ready", "bad"),
    "in_job": Word("◐", "handed to its job", "busy"),
    "not_published": Word("✗", "not published", "bad"),
    "absent": Word("○", "not there", "quiet"),
    "not_delivered": Word("✗", "refused", "bad"),
    "unpublished": Word("⊘", "unpublished", "quiet"),
    "gap": Word("○", "missing", "warn"),
    "active": Word("✓", "active", "good"),
    "expired": Word("⊘", "expired", "quiet"),
    "revoked": Word("⊘", "revoked", "quiet"),
    "thin": Word("◔", "thin", "warn"),
    "covered": Word("✓", "covered", "good"),
    "contested": Word("!", "competing", "busy"),
    "uncounted": Word("…", "not counted yet", "quiet"),
}


def status_word(status: str) -> Word:
    """Return how a status is shown; an unknown one is shown by its name."""
    return STATUS.get(status, Word("·", status, "quiet"))


def ago(moment: datetime, now: datetime | None = None) -> str:
    """Return a time relative to now, such as ``2 h ago`` or ``in 3 min``."""
    seconds = int(((now or utc_now()) - moment).total_seconds())
    amount = _amount(abs(seconds))
    if amount is None:
        return "just now" if seconds >= 0 else "now"
    return f"{amount} ago" if seconds > 0 else f"in {amount}"


def _amount(seconds: int) -> str | None:
    if seconds < 5:
        return None
    for limit, unit, name in _STEPS:
        if seconds < limit:
            return f"{seconds // unit} {name}"
    return f"{seconds // (365 * 86_400)} y"


def duration(start: datetime | None, end: datetime | None) -> str:
    """Return the time between two moments, such as ``1.8 s`` or ``2 min 04 s``; a dash while open."""
    if start is None or end is None:
        return "–"
    return seconds_text((end - start).total_seconds())


def seconds_text(seconds: float) -> str:
    if seconds < 60:
        return f"{max(seconds, 0):.1f} s"
    minutes, rest = divmod(int(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest:02d} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"


def number(value: int) -> str:
    """Return a whole number with commas between thousands, such as ``12,400``."""
    return f"{value:,}"


def counted(count: int, noun: str) -> str:
    """Return a number with its noun, such as ``1 page`` or ``3 pages``."""
    return f"{number(count)} {noun}{'' if count == 1 else 's'}"


def dollars(amount: float) -> str:
    """Return an amount of US dollars, rounded to cents."""
    return "less than $0.01" if 0 < amount < 0.01 else f"${amount:,.2f}"


def path_of(url: str) -> str:
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def shortened(text: str, most: int = 200) -> str:
    """Return a long text without its middle, because paths of one site differ at their ends."""
    if len(text) <= most:
        return text
    end = most // 3
    return f"{text[: most - end - 1]}…{text[-end:]}"


def has_passed(moment: datetime) -> bool:
    return moment <= utc_now()


def host_of(url: str) -> str:
    """Return the host of a URL for people, with its port if it has one."""
    return readable(urlsplit(url).netloc)


def site_of(url: str) -> str:
    return host_of(url) + urlsplit(url).path.rstrip("/")


def reason_words(reason: str) -> str:
    """Return the words for a reason in a timeline: the message of a failure code, or the name in words."""
    return CATALOGUE[reason].message if reason in CATALOGUE else reason.replace("_", " ")


CALL_WORDS: Final[Mapping[str, str]] = {
    "find": "Look whether the post is there",
    "create": "Send the post",
    "write": "Change or publish it",
    "unpublish": "Unpublish it",
    "delete": "Delete the hidden draft",
}

KIND_WORDS: Final[Mapping[str, str]] = {
    "full": "a written post",
    "extractive": "excerpts with their sources",
    "outline": "an outline, to be written out",
}
ORIGIN_WORDS: Final[Mapping[str, str]] = {
    "model": "by the text provider",
    "template": "in standard words",
    "input": "given by you or the project",
}
# Checks of the whole post: their message contains what they found.
_OF_THE_WHOLE: Final = frozenset(
    {
        "CONTENT_EMPTY",
        "TITLE_MISSING",
        "DRAFT_KIND_OUTLINE",
        "CONTENT_TOO_SHORT",
        "VERBATIM_SHARE_HIGH",
        "SOURCES_CHANGED",
        "META_TITLE_LENGTH",
        "DESCRIPTION_LENGTH",
        "KEYPHRASE_DENSITY",
        "SENTENCE_LENGTH",
        "INTERNAL_LINKS_FEW",
        "NO_OUTBOUND_LINK",
        "LANGUAGE_MISMATCH",
    }
)
_OPTIONS_LEFT: Final = re.compile(r"OPTION_NOT_APPLIED: ([a-z_, ]+)\. ")


def places(check: QualityCheck) -> tuple[str, ...]:
    """Return where in the post a check found something; empty for a check of the whole post."""
    return () if check.code in _OF_THE_WHOLE else check.where


def without_codes(warnings: Sequence[str]) -> list[str]:
    """Return the warnings of a post without their codes, which are for programs."""
    return [_OPTIONS_LEFT.sub(_left_out, str(warning)) for warning in warnings]


def beyond_notes(warnings: Sequence[str], notes: Sequence[str]) -> list[str]:
    repeated = REPEATED_IN_NOTES if notes else ()
    return without_codes([warning for warning in warnings if not str(warning).startswith(repeated)])


def _left_out(match: re.Match[str]) -> str:
    return f"Not applied: {match[1].replace('_', ' ')}. "


def _lookup(words: Mapping[str, str]) -> Callable[[str], str]:
    return lambda name: words.get(name, name)


FILTERS: Final = (
    ago,
    beyond_notes,
    counted,
    dollars,
    host_of,
    number,
    path_of,
    places,
    reason_words,
    shortened,
    site_of,
    without_codes,
)
NAMED_FILTERS: Final[Mapping[str, Callable[..., Any]]] = {
    "seconds": seconds_text,
    "moment": datetime.fromisoformat,
    "kind_words": _lookup(KIND_WORDS),
    "call_words": _lookup(CALL_WORDS),
    "origin_words": _lookup(ORIGIN_WORDS),
}
GLOBALS: Final = (status_word, duration, has_passed)
