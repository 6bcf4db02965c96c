"""Pages without certain sentences: what the caller wants avoided, or what the post says elsewhere. Pure.

A section is split at such a sentence, so that each part can be quoted by itself.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Final

from app.content.artefacts import SourceSnapshot
from app.content.evidence.sections import PageSection, page_name
from app.content.request import GenerationRequest
from app.content.retrieval.bm25 import Bm25Index
from app.content.retrieval.passages import Library, Passage, library_of, passages_of
from app.language.sentences import sentences
from app.language.words import fold
from app.pages.extraction.blocks import Block

Unwanted = Callable[[str], bool]

_PARTS: Final = 1000
"""More parts than a section is ever cut into."""


def library_for(request: GenerationRequest, snapshot: SourceSnapshot) -> Library:
    """Return the pages of a snapshot ready for searching.

    What the caller wants avoided is left out, and what the post says in the caller's own words already.
    """
    library = library_of(snapshot.pages, request.language, snapshot.project_name)
    library = replace(library, chosen=frozenset(request.chosen_page_ids))
    if not (request.avoid or request.key_points):
        return library
    avoided = avoided_pattern(request.avoid)
    said = {fold(point).lower() for point in request.key_points}
    return without(library, lambda text: bool(avoided.search(fold(text))) or fold(text).lower() in said)


def avoided_pattern(phrases: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of whole words and phrases; without any phrase it matches nothing."""
    found = "|".join(re.escape(fold(phrase)) for phrase in phrases if fold(phrase))
    return re.compile(rf"(?<!\w)(?:{found})(?!\w)" if found else r"(?!)", re.IGNORECASE)


def without(library: Library, unwanted: Unwanted) -> Library:
    """Return a library without the sentences, list items and headings that are ``unwanted``."""
    sections: list[PageSection] = []
    changed: set[int] = set()
    for page_id, grouped in groupby(library.sections, key=lambda section: section.page.page_id):
        own = list(grouped)
        kept = [part for section in own for part in _parts(section, unwanted)]
        if [(each.path, each.blocks) for each in kept] != [(each.path, each.blocks) for each in own]:
            changed.add(page_id)
        sections += kept if page_id in changed else own
    if not changed:
        return library
    passages: dict[int, list[Passage]] = {section.page.page_id: [] for section in sections}
    again = passages_of([each for each in sections if each.page.page_id in changed], library.language)
    for passage in (*(p for p in library.index.entries if p.section.page.page_id not in changed), *again):
        passages[passage.section.page.page_id].append(passage)
    index = Bm25Index([passage for found in passages.values() for passage in found])
    return replace(library, sections=tuple(sections), index=index)


def _parts(section: PageSection, unwanted: Unwanted) -> list[PageSection]:
    path = tuple(heading for heading in section.path if not unwanted(heading))
    if not path and unwanted(page_name(section.page)):
        return []
    runs = [tuple(run) for run in _runs(section.blocks, unwanted) if run]
    # The parts keep the section's place among the others; a page's opening keeps position 0.
    place = section.position * _PARTS
    return [replace(section, path=path, blocks=run, position=place + n) for n, run in enumerate(runs)]


def _runs(blocks: Sequence[Block], unwanted: Unwanted) -> list[list[Block]]:
    runs: list[list[Block]] = [[]]
    for kind, grouped in groupby(blocks, key=lambda block: block.kind):
        together = list(grouped)
        if kind == "li" and any(unwanted(block.text) for block in together):
            runs.append([])  # half a list would be another list
            continue
        for block in together:
            before, kept, after = _kept(block, unwanted)
            runs += [[]] if before else []
            runs[-1] += kept
            runs += [[]] if after else []
    return runs


def _kept(block: Block, unwanted: Unwanted) -> tuple[bool, list[Block], bool]:
    """Return what is left of a block, and whether the text is broken before and after it.

    Only its first clean run is kept: two parts of one block would share its id.
    """
    if block.kind not in {"p", "quote"}:
        return (True, [], True) if unwanted(block.text) else (False, [block], False)
    own = sentences(block.text)
    clean = [not unwanted(sentence) for sentence in own]
    if all(clean):
        return False, [block], False
    if not any(clean):
        return True, [], True
    start = clean.index(True)
    end = next((n for n in range(start, len(own)) if not clean[n]), len(own))
    kept = [replace(block, text=" ".join(own[start:end]))]
    return start > 0, kept, end < len(own)
