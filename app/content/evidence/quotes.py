"""Whether a page has the words that a sentence rests on, and in which of its passages. Pure.

The verifier's quotes, a refresh, the checks of a post and the page that shows it are judged here: what one of
them finds, all find.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from app.content.artefacts import DESCRIPTION, SourcePage, evidence_id, page_of
from app.content.evidence.sections import page_name, sections_of
from app.content.evidence.units import EvidenceUnit, units_of
from app.language.words import fold

LEFT_OUT: Final = "[…]"
"""What stands for the lines that a prompt leaves out of a passage, and so in quotes from it."""

_TITLE: Final = "title"
_ENDS: Final = " \"'.,;:…"
_MARKS: Final = str.maketrans(
    {"’": "'", "‘": "'", "“": '"', "”": '"', "„": '"', "–": "-", "—": "-", "\u00a0": " ", "|": " "}
)


def comparable(text: str) -> str:
    """Return a text in a form without differences of spacing, case, table bars and punctuation marks."""
    return " ".join(fold(text).translate(_MARKS).lower().split())


def comparable_quote(text: str) -> str:
    """Return a quote in the form of ``comparable``, without marks at its ends."""
    return comparable(text).strip(_ENDS)


def is_quoted_from(quote: str, text: str) -> bool:
    """Return whether a text contains words, in any spacing, case and punctuation, each part of cut ones."""
    return _has_all(comparable(text), _parts(quote))


def places_of(quote: str, text: str) -> tuple[range, ...]:
    """Return where a text in normal form C has the parts of a quote; nothing unless it has all of them."""
    plain = text.translate(_MARKS).lower()
    if len(plain) != len(text):
        return ()  # A few capitals have two small letters.
    words = [match.span() for match in re.finditer(r"\S+", plain)]
    letters = " ".join(plain[start:end] for start, end in words)
    # The blank behind each word has a place, too.
    places = [place for start, end in words for place in range(start, end + 1)]
    parts = _parts_of_lines(quote)
    if not _has_all(letters, parts):
        return ()
    starts = ((letters.index(part), len(part)) for part in parts)
    return tuple(range(places[start], places[start + length - 1] + 1) for start, length in starts)


def says(unit: EvidenceUnit, quote: str) -> bool:
    """Return whether a passage has the words of a stored quote, or its headings have them."""
    return _has_all(_said_by(unit), _parts_of_lines(quote))


def _said_by(unit: EvidenceUnit) -> str:
    return comparable(f"{unit.about} {unit.text}")


class QuotedPage:
    """A page as it is now, to look up the words that sentences rest on."""

    def __init__(self, page: SourcePage) -> None:
        self._page = page

    def has(self, quote: str) -> bool:
        """Return whether the page says a quote: in its text as it is stored, or as evidence puts it."""
        return _has_all(self._text, _parts_of_lines(quote)) or self.passage_with(quote) is not None

    def passage(self, source: str) -> EvidenceUnit | None:
        """Return the passage that an evidence id is in: that of its first block or of a further one."""
        return self._unit_by_source.get(source)

    def passage_with(self, quote: str) -> EvidenceUnit | None:
        """Return the first passage that says a quote."""
        parts = _parts_of_lines(quote)
        return next((unit for text, unit in self._said if _has_all(text, parts)), None)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """What the page says, line by line: its paragraphs, items and rows."""
        return tuple(line for unit in self._units for line in unit.text.split("\n"))

    @cached_property
    def _said(self) -> tuple[tuple[str, EvidenceUnit], ...]:
        return tuple((_said_by(unit), unit) for unit in self._units)

    @cached_property
    def _text(self) -> str:
        blocks = (block.text for block in self._page.blocks)
        return comparable(" ".join([self._page.title or "", self._page.description or "", *blocks]))

    @cached_property
    def _units(self) -> tuple[EvidenceUnit, ...]:
        """The page's evidence, then each block that is none, then its description and title."""
        page, name = self._page, page_name(self._page)
        units = units_of(sections_of([page]))
        used = {block for unit in units for block in unit.block_ids}
        rest = [(each.id, each.heading_path, each.text) for each in page.blocks if each.id not in used]
        rest += [(DESCRIPTION, (), page.description or ""), (_TITLE, (), page.title or "")]
        alone = (
            EvidenceUnit(
                evidence_id(page.page_id, part), "paragraph", page.page_id, name, path, fold(text), (part,)
            )
            for part, path, text in rest
        )
        return (*units, *alone)

    @cached_property
    def _unit_by_source(self) -> dict[str, EvidenceUnit]:
        page_id = self._page.page_id
        return {evidence_id(page_id, block): unit for unit in self._units for block in unit.block_ids}


def outdated(trace: Sequence[Mapping[str, Any]], pages: Mapping[int, QuotedPage]) -> list[int]:
    """Return the positions of the entries whose quote none of their pages has any more.

    ``pages`` are by their ids; one that is not among them is gone. What has no quote is never outdated.
    """
    return [n for n, entry in enumerate(trace) if _is_outdated(entry, pages)]


def _is_outdated(entry: Mapping[str, Any], pages: Mapping[int, QuotedPage]) -> bool:
    quote = entry.get("quote") or ""
    known = {page_id for source in entry.get("source_ids") or () if (page_id := page_of(source))}
    found = (pages[page_id] for page_id in known if page_id in pages)
    return bool(_parts_of_lines(quote) and known) and not any(page.has(quote) for page in found)


def _parts(quote: str) -> list[str]:
    return [part for each in quote.split(LEFT_OUT) if (part := comparable_quote(each))]


def _parts_of_lines(quote: str) -> list[str]:
    """Return the parts of a stored quote: only code has lines, which an article may take one by one."""
    return [part for line in quote.split("\n") for part in _parts(line)]


def _has_all(text: str, parts: Iterable[str]) -> bool:
    wanted = list(parts)
    return bool(wanted) and all(part in text for part in wanted)
