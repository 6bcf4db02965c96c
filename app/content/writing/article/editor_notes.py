"""The notes for the editor of an article: what no page says, which links lack, what was removed. Pure."""

from collections import Counter
from collections.abc import Iterator, Sequence, Set
from typing import Final

from app.content.assembly.linking import Linked
from app.content.drafts import SectionDraft
from app.content.writing.article.checking import Checked, Finder
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.material import Material
from app.content.writing.article.planning import Planned
from app.content.writing.article.sections import ArticleParts
from app.content.writing.notes import link_notes, required_notes, were_removed
from app.language.stems import content_stems

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
    """Return notes for the editor. The documented ones come first, because long lists are cut."""
    request, brief = material.request, material.brief
    pages = material.snapshot.page_by_id
    speaking = {unit.page_id for unit, _ in material.index.ranked(brief.topic, material.keywords)}
    silent = tuple(each for each in request.required_page_ids if each in pages and each not in speaking)
    return (
        *required_notes(silent, brief, material.snapshot),
        *link_notes(request, linked),
        *(f"The passages used do not say: {gap}" for gap in _open_gaps(material, planned, parts)),
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


def _open_gaps(material: Material, planned: Planned, parts: ArticleParts) -> Iterator[str]:
    """Yield the gaps of the plan that no part of the article fills: the draft is shown more evidence."""
    language = material.brief.language
    for gap in planned.plan.gaps:
        asked, filling = set(content_stems(gap, language)), {unit.id for unit in material.filling(gap)}
        if not any(_fills(draft, asked, filling, language) for draft in (*parts.sections, *parts.around)):
            yield gap


def _fills(draft: SectionDraft, asked: Set[str], filling: Set[str], language: str) -> bool:
    """Return whether a part has all words of a gap, or most of them and evidence that fills it."""
    sentences = [sentence for paragraph in draft.paragraphs for sentence in paragraph.sentences]
    said = {each for sentence in sentences for each in content_stems(sentence.text, language)}
    is_cited = any(not filling.isdisjoint(sentence.source_ids) for sentence in sentences)
    return asked <= said or (is_cited and 3 * len(asked & said) >= 2 * len(asked))
