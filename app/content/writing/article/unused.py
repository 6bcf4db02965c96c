"""What the pages say near to a draft, and no sentence of it uses. Pure."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice, zip_longest
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.rendering.markdown import shown
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.material import Material
from app.content.writing.article.shown_evidence import prompt_tokens, shortened_to_fit

_TOKENS: Final = 1_000
_UNITS: Final = 14
_OPTIONS: Final = 6
_OF_PART: Final = 2


def unused_evidence(material: Material, draft: Draft) -> tuple[EvidenceUnit, ...]:
    """Return the units, most useful first, that an editor may miss in a draft.

    The options beside those that it uses come first, then for each part in turn what says most on it.
    """
    used = {unit_id for each in draft.statements for unit_id in each.sentence.source_ids}
    used |= {unit.id for unit in material.about_site}
    index = material.index
    by_option: dict[tuple[int, tuple[str, ...]], list[EvidenceUnit]] = defaultdict(list)
    for unit in index.options_beside(index.named(used)):
        by_option[unit.page_id, unit.path].append(unit)
    by_part = (
        [unit for unit, _ in index.ranked(_text(part))[: len(used) + _OF_PART] if unit.id not in used]
        for part in draft.parts
        if part.role != "closing"
    )
    options = islice(_in_turn(by_option.values()), _OPTIONS)
    ranked = _in_turn(units[:_OF_PART] for units in by_part)
    return tuple(dict.fromkeys((*options, *ranked)))[:_UNITS]


def shown_unused(
    units: Sequence[EvidenceUnit], draft: Draft, language: str, tokens: int = _TOKENS
) -> tuple[EvidenceUnit, ...]:
    """Return the first of the units that fit into a prompt, cut to the lines with most words of the draft."""
    said = dict.fromkeys((unit.id for unit in units), " ".join(map(_text, draft.parts)))
    fitting = shortened_to_fit(units, said, tokens, language)
    while prompt_tokens(fitting) > tokens:
        fitting = fitting[:-1]
    return tuple(sorted(fitting, key=lambda unit: unit.page_id))


def _in_turn(lists: Iterable[Sequence[EvidenceUnit]]) -> Iterator[EvidenceUnit]:
    """Yield the first unit of each list, then the second ones, and so on."""
    return (unit for row in zip_longest(*lists) for unit in row if unit is not None)


def _text(part: Part) -> str:
    said = (sentence.text for paragraph in part.paragraphs for sentence in paragraph.sentences)
    return " ".join([part.heading, *map(shown, said)])
