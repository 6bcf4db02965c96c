"""Sentences as a verifier sees them: without figures and names, which it has to read in the evidence.

A model that is asked whether a sentence is right tends to agree with it. What it is not shown, it cannot
agree with. Such a text with gaps is a cloze test (Taylor, "Cloze procedure", 1953).

    "Crew costs £29 a month." → "Crew costs £{a} a month." → "29", or a fault
"""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import Final

from app.content.rendering.markdown import shown
from app.content.writing.article.blanks import Blank, Blanks
from app.content.writing.article.draft import Statement, marked
from app.content.writing.veto.clauses import clause_words
from app.content.writing.veto.evidence import EvidenceSet, comparable_quote
from app.content.writing.veto.names_of_evidence import words_of
from app.content.writing.veto.quantities import Quantity, known_quantities
from app.language.stems import stem
from app.language.words import fold
from app.pages.extraction.blocks import CELL_SEPARATOR

_MOST_FILLINGS: Final = 4
"""So many things a sentence may be true of; a longer answer lists what there is."""
_SEPARATED: Final = re.compile(r"[;\n]")


@dataclass(frozen=True)
class Cloze:
    """A sentence with letters in the place of what was left out of it."""

    text: str
    blanks: tuple[Blank, ...]
    language: str

    def faults(self, fillings: Sequence[str]) -> Iterator[str]:
        """Yield what a verifier read otherwise; ``fillings`` has for each letter what the evidence says.

        Of "{a} and {b}" either order is right.
        """
        read = [*map(fold, fillings), *[""] * len(self.blanks)][: len(self.blanks)]
        for position, (blank, filling) in enumerate(zip(self.blanks, read, strict=True)):
            if not filling:
                yield f"the evidence names nothing in the place of “{blank.written}”"
            elif not any(self._is_among(blank, read[other]) for other in self._listed_with(position)):
                yield f"in the place of “{blank.written}” the evidence has “{filling}”"

    def _listed_with(self, position: int) -> Sequence[int]:
        """Return the positions of the blanks that a list has side by side, the given one among them."""
        letters = ascii_lowercase[: len(self.blanks)]
        first = last = position
        while first and self._are_listed(letters[first - 1], letters[first]):
            first -= 1
        while last + 1 < len(letters) and self._are_listed(letters[last], letters[last + 1]):
            last += 1
        return range(first, last + 1)

    def _are_listed(self, one: str, other: str) -> bool:
        between = self.text.partition(f"{{{one}}}")[2].partition(f"{{{other}}}")[0]
        return between == ", " or clause_words().alternatives.fullmatch(between) is not None

    def _is_among(self, blank: Blank, filling: str) -> bool:
        """Return whether words of the evidence are, or are among them if several fit, what was left out."""
        read = [each for each in map(fold, _SEPARATED.split(filling)) if each][:_MOST_FILLINGS]
        return any(self._is_same(blank, each) for each in read)

    def _is_same(self, blank: Blank, filling: str) -> bool:
        if comparable_quote(blank.written) == comparable_quote(filling):
            return True
        if not blank.figures:
            left_out, read = self._stems(blank.written), self._stems(filling)
            return left_out <= read or (bool(read) and read <= left_out)
        found = known_quantities(filling, self.language)
        return all(any(_is_equal(one, each) for one in same for each in found) for same in blank.figures)

    def _stems(self, name: str) -> frozenset[str]:
        return frozenset(stem(word, self.language) for word in words_of(name))


class Clozes:
    """Makes cloze tests of the sentences of an article; ``names`` are the names of its evidence."""

    def __init__(self, evidence: EvidenceSet, names: Collection[str], language: str) -> None:
        self._evidence = evidence
        self._blanks = Blanks(evidence, names, language)
        self._language = language

    def of(self, each: Statement) -> Cloze:
        """Return a sentence without what has to be read in the evidence that it names."""
        text, units = _as_read(each), self._evidence.cited(each.sentence.source_ids)
        if each.kind == "code" or not units:
            return Cloze(text, (), self._language)
        find = self._blanks.of_row if each.sentence.cells else self._blanks.of_prose
        lettered = list(zip(ascii_lowercase, find(text, units), strict=False))
        for letter, blank in reversed(lettered):
            text = f"{text[: blank.start]}{{{letter}}}{text[blank.stop :]}"
        return Cloze(text, tuple(blank for _, blank in lettered), self._language)


def _is_equal(one: Quantity, other: Quantity) -> bool:
    return one.number == other.number or (one.value is not None and one.value == other.value)


def _as_read(each: Statement) -> str:
    """Return a sentence as it is read: a line of code as such, of a row each cell with its column's name."""
    text = shown(marked(each.sentence))
    if each.kind == "code":
        return f"Line of code: {text}"
    cells = text.split(CELL_SEPARATOR)
    if not each.sentence.cells or len(each.header) != len(cells):
        return text
    named = zip(each.header, cells, strict=True)
    return "Row of a table: " + "; ".join(f"{head} = {cell}" if head else cell for head, cell in named)
