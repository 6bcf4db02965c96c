"""Marks the sentences in the sanitised HTML of a post with where they are from. Pure.

A sentence is found whatever links, emphasis and entities it contains. Marks only add elements around pieces
of text, inside the elements that are there. Headings and code are never marked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from html import escape, unescape
from typing import Final, Literal

from app.content.rendering.telephone import LEFT_TO_RIGHT
from app.language.sentences import sentences
from app.language.words import is_unspaced
from app.pages.extraction.blocks import CELL_SEPARATOR

Kind = Literal["source", "own", "unsure", "plain"]

_PART: Final = re.compile(r'<(/?)([a-z][a-z0-9]*)[^<>"]*(?:"[^"]*"[^<>"]*)*>|[^<]+|<', re.IGNORECASE)
_INLINE: Final = frozenset({"a", "code", "em", "img", "s", "strong"})
_CELLS: Final = frozenset({"td", "th"})
_UNMARKED: Final = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "pre", "th"})
_BREAK: Final = "\n"


@dataclass(frozen=True)
class Said:
    """A sentence to look for, and the id of the element its mark leads to; a ``plain`` one gets no mark."""

    text: str
    kind: Kind = "source"
    leads_to: str = ""


@dataclass(frozen=True)
class Marked:
    """The HTML with its marks: ``shown`` are the sentences found, by the number in their ``data-s``.

    A number below the number of sentences asked for is the place of the sentence in that list. Above are the
    sentences of the text that were not asked for.
    """

    html: str
    shown: dict[int, Said]


def mark_sentences(
    html: str, wanted: Sequence[Said], *, others: bool = False, doubts: Sequence[str] = ()
) -> Marked:
    """Return the HTML with a mark around each wanted sentence, the first free one for each of equal ones.

    With ``others``, the remaining sentences of paragraphs, lists and tables are marked as ``own``, or as
    ``unsure`` if they contain one of the ``doubts``.
    """
    text = _Text.read(html)
    folded = "".join(text.letters)
    ranges = _claimed(folded, wanted)
    shown = {number: text.as_said(wanted[number], start) for number, start, _ in ranges}
    if others:
        rest = list(_unclaimed(folded, ranges))
        for number, (start, end) in enumerate(rest, len(wanted)):
            words = folded[start:end]
            kind: Kind = "unsure" if any(doubt in words for doubt in doubts) else "own"
            shown[number] = text.as_said(Said(words, kind, kind), start)
            ranges.append((number, start, end))
    marks = [(number, start, end) for number, start, end in ranges if shown[number].kind != "plain"]
    return Marked(text.with_marks(sorted(marks, key=lambda mark: mark[1]), shown), shown)


@dataclass
class _Text:
    """The words of an HTML text, folded, letter by letter; ``at`` has the part and place of each."""

    parts: list[str] = field(default_factory=list)
    linked: set[int] = field(default_factory=set)
    unmarked: set[int] = field(default_factory=set)
    letters: list[str] = field(default_factory=list)
    at: list[tuple[int, int]] = field(default_factory=list)

    @classmethod
    def read(cls, html: str) -> _Text:
        text = cls()
        open_links, open_unmarked = 0, 0
        for number, match in enumerate(_PART.finditer(html)):
            tag, step = (match[2] or "").lower(), -1 if match[1] else 1
            text.parts.append(match[0])
            if not tag:
                text._add(number, unescape(match[0]))
            elif tag in _CELLS and step > 0:
                text._separate(CELL_SEPARATOR)
            elif tag == "br":
                text._add(number, " ")
            elif tag not in _INLINE and tag not in _CELLS:
                text._separate(_BREAK)
            open_links += step * (tag == "a")
            open_unmarked += step * (tag in _UNMARKED)
            text.linked.update({number} if open_links else ())
            text.unmarked.update({number} if open_unmarked else ())
        return text

    def _add(self, part: int, words: str) -> None:
        for place, letter in enumerate(words):
            is_space = letter.isspace()
            if letter == LEFT_TO_RIGHT:
                continue
            if is_space and (not self.letters or self.letters[-1].isspace()):
                continue
            self.letters.append(" " if is_space else letter)
            self.at.append((part, place))

    def _separate(self, by: str) -> None:
        while self.letters and self.letters[-1] == " ":
            self.letters.pop()
            self.at.pop()
        if not self.letters or (self.letters[-1] == _BREAK):
            return
        self.letters.extend(by)
        self.at.extend((-1, 0) for _ in by)

    def as_said(self, said: Said, start: int) -> Said:
        """Return the sentence that begins at ``start``, a plain one in a heading or code."""
        parts = (self.at[place][0] for place in range(start, len(self.at)))
        part = next((part for part in parts if part >= 0), -1)
        return replace(said, kind="plain") if part in self.unmarked else said

    def with_marks(self, marks: Sequence[tuple[int, int, int]], shown: dict[int, Said]) -> str:
        """Return the HTML with an element around each piece of text that is marked."""
        pieces: dict[int, list[tuple[int, int, int]]] = {}
        for number, start, end in marks:
            for part, first, last in self._pieces(start, end):
                pieces.setdefault(part, []).append((number, first, last))
        writer = _Writer(shown)
        return "".join(
            self._marked_part(part, pieces[part], writer) if part in pieces else html
            for part, html in enumerate(self.parts)
        )

    def _pieces(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield the parts of a range: the part, its first place and the place after its last."""
        places: dict[int, list[int]] = {}
        for part, place in self.at[start:end]:
            if part >= 0 and not self.parts[part].startswith("<"):
                places.setdefault(part, []).append(place)
        for part, found in places.items():
            yield part, found[0], found[-1] + 1

    def _marked_part(self, part: int, pieces: Sequence[tuple[int, int, int]], writer: _Writer) -> str:
        words, done, out = unescape(self.parts[part]), 0, []
        for number, first, last in pieces:
            out.append(_escaped(words[done:first]))
            out.append(writer.element(number, words[first:last], in_link=part in self.linked))
            done = last
        return "".join([*out, _escaped(words[done:])])


