"""Lists, definitions, code and the words of tiles are read whole and as a reader sees them."""

from __future__ import annotations

import json

import pytest

from app.pages.extraction.blocks import Block
from tests.support.html_pages import group, page, read, texts


@pytest.mark.parametrize(
    ("tile", "shown"),
    [
        ("<strong>41,200</strong><span>bikes</span>", "41,200 bikes"),
        ("<span>41,200</span> <span>bikes</span>", "41,200 bikes"),
        ("<span>19 → 3</span>stoppages a quarter", "19 → 3 stoppages a quarter"),
        ("<span>11 – 14</span><span>outings</span>", "11 – 14 outings"),
        ("<span>Monthly</span><span>Yearly – two months free</span>", "Monthly Yearly – two months free"),
        ("Our <b>i</b><b>Phone</b>", "Our iPhone"),
        ("<span style='display:block'>41k</span><i>x</i>", "41k x"),
        ("<span class=big>Fast</span><span>service</span>", "Fast service"),
        ("<b>foo</b><i>bar</i>", "foobar"),
        ("<b>5</b><i>th</i> of May", "5th of May"),
        ("H<sub>2</sub>O", "H2O"),
        ("<span>£</span><span>12</span>", "£12"),
    ],
)
def test_words_side_by_side_are_spaced_as_a_reader_sees_them(tile: str, shown: str) -> None:
    assert texts(f"<div>{tile}</div>", "<style>.big{display:block}</style>") == [shown]


def test_items_of_a_flexible_box_are_spaced() -> None:
    assert texts("<div style='display:flex'><b>One</b><i>two</i></div>") == ["One two"]
    rule = "<style>.f{display:inline-flex}</style>"
    assert texts("<p><span class=f><b>One</b><i>two</i></span></p>", rule) == ["One two"]


def test_numbers_and_what_they_count_stay_together() -> None:
    texts = [block.text for block in page("pricing").blocks]
    assert texts[-3:] == ["41,200 bikes", "98% of repairs on time", "310 workshops"]


def test_terms_stay_with_what_they_mean() -> None:
    reference = page("reference")
    assert group(reference, "d1") == [
        ("dt", "log.open(path)"),
        ("dt", "log.open_all(paths)"),
        ("dd", "Open one log, or several."),
        ("li", "Files are made when missing."),
        ("li", "Folders are not."),
        ("dd", "Logs close themselves."),
    ]
    assert group(reference, "d2") == [("dt", "Raises"), ("dd", "OSError when the disk is full.")]
    assert group(reference, "d4") == [("dt", "log.level"), ("dd", "How much is kept.")]


def test_the_items_of_a_list_and_of_those_inside_are_one_group() -> None:
    blocks = read("<ul><li>a<ol><li>b</ol><li>c</ul><ul><li>d</ul><p>e</p>")
    assert [block.group for block in blocks] == ["l1", "l1", "l1", "l2", ""]


def test_code_keeps_lines_prompts_and_language() -> None:
    listings = [(b.text, b.language) for b in page("reference").blocks if b.kind == "code"]
    assert listings == [
        ("$ pip install log\n$ log --version\n2.1", "console"),
        ("forward:\n  to: syslog\n\n  level: info", "yaml"),
        ('import log\nlog.open("a")', "python"),
        ("plain | text", ""),
    ]


@pytest.mark.parametrize(
    ("opened", "language"),
    [
        ("<pre class='language-rust'>", "rust"),
        ("<pre class='sourceCode bash'>", "bash"),
        ("<pre class='brush: js;'>", "js"),
        ("<div class='highlight-source-c++'><pre>", "c++"),
        ("<pre data-language=Go>", "go"),
        ("<pre class='language-none'>", ""),
        ("<div class='highlight-default notranslate'><pre>", ""),
        ("<pre class='language-<x>'>", ""),
    ],
)
def test_the_language_of_a_listing_is_what_its_markup_says(opened: str, language: str) -> None:
    assert read(f"{opened}x = 1")[0].language == language


def test_a_question_on_a_button_that_unfolds_its_answer_is_a_heading() -> None:
    blocks = read("<h3><button>Can I cancel?</button></h3><div><p>At any time.</p></div>")
    assert [(b.kind, b.text) for b in blocks] == [("heading", "Can I cancel?"), ("p", "At any time.")]


@pytest.mark.parametrize("name", ["pricing", "testimonials", "reference", "post"])
def test_every_block_survives_storage(name: str) -> None:
    blocks = page(name).blocks
    stored = json.loads(json.dumps([block.to_json() for block in blocks]))
    assert tuple(map(Block.from_json, stored)) == blocks
    assert all("" not in (block.get("group"), block.get("speaker")) for block in stored)


def test_a_block_stored_without_the_members_of_today_is_read() -> None:
    block = Block.from_json({"id": "b1", "kind": "table", "text": "a | b", "heading_path": ["A"]})
    assert (block.group, block.cells, block.row_heads, block.speaker, block.language) == ("", (), 0, "", "")
    assert block.to_json() == {"id": "b1", "kind": "table", "text": "a | b", "heading_path": ["A"]}
