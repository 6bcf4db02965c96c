"""The quality gate: a table of checks over the text of a post."""

from __future__ import annotations

from app.content.artefacts import AssembledPost, Brief, QualityCheck, QualityReport, SourceSnapshot


def check_written_post(post: AssembledPost, brief: Brief, snapshot: SourceSnapshot) -> QualityReport:
    """Return the report of a post the engine just wrote."""
    empty = not post.markdown.strip()
    outline = brief.draft_kind == "outline"
    checks = (
        QualityCheck("CONTENT_EMPTY", "block", not empty, "The post has no text."),
        QualityCheck("DRAFT_KIND_OUTLINE", "block", not outline, "The post is only an outline."),
    )
    passed = sum(check.passed for check in checks)
    return QualityReport("block" if passed < len(checks) else "allow", 100 * passed // len(checks), checks)
