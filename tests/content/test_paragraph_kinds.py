"""Paragraphs of every kind as Markdown and as HTML."""

from __future__ import annotations

from dataclasses import replace

from bs4 import BeautifulSoup

from app.content.artefacts import SourceSnapshot
from app.content.assembly.assemble import assemble
from app.content.drafts import Paragraph, SectionDraft, Sentence
from app.content.rendering.html import render_html
from app.content.rendering.markdown import escape_inside, pipe_table
from tests.content.conftest import write


def row(*cells: str) -> Sentence:
    return Sentence(" | ".join(cells), ("1:b1",), "source", cells=cells)


def shown(bees: SourceSnapshot, *paragraphs: Paragraph) -> BeautifulSoup:
    written = write(bees, topic="beehive")
    brief = replace(written.brief, link_candidates=())
    section = SectionDraft("s1", "Prices", (), paragraphs, ())
    post = assemble(brief, written.outline, [section], (), bees)
    return BeautifulSoup(post.html, "lxml")


def test_a_table_keeps_its_columns(bees: SourceSnapshot) -> None:
    paragraph = Paragraph("table", (row("Hive", "£12 | week"), row("Smoker", "*free*")), ("Thing", "Price"))
    html = shown(bees, paragraph)
    assert [cell.get_text() for cell in html.find_all("th")] == ["Thing", "Price"]
    rows = [[cell.get_text() for cell in line.find_all("td")] for line in html.select("tbody tr")]
    assert rows == [["Hive", "£12 | week"], ["Smoker", "*free*"]]


def test_a_table_without_a_header_and_with_short_rows_is_still_a_table() -> None:
    html = BeautifulSoup(render_html(pipe_table((), [("a", "b"), ("c",)])), "lxml")
    assert [[cell.get_text() for cell in line.find_all("td")] for line in html.select("tbody tr")] == [
        ["a", "b"],
        ["c", ""],
    ]


def test_markup_in_a_cell_stays_text() -> None:
    html = render_html(pipe_table(("x",), [(escape_inside("<script>alert(1)</script> [a](b)"),)]))
    soup = BeautifulSoup(html, "lxml")
    assert soup.find("script") is None
    assert soup.find("a") is None


def test_a_quote_names_its_speaker(bees: SourceSnapshot) -> None:
    said = Sentence("The bees came back.", ("1:b1",), "source")
    html = shown(bees, Paragraph("quote", (said,), speaker="Jane Doe, beekeeper"))
    said_by = [p.get_text() for p in html.select("blockquote p")]
    assert said_by == ["The bees came back.", "— Jane Doe, beekeeper"]


def test_code_names_its_language_and_a_heading_within_a_section_is_of_the_third_level(
    bees: SourceSnapshot,
) -> None:
    heading = Paragraph("heading", (Sentence("In Python", ("1:b1",), "source"),))
    code = Paragraph("code", (Sentence("weigh()", ("1:b1",), "source"),), language="python")
    html = shown(bees, heading, code)
    assert [h.get_text() for h in html.find_all("h3")] == ["In Python"]
    assert [listing.get_text().strip() for listing in html.find_all("pre")] == ["weigh()"]
