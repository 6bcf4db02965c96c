"""Tables and price cards in an excerpt: each as a whole or not at all. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.cards_and_tables import card_of, cells_of, header_and_rows
from app.content.retrieval.quotable import are_unfit, is_unfit
from app.language.words import extent, fold, without_colon
from app.pages.extraction.blocks import Block, has_words

_TABLE_ROWS: Final = 25
_TABLE_COLUMNS: Final = 7
_POINTER: Final = 2
"""Words of a cell that points to another text."""
_PAIR: Final = 2
PART: Final = "; "
"""Parts several lines of a page in one cell."""


def table_of(
    run: Sequence[Block],
    sentence_of: Callable[[str, Block], Sentence],
    language: str,
    *,
    has_text_below: bool,
) -> list[Paragraph]:
    """Return a table, or none if it cannot be quoted as a whole.

    A cell such as "see below" is left empty, unless there is text below. Two columns without a header are a
    list of terms, because Markdown knows no table without one.
    """
    if not _is_quotable(run, language, has_text_below=has_text_below):
        return []
    header, body = header_and_rows(run)
    cells = [cells_of(block) for block in body]
    shown = cells if has_text_below else [_without_pointers(row, language) for row in cells]
    rows = [
        replace(sentence_of(fold(block.text), block), cells=row)
        for block, row in zip(body, shown, strict=True)
    ]
    if header or any(len(row.cells) != _PAIR or not all(row.cells) for row in rows):
        return [Paragraph("table", tuple(rows), header=header)]
    return [Paragraph("ul", tuple(map(_as_item, rows)))]


def _without_pointers(cells: Sequence[str], language: str) -> tuple[str, ...]:
    """Return the cells of a row, those empty that point elsewhere: "all of it here"."""
    first, *others = cells
    return first, *("" if _is_pointer(cell) and is_unfit(cell, language) else cell for cell in others)


def _is_pointer(cell: str) -> bool:
    return has_words(cell) and extent(cell) <= _POINTER


def _as_item(row: Sentence) -> Sentence:
    term, said = row.cells
    return replace(row, text=f"{without_colon(term)}: {said}")


def _is_quotable(run: Sequence[Block], language: str, *, has_text_below: bool) -> bool:
    _, body = header_and_rows(run)
    rows = [cells_of(block) for block in run if block.kind != "caption"]
    return (
        1 < len(body) <= _TABLE_ROWS
        and _PAIR <= max(map(len, rows), default=0) <= _TABLE_COLUMNS
        and not are_unfit([_kept(cells, has_text_below=has_text_below) for cells in rows], language)
    )


def _kept(cells: Sequence[str], *, has_text_below: bool) -> Sequence[str]:
    """Return the cells of a row that have to be fit: not those that may point elsewhere.

    A dash or a tick alone is an answer: what a plan lacks or has. Of two cells, none can be left out.
    """
    said = [cell for cell in cells if has_words(cell)]
    if has_text_below:
        return [cell for cell in said if not _is_pointer(cell)]
    first, others = said[:1], said[1:]
    return said if len(said) <= _PAIR else [*first, *(cell for cell in others if not _is_pointer(cell))]


def price_cells(run: Sequence[Block], language: str) -> tuple[str, ...]:
    """Return a price card as the cells of a row: plan, prices, what is included; none if it has no price."""
    card = card_of(run)
    included = (*card.notes, *card.items)
    texts = [card.plan, *card.prices, *included]
    if not card.plan or not card.prices or any(is_unfit(text, language) for text in texts):
        return ()
    return card.plan, PART.join(card.prices), _in_parts(included)


def _in_parts(texts: Sequence[str]) -> str:
    """Return lines as one, each but the last without its full stop."""
    return PART.join([*(text.removesuffix(".") for text in texts[:-1]), *texts[-1:]])
