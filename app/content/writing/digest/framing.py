"""What frames a quoted passage on its page and says how to read it. Pure.

The caption of a table and the note below it, and the rest of a description in a list of definitions.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.sections import PageSection
from app.content.evidence.units import runs_of
from app.content.retrieval.quotable import is_unfit, stands_alone
from app.language.sentences import join_sentences, sentences
from app.language.words import extent, fold
from app.pages.extraction.blocks import Block

_LONGEST_DESCRIPTION: Final = 60
"""Words of a description in a list of definitions."""

_ROWS: Final = frozenset({"table", "table_head"})


def framed(paragraphs: Sequence[Paragraph], section: PageSection, language: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs quoted from a section, with captions, notes and whole descriptions."""
    blocks = {section.id_of(block): block for block in section.blocks}
    runs = [run for run in runs_of(section.blocks) if run[0].kind in _ROWS | {"caption"}]
    return tuple(
        each for paragraph in paragraphs for each in _framed(paragraph, section, blocks, runs, language)
    )


def _framed(
    paragraph: Paragraph,
    section: PageSection,
    blocks: Mapping[str, Block],
    tables: Iterable[Sequence[Block]],
    language: str,
) -> Iterator[Paragraph]:
    first = blocks[paragraph.sentences[0].source_ids[0]]
    if paragraph.kind == "ul" and paragraph.sentences[0].cells and first.kind not in _ROWS:
        whole = (_described(each, blocks[each.source_ids[0]], language) for each in paragraph.sentences)
        yield replace(paragraph, sentences=tuple(whole))
        return
    # A table of pairs is quoted as a list.
    run = next((run for run in tables if first in run), ())
    starts = next((at for at, block in enumerate(run) if block.kind in _ROWS), 0)
    yield from _captions(run[:starts], section, language)
    yield paragraph
    yield from _captions(run[starts:], section, language)


def _captions(blocks: Sequence[Block], section: PageSection, language: str) -> Iterator[Paragraph]:
    for block in blocks:
        text = fold(block.text)
        if block.kind == "caption" and text != section.heading and not is_unfit(text, language):
            source = section.id_of(block)
            yield Paragraph("caption", (Sentence(text, (source,), "source"),))


def _described(item: Sentence, block: Block, language: str) -> Sentence:
    """Return a term with as much of its description, from the start, as can be quoted."""
    term, said = item.cells
    for sentence in sentences(block.text)[1:]:
        longer = join_sentences([said, sentence])
        if extent(longer) > _LONGEST_DESCRIPTION or not stands_alone(sentence, language):
            break
        said = longer
    return replace(item, text=f"{term}: {said}", cells=(term, said))
