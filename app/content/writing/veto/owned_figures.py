"""The figures of evidence with the names that own them: price cards by plan, tables by row and column. Pure.

The names of one kind (the plans of a page, the rows of a table, its columns) are an axis.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import occurrences
from app.content.writing.veto.clauses import clause_words
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.figures import is_money
from app.content.writing.veto.quantities import Quantity, quantities, quantities_with_ones
from app.language.languages import language_data
from app.language.stems import content_stems, root_of_stem
from app.language.synonyms import price_roots
from app.language.words import alternatives, words

_WORD: Final = re.compile(r"[^\W\d_]{2,}")
_REMARK: Final = re.compile(r"\s*\([^()]*\)")
_ZEROS: Final = re.compile(r"[.,]0+$|(?<=[.,]\d)0+$")
COLUMNS: Final = "columns of"
ROWS: Final = "rows of"
PLANS: Final = "plans of"
"""What the axes of tables and price cards begin with."""
_LONGEST_NAME: Final = 6
_ANSWERS: Final = frozenset({"yes", "no", "ja", "nein", "oui", "non", "si"})
_LEAST_PROSE: Final = 5
"""Words from which on a cell is a statement."""


@dataclass(frozen=True)
class Cell:
    """A figure of the evidence with the names that own it, each on its axis."""

    number: str
    unit: str
    owners: tuple[tuple[str, str], ...]
    said: str = ""
    """The whole text of a table's cell."""

    @property
    def table(self) -> str:
        """The table, or the page of the price cards, with this figure."""
        return self.owners[0][0].rpartition(" ")[2] if self.owners else ""

    def has(self, figure: Quantity) -> bool:
        """Return whether a figure may be this one; the header may have the unit."""
        return is_same(self.number, figure.number) and (not self.unit or figure.unit in {"", self.unit})


def is_same(one: str, other: str) -> bool:
    """Return whether two numbers are one in value: "2,00" is "2"."""
    return one == other or _without_zeros(one) == _without_zeros(other)


def _without_zeros(number: str) -> str:
    return _ZEROS.sub("", number).replace(",", ".")


def cells_of(unit: EvidenceUnit, plans: Collection[tuple[int, str]], language: str) -> Iterator[Cell]:
    """Yield the figures of a unit that have owners; figures below a plan's heading belong to the plan."""
    plan = next((name for name in unit.path if (unit.page_id, name) in plans), "")
    if plan and unit.kind != "table":
        for each in quantities(stated(unit), language):
            yield Cell(each.number, each.unit, ((_plans(unit), plan),))
    elif unit.kind == "table":
        labels, described = _label_columns(unit, language), _descriptions(unit)
        names, heads = _names_of_rows(unit), without_remarks(unit.header)
        for row, name in zip(unit.rows, names, strict=True):
            for column in range(unit.heads, len(row)):
                is_label = column in labels or column >= len(heads)
                head = "" if is_label or column in described else heads[column]
                owners = ((_rows(unit), name), (_columns(unit), head))
                for each in quantities_with_ones(row[column], language):
                    named = tuple(owner for owner in owners if content_stems(owner[1], language))
                    yield Cell(each.number, each.unit, named, row[column])


def named_in(unit: EvidenceUnit, language: str) -> Iterator[tuple[str, str]]:
    """Yield each axis of a unit with the names on it; also those without a figure."""
    if unit.kind == "price":
        yield _plans(unit), unit.heading
    elif unit.kind == "table":
        named = zip(unit.rows, _names_of_rows(unit), strict=True)
        yield from ((_rows(unit), name) for row, name in named if not is_property(unit, row))
        labels = _label_columns(unit, language)
        heads = enumerate(without_remarks(unit.header)[unit.heads :], unit.heads)
        yield from ((_columns(unit), head) for column, head in heads if column not in labels)


def alike(names: Collection[tuple[str, str]], language: str) -> Iterator[tuple[str, str]]:
    """Yield the names, each with its axis, that have the stems of another.

    So have those that lose a small word and are then a part of another on their axis: "Grade A".
    """
    stems = {name: frozenset(content_stems(name, language)) for _, name in names}
    times = Counter(stems[name] for _, name in names)
    having: dict[tuple[str, str], set[str]] = defaultdict(set)
    for axis, name in names:
        for each in stems[name]:
            having[axis, each].add(name)
    for axis, name in names:
        own = stems[name]
        is_short = 0 < len(own) < len(words(name))
        longer = set.intersection(*(having[axis, each] for each in own)) - {name} if is_short else ()
        if times[own] > 1 or any(len(stems[other]) > len(own) for other in longer):
            yield axis, name


def is_written(name: str, text: str) -> bool:
    """Return whether a text has a name, one of several words in any case and joined: "a grade-A hive"."""
    plain = text.lower().replace("-", " ")
    return bool(occurrences(name, text)) or (" " in name and bool(occurrences(name.lower(), plain)))


