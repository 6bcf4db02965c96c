"""What frames a quoted passage on its page and says how to read it. Pure.

The caption of a table and the note below it, the rest of a description in a list of definitions, and the
sentence that counts the sections that follow ("There are three ways").
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from app.content.artefacts import evidence_id
from app.content.drafts import Paragraph, Sentence
from app.content.evidence.sections import PageSection
from app.content.evidence.units import runs_of
from app.content.retrieval.quotable import COLONS, is_unfit, stands_alone
from app.language.number_words import number_words
from app.language.references import announces_more
from app.language.sentences import join_sentences, sentences
from app.language.words import extent, fold
from app.pages.extraction.blocks import Block

_LONGEST_DESCRIPTION: Final = 60
"""Words of a description in a list of definitions."""

_ROWS: Final = frozenset({"table", "table_head"})


def framed(paragraphs: Sequence[Paragraph], section: PageSection, language: str) -> tuple[Paragraph, ...]:
    """Return the paragraphs quoted from a section, with captions, notes and whole descriptions."""
    blocks = {evidence_id(section.page.page_id, block.id): block for block in section.blocks}
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
            source = evidence_id(section.page.page_id, block.id)
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


def with_count(
    paragraphs: Sequence[Paragraph], section: PageSection, following: int, language: str
) -> tuple[Paragraph, ...]:
    """Return the paragraphs with the sentence that ends their section by counting what comes next.

    An excerpt leaves it out. ``following``: how many sections of its page follow in the post; there are as
    many as it counts.
    """
    last = paragraphs[-1]
    ending = [(block, sentence) for block in section.blocks for sentence in sentences(block.text)]
    if last.kind != "p" or len(ending) < 2:
        return tuple(paragraphs)
    (_, before), (block, counting) = ending[-2:]
    counts = [int(each.number) for each in number_words(counting, language) if each.number.isdecimal()]
    fits = (
        before == last.sentences[-1].text
        and announces_more(counting, language)
        and not counting.endswith((*COLONS, "?"))
        and stands_alone(counting, language)
        and any(1 < count <= following for count in counts)
    )
    if not fits:
        return tuple(paragraphs)
    source = evidence_id(section.page.page_id, block.id)
    return *paragraphs[:-1], replace(
        last, sentences=(*last.sentences, Sentence(counting, (source,), "source"))
    )
