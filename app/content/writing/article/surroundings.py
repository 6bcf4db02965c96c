"""What a sentence of a draft may count, and go on from: the lists and sentences around it. Pure."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from app.content.writing.article.draft import Draft, Part, Place, Statement
from app.content.writing.article.incomplete import LISTS


@dataclass(frozen=True)
class Surroundings:
    """The sentences of a draft in reading order, and for each part the numbers that a reader can count."""

    counts: tuple[Collection[int], ...]
    statements: tuple[Statement, ...]

    @classmethod
    def of(cls, draft: Draft, without: Collection[Place] = ()) -> Surroundings:
        """Return those of a draft; sentences at some places are left out, and the counts are not."""
        return cls(tuple(seen_counts(draft)), draft.statements_without(without))

    def before(self, place: Place) -> Iterator[Statement]:
        """Yield the sentences before a place."""
        return (each for each in self.statements if each.place < place)


def seen_counts(draft: Draft) -> list[set[int]]:
    """Return for each part the numbers that a reader can count: items, rows, columns, sections."""
    sections = sum(
        part.role == "section" and any(p.sentences for p in part.paragraphs) for part in draft.parts
    )
    return [_lengths(part) | {sections} for part in draft.parts]


def _lengths(part: Part) -> set[int]:
    listed = [paragraph.sentences for paragraph in part.paragraphs if paragraph.kind in LISTS]
    columns = {len(sentence.cells) for sentences in listed for sentence in sentences if sentence.cells}
    return {len(sentences) for sentences in listed} | columns | {count - 1 for count in columns}
