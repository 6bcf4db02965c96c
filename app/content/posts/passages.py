"""The passages of pages that the sentences of a post rest on. Pure."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.content.artefacts import page_of
from app.content.assembly.tracing import quote_of, source_ids_of
from app.content.evidence.quotes import QuotedPage, says
from app.content.evidence.units import EvidenceUnit
from app.content.retrieval.excerpt_tables import PART
from app.language.stems import content_stems
from app.pages.extraction.blocks import CELL_SEPARATOR

_COMMON: Final = 2
_ROW_OF_CARD: Final = re.compile(f"{re.escape(CELL_SEPARATOR)}|{re.escape(PART)}")
"""What a digest puts between the lines of a price card, which it makes a row of."""


@dataclass(frozen=True)
class Rest:
    """What a sentence rests on: a passage, and its words there if they are known.

    Without a ``unit`` no passage has the ``quote`` any more, or only the page of the ``source`` is known.
    """

    source: str
    unit: EvidenceUnit | None = None
    quote: str = ""

    @property
    def is_lost(self) -> bool:
        """Return whether the page no longer has the words."""
        return self.unit is None and bool(self.quote)

    @property
    def anchor(self) -> str:
        """The id of the passage's element."""
        kind = "lost" if self.is_lost else "from" if self.unit else "page"
        return f"{kind}-{self.source.replace(':', '-')}"


def rests_of(entry: Mapping[str, Any], pages: Mapping[int, QuotedPage], language: str) -> tuple[Rest, ...]:
    """Return what a sentence of a stored trace rests on, its quote first; nothing if it needs no source.

    The ids of passages move when a page changes, so one without the quote counts only if it has some of the
    sentence's words.
    """
    sources, quote = tuple(source_ids_of(entry)), quote_of(entry) or ""
    known = [pages[page_of(source)] for source in sources if page_of(source) in pages]
    own = [unit for page in known for source in sources if (unit := page.passage(source))]
    if entry["origin"] == "source" and any(unit.kind == "price" for unit in own):
        quote = _ROW_OF_CARD.sub("\n", quote)
    quoted = [unit for unit in own if says(unit, quote)]
    if not quoted:
        quoted = [unit for page in known if (unit := page.passage_with(quote))][:1]
    if sources and quote and not quoted and not any(page.has(quote) for page in known):
        return (Rest(sources[0], quote=quote),)
    stems = set(content_stems(entry["sentence"], language))
    beside = [
        unit
        for unit in own
        if unit not in quoted and len(stems.intersection(content_stems(unit.text, language))) >= _COMMON
    ]
    found = {unit.id: Rest(unit.id, unit, quote) for unit in quoted}
    found |= {unit.id: Rest(unit.id, unit) for unit in beside}
    return tuple(found.values()) or tuple(Rest(source) for source in sources[:1])