@dataclass
class _Writer:
    """Writes the elements of the marks: the first of a sentence has its id, and one of them is its link."""

    shown: dict[int, Said]
    begun: set[int] = field(default_factory=set)
    linked: set[int] = field(default_factory=set)

    def element(self, number: int, words: str, *, in_link: bool) -> str:
        """Return the element around a piece of a sentence. A link must not contain another."""
        said = self.shown[number]
        look = "said" if said.kind == "source" else f"said {said.kind}"
        name = "" if number in self.begun else f' id="t-{number}"'
        self.begun.add(number)
        if in_link or number in self.linked:
            return f'<span class="{look}"{name} data-s="{number}">{_escaped(words)}</span>'
        self.linked.add(number)
        place = escape(said.leads_to)
        return f'<a class="{look}"{name} href="#{place}" data-s="{number}">{_escaped(words)}</a>'


def _claimed(text: str, wanted: Sequence[Said]) -> list[tuple[int, int, int]]:
    """Return the number, start and end of each sentence found; no two overlap, long ones come first."""
    folded = [" ".join(said.text.split()) for said in wanted]
    taken = bytearray(len(text))
    found: list[tuple[int, int, int]] = []
    after: dict[str, int] = {}
    for number in sorted(range(len(wanted)), key=lambda each: (-len(folded[each]), each)):
        sentence = folded[number]
        start = _free(text, sentence, taken, after.get(sentence, 0))
        if start is None:
            continue
        after[sentence] = end = start + len(sentence)
        taken[start:end] = b"\1" * len(sentence)
        found.append((number, start, end))
    return found


def _free(text: str, sentence: str, taken: bytearray, after: int) -> int | None:
    start = text.find(sentence, after) if sentence else -1
    while start >= 0:
        end = start + len(sentence)
        if 1 not in taken[start:end] and not (_cuts(text, start) or _cuts(text, end)):
            return start
        start = text.find(sentence, start + 1)
    return None


def _cuts(text: str, place: int) -> bool:
    """Return whether a place is inside a word."""
    around = text[max(place - 1, 0) : place + 1]
    return 0 < place < len(text) and around.isalnum() and not is_unspaced(around)


def _unclaimed(text: str, ranges: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each sentence of running text outside the ranges."""
    edge = 0
    for start, end in [*sorted((start, end) for _, start, end in ranges), (len(text), 0)]:
        for line in re.finditer(r"[^\n]+", text[edge:start]):
            place = edge + line.start()
            for sentence in sentences(line[0]):
                place = text.find(sentence, place, start)
                if place < 0:
                    break
                if any(letter.isalnum() for letter in sentence):
                    yield place, place + len(sentence)
                place += len(sentence)
        edge = end


def _escaped(words: str) -> str:
    return escape(words, quote=False).replace("[", "&#91;")