def is_denied(name: str, text: str, language: str) -> bool:
    """Return whether a text only says, behind its figures, that there is none of a thing: "no fee"."""
    denying = language_data(language).words.denying
    if not (name and denying):
        return False
    pattern = rf"\b(?:{alternatives(denying)})\s{re.escape(name.lower())}\b(?!.*\d)"
    plain = text.lower()
    return plain.count(name.lower()) == len(re.findall(pattern, plain)) > 0


def without_price_words(stems: frozenset[str], language: str) -> frozenset[str]:
    """Return the stems of a name without those of prices, which an amount says: "£168 a year" is one."""
    return frozenset(each for each in stems if root_of_stem(each, language) not in price_roots(language))


def totals_of(unit: EvidenceUnit, language: str) -> Iterator[tuple[str, str]]:
    """Yield the last row of a table, with its axis, if its name says that it adds up the others."""
    name = _names_of_rows(unit)[-1] if unit.rows else ""
    if {word.lower() for word in words(name)} & language_data(language).figures.totals:
        yield _rows(unit), name


def _names_of_rows(unit: EvidenceUnit) -> list[str]:
    return without_remarks([unit.name_of(row) for row in unit.rows])


def without_remarks(names: Sequence[str]) -> list[str]:
    """Return names without remarks in brackets: "Units" for "Units (runs, pens)", if no other has it."""
    bare = [_REMARK.sub("", name).strip() or name for name in names]
    times = Counter(bare)
    return [short if times[short] == 1 else name for short, name in zip(bare, names, strict=True)]


def _descriptions(unit: EvidenceUnit) -> frozenset[int]:
    """Return the columns of statements: "Meaning" and "What you get" own no figure that a statement has."""
    found = set()
    for column in range(unit.heads, len(unit.header)):
        cells = [row[column] for row in unit.rows if column < len(row)]
        statements = sum(len(_WORD.findall(cell)) >= _LEAST_PROSE for cell in cells)
        if 2 * statements >= len(cells):
            found.add(column)
    return frozenset(found)


def _plans(unit: EvidenceUnit) -> str:
    return f"{PLANS} {unit.page_id}"


def _rows(unit: EvidenceUnit) -> str:
    return f"{ROWS} {unit.id}"


def _columns(unit: EvidenceUnit) -> str:
    return f"{COLUMNS} {unit.id}"


def _label_columns(unit: EvidenceUnit, language: str) -> range:
    """Return the columns beside the heads that are needed to distinguish the rows: the sizes of a cello.

    They own no figure, because their figures are names of rows. A price is none.
    """
    first = end = unit.heads
    while end < len(unit.header) - 1 and len({row[:end] for row in unit.rows}) < len(unit.rows):
        cells = " ; ".join(row[end] for row in unit.rows if end < len(row))
        if any(is_money(each.unit) for each in quantities(cells, language)):
            break
        end += 1
    return range(first, end)


def is_property(unit: EvidenceUnit, row: Sequence[str]) -> bool:
    """Return whether a row of a list says that a thing has a property: "Vegetarian | Yes"."""
    return not unit.header and len(row) == unit.heads + 1 and row[-1].strip().lower() in _ANSWERS


def head_of(name: str) -> str:
    """Return what stands before the comma of a name: "Bridge" of "Bridge, fitted"."""
    return name.partition(", ")[0]


def numbered_part(name: str) -> str:
    """Return the last word of a name with the number behind it; empty without a number."""
    parts = name.split()
    return " ".join(parts[-2:]) if len(parts) > 1 and parts[-1].isdecimal() else ""


_SHORT: Final = (head_of, numbered_part)


def short_names(names: Iterable[str]) -> Counter[tuple[int, str]]:
    """Return how many names of a unit have the same head, and how many the same end with a number."""
    return Counter((n, part(name)) for name in names for n, part in enumerate(_SHORT))


def ways_to_say(name: str, times: Mapping[tuple[int, str], int], language: str) -> tuple[frozenset[str], ...]:
    """Return the sets of stems that each stand for a name: one word of "Evening or weekend" does.

    "Price of a bike and year" has no alternatives, because its parts differ in length. "Bridge" stands for
    "Bridge, fitted" if no other name begins so, because a clause ends at the comma, and "Tracked 48" for
    "Royal Mail Tracked 48" if none ends so: ``times`` are those of ``short_names``.
    """

    def stems(text: str) -> frozenset[str]:
        return frozenset(content_stems(text, language))

    parts = clause_words().alternatives.split(name)
    # "Half-landing" is one word.
    is_even = len({len(stems(each.replace("-", ""))) for each in parts}) == 1
    ways = [stems(each) for each in (parts if is_even else [name])]
    ways += [stems(part(name)) for n, part in enumerate(_SHORT) if part(name) and times[n, part(name)] == 1]
    return tuple(way for way in ways if 0 < len(way) <= _LONGEST_NAME)
