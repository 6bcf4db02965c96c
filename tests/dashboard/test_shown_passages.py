"""Tables of what was read are shown as tables, and a cut ends with a word."""

from __future__ import annotations

import pytest

from app.content.plan import shortened
from app.dashboard.ui.passages import ShownTable, blocks_and_tables, lines_and_tables
from app.infra.db import db
from app.pages.extraction.blocks import Block
from app.pages.service import add_page
from app.projects.model import Project
from tests.dashboard.conftest import Visitor

PRICES = "What it costs\nInstrument | First Note | Steady\nFlute | £16 | £12.50\nOboe | £32"


def test_the_rows_of_a_passage_are_a_table_below_its_caption() -> None:
    caption, table = lines_and_tables(PRICES)
    assert caption == "What it costs"
    assert table == ShownTable(
        ("Instrument", "First Note", "Steady"), [("Flute", "£16", "£12.50"), ("Oboe", "£32", "")]
    )


@pytest.mark.parametrize("text", ["One line | with a bar.", "1. Ring us.\n2. Bring photo ID."])
def test_a_line_with_a_bar_and_a_list_are_text(text: str) -> None:
    assert list(lines_and_tables(text)) == [text]


def test_the_rows_of_each_table_of_a_page_are_together() -> None:
    said = Block("b1", "p", "Two tables.")
    first = [
        Block("b2", "table", "Monday | Closed", group="t1"),
        Block("b3", "table", "Tuesday | Open", group="t1"),
    ]
    second = [
        Block("b4", "table_head", "Day | Hours", group="t2"),
        Block("b5", "table", "Friday | 8", group="t2"),
    ]
    assert list(blocks_and_tables([said, *first, *second])) == [
        said,
        ShownTable((), [("Monday", "Closed"), ("Tuesday", "Open")]),
        ShownTable(("Day", "Hours"), [("Friday", "8")]),
    ]


@pytest.mark.parametrize(
    ("longest", "cut"),
    [(17, "One every 12 mo"), (14, "One every 12…"), (13, "One every 12…"), (11, "One every…"), (3, "On…")],
)
def test_a_cut_ends_with_a_word(longest: int, cut: str) -> None:
    text = "One every 12 mo"
    assert shortened(text, longest) == cut


def test_a_text_without_spaces_is_cut_between_characters() -> None:
    assert shortened("木管楽器" * 30, 9) == "木管楽器木管楽器…"
    assert shortened("Woodwind " + "木管楽器" * 30, 60) == f"Woodwind {'木管楽器' * 30}"[:59] + "…"


def test_a_page_shows_its_tables_as_tables(alice: Visitor, project_id: int) -> None:
    content = "# Hire\n\n| Instrument | A month |\n|---|---|\n| Flute | £16 |\n| Oboe | £32 |\n"
    page = alice.get(supplied(alice, project_id, content)).text
    assert "<td>Oboe</td><td>£32</td>" in page
    assert '<th scope="col">A month</th>' in page


def supplied(alice: Visitor, project_id: int, content: str) -> str:
    """The address of a page of Alice's project whose text she gave."""
    with alice.app.app_context():
        project = db.session.get_one(Project, project_id)
        page = add_page(project, {"url": "https://alice.example.com/hire", "content": content}).page
        return f"/projects/{project_id}/pages/{page.id}"
