"""The plan of a post without a language model: the sections of its digest. Pure."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from app.content.artefacts import Brief, Outline, OutlineSection, SourceSnapshot, evidence_id
from app.content.evidence.units import EvidenceUnit, units_of
from app.content.plan import PlannedQuestion, PlannedSection, PostPlan
from app.content.request import GenerationRequest
from app.content.retrieval.passages import Library
from app.content.writing.digest.arrangement import LEAD
from app.content.writing.digest.engine import planned


def plan_digest(
    request: GenerationRequest,
    snapshot: SourceSnapshot,
    library: Library,
    brief: Brief,
) -> PostPlan | None:
    """Return the plan of a digest, None if the pages contain too little.

    A complete plan of the caller's stays as it is.
    """
    if request.is_planned:
        return request.plan
    if brief.draft_kind == "outline":
        return None
    outline = planned(request, snapshot, library, brief).outline
    return _plan(outline, units_of(library.sections))


def _plan(outline: Outline, units: Sequence[EvidenceUnit]) -> PostPlan:
    unit_of = {evidence_id(unit.page_id, block): unit.id for unit in units for block in unit.block_ids}
    sections: list[PlannedSection] = []
    for section in outline.sections:
        made = PlannedSection(
            section.heading, key_points=section.key_points, evidence_ids=_unit_ids(section, unit_of)
        )
        if section.level == LEAD and sections:
            # Another excerpt under the heading before.
            ids = (*sections[-1].evidence_ids, *made.evidence_ids)
            sections[-1] = replace(sections[-1], evidence_ids=tuple(dict.fromkeys(ids)))
        else:
            sections.append(made)
    questions = tuple(PlannedQuestion(each.heading, _unit_ids(each, unit_of)) for each in outline.faq)
    return PostPlan(outline.title, outline.meta_title, sections=tuple(sections), questions=questions)


def _unit_ids(section: OutlineSection, unit_of: Mapping[str, str]) -> tuple[str, ...]:
    """Return the ids of the units that contain the blocks of a section."""
    return tuple(dict.fromkeys(unit_of.get(each, each) for each in section.evidence_ids))
