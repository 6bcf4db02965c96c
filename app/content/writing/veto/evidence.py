"""The evidence of an article: units of the pages, and what the caller and the project vouch for. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.units import EvidenceUnit
from app.content.request import GenerationRequest
from app.language.words import fold, tokens_in

_LONGEST_FACT: Final = 1_500
_MARKS: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "\u00a0": " ", "|": " "}
)


class EvidenceSet:
    """Units by their ids; ``given`` needs no citing: names, topic, keywords, what the caller said."""

    def __init__(self, units: Iterable[EvidenceUnit], given: str) -> None:
        self.units = {unit.id: unit for unit in units}
        self.given = given

    def cited(self, ids: Iterable[str]) -> tuple[EvidenceUnit, ...]:
        """Return the units with these ids; unknown ids are passed over."""
        return tuple(self.units[each] for each in ids if each in self.units)

    def unknown(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Return those of the ids that no unit has."""
        return tuple(each for each in ids if each not in self.units)

    @cached_property
    def text(self) -> str:
        """Everything that the units say."""
        return text_of(self.units.values())


def text_of(units: Iterable[EvidenceUnit]) -> str:
    """Return what units say, each with the headings above it."""
    return "\n".join(f"{unit.about}\n{stated(unit)}" for unit in units)


def stated(unit: EvidenceUnit) -> str:
    """Return what a unit says; the numbers of its steps are none of it."""
    return "\n".join((unit.lead_in, *unit.items)) if unit.numbered else unit.text


def comparable(text: str) -> str:
    """Return a text so that spacing, capitals, bars of tables and kinds of marks make no difference."""
    return " ".join(fold(text).translate(_MARKS).lower().split())


def comparable_quote(text: str) -> str:
    """Return a quote as ``comparable`` does, without the marks that it begins and ends with."""
    return comparable(text).strip(" \"'.,;:…")


def tokens_of_units(units: Iterable[EvidenceUnit]) -> int:
    """Return a rough number of the tokens that units take in a prompt."""
    return sum(tokens_in(f"{unit.about}{unit.text}") for unit in units)


def given_units(request: GenerationRequest, snapshot: SourceSnapshot) -> tuple[EvidenceUnit, ...]:
    """Return what the caller vouches for and what the project says of itself, as units to cite."""
    points = [_given(f"key:{n}", "from the editor", text) for n, text in enumerate(request.key_points, 1)]
    facts = [
        _given(f"project:{name}", name.replace("_", " "), text[:_LONGEST_FACT])
        for name, text in snapshot.project_facts.items()
        if fold(text)
    ]
    return (*points, *facts)


def given_text(request: GenerationRequest, snapshot: SourceSnapshot, topic: str) -> str:
    """Return what every sentence may say without evidence: the names and words that the caller gave."""
    closing = [request.call_to_action.text] if request.call_to_action else []
    asked = [request.topic, request.title, *request.keywords, *request.key_points, *closing]
    own = [snapshot.project_name, topic, *filter(None, asked)]
    return "\n".join([*own, *snapshot.project_facts.values()])


def half_of(units: Sequence[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
    """Return the first half, for a model that cannot take them all."""
    return tuple(units[: max(1, len(units) // 2)])


def _given(name: str, about: str, text: str) -> EvidenceUnit:
    return EvidenceUnit(name, "paragraph", 0, about, (), fold(text), ())
