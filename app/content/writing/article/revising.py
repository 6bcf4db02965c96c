"""The question for other sentences in place of those that failed the check, with evidence for them. Pure."""

from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from typing import Final

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import shown
from app.content.writing.article import check_prompts
from app.content.writing.article.answers import read_revision
from app.content.writing.article.draft import Draft, Place, Statement
from app.content.writing.article.material import Material
from app.content.writing.article.schemas import REVISION
from app.content.writing.article.shown_evidence import halved, said_of
from app.content.writing.llm.questions import Question
from app.content.writing.providers.base import Message
from app.content.writing.veto.evidence import EvidenceSet

_BESIDE: Final = 3


def revision_question(
    material: Material,
    evidence: EvidenceSet,
    draft: Draft,
    reasons: Mapping[Place, Sequence[str]],
    dropped: Collection[Place],
) -> Question[Mapping[int, Sentence]]:
    """Return the question for the sentences at the places of ``reasons``, numbered from 1 in their order.

    ``reasons`` say what is wrong with each. Sentences that were ``dropped`` are not shown.
    """
    left = draft.statements_without(dropped)
    statements = {each.place: each for each in left}
    asked = [(n, statements[place], why) for n, (place, why) in enumerate(reasons.items(), 1)]
    units = _near(material, evidence, draft, left, reasons)
    less = halved(units, said_of(each.sentence for _, each, _ in asked), material.brief.language)

    def messages(shown_units: Sequence[EvidenceUnit]) -> tuple[Message, ...]:
        message = check_prompts.revision(material.request, material.brief.topic, asked, shown_units)
        return (material.system(), message)

    lines = [n for n, each, _ in asked if each.kind == "code"]
    reader = read_revision(material.snapshot.page_by_id, lines)
    return Question(messages(units), messages(less), REVISION, reader)


def _near(
    material: Material,
    evidence: EvidenceSet,
    draft: Draft,
    statements: Sequence[Statement],
    places: Collection[Place],
) -> tuple[EvidenceUnit, ...]:
    """Return the evidence for revising the sentences at ``places``.

    That is what they and their neighbours name, and of the section's evidence the units most similar to
    their words; a part to which the plan gives none may rest on all the evidence.
    """
    wanted: set[str] = set()
    for n, each in enumerate(statements):
        if each.place not in places:
            continue
        part = each.place.part
        beside = [other for other in statements[max(0, n - 1) : n + 2] if other.place.part == part]
        wanted.update(unit_id for other in beside for unit_id in other.sentence.source_ids)
        own = set(draft.parts[part].evidence_ids) or set(evidence.units)
        ranked = material.index.ranked(shown(each.sentence.text))
        found = (unit.id for unit, _ in ranked if unit.id in own)
        wanted.update(islice(found, _BESIDE))
    return tuple(unit for unit in evidence.units.values() if unit.id in wanted)
