"""The figures of a sentence that others work out, and a text without some figures. Pure."""

from collections.abc import Collection

from app.content.writing.veto.quantities import Quantity, known_quantities
from app.content.writing.veto.worked_out import figures_in, thing_of


def said_again(text: str, said: str, language: str, results: Collection[Quantity]) -> tuple[Quantity, ...]:
    """Return the figures of a text that are ``results``, of the same unit or thing, and not in ``said``."""
    known = known_quantities(said, language)

    def is_result(figure: Quantity, other: Quantity) -> bool:
        kind, others = figure.unit or thing_of(figure, language), other.unit or thing_of(other, language)
        return figure.value == other.value and kind == others != ""

    return tuple(
        each
        for each in figures_in(text, language)
        if any(is_result(each, other) for other in results) and not any(each.says(other) for other in known)
    )


def without_figures(text: str, figures: Collection[Quantity]) -> str:
    """Return a text with these of its figures cut out."""
    for each in sorted(figures, key=lambda figure: figure.start, reverse=True):
        text = text[: each.start] + text[each.start + len(each.written) :]
    return text
