"""Angles on what the pages say: comparisons, procedures and prices that no page is named after. Pure.

Nothing is invented: a title is put together from headings, page names and table cells, unchanged.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain
from typing import Final

from app.content.evidence.cards_and_tables import has_figure
from app.content.evidence.sections import is_generic
from app.content.evidence.units import EvidenceUnit
from app.content.planning.ideas.questions import has_subject
from app.content.planning.ideas.source import Candidate, IdeaSource, Stems
from app.content.planning.topics import intent_of
from app.language.languages import language_data
from app.language.schema import IdeaTitles
from app.language.stems import topic_stems
from app.language.words import capitalised, word_count, words

_COMPARED: Final = range(2, 5)
_FEWEST_STEPS: Final = 3
_FEWEST_PRICES: Final = 2
_LONGEST_NAME: Final = 5
_LONGEST_LABEL: Final = 3

Compared = tuple[int, Sequence[str]]
"""A page, and the names of what it sets side by side."""


def comparison_candidates(source: IdeaSource, table: IdeaTitles) -> Iterator[Candidate]:
    """Yield what price cards or a table set side by side; each has a heading or a page of its own."""
    for page_id, names in chain(_cards(source), _columns(source), _rows(source)):
        listed = f"{', '.join(names[:-1])}{table.last_of_several}{names[-1]}"
        why = f"{source.shown(page_id)} sets these side by side, and no page or post helps to choose."
        stems = topic_stems(listed, source.language)
        yield Candidate("comparison", table.comparison.format(names=listed), listed, stems, why, (page_id,))


def _cards(source: IdeaSource) -> Iterator[Compared]:
    cards: defaultdict[int, dict[str, None]] = defaultdict(dict)
    for unit in source.units:
        if unit.kind == "price":
            cards[unit.page_id][unit.heading] = None
    return ((page_id, tuple(names)) for page_id, names in cards.items() if len(names) in _COMPARED)


def _columns(source: IdeaSource) -> Iterator[Compared]:
    """Yield the columns of a table that have a heading on its page each, or a page each."""
    headings: defaultdict[int, set[Stems]] = defaultdict(set)
    for section in source.sections:
        headings[section.page.page_id].add(topic_stems(section.heading, source.language))
    for unit in _tables(source):
        columns = unit.header[1:]
        known = headings[unit.page_id] | _names_elsewhere(source, unit.page_id)
        if _are_alternatives(columns, known, source.language):
            yield unit.page_id, columns


def _rows(source: IdeaSource) -> Iterator[Compared]:
    """Yield the rows of a table that have a page each; where the columns are compared, rows are features."""
    compared = {page_id for page_id, _ in _columns(source)}
    for unit in _tables(source):
        heads = tuple(row[0] for row in unit.rows if row)
        known = _names_elsewhere(source, unit.page_id)
        if unit.page_id not in compared and _are_alternatives(heads, known, source.language):
            yield unit.page_id, heads


def _are_alternatives(names: Sequence[str], known: Collection[Stems], language: str) -> bool:
    return len(set(names)) in _COMPARED and all(topic_stems(name, language) in known for name in names)


def _names_elsewhere(source: IdeaSource, page_id: int) -> set[Stems]:
    others = (page for page in source.named if page.id != page_id)
    return {topic_stems(name, source.language) for page in others for name in page.names}


def _tables(source: IdeaSource) -> Iterator[EvidenceUnit]:
    return (unit for unit in source.units if unit.kind == "table" and unit.header)


def procedure_candidates(source: IdeaSource, table: IdeaTitles) -> Iterator[Candidate]:
    """Yield the numbered lists of steps under a heading that shares no word with their page's names."""
    verbs = _verbs(source, table.before_verbs)
    for unit in source.units:
        if unit.kind != "list" or not unit.numbered or len(unit.items) < _FEWEST_STEPS:
            continue
        title = _procedure_title(unit.heading, source.language, table, verbs)
        about = topic_stems(" ".join(source.names[unit.page_id]), source.language)
        if title and topic_stems(unit.heading, source.language).isdisjoint(about):
            shown = source.shown(unit.page_id)
            why = f"The steps are a numbered list on {shown}, which has another subject."
            stems = topic_stems(title, source.language)
            yield Candidate("how_to", title, title, stems, why, (unit.page_id,))


def _procedure_title(heading: str, language: str, table: IdeaTitles, verbs: Collection[str]) -> str | None:
    """Return what a procedure under this heading is called, None where that cannot be known."""
    if not has_subject(heading, language):
        return None
    if heading.lower().startswith(table.how):
        return table.steps.format(heading=heading)
    if _first_word(heading) in verbs:
        return table.how_to.format(heading=heading[:1].lower() + heading[1:])
    return None


def _verbs(source: IdeaSource, particle: str) -> frozenset[str]:
    """Return the words that begin a step somewhere and follow the particle of the infinitive elsewhere."""
    if not particle:
        return frozenset()
    steps = (item for unit in source.units if unit.numbered for item in unit.items)
    infinitive = re.compile(rf"\b{particle} (\w+)")
    after = {word for unit in source.units for word in infinitive.findall(unit.text)}
    return frozenset(map(_first_word, steps)) & after - language_data(source.language).words.stopwords


def _first_word(text: str) -> str:
    return next(iter(words(text)), "").lower()


def price_candidates(source: IdeaSource, table: IdeaTitles) -> Iterator[Candidate]:
    """Yield the pages that give prices and are named after something else."""
    for page_id, label in _price_lists(source).items():
        names = source.names[page_id]
        name = min(names, key=word_count)
        is_usable = word_count(name) <= _LONGEST_NAME and not is_generic(name, source.language)
        if is_usable and not any(intent_of(each) == "buy" for each in names):
            topic = f"{name}: {label.lower()}"
            why = f"{source.shown(page_id)} gives the prices, and no page or post is named after them."
            stems = topic_stems(topic, source.language)
            yield Candidate(
                "cost", capitalised(table.prices.format(name=name)), topic, stems, why, (page_id,)
            )


def _price_lists(source: IdeaSource) -> dict[int, str]:
    """Return the pages with a table that has a column of prices, each with that column's name."""
    found: dict[int, str] = {}
    for unit in _tables(source):
        for at, label in enumerate(unit.header):
            cells = [row[at] for row in unit.rows if len(row) > at]
            is_label = at and word_count(label) <= _LONGEST_LABEL and intent_of(label) == "buy"
            if is_label and sum(map(has_figure, cells)) >= _FEWEST_PRICES:
                found.setdefault(unit.page_id, label)
    return found
