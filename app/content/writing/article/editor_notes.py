"""The notes for the editor of an article: what no page says, which links lack, what was removed. Pure."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.content.assembly.linking import Linked
from app.content.writing.article.checking import Checked, Finder
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.material import Material
from app.content.writing.article.planning import Planned
from app.content.writing.article.sections import ArticleParts
from app.content.writing.notes import link_notes, required_notes, were_removed

_MOST_FINDINGS: Final = 10
_REMOVED_BY: Final[dict[Finder, str]] = {
    "veto": "stopped by rules for figures, names and words",
    "verification": "that a model found unsupported by the evidence",
    "dependence": "that needed a removed one",
}


def notes_of_article(
    material: Material,
    planned: Planned,
    checked: Checked,
    parts: ArticleParts,
    linked: Linked,
    findings: Sequence[Finding],
) -> tuple[str, ...]:
    """Return notes for the editor. The documented ones come first, because long lists are cut.

    ``planned`` has the edited plan, without the gaps that the article answers.
    """
    request, brief = material.request, material.brief
    pages = material.snapshot.page_by_id
    speaking = {unit.page_id for unit, _ in material.index.ranked(brief.topic, material.keywords)}
    silent = tuple(each for each in request.required_page_ids if each in pages and each not in speaking)
    return (
        *required_notes(silent, brief, material.snapshot),
        *link_notes(request, linked),
        *(f"The passages used do not say: {gap}" for gap in planned.plan.gaps),
        *parts.notes,
        *planned.notes,
        *checked.shortened,
        *(f"Removed: {fault}." for fault in checked.removed),
        *(f"Please look at: {finding}." for finding in findings[:_MOST_FINDINGS]),
    )


def warning_of_removed(checked: Checked) -> str:
    """Return the warning about removed sentences, with what found them; "" for none."""
    found = Counter(fault.by for fault in checked.removed)
    reasons = "; ".join(f"{found[by]} {what}" for by, what in _REMOVED_BY.items() if found[by])
    return f"{were_removed(found.total())}: {reasons}." if reasons else ""
