"""Records: which paragraphs belong to one, and which stand alone."""

from __future__ import annotations

from app.content.evidence.records import records_of
from app.pages.extraction.blocks import Block


def sizes(*texts: str) -> list[int]:
    return [len(record) for record in records_of([Block("", "p", text) for text in texts])]


RECORDS = [text for n in (1, 2, 3) for text in (f"Option: Hive-{n}", "Default:" if n == 2 else "Default: 30")]


def test_what_stands_behind_the_last_record_is_no_part_of_it() -> None:
    assert sizes(*RECORDS, "Never change one while the scale runs.") == [2, 2, 2, 1]


def test_notes_without_fields_are_no_records() -> None:
    notes = [text for n in (1, 2, 3) for text in (f"Note: Hive {n}", "It hums.", "It lasts.", "Tip: ask")]
    assert sizes(*notes) == [1] * len(notes)
