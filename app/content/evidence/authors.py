"""Who wrote a page, as its bylines say: one person, or nobody. Pure.

Several people, an organisation, a single word and bylines of other pages name nobody.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

from app.content.artefacts import SourcePage
from app.language.languages import merged, month_numbers
from app.language.words import alternatives, fold
from app.pages.extraction.furniture import is_date

_OPENING: Final = 8
"""Blocks below a page's first heading among which its own byline is; later ones may be those of teasers."""
_PARTS: Final = re.compile(r"\s*[·•|–—]\s*|\s+/\s+")


class _Bylines:
    """Patterns of people in bylines, in all languages."""

    def __init__(self) -> None:
        pages = merged(lambda language: language.pages)
        joining = merged(lambda language: language.figures).listing
        particles = alternatives(pages.name_particles - joining)
        dated = rf"(?!(?i:{alternatives(month_numbers())})\.? \d)"
        capital = rf"{dated}[^\W\d_a-z\u00e0-\u00ff]"
        word = rf"{capital}(?:\.(?:-?{capital}\.)*|[\w'’-]*)"
        title = rf"(?:{capital}\w{{1,3}}\. )"
        person = rf"{title}{{0,2}}{word}(?:(?: (?:{particles}))* {word}){{1,3}}"
        joined = rf"(?:{alternatives(joining)}|&)"
        by = rf"(?:{'|'.join(pages.authored)}) "
        self.person = re.compile(person)
        self.joined = re.compile(rf" {joined} ")
        self.by = re.compile(rf"\b{by}")
        goes_on = rf"[,.(]| (?!{joined} )(?=.*\d)"
        self.signed = re.compile(rf"{by}(?P<name>{person})(?P<rest>(?:(?:{goes_on}).*)?)")
        office, revised = r", [a-z\u00e0-\u00ff][^\d.]*(?:\..*)?", r"\. [^\W\d].*\d.*"
        self.in_office = re.compile(rf"(?P<name>{person})(?P<rest>{office}|{revised})")
        self.collective = pages.collective
        # "with Barry Holt", "Barry Holt 3 June 2025"
        self.beside = re.compile(rf"^(?:{alternatives(pages.accompanied)})\s|\s\d.*$")


@cache
def _bylines() -> _Bylines:
    return _Bylines()


def author_of(page: SourcePage) -> str:
    """Return the one person who wrote a page, an empty string if several did or it is not clear who."""
    placed = [(n, fold(block.text)) for n, block in enumerate(page.blocks) if block.kind == "byline"]
    lines = [line for _, line in placed]
    first = next((n for n, block in enumerate(page.blocks) if block.kind == "heading"), 0)
    signed = [(n, name) for n, line in placed for name in _signed(line)]
    signed = signed or [(first, name) for name in _dated(page, first + 1)]
    if signed and signed[0][0] > first + _OPENING:
        return ""
    people = {name for _, name in signed} or set(_presented(lines))
    return people.pop() if len(people) == 1 else ""


def _dated(page: SourcePage, place: int) -> Iterator[str]:
    """Yield whom the line below the title names behind its day: "3 May 2024, by Ada Lane, editor"."""
    line = fold(page.blocks[place].text) if place < len(page.blocks) else ""
    parts = line.split(", ")
    for n in range(1, len(parts)):
        if is_date(", ".join(parts[:n])):
            yield from _signed(", ".join(parts[n:]))


def _signed(line: str) -> Iterator[str]:
    """Yield whom "By Ada Lane, Bee School · 3 May 2024" names, an empty string for what is not one person."""
    for part in _PARTS.split(line):
        if _bylines().by.match(part):
            found = _bylines().signed.fullmatch(part)
            yield _person(found) if found else ""


def _names_others(rest: str) -> bool:
    """Return whether other people follow; "Calder & Finch Pianos" is where the author works."""
    if _bylines().by.search(rest):
        return True
    stripped = (_bylines().beside.sub("", each.strip()) for each in rest.split(","))
    listed = map(_bylines().joined.split, stripped)
    return any(all(_bylines().person.fullmatch(each) for each in together) for together in listed)


def _presented(lines: Sequence[str]) -> Iterator[str]:
    """Yield the people who stand before their office or, alone in a line, before a line about them."""
    openings = Counter(line.split(" ")[0] for line in set(lines) if " " in line)
    for line in lines:
        if found := _bylines().in_office.fullmatch(line):
            yield _person(found)
        elif _bylines().person.fullmatch(line):
            yield line if openings[line.split(" ")[0]] > 1 else ""


def _person(found: re.Match[str]) -> str:
    """Return the name that a byline has, an empty string if it is a team's or not the only one."""
    is_collective = not _bylines().collective.isdisjoint(found["name"].lower().split())
    return "" if is_collective or _names_others(found["rest"]) else found["name"]
