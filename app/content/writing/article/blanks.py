"""Finds the figures and names of a sentence that could be another's: these a verifier does not see. Pure.

That is a figure or name that the evidence has beside others of its kind. Not so quotations and code, which
rules compare letter by letter, and figures that the sentence works out.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.content.writing.veto.evidence import EvidenceSet, stated
from app.content.writing.veto.names_of_evidence import WORD, plain, words_of
from app.content.writing.veto.numbered_names import numbered_names
from app.content.writing.veto.quantities import Quantity, claimed_quantities, known_quantities, small_words
from app.content.writing.veto.worked_out import worked_out
from app.language.languages import language_data
from app.language.sentences import QUOTATION
from app.language.words import fold
from app.pages.extraction.blocks import CELL_SEPARATOR

_LONGEST_LABEL: Final = 3
"""Words of a plan's, row's or column's name that a sentence repeats."""
_CODE: Final = re.compile(r"`[^`]+`")
_WITH_DIGITS: Final = re.compile(r"\b(?:[^\W\d_]+\d|\d+[^\W\d_]+\d)\w*")
"""A word such as "MT940" or "0x4D1E" is a name, whatever number it has."""
_POSSESSIVE: Final = ("'s", "’s")
_WORD_BEFORE: Final = re.compile(r"([^\W\d_][\w’'.&-]*) $")


class Blank(NamedTuple):
    """A place in a sentence, its words, and for each of its figures what the evidence may have for it."""

    start: int
    stop: int
    written: str
    figures: tuple[tuple[Quantity, ...], ...] = ()


class Blanks:
    """Finds what to leave out of the sentences of an article; ``names`` are the names of its evidence."""

    def __init__(self, evidence: EvidenceSet, names: Collection[str], language: str) -> None:
        self._text = evidence.text
        self._given = known_quantities(evidence.given, language)
        self._names = frozenset(names)
        self._labels = _labels(evidence.units.values(), language)
        self._language = language

    def of_prose(self, text: str, units: Sequence[EvidenceUnit]) -> list[Blank]:
        """Return what to leave out of a sentence that rests on ``units``.

        Of what tables, price cards and comparisons say, only the figures go, if there are any: each plan
        makes "{a} costs £{b}" true.
        """
        said = _said(units)
        kept = [match.span() for pattern in (QUOTATION, _CODE) for match in pattern.finditer(text)]
        labels = list(_apart(self._labels_in(text, said), kept))
        names = [*labels, *_apart(self._names_in(text, said), [*kept, *map(_span, labels)])]
        kept += [*numbered_names(text, said), *map(_span, names)]
        figures = list(_apart(self._figures_in(text, said), kept))
        is_record = any(unit.kind in {"table", "price"} for unit in units)
        compares = len(figures) > 1 and len({each.written for each in names}) > 1
        if figures and (is_record or compares):
            return _joined(figures, text)
        return _joined([*figures, *names], text)

    def of_row(self, text: str, units: Sequence[EvidenceUnit]) -> list[Blank]:
        """Return the figures of a row, as it is read; its first cell says whose they are."""
        said = _said(units)
        first = next((at for mark in ("; ", CELL_SEPARATOR) if (at := text.find(mark)) >= 0), len(text))
        kept = [(0, first), *numbered_names(text, said)]
        return _joined(_apart(self._figures_in(text, said), kept), text)

    def _figures_in(self, text: str, said: str) -> Iterator[Blank]:
        """Yield the figures that the evidence has beside others of the same unit."""
        known = known_quantities(said, self._language)
        sums = worked_out(text, said, self._language)
        own = {*sums.results, *sums.factors}
        in_names = [match.span() for match in _WITH_DIGITS.finditer(text)]
        for each in claimed_quantities(text, self._language):
            same = tuple(other for other in known if each.says(other))
            is_given = any(map(each.says, self._given))
            if same and not is_given and each not in own and _has_rival(each, known):
                blank = Blank(each.start, each.start + len(each.written), each.written, ((each, *same),))
                yield from _apart([blank], in_names)

    def _labels_in(self, text: str, said: str) -> list[Blank]:
        """Return the plans, rows and columns that a sentence names, if there are others to name."""
        found = [
            Blank(*place, label)
            for label in self._labels
            for place in occurrences(label, text)
            if place[0] or not occurrences(label.lower(), self._text)
        ]
        longest = [each for each in found if not any(_is_within(each, other) for other in found)]
        named = {each.written for each in longest}
        has_others = any(occurrences(each, said) for each in self._labels - named)
        return longest if has_others or len(named) > 1 else []

    def _names_in(self, text: str, said: str) -> list[Blank]:
        """Return the proper names of a sentence, each whole, if there are others to name."""
        found: list[Blank] = []
        for match in WORD.finditer(text):
            word = plain(match[0])
            if word in self._names and match[0][0].isupper() and len(word) > 1 and word not in small_words():
                start = self._start_of_name(text, match)
                stop = match.end() - 2 * match[0].endswith(_POSSESSIVE)
                found.append(Blank(start, stop, text[start:stop]))
        whole = _joined(found, text)
        named = {each.written for each in whole}
        has_others = bool((self._names - words_of(" ".join(named))) & words_of(said))
        return whole if has_others or len(named) > 1 else []

    def _start_of_name(self, text: str, match: re.Match[str]) -> int:
        """Return where a name begins whose first word is known as a name only in front of it."""
        before = _WORD_BEFORE.search(text[: match.start()])
        if before is None or not before[1][0].isupper() or before[1].lower() in small_words():
            return match.start()
        whole = f"{before[1]} {match[0].removesuffix(_POSSESSIVE[0]).removesuffix(_POSSESSIVE[1])}"
        return before.start(1) if occurrences(whole, self._text) else match.start()


