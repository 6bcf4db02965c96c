"""Whether a table says a sentence: the names of a row and a column, and the figures where they meet. Pure."""

from collections.abc import Sequence

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.quantities import quantities
from app.language.stems import content_stems
from app.pages.extraction.blocks import CELL_SEPARATOR


def is_said_by_table(text: str, units: Sequence[EvidenceUnit], language: str) -> bool:
    """Return whether a text names a column, most of a row's name, and all figures of their cell."""
    said = frozenset(content_stems(text, language))
    figures = _figures(text, language)
    return any(
        _names(said, unit.name_of(row), language) and _says_cell(said, figures, unit, row, language)
        for unit in units
        for row in unit.rows
    )


def with_columns(text: str, header: Sequence[str]) -> str:
    """Return a row with the names of its columns, each before its cell; another text as it is."""
    cells = text.split(CELL_SEPARATOR)
    if len(cells) != len(header):
        return text
    return CELL_SEPARATOR.join(f"{cell} ({head})" for head, cell in zip(header, cells, strict=True))


def _names(said: frozenset[str], name: str, language: str) -> bool:
    stems = set(content_stems(name, language))
    return 2 * len(said & stems) >= max(1, len(stems))


def _says_cell(
    said: frozenset[str], figures: frozenset[str], unit: EvidenceUnit, row: Sequence[str], language: str
) -> bool:
    for head, cell in list(zip(unit.header, row, strict=False))[unit.heads :]:
        stems, known = content_stems(head, language), _figures(cell, language)
        if stems and known and said.issuperset(stems) and known <= figures:
            return True
    return False


def _figures(text: str, language: str) -> frozenset[str]:
    return frozenset(each.number for each in quantities(text, language))
