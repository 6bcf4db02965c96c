"""The evidence that a plan names: units, passages by their first unit, and pages by number. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import replace
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.retrieval.named_passages import TOKENS, NamedPassages

_ROOM: Final = 7_000
"""Tokens of the evidence that a plan names."""
_LEAST_OF_PASSAGE: Final = 120
_STEP: Final = 0.8
_PAGE: Final = re.compile(r"(?:page)?[ :]*(\d{1,9})", re.IGNORECASE)
"""How a plan names a page as evidence: "page 7", or only its number."""


def with_named(
    plan: PostPlan,
    listed: Iterable[EvidenceUnit],
    passages: NamedPassages,
    shown: Set[EvidenceUnit] = frozenset(),
) -> PostPlan:
    """Return a plan that names all units where it names a page, or a ``listed`` passage by its first unit.

    These passages get less room the more there are, so that the last section has its evidence like the
    first. The units that were ``shown`` to the model have ids of their own.
    """
    firsts = {unit.id: unit for unit in listed}
    tokens = float(TOKENS)
    found = _with_whole(plan, firsts, passages, int(tokens), shown)
    while tokens > _LEAST_OF_PASSAGE and passages.size_of(found.evidence_ids) > _ROOM:
        tokens *= _STEP
        found = _with_whole(plan, firsts, passages, int(tokens), shown)
    return found


def _with_whole(
    plan: PostPlan,
    firsts: Mapping[str, EvidenceUnit],
    passages: NamedPassages,
    tokens: int,
    shown: Set[EvidenceUnit],
) -> PostPlan:
    def found_by(name: str, subject: str) -> Iterable[str]:
        page = _PAGE.fullmatch(name)
        if page:
            return (unit.id for unit in passages.of_page(int(page[1]), subject, tokens))
        if name not in firsts:
            return [name]
        return (unit.id for unit in passages.whole(firsts[name], subject, tokens, shown))

    def whole(ids: Sequence[str], subject: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(found for each in ids for found in found_by(each, subject)))

    return replace(
        plan,
        sections=tuple(
            replace(each, evidence_ids=whole(each.evidence_ids, " ".join((each.heading, *each.key_points))))
            for each in plan.sections
        ),
        questions=tuple(
            replace(each, evidence_ids=whole(each.evidence_ids, each.question)) for each in plan.questions
        ),
        highlights=whole(plan.highlights, plan.reader_question),
    )