def _labels(units: Iterable[EvidenceUnit], language: str) -> frozenset[str]:
    """Return the short names of plans, rows and columns; where nouns have capitals, of plans only."""
    has_common = language_data(language).words.capital_nouns
    found: set[str] = set()
    for unit in units:
        if unit.kind == "price":
            found.add(fold(unit.heading))
        elif unit.kind == "table" and not has_common:
            found.update(map(fold, (*unit.header, *map(unit.name_of, unit.rows))))
    return frozenset(each for each in found if each[:1].isupper() and len(each.split()) <= _LONGEST_LABEL)


def _has_rival(figure: Quantity, known: Iterable[Quantity]) -> bool:
    """Return whether the evidence has another figure that could stand in the place of one."""
    return any(
        not figure.says(each) and (each.unit == figure.unit or each.is_bare or not figure.unit)
        for each in known
    )


def _said(units: Iterable[EvidenceUnit]) -> str:
    return "\n".join(line for unit in units for line in (stated(unit), unit.lead_in, unit.speaker))


def _joined(blanks: Iterable[Blank], text: str) -> list[Blank]:
    """Return blanks in order, with those that stand next to each other as one: "9 July 2024"."""
    found: list[Blank] = []
    for each in sorted(blanks, key=_span):
        if found and text[found[-1].stop : each.start] in {"", " "}:
            before = found.pop()
            written = text[before.start : each.stop]
            found.append(Blank(before.start, each.stop, written, (*before.figures, *each.figures)))
        else:
            found.append(each)
    return found


def _apart(blanks: Iterable[Blank], kept: Sequence[tuple[int, int]]) -> Iterator[Blank]:
    """Yield the blanks that touch nothing that has to be seen."""
    for each in blanks:
        if not any(each.start < stop and start < each.stop for start, stop in kept):
            yield each


def _is_within(blank: Blank, other: Blank) -> bool:
    return blank != other and other.start <= blank.start and blank.stop <= other.stop


def _span(blank: Blank) -> tuple[int, int]:
    return blank.start, blank.stop
