"""The numbers and dates of a sentence that its evidence does not contain. Pure.

A number may also count a list beside it, refer to known things ("the three services"), round a figure with a
word such as "about", or be the difference of two figures in a comparison.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.dates import dates, days_of_ranges, months_of_years_before, without_verbs
from app.content.writing.veto.evidence import stated
from app.content.writing.veto.quantities import (
    Quantity,
    claimed_quantities,
    differences,
    is_rounded,
    known_quantities,
    quantities,
)
from app.language.languages import in_all_languages, language_data, merged
from app.language.schema import Language
from app.language.sentences import sentences
from app.language.stems import stem
from app.language.words import QUESTION_MARKS, alternatives

_MOST_COUNTED: Final = 12
_MOST_COMPARED: Final = 4
_LAST_DAY: Final = 31
_AFTER_COMMA: Final = re.compile(r"[,،、;] ?$")


@dataclass(frozen=True)
class _Words:
    """The words beside numbers of all languages."""

    countable: frozenset[str]
    listed: re.Pattern[str]
    compares: re.Pattern[str]
    definite: str
    both: re.Pattern[str]
    step: re.Pattern[str]
    """What stands before the number of a step."""
    item: re.Pattern[str]
    """What may stand before the number of a rule or the like."""
    supposing: re.Pattern[str]


def _items(language: Language) -> Iterable[str]:
    return language.references.numbered if language.references else ()


def _before_number(words: Iterable[str]) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{alternatives(words)})\s$", re.IGNORECASE)


@cache
def _words() -> _Words:
    words = merged(lambda language: language.figures)
    listing = rf"\s(?:{alternatives(words.listing)})\s"
    return _Words(
        countable=words.countable,
        listed=re.compile(rf",{listing}|[,،]\s|[;؛]\s|{listing}"),
        compares=re.compile(rf"\b(?:{alternatives(words.comparing)})\b", re.IGNORECASE),
        step=_before_number(in_all_languages(lambda each: each.headings.numbered)),
        item=_before_number(in_all_languages(_items)),
        supposing=re.compile(rf"(?:{alternatives(words.supposing)})\s", re.IGNORECASE),
        both=re.compile(rf"\b(?:{alternatives(words.both)})\s+([^\W\d_]+)", re.IGNORECASE),
        definite=rf"\b(?:{alternatives(words.definite)})\s+(?:(?:{alternatives(words.order)})\s+)?",
    )


def unsupported_numbers(
    text: str,
    said: str,
    units: Sequence[EvidenceUnit],
    language: str,
    counts: Collection[int],
    results: Collection[Quantity] = (),
) -> Iterator[str]:
    """Yield what is wrong with the numbers of a sentence that rests on ``units``.

    ``said`` is the text that supports it, ``counts`` are the lengths of lists and tables beside it, and
    ``results`` the figures that the sentence works out.
    """
    # Many figures have so many differences that any number is one.
    compared = units if _words().compares.search(text) and len(units) <= _MOST_COMPARED else ()
    compared_differences = differences(quantities("\n".join(map(stated, compared)), language))
    known = [*known_quantities(said, language), *compared_differences]
    for claimed in claimed_quantities(text, language):
        is_known = any(claimed.says(each) for each in known) or is_rounded(claimed, text, known)
        is_known = is_known or (not claimed.unit and _is_of_address(claimed.written, said))
        is_known = is_known or _is_day_of_range(claimed, text, said)
        if is_known or claimed in results or _are_both(claimed, said, language):
            continue
        if claimed.unit and _is_said_without_unit(claimed, said, language):
            continue
        if claimed.unit or not _is_small(claimed.number):
            unit = f" ({claimed.unit})" if claimed.unit else ""
            yield f"the number “{claimed.written}”{unit} is not in the evidence it names"
        elif not (
            _counts_beside(claimed, text, counts)
            or _is_step(claimed, text, counts)
            or _is_item(claimed, text, [len(unit.items) for unit in units if unit.numbered])
            or (not units and _is_of_both(claimed, text))
            or _is_supposed(claimed, text, units, language)
            or _names_again(claimed, text, units, known, language)
        ):
            yield f"the number “{claimed.written}” is not in the evidence it names"


def _is_said_without_unit(claimed: Quantity, said: str, language: str) -> bool:
    """Return whether a figure stands behind another of its unit: "two years on parts, five on labour"."""
    joined = language_data(language).words.joined_and
    for sentence in sentences(said):
        figures = quantities(sentence, language)
        for n, each in enumerate(figures):
            before_it = sentence[: each.start]
            goes_on = _AFTER_COMMA.search(before_it) or (joined and before_it.endswith(f" {joined}"))
            is_short = goes_on and not (each.unit or each.counted)
            before = any(other.unit == claimed.unit for other in figures[:n])
            if each.number == claimed.number and is_short and before:
                return True
    return False


def _is_day_of_range(claimed: Quantity, text: str, said: str) -> bool:
    """Return whether a number is the day of a date that lies in a range of the evidence."""
    days = [each for each in dates(text) if text.startswith(each.written, claimed.start)]
    return any((each.month, each.day_or_year) in days_of_ranges(said) for each in days)


def _is_of_address(number: str, said: str) -> bool:
    """Return whether a number is the port of an address in a text, or all but the port: "127.0.0.1:6081"."""
    written = re.escape(number)
    is_port = re.search(rf"(?:[\w-]+(?:\.[\w-]+)+|localhost):{written}(?!\w|\.\d)", said) is not None
    return is_port or ("." in number and re.search(rf"(?<![\w.]){written}:\d", said) is not None)


def unsupported_dates(text: str, said: str) -> Iterator[str]:
    """Yield what is wrong with the dates of a sentence."""
    claimed = list(dates(without_verbs(text)))
    if not claimed:
        return
    known = {(each.month, each.day_or_year) for each in dates(said)} | set(days_of_ranges(said))
    months = {month for month, _ in known}
    known |= set(months_of_years_before(said))
    for each in claimed:
        # "18 April" stands under the heading "Dates for 2026".
        is_year_beside = each.month in months and re.search(rf"\b{each.day_or_year}\b", said) is not None
        is_known = (each.month, each.day_or_year) in known or (
            each.day_or_year > _LAST_DAY and is_year_beside
        )
        # "1.5." at the end of a sentence is a number.
        number = re.escape(each.written.rstrip("."))
        if not is_known and not re.search(rf"(?<![\d.]){number}(?![\d.]*\d)", said):
            yield f"the date “{each.written}” is not in the evidence it names"


def _counts_beside(claimed: Quantity, text: str, counts: Collection[int]) -> bool:
    """Return whether a number counts what the sentence lists, or a list or table beside it."""
    return int(claimed.number) in {*counts, *enumerated(text)}


def _is_step(claimed: Quantity, text: str, counts: Collection[int]) -> bool:
    """Return whether a number is that of a step of a list beside the sentence: "Step five is the loss"."""
    is_named = _words().step.search(text[: claimed.start]) is not None
    return is_named and 0 < int(claimed.number) <= max(counts, default=0)


def _is_item(claimed: Quantity, text: str, sizes: Collection[int]) -> bool:
    """Return whether a number is that of an item of a numbered list: "Rule 5", not "As a rule 5 boats"."""
    named = _words().item.search(text[: claimed.start])
    is_item = named is not None and (not named.start() or not claimed.counted)
    return is_item and 0 < int(claimed.number) <= max(sizes, default=0)


def _is_supposed(claimed: Quantity, text: str, units: Sequence[EvidenceUnit], language: str) -> bool:
    """Return whether a sentence begins with a number word between those that a row has for its things.

    "For two kitchens, …" supposes a case; the row "Kitchens" goes from 1 to 5.
    """
    if not claimed.written.isalpha() or _words().supposing.fullmatch(text[: claimed.start]) is None:
        return False
    thing = stem(claimed.thing, language)
    rows = [row for unit in units for row in unit.rows if thing and stem(row[0].lower(), language) == thing]
    values = [
        each.value for row in rows for each in quantities(" | ".join(row[1:]), language) if each.is_bare
    ]
    said = [value for value in values if value is not None]
    return bool(said) and min(said) <= int(claimed.number) <= max(said)


def _is_of_both(claimed: Quantity, text: str) -> bool:
    """Return whether a sentence says of two things what holds for both: no two certain ones."""
    return claimed.number == "2" and _words().both.search(text, claimed.start) is not None


def _are_both(claimed: Quantity, said: str, language: str) -> bool:
    """Return whether a number counts two things that the evidence calls both."""
    thing = stem(claimed.thing, language)
    both = (stem(match[1].lower(), language) for match in _words().both.finditer(said))
    return claimed.number == "2" and bool(thing) and thing in both


def _names_again(
    claimed: Quantity, text: str, units: Sequence[EvidenceUnit], known: Collection[Quantity], language: str
) -> bool:
    """Return whether a number counts what the evidence lists, or claims nothing.

    "The three services" are named elsewhere, and "here are three ways" is about the text that follows. If the
    evidence has another number of the same things, this one is wrong.
    """
    thing = stem(claimed.thing, language)
    if thing and any(stem(each.thing, language) == thing for each in known):
        return False
    announces = not units and (claimed.thing in _words().countable or _only_asks(claimed, text, language))
    return announces or int(claimed.number) in _listed(units) or _is_definite(text, claimed.written)


def _only_asks(claimed: Quantity, text: str, language: str) -> bool:
    """Return whether a number word is part of a question: "Do two branches need the group plan?"."""
    first = text.split(maxsplit=1)[0].lower()
    asks = first in language_data(language).words.question_words and text.rstrip().endswith(QUESTION_MARKS)
    return asks and claimed.written.isalpha()


def enumerated(text: str) -> Iterator[int]:
    """Yield the length of what a sentence lists after its colon, as members or as sentences."""
    for listed in re.split(r"[:–—]\s", text)[1:]:
        yield len(_words().listed.split(listed))
        said = len(sentences(listed))
        if said > 1:
            yield said


def _is_definite(text: str, word: str) -> bool:
    pattern = rf"{_words().definite}{re.escape(word)}\b"
    return re.search(pattern, text, re.IGNORECASE) is not None


def _is_small(number: str) -> bool:
    return number.isdigit() and int(number) <= _MOST_COUNTED


def _listed(units: Sequence[EvidenceUnit]) -> set[int]:
    """Return the numbers that count items, rows, columns and pieces of evidence."""
    sizes = {len(units)}
    for unit in units:
        sizes |= {n for line in unit.text.split("\n") for n in enumerated(line) if not unit.rows}
        sizes |= {len(unit.items), len(unit.rows), len(unit.header), len(unit.header) - 1}
    return sizes
