"""The verdict on a post in words: it follows the checks that failed, not the score."""

from __future__ import annotations

import pytest

from app.content.drafts import QualityCheck, QualityReport
from app.dashboard.ui.verdicts import Share, shares, shown_verdict


def report(*failed: tuple[str, str]) -> QualityReport:
    checks = [QualityCheck(code, severity, False, code) for code, severity in failed]  # type: ignore[arg-type]
    passed = [QualityCheck("LOST_LINK", "warn", True, "Fine")] * 20
    blocks = any(severity == "block" for _, severity in failed)
    return QualityReport("block" if blocks else "warn" if failed else "allow", 92, (*checks, *passed))


@pytest.mark.parametrize(
    ("failed", "title", "words"),
    [
        ((), "Ready", "Nothing to fix."),
        ((("SENTENCE_LENGTH", "info"),), "Ready", "One thing could be better."),
        (
            (("VERBATIM_SHARE_HIGH", "warn"), ("CONTENT_TOO_SHORT", "warn"), ("WEAK_ANCHOR", "warn")),
            "Not ready yet", "Two things to fix, one could be better.",
        ),
        ((("CONTENT_TOO_SHORT", "warn"),), "Almost ready", "One thing to fix."),
        ((("SLUG_TAKEN", "block"),), "Not ready", "One thing to fix."),
        (
            (("SLUG_TAKEN", "block"), ("WEAK_ANCHOR", "warn"), ("NO_OUTBOUND_LINK", "info")),
            "Not ready", "One thing to fix, two could be better.",
        ),
    ],
)  # fmt: skip
def test_the_verdict_counts_what_failed(failed: tuple[tuple[str, str], ...], title: str, words: str) -> None:
    shown = shown_verdict(report(*failed))
    assert (shown.title, shown.words) == (title, words)
    assert shown.left == len(failed)
    assert len(shown.checks.fine) == 20


def test_a_bar_is_as_wide_as_its_parts_and_their_gaps() -> None:
    assert shares({}) == []
    assert shares({"source": 38}) == [Share("f1", 0.0, 400.0)]
    parts = shares({"source": 38, "own": 2, "unsure": 1})
    assert [part.look for part in parts] == ["f1", "f4", "fbad"]
    assert parts[-1].x + parts[-1].width == pytest.approx(400, abs=0.5)
