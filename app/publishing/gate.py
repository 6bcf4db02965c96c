"""The quality gate: before publishing, the checks of generation run again on the present text."""

from typing import Any, Final

from app.content.drafts import QualityReport
from app.content.model import BlogPost
from app.content.posts.checking import quality_of
from app.failures import ServiceFailure

NEVER_OVERRIDDEN: Final = frozenset({"UNSAFE_MARKUP", "CONTENT_EMPTY"})


def may_be_overridden(report: QualityReport) -> bool:
    """Return whether a post that failed blocking checks may be published with an override."""
    failed = {check.code for check in report.checks if not check.passed}
    return report.decision == "block" and failed.isdisjoint(NEVER_OVERRIDDEN)


def judge(post: BlogPost, *, override: bool = False) -> list[dict[str, Any]]:
    """Return the failed blocking checks that ``override`` lets pass; it never lets NEVER_OVERRIDDEN pass.

    Raises PUBLISH_QUALITY_GATE_BLOCKED with the other failed blocking checks in ``details.checks``.
    """
    report = quality_of(post)
    failed = [check for check in report.checks if check.severity == "block" and not check.passed]
    blocking = [check for check in failed if not override or check.code in NEVER_OVERRIDDEN]
    if blocking:
        raise ServiceFailure(
            "PUBLISH_QUALITY_GATE_BLOCKED",
            without=() if may_be_overridden(report) else ("publish_with_override",),
            details={
                "blog_post_id": post.id,
                "decision": report.decision,
                "score": report.score,
                "checks": [check.to_dict() for check in blocking],
            },
        )
    return [check.to_dict() for check in failed]
