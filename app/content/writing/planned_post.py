"""The plan of a post with the passages of its evidence, as callers get it. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from app.content.artefacts import Artefact, SourceSnapshot
from app.content.drafts import Usage
from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan, shortened

MOST_PASSAGES: Final = 120
LONGEST_PASSAGE: Final = 500
"""Characters; a longer passage is cut."""


@dataclass(frozen=True)
class PlannedPassage(Artefact):
    """A passage of evidence; ``page_id`` and ``url`` are None for the caller's facts and the project's."""

    id: str
    text: str
    title: str
    page_id: int | None = None
    url: str | None = None


@dataclass(frozen=True)
class PlannedPost(Artefact):
    """A plan with its passages; without a plan, ``missing`` lists what the pages do not cover.

    ``request`` is the request with its defaults; the pipeline adds it.
    """

    topic: str
    engine: Literal["llm", "extractive"]
    plan: PostPlan | None = None
    passages: tuple[PlannedPassage, ...] = ()
    missing: tuple[str, ...] = ()
    usage: Usage = field(default_factory=Usage)
    warnings: tuple[str, ...] = ()
    request: Mapping[str, Any] = field(default_factory=dict)


def passages_of(
    plan: PostPlan, units: Iterable[EvidenceUnit], snapshot: SourceSnapshot
) -> tuple[PlannedPassage, ...]:
    """Return the passages that a plan names, in its order, at most 120."""
    known = {unit.id: unit for unit in units}
    urls = {page.page_id: page.url for page in snapshot.pages}
    named: Sequence[EvidenceUnit] = [known[each] for each in plan.evidence_ids if each in known]
    return tuple(_passage(unit, urls) for unit in named[:MOST_PASSAGES])


def _passage(unit: EvidenceUnit, urls: Mapping[int, str]) -> PlannedPassage:
    text = shortened(unit.text, LONGEST_PASSAGE)
    if unit.page_id not in urls:
        return PlannedPassage(unit.id, text, unit.page_name)
    return PlannedPassage(unit.id, text, unit.page_name, unit.page_id, urls[unit.page_id])
