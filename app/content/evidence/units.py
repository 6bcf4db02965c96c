"""Evidence units: what a page says, cut where one thing ends and the next begins. Pure.

    sections → runs of blocks that belong together → one unit each

A unit keeps its kind: a paragraph, a list with its lead-in, a table with caption, header and rows, a
definition, a listing, a quote with its speaker, a price card. Both writers, the prompts and the trace use it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Any, Final, Literal

from app.content.artefacts import Artefact, evidence_id
from app.content.evidence.cards_and_tables import card_of, cells_of, header_and_rows
from app.content.evidence.described_terms import rows_above, term_of, terms_around
from app.content.evidence.foreign_text import FOREIGN
from app.content.evidence.records import name_and_fields, records_of
from app.content.evidence.sections import PageSection, is_link_list
from app.content.rendering.markdown import looks_active
from app.language.words import COLONS, extent, fold, without_colon
from app.pages.extraction.blocks import CELL_SEPARATOR, Block

UnitKind = Literal["paragraph", "list", "table", "definition", "code", "quote", "price"]

_TABLE: Final = frozenset({"table", "table_head", "caption"})
_DEFINITION: Final = frozenset({"dt", "dd"})
_BETWEEN_CAPTIONS: Final = " – "
_LONGEST_NOTE: Final = 60
"""Words of a line in a price card; a longer paragraph in it says something of its own."""


@dataclass(frozen=True)
class EvidenceUnit(Artefact):
    """Something a page says.

    ``id`` is the evidence id of its first block, ``text`` all that it says in plain lines. A table has
    ``caption``, ``header`` and ``rows``. A list, a definition and a price card have ``items`` under a
    ``lead_in``: what announces the list, the term, the plan with its price. ``author`` wrote the page, and
    ``speaker`` said a quote.
    """

    id: str
    kind: UnitKind
    page_id: int
    page_name: str
    path: tuple[str, ...]
    text: str
    block_ids: tuple[str, ...]
    lead_in: str = ""
    items: tuple[str, ...] = ()
    numbered: bool = False
    caption: str = ""
    header: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    row_heads: int = 0
    speaker: str = ""
    language: str = ""
    author: str = ""

    @property
    def about(self) -> str:
        """The page's name and the headings above, outermost first."""
        return " › ".join(dict.fromkeys((self.page_name, *self.path)))

    @property
    def heading(self) -> str:
        """The heading right above, else the page's name."""
        return self.path[-1] if self.path else self.page_name

    @property
    def term(self) -> str:
        """The term that this unit alone describes, "" for a part of a longer description and other kinds."""
        return self.lead_in if self.kind == "definition" and self.heading != self.lead_in else ""

    @property
    def heads(self) -> int:
        """How many cells of a row name it."""
        return max(1, self.row_heads)

    def name_of(self, row: Sequence[str]) -> str:
        """Return the name of a row."""
        return " ".join(row[: self.heads])


def units_of(sections: Iterable[PageSection]) -> tuple[EvidenceUnit, ...]:
    """Return the units of sections in reading order; of equal texts only the first."""
    seen: set[str] = set()
    found: list[EvidenceUnit] = []
    for section in sections:
        for unit in _units(section):
            mark = unit.text.lower()
            if mark not in seen and not looks_active(unit.text):
                seen.add(mark)
                found.append(unit)
    return tuple(found)


def _units(section: PageSection) -> Iterator[EvidenceUnit]:
    waiting: Block | None = None
    runs = runs_of(section.blocks)
    here = section
    for run, terms, row in zip(runs, terms_around(runs), rows_above(runs), strict=True):
        kind = kind_of(run)
        lead_in = waiting if kind in {"list", "table", "code"} else None
        if waiting is not None and lead_in is None:
            yield _unit(here, "paragraph", [waiting])
        waiting = None
        here = replace(section, path=(*section.path, row)) if row else section
        if kind == "paragraph":
            *whole, last = records_of(run)
            yield from (_paragraph_or_record(here, each) for each in whole)
            if len(last) == 1 and fold(last[0].text).endswith(COLONS):
                waiting = last[0]
            else:
                yield _paragraph_or_record(here, last)
        elif kind is not None and not (kind == "list" and is_link_list(run)):
            yield _unit(replace(here, path=(*here.path, *terms)), kind, run, lead_in)
    if waiting is not None:
        yield _unit(here, "paragraph", [waiting])


def _paragraph_or_record(section: PageSection, blocks: Sequence[Block]) -> EvidenceUnit:
    return _unit(section, "paragraph" if len(blocks) == 1 else "definition", blocks)


def runs_of(blocks: Iterable[Block]) -> list[list[Block]]:
    """Return the neighbouring blocks of one unit together; descriptions without a group follow their term."""
    runs: list[list[Block]] = []
    for _, together in groupby(blocks, key=_belongs_to):
        run = list(together)
        if runs and _is_loose(run[0], "dd") and _is_loose(runs[-1][-1], "dt"):
            runs[-1] += run
        else:
            runs.append(run)
    return runs


def _is_loose(block: Block, kind: str) -> bool:
    return block.kind == kind and not block.group


