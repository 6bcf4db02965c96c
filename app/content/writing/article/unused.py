"""What the pages say near to a draft, and no sentence of it uses. Pure."""

from collections.abc import Sequence
from itertools import zip_longest
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.rendering.markdown import shown
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.material import Material
from app.content.writing.article.shown_evidence import prompt_tokens, shortened_to_fit

_TOKENS: Final = 1_200
_TOKENS_OF_UNIT: Final = 300
_UNITS: Final = 14
_PLANNED: Final = 6
_OF_PART: Final = 2


def unused_evidence(material: Material, plan: PostPlan, draft: Draft) -> tuple[EvidenceUnit, ...]:
    """Return the units that an editor may miss in a draft, in the order of their likely use.

    They are what the plan names and no sentence uses, and of what stands under the same headings as the used,
    for each part, what says most in its words.
    """
    used = {unit_id for each in draft.statements for unit_id in each.sentence.source_ids}
    used |= {unit.id for unit in material.about_site}
    index = material.index
    beside = {unit.id for unit in index.places.beside(index.named(used))} - used
    planned = [unit for unit in index.named(plan.evidence_ids) if unit.id not in used]
    by_part = (
        [unit for unit, _ in index.ranked(_text(part)) if unit.id in beside]
        for part in draft.parts
        if part.role != "closing"
    )
    in_turn = zip_longest(*(units[:_OF_PART] for units in by_part))
    near = (unit for row in in_turn for unit in row if unit is not None)
    return tuple(dict.fromkeys((*planned[:_PLANNED], *near)))[:_UNITS]


def shown_unused(units: Sequence[EvidenceUnit], draft: Draft, language: str) -> tuple[EvidenceUnit, ...]:
    """Return the first of the units that fit into a prompt, long ones cut to what is nearest to the draft."""
    text = " ".join(map(_text, draft.parts))
    fitting: list[EvidenceUnit] = []
    for unit in units:
        fitting += shortened_to_fit([unit], {unit.id: text}, _TOKENS_OF_UNIT, language)
        if prompt_tokens(fitting) > _TOKENS:
            fitting.pop()
    return tuple(sorted(fitting, key=lambda unit: unit.page_id))


def _text(part: Part) -> str:
    said = (sentence.text for paragraph in part.paragraphs for sentence in paragraph.sentences)
    return " ".join([part.heading, *map(shown, said)])
