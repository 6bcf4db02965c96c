"""Passages that a prompt lists by name because it does not show them, and what a name brings. Pure."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence, Set
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.retrieval.evidence import EvidenceIndex, tokens_in_pack
from app.content.retrieval.places import Place, by_place
from app.language.words import tokens_in

TOKENS: Final = 600
"""What is shown of a passage that is named, at most."""
_TOKENS_OF_NAMES: Final = 1_500
_OVERHEAD: Final = 6
_MOST_BESIDE: Final = 20
_MORE_OF_A_PROCEDURE: Final = 1.5
_SHORT_PAGE: Final = 3
_LEAST_OF_BEST: Final = 0.4
"""The share of the best score on a page from which another passage is taken."""
_SHOWN_KINDS: Final = frozenset({"code", "table"})
_STEP: Final = re.compile(r"\W*(?:[^\W\d_]+ )?\d{1,2}[.:)]")
"""How the heading of a step begins."""


class NamedPassages:
    """The passages of an index by their names: headings, terms, pages."""

    def __init__(self, index: EvidenceIndex) -> None:
        self._index = index
        self._place_of = index.places.named_place_of

    def beyond(self, units: Iterable[EvidenceUnit], subject: str) -> dict[EvidenceUnit, str]:
        """Return the first unit under each heading or term that ``units`` leave out, with a name for them.

        The name is the heading or term, and says whether these units are the rest of it and what they hold
        besides text. They come in reading order. If they are too many for a prompt, those whose units say
        most on the subject stay, each with those right below and beside it: the options of a set-up do not
        repeat what it is for.
        """
        shown = set(units)
        seen = {self._place_of(unit) for unit in shown}
        left_out = by_place((unit for unit in self._index.units if unit not in shown), self._place_of)
        left, pages = _TOKENS_OF_NAMES, set()
        kept: dict[EvidenceUnit, str] = {}
        for place in dict.fromkeys([*self._ranked_places(left_out, subject), *left_out]):
            unit, holds = left_out[place][0], _holds(left_out[place], is_rest=place in seen)
            name = (place[1][-1] if place[1] else unit.page_name) + holds
            size = tokens_in(name if unit.page_id in pages else f"{unit.page_name} {name}")
            size += _OVERHEAD
            if size <= left:
                left -= size
                kept[unit] = name
                pages.add(unit.page_id)
        return {unit: kept[unit] for unit in self._index.units if unit in kept}

    def _ranked_places(self, places: Iterable[Place], subject: str) -> Iterator[Place]:
        """Yield the places of units on a subject, best first, each before the few below and beside it."""
        left_out = set(places)
        below: dict[Place, list[Place]] = defaultdict(list)
        for page_id, path in places:
            below[page_id, path[:-1]].append((page_id, path))
        for page_id, path in dict.fromkeys(self._place_of(unit) for unit, _ in self._index.ranked(subject)):
            if (page_id, path) in left_out:
                yield page_id, path
            for group in (below.pop((page_id, path), []), below.pop((page_id, path[:-1]), [])):
                if len(group) <= _MOST_BESIDE:
                    yield from group

    def whole(
        self,
        unit: EvidenceUnit,
        subject: str,
        tokens: int = TOKENS,
        shown: Set[EvidenceUnit] = frozenset(),
    ) -> tuple[EvidenceUnit, ...]:
        """Return a unit, and what follows under its name within ``tokens`` in all; a procedure may take more.

        What was ``shown`` is left out: its ids are known.
        What is below headings further down belongs to it, too: the steps of a procedure may have their own.
        Of one that is too long, and no procedure, what says most on the subject is taken.
        """
        own, place = self._index.of_page(unit.page_id), self._place_of(unit)
        behind = (each for each in own[own.index(unit) :] if each is unit or each not in shown)
        under = [each for each in behind if self._is_under(each, place)]
        is_procedure = any(each.numbered or _STEP.match(each.heading) for each in under)
        if not is_procedure:
            under[1:] = self._best_first(under[1:], subject)
        else:
            tokens = int(_MORE_OF_A_PROCEDURE * tokens)
        fitting = self._index.fitting(under[1:], tokens - tokens_in_pack(under[:1]))
        return tuple(each for each in own if each is unit or each.id in fitting)

    def of_page(self, page_id: int, subject: str, tokens: int = TOKENS) -> tuple[EvidenceUnit, ...]:
        """Return a short page, or how it begins and what it says on a subject within ``tokens``."""
        own = self._index.of_page(page_id)
        if tokens_in_pack(own) <= _SHORT_PAGE * tokens:
            return tuple(own)
        scores = self._index.scores(subject)
        least = _LEAST_OF_BEST * max((scores.get(unit.id, 0.0) for unit in own), default=0.0)
        best = [unit for unit in self._best_first(own[1:], subject) if scores.get(unit.id, 0.0) >= least]
        fitting = self._index.fitting([*own[:1], *best], tokens)
        return tuple(unit for unit in own if unit.id in fitting)

    def size_of(self, ids: Iterable[str]) -> int:
        """Return the tokens that the units with these ids take of a prompt."""
        return tokens_in_pack(self._index.named(ids))

    def _best_first(self, units: Sequence[EvidenceUnit], subject: str) -> list[EvidenceUnit]:
        """Return units by what they say on a subject; a listing says what the text before it does."""
        scores = self._index.scores(subject)
        own = [scores.get(unit.id, 0.0) for unit in units]
        nearness = [
            max(score, before) if unit.kind == "code" else score
            for unit, score, before in zip(units, own, [0.0, *own], strict=False)
        ]
        return [units[n] for n in sorted(range(len(units)), key=lambda n: -nearness[n])]

    def _is_under(self, unit: EvidenceUnit, place: Place) -> bool:
        """Return whether a unit is at a place, or below one that is more than a page."""
        (_, path), (_, above) = self._place_of(unit), place
        return path == above or (len(above) > 1 and path[: len(above)] == above)


def _holds(units: Sequence[EvidenceUnit], *, is_rest: bool) -> str:
    """Return, in brackets, whether units are the rest of a section, and what they hold besides text."""
    kinds = {unit.kind: None for unit in units if unit.kind in _SHOWN_KINDS}
    steps = ["steps"] if any(unit.numbered for unit in units) else []
    marks = ", ".join([*(["rest"] if is_rest else []), *kinds, *steps])
    return f" ({marks})" if marks else ""
