"""An article in progress: parts, paragraphs, sentences, each with its place. Pure."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, NamedTuple

from app.content.drafts import Paragraph, Sentence
from app.content.rendering.markdown import with_backticks
from app.pages.extraction.blocks import CELL_SEPARATOR

Role = Literal["introduction", "section", "question", "closing"]
WHOLE: Final = -1
"""In a place, in the stead of a position: the whole paragraph, or, twice, the heading of the part."""


class Place(NamedTuple):
    """The place of a sentence: its part, paragraph and position, each counted from 0."""

    part: int
    paragraph: int
    sentence: int


@dataclass(frozen=True)
class Part:
    """A piece of an article under one heading; the introduction has none."""

    role: Role
    heading: str
    paragraphs: tuple[Paragraph, ...]
    evidence_ids: tuple[str, ...] = ()
    """The evidence that the plan gives to it."""


@dataclass(frozen=True)
class Statement:
    """A sentence at its place, the kind of its paragraph, and its neighbours in the part.

    A row of a table has the table's ``header``. The neighbours have their code between backticks.
    """

    place: Place
    kind: str
    sentence: Sentence
    before: str = ""
    after: str = ""
    header: tuple[str, ...] = ()


@dataclass(frozen=True)
class Draft:
    """An article: its parts in reading order."""

    parts: tuple[Part, ...]

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Every sentence in reading order; rows of tables and lines of listings count as sentences."""
        return self.statements_without(())

    def statements_without(self, places: Collection[Place]) -> tuple[Statement, ...]:
        """Return the sentences at other places; those at ``places`` are no neighbours either."""
        return tuple(
            each for number, part in enumerate(self.parts) for each in _statements(number, part, places)
        )

    def replaced(self, sentences: Mapping[Place, Sentence]) -> Draft:
        """Return the draft with other sentences at these places."""
        return self._changed(lambda place, sentence: sentences.get(place, sentence))

    def emptied(self, places: Iterable[Place]) -> Draft:
        """Return the draft without the sentences at these places; all others keep theirs."""
        removed = frozenset(places)
        return self._changed(lambda place, sentence: None if place in removed else sentence)

    def without(self, places: Iterable[Place]) -> Draft:
        """Return the draft without the sentences at these places, and without parts that become empty."""
        parts = self.emptied(places).parts
        left = (replace(part, paragraphs=with_bodies(part.paragraphs)) for part in parts)
        return Draft(tuple(part for part in left if part.paragraphs))

    def _changed(self, change: Callable[[Place, Sentence], Sentence | None]) -> Draft:
        return Draft(
            tuple(
                replace(
                    part,
                    paragraphs=tuple(
                        replace(paragraph, sentences=_kept(number, position, paragraph, change))
                        for position, paragraph in enumerate(part.paragraphs)
                    ),
                )
                for number, part in enumerate(self.parts)
            )
        )


def _kept(
    part: int, position: int, paragraph: Paragraph, change: Callable[[Place, Sentence], Sentence | None]
) -> tuple[Sentence, ...]:
    found = (change(Place(part, position, n), each) for n, each in enumerate(paragraph.sentences))
    return tuple(sentence for sentence in found if sentence is not None)


def with_bodies(paragraphs: Iterable[Paragraph]) -> tuple[Paragraph, ...]:
    """Return the paragraphs that have sentences, without headings at their end."""
    filled = [paragraph for paragraph in paragraphs if paragraph.sentences]
    following = [*filled, None][1:]
    return tuple(
        paragraph
        for paragraph, after in zip(filled, following, strict=True)
        if paragraph.kind != "heading" or (after is not None and after.kind != "heading")
    )


def marked(sentence: Sentence) -> str:
    """Return the text of a sentence with its code between backticks."""
    return with_backticks(sentence.text, sentence.code)


def _statements(number: int, part: Part, left_out: Collection[Place]) -> Iterator[Statement]:
    found = [
        (Place(number, position, n), paragraph, sentence)
        for position, paragraph in enumerate(part.paragraphs)
        for n, sentence in enumerate(paragraph.sentences)
        if Place(number, position, n) not in left_out
    ]
    for at, (place, paragraph, sentence) in enumerate(found):
        before = marked(found[at - 1][2]) if at else part.heading
        after = marked(found[at + 1][2]) if at + 1 < len(found) else ""
        yield Statement(place, paragraph.kind, sentence, before, after, paragraph.header)


def in_form_of(old: Sentence, new: Sentence) -> Sentence:
    """Return a sentence in place of another; of a row, one with as many cells, else an empty one."""
    if not old.cells or not new.text:
        return new
    cells = tuple(cell.strip() for cell in new.text.split("|"))
    if len(cells) != len(old.cells):
        return Sentence("", (), "model")
    return Sentence(CELL_SEPARATOR.join(cells), new.source_ids, "model", cells=cells, code=new.code)
