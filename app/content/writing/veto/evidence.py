"""The evidence of an article: units of the pages, and facts of the caller and the project. Pure."""

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.units import EvidenceUnit
from app.content.request import GenerationRequest
from app.content.writing.veto.names import initials
from app.language.words import fold, tokens_in

_LONGEST_FACT: Final = 1_500


class EvidenceSet:
    """Units by their ids; ``given`` needs no citation: names, topic, keywords, words of the caller."""

    def __init__(self, units: Iterable[EvidenceUnit], given: str) -> None:
        self.units = {unit.id: unit for unit in units}
        self.given = given

    def cited(self, ids: Iterable[str]) -> tuple[EvidenceUnit, ...]:
        """Return the units with these ids; unknown ids are skipped."""
        return tuple(self.units[each] for each in ids if each in self.units)

    def unknown(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return the ids without a unit."""
        return tuple(each for each in ids if each not in self.units)

    @cached_property
    def text(self) -> str:
        """The text of all units."""
        return text_of(self.units.values())


def text_of(units: Iterable[EvidenceUnit]) -> str:
    """Return the text of units, each with the headings above it and the author of its page."""
    return "\n".join(line for unit in units for line in (unit.about, unit.author, stated(unit)) if line)


def read_of(units: Iterable[EvidenceUnit]) -> str:
    """Return what a reader sees of units: headings, text, lead-in and speaker."""
    parts = ((unit.about, stated(unit), unit.lead_in, unit.speaker) for unit in units)
    return "\n".join(line for each in parts for line in each)


def stated(unit: EvidenceUnit) -> str:
    """Return the text of a unit without the numbers of its steps."""
    return "\n".join((unit.lead_in, *unit.items)) if unit.numbered else unit.text


def tokens_of_units(units: Iterable[EvidenceUnit]) -> int:
    """Return the approximate number of tokens of units in a prompt."""
    return sum(tokens_in(f"{unit.about}{unit.text}") for unit in units)


def given_units(request: GenerationRequest, snapshot: SourceSnapshot) -> tuple[EvidenceUnit, ...]:
    """Return the key points of the caller and the facts of the project, as units to cite."""
    points = [_given(f"key:{n}", "from the editor", text) for n, text in enumerate(request.key_points, 1)]
    facts = [
        _given(f"project:{name}", name.replace("_", " "), text[:_LONGEST_FACT])
        for name, text in snapshot.project_facts.items()
        if fold(text)
    ]
    return (*points, *facts)


def given_text(request: GenerationRequest, snapshot: SourceSnapshot, topic: str) -> str:
    """Return the text that needs no evidence: names and words of the caller and the project."""
    closing = [request.call_to_action.text] if request.call_to_action else []
    asked = [request.topic, request.title, *request.keywords, *request.key_points, *closing]
    own = [snapshot.project_name, _short_form(snapshot), topic, *filter(None, asked)]
    return "\n".join([*own, *snapshot.project_facts.values()])


def _short_form(snapshot: SourceSnapshot) -> str:
    """Return what the pages call a project by its initials, "" if they do not."""
    short = initials(snapshot.project_name)
    named = re.compile(rf"\b{re.escape(short)}\b")
    blocks = (block for page in snapshot.pages for block in page.blocks)
    return short if short and any(named.search(block.text) for block in blocks) else ""


def half_of(units: Sequence[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
    """Return the first half, for a model with a small window."""
    return tuple(units[: max(1, len(units) // 2)])


def _given(name: str, about: str, text: str) -> EvidenceUnit:
    return EvidenceUnit(name, "paragraph", 0, about, (), fold(text), ())
