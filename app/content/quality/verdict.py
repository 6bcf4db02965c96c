"""What is left to do before a post is published, from its quality report. Pure.

Some checks do not block publishing and yet are about what the post is: a post that repeats one page word for
word, or is very short, is not called ready.
"""

from dataclasses import dataclass
from typing import Final, Literal

from app.content.drafts import QualityCheck, QualityReport

State = Literal["blocked", "unfinished", "almost", "ready"]

OF_SUBSTANCE: Final = frozenset(
    {
        "CONTENT_TOO_SHORT",
        "DUPLICATE_SENTENCES",
        "DUPLICATE_TOPIC",
        "LANGUAGE_MISMATCH",
        "OUTDATED_SENTENCES",
        "SOURCES_CHANGED",
        "UNKNOWN_LINK",
        "UNSUPPORTED_CLAIM",
        "VERBATIM_SHARE_HIGH",
    }
)


@dataclass(frozen=True)
class Verdict:
    """The checks of a post: what to fix first, what could be better, what is fine.

    ``state`` is blocked as the gate does, unfinished with several things to fix, almost with one, else ready.
    """

    state: State
    to_fix: tuple[QualityCheck, ...]
    better: tuple[QualityCheck, ...]
    fine: tuple[QualityCheck, ...]


def verdict_of(report: QualityReport) -> Verdict:
    """Return the verdict on a post."""
    failed = [check for check in report.checks if not check.passed]
    to_fix = tuple(check for check in failed if is_to_fix(check.code, check.severity))
    return Verdict(
        state="blocked" if report.decision == "block" else _state(len(to_fix)),
        to_fix=tuple(sorted(to_fix, key=lambda check: check.severity != "block")),
        better=tuple(check for check in failed if not is_to_fix(check.code, check.severity)),
        fine=tuple(check for check in report.checks if check.passed),
    )


def _state(to_fix: int) -> State:
    if to_fix > 1:
        return "unfinished"
    return "almost" if to_fix else "ready"


def is_to_fix(code: str, severity: str) -> bool:
    """Return whether a failed check is to be fixed before publishing."""
    return severity == "block" or (severity == "warn" and code in OF_SUBSTANCE)
