"""The quality gate before publish: the checks of generation, run again on the text as it is now."""

from __future__ import annotations

from typing import Any, Final

from app.content.drafts import QualityReport
from app.content.model import BlogPost
from app.content.posts.checking import quality_of
from app.failures import ServiceFailure

NEVER_OVERRIDDEN: Final = frozenset({"UNSAFE_MARKUP", "CONTENT_EMPTY"})


def may_be_overridden(report: QualityReport) -> bool:
    """Tell whether a post that the checks hold back may leave in spite of them, for a reason."""
    failed = {check.code for check in report.checks if not check.passed}
    return report.decision == "block" and failed.isdisjoint(NEVER_OVERRIDDEN)


def judge(post: BlogPost, *, override: bool = False) -> list[dict[str, Any]]:
    """Raise PUBLISH_QUALITY_GATE_BLOCKED when a blocking check fails; details.checks lists the findings.

    ``override`` lets everything pass but unsafe markup and an empty post. Returns the findings it let pass.
    """
    report = quality_of(post)
    findings = [check for check in report.checks if check.severity == "block" and not check.passed]
    held_back = [check for check in findings if not override or check.code in NEVER_OVERRIDDEN]
    if held_back:
        raise ServiceFailure(
            "PUBLISH_QUALITY_GATE_BLOCKED",
            without=() if may_be_overridden(report) else ("publish_with_override",),
            details={
                "blog_post_id": post.id,
                "decision": report.decision,
                "score": report.score,
                "checks": [check.to_dict() for check in held_back],
            },
        )
    return [check.to_dict() for check in findings]
