"""The headings of a plan: the model's where the evidence holds them, else the site's own. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace

from app.content.artefacts import Origin
from app.content.evidence.sections import is_generic
from app.content.language.text import capitalised
from app.content.writing.article.answers import PlannedSection
from app.content.writing.article.claims import Ground, heading_findings
from app.content.writing.article.evidence import Proof, by_id


@dataclass(frozen=True)
class Headed:
    """A planned section; who wrote its heading, and the evidence id of the heading if the site did."""

    section: PlannedSection
    origin: Origin = "model"
    source: str | None = None


def headed(
    sections: Sequence[PlannedSection],
    shown: Sequence[Proof],
    ground: Ground,
    topic: str,
    note: Callable[[str], None],
) -> list[Headed]:
    """Return the sections with headings that the evidence holds; ``note`` hears of each one that it does not.

    A refused heading gives way to the site's own above the evidence that its section cites. A section without
    one is left out, and when none is left the topic heads all the evidence.
    """
    reasons = {section.heading: heading_findings(section.heading, ground) for section in sections}
    taken = {heading.lower() for heading, found in reasons.items() if not found}
    pool = by_id(shown)
    kept: list[Headed] = []
    for section in sections:
        found = reasons[section.heading]
        if not found:
            kept.append(Headed(section))
            continue
        own = _own_heading((pool[each] for each in section.evidence if each in pool), taken, ground)
        instead = f"; “{own.heading}” of the site stands in its place" if own else ""
        note(f"The heading “{section.heading}” was not used: {'; '.join(found)}{instead}.")
        if own:
            taken.add(own.heading.lower())
            kept.append(Headed(replace(section, heading=own.heading), "source", own.heading_id))
    return kept or [Headed(PlannedSection(capitalised(topic), "", (), tuple(pool)), "input")]


def _own_heading(proofs: Iterable[Proof], taken: Collection[str], ground: Ground) -> Proof | None:
    """Return the first proof under a heading that names a subject and is not taken."""
    return next(
        (
            proof
            for proof in proofs
            if proof.heading_id
            and proof.heading.lower() not in taken
            and not is_generic(proof.heading, ground.language)
            and not heading_findings(proof.heading, ground)
        ),
        None,
    )
