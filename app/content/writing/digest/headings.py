"""The headings of quoted sections: steps keep their numbers, questions the name of their group. Pure."""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Final

from app.content.evidence.sections import PageSection, clean_heading, is_generic, is_question
from app.language.stems import content_stems
from app.language.words import fold
from app.pages.extraction.blocks import Block

_NUMBER: Final = re.compile(r"\D{0,12}?(\d{1,2})(?:[.:)]| [–—-]) ")
_LEAST_STEPS: Final = 3
_LEAST_GROUPS: Final = 2


@dataclass(frozen=True)
class ShownHeading:
    """A heading of a post, and the evidence ids of the headings that it is from."""

    text: str
    sources: tuple[str, ...]


def shown_heading(section: PageSection, heading: str, language: str, others: Collection[str]) -> ShownHeading:
    """Return how a post shows the ``heading`` of a section; ``others`` are its other headings.

    A step of a procedure keeps its number where no step is left out. A question that one of several groups of
    its page has begins with the name of the group: "Business customers: Do you deliver?".
    """
    own = next((each for each in _headings(section) if clean_heading(each.text) == heading), None)
    if own is None:
        return ShownHeading(heading, ())
    if heading != section.heading:
        return ShownHeading(heading, (section.id_of(own),))
    group = _group(section, language)
    if group is None or clean_heading(group.text) in others:
        return ShownHeading(_with_number(section, own, {heading, *others}), (section.id_of(own),))
    return ShownHeading(f"{clean_heading(group.text)}: {heading}", (section.id_of(own), section.id_of(group)))


def _with_number(section: PageSection, own: Block, shown: Collection[str]) -> str:
    """Return a heading with its number if it is a step, and all the steps beside it are shown.

    A heading that begins in a small letter without its number is one with it.
    """
    heading = clean_heading(own.text)
    steps = (clean_heading(each.text) for each in _beside(section, own) if _number(fold(each.text)))
    is_whole = is_step(section) and all(each in shown for each in steps)
    return fold(own.text) if is_whole or (heading != fold(own.text) and heading[:1].islower()) else heading


def _beside(section: PageSection, own: Block) -> Iterator[Block]:
    return (each for each in _headings(section) if each.heading_path == own.heading_path)


def _headings(section: PageSection) -> Iterator[Block]:
    return (block for block in section.page.blocks if block.kind == "heading")


def is_numbered(section: PageSection) -> bool:
    """Return whether the heading of a section has a number on its page: "3. Fold", "Example 3: Fold"."""
    own = next((each for each in _headings(section) if clean_heading(each.text) == section.heading), None)
    return own is not None and _NUMBER.match(fold(own.text)) is not None


def is_step(section: PageSection) -> bool:
    """Return whether a section's heading is one of three or more that count up from 1 beside others without.

    Where all are numbered, they are chapters.
    """
    own = next((each for each in _headings(section) if clean_heading(each.text) == section.heading), None)
    if own is None:
        return False
    numbers = [_number(fold(each.text)) for each in _beside(section, own)]
    counted = [number for number in numbers if number]
    counts_up = all(number == expected for number, expected in zip(counted, count(1), strict=False))
    return counts_up and _LEAST_STEPS <= len(counted) < len(numbers) and _number(fold(own.text)) > 0


def _number(heading: str) -> int:
    """Return the number that a heading begins with, 0 for none."""
    found = _NUMBER.match(heading) if clean_heading(heading) != heading else None
    return int(found[1]) if found else 0


def _group(section: PageSection, language: str) -> Block | None:
    """Return the heading of a question's group if the page has several, and the question does not say it."""
    name = section.path[-2] if len(section.path) > 1 else ""
    if not is_question(section.heading, language) or is_generic(name, language) or name == section.page_name:
        return None
    asked = (each for each in _headings(section) if is_question(each.text, language))
    groups = {each.heading_path[-1] for each in asked if len(each.heading_path) > 1}
    is_said = set(content_stems(name, language)) <= set(content_stems(section.heading, language))
    if is_said or len(groups) < _LEAST_GROUPS or is_question(name, language):
        return None
    return next((each for each in _headings(section) if clean_heading(each.text) == name), None)