def _belongs_to(block: Block) -> tuple[str, str]:
    """Return what neighbouring blocks of one unit have in common."""
    if block.group.startswith("c") and block.kind == "p" and extent(block.text) > _LONGEST_NOTE:
        return "p", ""
    if block.group[:1] in {"c", "q"} or (block.group and block.kind in _TABLE | _DEFINITION | {"li"}):
        return "group", block.group
    if block.kind in _TABLE:
        return "table", ""
    if block.kind in _DEFINITION:
        # Without a group every term begins a definition of its own.
        return "definition", block.id if block.kind == "dt" else ""
    if block.kind in {"code", "quote"}:
        return block.kind, block.id if block.kind == "code" else block.speaker
    return block.kind, ""


def kind_of(run: Sequence[Block]) -> UnitKind | None:
    """Return the kind of a run, None for what is no evidence."""
    kinds = {block.kind for block in run}
    if "price" in kinds:
        return "price"
    first = run[0].kind
    if first in {"p", "quote", "code"}:
        return {"p": "paragraph", "quote": "quote", "code": "code"}[first]  # type: ignore[return-value]
    if first == "li":
        return "list"
    if kinds <= _TABLE and kinds & {"table", "table_head"}:
        return "table"
    if first in _DEFINITION:
        return "definition"
    return "paragraph" if first != FOREIGN and first not in _TABLE else None


def _unit(
    section: PageSection, kind: UnitKind, run: Sequence[Block], lead_in: Block | None = None
) -> EvidenceUnit:
    """Return the unit of a run; ``lead_in`` is the paragraph that announces it."""
    text, members = _MAKERS[kind](section, run)
    blocks = [*([lead_in] if lead_in else []), *run]
    if lead_in:
        lead = fold(lead_in.text)
        text, members = _lines(lead, text), {**members, "lead_in": lead}
    page_id = section.page.page_id
    return EvidenceUnit(
        id=evidence_id(page_id, blocks[0].id),
        kind=kind,
        page_id=page_id,
        page_name=section.page_name,
        text=text,
        block_ids=tuple(block.id for block in blocks),
        author=section.author,
        **{"path": section.path, **members},
    )


Made = tuple[str, dict[str, Any]]
"""The text of a unit, and members beside it."""


def _paragraph(section: PageSection, run: Sequence[Block]) -> Made:
    return fold(run[0].text), {}


def _list(section: PageSection, run: Sequence[Block]) -> Made:
    items = tuple(fold(block.text) for block in run)
    numbered = run[0].lists.endswith("o")
    marks = (f"{n}. " if numbered else "- " for n in range(1, len(items) + 1))
    lines = [f"{mark}{item}" for mark, item in zip(marks, items, strict=True)]
    return _lines(*lines), {"items": items, "numbered": numbered}


def _table(section: PageSection, run: Sequence[Block]) -> Made:
    caption = _BETWEEN_CAPTIONS.join(fold(block.text) for block in run if block.kind == "caption")
    header, rows = header_and_rows(run)
    body = tuple(cells_of(row) for row in rows)
    lines = (CELL_SEPARATOR.join(cells) for cells in ([header] if header else []) + list(body))
    heads = max((block.row_heads for block in run), default=0)
    return _lines(caption, *lines), {"caption": caption, "header": header, "rows": body, "row_heads": heads}


def _definition(section: PageSection, run: Sequence[Block]) -> Made:
    if run[0].kind == "p":
        term, items = name_and_fields(run)
        return fold(" ".join(block.text for block in run)), {"lead_in": term, "items": items}
    term = term_of(run)
    items = tuple(fold(block.text) for block in run if block.kind != "dt")
    lead_in = f"{without_colon(term)}: " if term else ""
    return f"{lead_in}{' '.join(items)}", {"lead_in": term, "items": items}


def _code(section: PageSection, run: Sequence[Block]) -> Made:
    code = run[0].text.strip("\n")
    return code, {"items": (code,), "language": run[0].language}


def _quote(section: PageSection, run: Sequence[Block]) -> Made:
    said = fold(" ".join(block.text for block in run))
    speaker = next((block.speaker for block in run if block.speaker), "")
    return f"{said} — {speaker}" if speaker else said, {"items": (said,), "speaker": speaker}


def _price(section: PageSection, run: Sequence[Block]) -> Made:
    """Return a price card: its heading, or the one above, names the plan, its lines say the price."""
    card = card_of(run)
    plan, amounts, items = card.plan or section.heading, (*card.prices, *card.notes), card.items
    lead = f"{plan}: {'; '.join(amounts)}" if plan else "; ".join(amounts)
    above = section.path if not plan or section.path[-1:] == (plan,) else (*section.path, plan)
    return _lines(lead, *(f"- {item}" for item in items)), {"lead_in": lead, "items": items, "path": above}


_MAKERS: Final[Mapping[UnitKind, Callable[[PageSection, Sequence[Block]], Made]]] = {
    "paragraph": _paragraph,
    "list": _list,
    "table": _table,
    "definition": _definition,
    "code": _code,
    "quote": _quote,
    "price": _price,
}


def _lines(*lines: str) -> str:
    return "\n".join(line for line in lines if line)
