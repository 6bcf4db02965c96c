"""Checks what a sentence has between quotation marks: its words, and who says them. Pure."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from operator import and_, eq
from typing import Final

from app.content.evidence.quotes import comparable
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.evidence import text_of
from app.content.writing.veto.names import speakers_named
from app.content.writing.veto.quantities import small_words
from app.language.sentences import QUOTATION, ends_like_a_sentence
from app.language.words import words

_LEAST_QUOTED: Final = 4
"""The fewest words of a quote; fewer between quotation marks are a label or a term,"""
_LEAST_SAID: Final = 3
"""unless they end like a sentence, or have one word in the place of another."""


class Quotations:
    """The speakers in the evidence of an article.

    ``given`` is what its caller says, ``recurring`` the names of which a whole page speaks, by its id.
    """

    def __init__(
        self, units: Iterable[EvidenceUnit], given: str, recurring: Mapping[int, Collection[str]]
    ) -> None:
        self._speakers = {unit.speaker for unit in units if unit.speaker}
        self._given = given
        self._recurring = recurring

    def faults(self, text: str, said: str, units: Sequence[EvidenceUnit]) -> Iterator[str]:
        """Yield what is wrong with the quotes of a text that rests on ``units``, whose words are ``said``."""
        for quote in quotes(text):
            number = len(words(quote))
            is_quote = number >= (_LEAST_SAID if ends_like_a_sentence(quote) else _LEAST_QUOTED)
            if not is_quote and not (number == _LEAST_SAID and _is_altered(quote, said)):
                continue
            if comparable(quote).strip(" .,;:!?") not in comparable(said):
                yield f"the quote “{quote}” is not in the evidence it names"
            else:
                yield from self._wrong_speakers(text, quote, units)

    def _wrong_speakers(self, text: str, quote: str, units: Sequence[EvidenceUnit]) -> Iterator[str]:
        plain = comparable(quote).strip(" .,;:!?")
        having = [unit for unit in units if plain in comparable(unit.text)]
        of = {unit.speaker for unit in having if unit.speaker}
        names = {_name_of(each) for each in of}
        others = [_name_of(each) for each in sorted(self._speakers - of)] if of else []
        wrong = [name for name in others if name not in names and _has_word(text, name)]
        possible = " ".join(of) or self._possible_speakers(plain, having, units)
        if not possible:
            return
        said_by = set(words(f"{possible} {self._given}".lower()))
        wrong += [
            name
            for name in speakers_named(QUOTATION.sub("…", text))
            if said_by.isdisjoint(words(name.lower())) and name not in wrong
        ]
        for name in wrong:
            yield f"the quote “{quote}” is not by {name}"

    def _possible_speakers(
        self, plain: str, having: Sequence[EvidenceUnit], units: Sequence[EvidenceUnit]
    ) -> str:
        """Return the names of who may say words of a text whose author is known: the author, people in it."""
        if not all(unit.author for unit in having):
            return ""
        pages = {unit.page_id for unit in having}
        recurring = (name for page_id in sorted(pages) for name in self._recurring[page_id])
        of_pages = [unit for unit in units if unit.page_id in pages]
        if any(plain in comparable(quoted) for unit in having for quoted in quotes(unit.text)):
            of_pages = [replace(unit, author="") for unit in of_pages]
        return " ".join([text_of(of_pages), *recurring])


def quotes(text: str) -> Iterator[str]:
    """Yield what a text has between quotation marks."""
    for match in QUOTATION.finditer(text):
        yield next(group for group in match.groups() if group)


def _is_altered(quote: str, said: str) -> bool:
    """Return whether a quote of three words has one in the place of another, and two with a meaning."""
    quoted, known = words(comparable(quote)), words(comparable(said))
    runs = zip(known, known[1:], known[2:], strict=False)
    telling = [word not in small_words() for word in quoted]
    return any(sum(map(and_, map(eq, run, quoted), telling)) == _LEAST_SAID - 1 for run in runs)


def _has_word(text: str, name: str) -> bool:
    return bool(name) and re.search(rf"\b{re.escape(name)}\b", text) is not None


def _name_of(speaker: str) -> str:
    """Return the name of a speaker, whom other pages may give another office: "Mara Lind, Salt Pool"."""
    return speaker.split(",")[0].strip()
