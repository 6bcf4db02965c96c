"""What stands below a row of its own is about what the row names; a page is called by its own heading."""

from __future__ import annotations

from app.content.artefacts import SourcePage
from app.content.evidence.sections import page_name, sections_of
from app.content.evidence.units import units_of
from app.pages.extraction.blocks import Block


def block(number: int, kind: str, text: str, *path: str) -> Block:
    return Block(f"b{number}", kind, text, heading_path=path)


def page(*blocks: Block, title: str = "Options") -> SourcePage:
    return SourcePage(1, "https://bees.example/options", title, None, False, blocks)


def named(*rows: int) -> dict[str, tuple[str, ...]]:
    """The headings of each description in a manual of five options, of which ``rows`` have a row."""
    blocks = [block(0, "heading", "Options")]
    for n in range(1, 6):
        row = block(2 * n, "table", f"weight_{n} | Type: string", "Options")
        blocks += [row] if n in rows else []
        blocks.append(block(2 * n + 1, "p", f"It says how heavy hive number {n} may be.", "Options"))
    return {
        unit.text: unit.path for unit in units_of(sections_of([page(*blocks)])) if unit.kind == "paragraph"
    }


def test_a_description_below_a_row_is_about_what_the_row_names() -> None:
    found = named(1, 2, 4)
    assert found["It says how heavy hive number 1 may be."] == ("Options", "weight_1")
    assert found["It says how heavy hive number 3 may be."] == ("Options", "weight_2")
    assert found["It says how heavy hive number 5 may be."] == ("Options", "weight_4")


def test_a_longer_text_below_the_last_row_is_about_no_option() -> None:
    found = named(1, 2, 3)
    assert found["It says how heavy hive number 2 may be."] == ("Options", "weight_2")
    assert found["It says how heavy hive number 4 may be."] == ("Options",)


def test_rows_of_a_table_of_words_name_nothing_below_them() -> None:
    blocks = [block(0, "heading", "Options")]
    for n, day in enumerate(("Monday", "Tuesday", "Friday"), 1):
        blocks += [
            block(2 * n, "table", f"{day} | 9 to 17", "Options"),
            block(2 * n + 1, "p", f"Hive {n}.", "Options"),
        ]
    found = units_of(sections_of([page(*blocks)]))
    assert {unit.path for unit in found} == {("Options",)}


def test_one_or_two_small_tables_name_nothing_below_them() -> None:
    assert set(named(1, 4).values()) == {("Options",)}


def test_the_name_of_the_site_above_the_heading_of_a_page_is_not_its_name() -> None:
    banner = block(1, "heading", "Bee School")
    own = block(2, "heading", "Chapter 3 - Feeding", "Bee School")
    text = block(3, "p", "Feed them in autumn.", "Bee School", "Chapter 3 - Feeding")
    assert page_name(page(banner, own, text, title="3. Feeding")) == "Feeding"
    assert page_name(page(banner, own, text, title="A year with bees")) == "Bee School"
