"""Sentences as a verifier sees them: without figures and names, which it has to read in the evidence.

A model that is asked whether a sentence is right tends to agree with it. What it is not shown, it cannot
agree with. Such a text with gaps is a cloze test (Taylor, "Cloze procedure", 1953).

    "Crew costs £29 a month." → "Crew costs £{a} a month." → "29", or a fault
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from string import ascii_lowercase
from typing import Final

from app.content.evidence.quotes import comparable_quote
from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import shown
from app.content.writing.article.blank_places import Blank
from app.content.writing.article.blanks import Blanks
from app.content.writing.article.draft import Statement, marked
from app.content.writing.veto.clauses import clause_words
from app.content.writing.veto.dates import dates
from app.content.writing.veto.evidence import EvidenceSet
from app.content.writing.veto.names import initials, is_short_for
from app.content.writing.veto.names_of_evidence import words_of
from app.content.writing.veto.quantities import Quantity, known_quantities
from app.language.stems import stem
from app.language.words import fold
from app.pages.extraction.blocks import CELL_SEPARATOR

_MOST_FIGURES: Final = 4
_MOST_NAMES: Final = 6
"""So many things a sentence may be true of; a longer answer lists what there is, and confirms nothing."""
_SEPARATED: Final = re.compile(r"[;\n]")
_COMMA: Final = re.compile(r"[,、،]")
_DIGITS: Final = re.compile(r"\d+")
_PLURAL: Final = re.compile(r"(?<=[A-Z])e?s$")
_GROUPS: Final = re.compile(r"\d+(?:[ /-]\d+)+")
"""A figure in groups: thousands, or a telephone number."""


@dataclass(frozen=True)
class Cloze:
    """A sentence with letters in the place of what was left out of it."""

    text: str
    blanks: tuple[Blank, ...]
    language: str

    def faults(self, fillings: Sequence[str], *, figures_only: bool = False) -> Iterator[str]:
        """Yield what a verifier read otherwise; ``fillings`` has for each letter what the evidence says.

        Of two names, "{a} and {b}", either order is right.
        """
        read = [_alternatives(blank, each) for blank, each in zip_longest(self.blanks, fillings) if blank]
        for position in min(map(self._wrong, self._cases(read)), key=len):
            blank, filling = self.blanks[position], "; ".join(read[position])
            if figures_only and not blank.figures:
                continue
            if filling:
                yield f"in the place of “{blank.written}” the evidence has “{filling}”"
            else:
                yield f"the evidence names nothing in the place of “{blank.written}”"

    def _cases(self, read: Sequence[Sequence[str]]) -> Sequence[Sequence[Sequence[str]]]:
        """Return what was read, once for each thing of which a sentence with figures is true.

        Names alone may be any of those that were read, unless one is there twice: then each has its case.
        """
        have_figures = any(
            len(each) > 1 for blank, each in zip(self.blanks, read, strict=True) if blank.figures
        )
        have_cases = have_figures or any(len(set(each)) < len(each) for each in read)
        most = max(map(len, read), default=0) if have_cases else 1
        if most <= 1:
            return [read]
        return [[[each[min(case, len(each) - 1)]] if each else [] for each in read] for case in range(most)]

    def _wrong(self, read: Sequence[Sequence[str]]) -> Sequence[int]:
        """Return the positions of the blanks in whose place something else was read."""
        return [
            position
            for position, blank in enumerate(self.blanks)
            if not any(self._is_same(blank, each) for n in self._listed_with(position) for each in read[n])
        ]

    def _listed_with(self, position: int) -> Sequence[int]:
        """Return the positions of the names that a list has side by side, the given one among them."""
        letters = ascii_lowercase[: len(self.blanks)]
        first = last = position
        if self.blanks[position].figures:
            return [position]
        while first and self._are_listed(letters[first - 1], letters[first]):
            first -= 1
        while last + 1 < len(letters) and self._are_listed(letters[last], letters[last + 1]):
            last += 1
        return range(first, last + 1)

    def _are_listed(self, one: str, other: str) -> bool:
        before, _, rest = self.text.partition(f"{{{one}}}")
        between = rest.partition(f"{{{other}}}")[0]
        # "On {a} and on {b}" lists, too.
        repeated = before.rpartition(" ")[0].rpartition(" ")[2]
        between = between.removesuffix(f"{repeated.lower()} ") if repeated else between
        return between == ", " or clause_words().alternatives.fullmatch(between) is not None

    def _is_same(self, blank: Blank, filling: str) -> bool:
        """Return whether a reading is what was left out: in code to the letter, of a name a part or more."""
        if blank.sort == "code":
            # "GET /health" has the endpoint "health".
            return blank.written == filling.rpartition(" ")[2].lstrip("-/")
        if comparable_quote(blank.written) == comparable_quote(filling):
            return True
        if _days(blank.written) and _days(blank.written) == _days(filling):
            return True
        if _GROUPS.fullmatch(blank.written):
            return "".join(_DIGITS.findall(filling)).endswith("".join(_DIGITS.findall(blank.written)))
        if blank.figures:
            return self._are_figures(blank, filling)
        short = {_PLURAL.sub("", blank.written), _PLURAL.sub("", filling)}
        is_initials = not short.isdisjoint({initials(blank.written), initials(filling)} - {""})
        if is_initials or is_short_for(filling, blank.written.removesuffix("s")):
            return True
        left_out, read = self._stems(blank.written), self._stems(filling)
        has_number = set(_DIGITS.findall(filling)).issuperset(_DIGITS.findall(blank.written))
        # "ups-alpha" is Alpha, but "non-EU" is not EU, nor "nut-client" nut.
        has_parts = blank.written[:1].isupper() and not blank.written.isupper()
        parts = frozenset(part for each in read for part in each.split("-") if has_parts)
        is_part = bool(read) and (left_out <= read | parts or read <= left_out)
        return has_number and (is_part or self._says_in_words(blank.written, filling))

    def _are_figures(self, blank: Blank, filling: str) -> bool:
        """Return whether a reading has the figures of a blank in order, and no more of their units."""
        found = sorted(known_quantities(filling, self.language), key=lambda each: each.start)
        units = {one.unit for same in blank.figures for one in same}
        number = len({each.start for each in found if each.unit in units})
        at = 0
        for same in blank.figures:
            fitting = [
                each.start for each in found if each.start >= at and any(_is_equal(o, each) for o in same)
            ]
            if not fitting:
                return False
            at = fitting[0]
        return number <= len(blank.figures)

    def _stems(self, name: str) -> frozenset[str]:
        # "client.ip" says "IP".
        return frozenset(stem(part, self.language) for word in words_of(name) for part in word.split("."))

    def _says_in_words(self, name: str, filling: str) -> bool:
        """Return whether a reading says in words of its own what hyphens join: "TLS-encrypted"."""
        parts = (stem(part, self.language) for word in words_of(name) for part in word.split("-"))
        return "-" not in filling and self._stems(filling).issuperset(parts)


class Clozes:
    """Makes cloze tests of the sentences of an article."""

    def __init__(self, evidence: EvidenceSet, language: str) -> None:
        self._evidence = evidence
        self._blanks = Blanks(evidence, language)
        self.language = language

    def of(self, each: Statement) -> Cloze:
        """Return a sentence without what has to be read in the evidence that it names."""
        text, units = shown(marked(each.sentence)), self._evidence.cited(each.sentence.source_ids)
        if each.kind == "code":
            return Cloze(f"Line of code: {text}", (), self.language)
        if each.sentence.cells:
            return self._with_letters(*self._row(text.split(CELL_SEPARATOR), each.header, units))
        return self._with_letters(text, self._blanks.of_prose(text, units))

    def _row(
        self, cells: Sequence[str], header: Sequence[str], units: Sequence[EvidenceUnit]
    ) -> tuple[str, list[Blank]]:
        """Return a row as it is read, each cell with its column's name, and what to leave out of it."""
        is_named = len(header) == len(cells)
        text, blanks = "Row of a table: " if is_named else "", list[Blank]()
        for column, cell in enumerate(cells):
            text += f"{header[column]} = " if is_named and header[column] else ""
            # The first cell says whose the others are.
            found = self._blanks.of_cell(cell, units) if column else []
            blanks += [
                each._replace(start=len(text) + each.start, stop=len(text) + each.stop) for each in found
            ]
            text += f"{cell}{'; ' if is_named else CELL_SEPARATOR}"
        return text.removesuffix("; ").removesuffix(CELL_SEPARATOR), blanks

    def _with_letters(self, text: str, blanks: Sequence[Blank]) -> Cloze:
        # A letter in braces that the sentence has itself stands for nothing.
        letters = ascii_lowercase if "{" not in text else ""
        lettered = list(zip(letters, blanks, strict=False))
        for letter, blank in reversed(lettered):
            text = f"{text[: blank.start]}{{{letter}}}{text[blank.stop :]}"
        return Cloze(text, tuple(blank for _, blank in lettered), self.language)


def _alternatives(blank: Blank, filling: str | None) -> list[str]:
    """Return what was read in the place of a blank, once or of each of several things."""
    text = (filling or "").replace("`", "")
    if blank.sort == "name":
        text = clause_words().alternatives.sub(";", text)
        text = text if _COMMA.search(blank.written) else _COMMA.sub(";", text)
    read = [each for each in map(fold, _SEPARATED.split(text)) if each]
    return read if len(read) <= (_MOST_FIGURES if blank.figures else _MOST_NAMES) else []


def _days(text: str) -> frozenset[tuple[int, int]]:
    """Return the months of a text with their days and years: those of "1 Oct" and "1 October" are equal."""
    return frozenset((each.month, each.day_or_year) for each in dates(text))


def _is_equal(one: Quantity, other: Quantity) -> bool:
    return one.number == other.number or (one.value is not None and one.value == other.value)
