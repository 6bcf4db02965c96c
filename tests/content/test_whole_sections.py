"""What belongs together is quoted together: no section loses its listing, its list or its telephone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.sections import sections_of
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import library_of
from app.content.retrieval.quotable import is_first_person
from app.pages.extraction.blocks import Block
from tests.content.conftest import PageMaker, Part, SiteMaker, write

WHO = "The smoker is lent to anybody of the village, and the course is free for people who"
TABLE = [("table_head", "Light | What to do"), ("table", "Green | nothing"), ("table", "Red | see below")]
BELOW = ("p", "A red light of the scale means that its cable is broken, and a new one costs six euros.")

Quoter = Callable[..., str]


@pytest.fixture
def quoted(make_page: PageMaker) -> Quoter:
    """Return what is quoted of a section with these parts under a heading, "" for nothing."""

    def quote(heading: str, *parts: Part) -> str:
        page = make_page(1, "scale", [("h1", "The scale of a hive"), ("h2", heading), *parts])
        of_table = {"caption", "table", "table_head"}
        blocks = (replace(each, group="t1") if each.kind in of_table else each for each in page.blocks)
        page = replace(page, blocks=tuple(blocks))
        run = excerpt(library_of([page], "en").sections[0], 90, "en")
        return run.text if run else ""

    return quote


def test_a_section_of_a_listing_alone_is_quoted(quoted: Quoter) -> None:
    assert quoted("By command", ("code", "scale read --unit kg")) == "scale read --unit kg"


def test_the_last_step_behind_a_table_is_quoted(quoted: Quoter) -> None:
    last = ("li", "Save the weight, and read it again in the evening.")
    assert quoted("Set up", BELOW, *TABLE[:2], ("table", "Red | call us"), last).endswith(last[1])
    led = ("p", f"{BELOW[1]} One thing is left:")
    assert quoted("Set up", led, last) == BELOW[1]


@pytest.mark.parametrize("ends", ["who", "who:"])
def test_a_sentence_that_goes_on_in_a_list_stays_with_it(quoted: Quoter, ends: str) -> None:
    lead = ("p", WHO.replace(" who", f" {ends}"))
    text = quoted("Who pays", lead, ("li", "are younger than twelve, or"), ("li", "have no bees yet."))
    assert text == f"{lead[1]} are younger than twelve, or have no bees yet."


def test_a_sentence_that_goes_on_in_a_list_goes_with_it(quoted: Quoter) -> None:
    items = [("li", f"are number {n}, as the table shown below says, or") for n in range(3)]
    assert quoted("Who pays", BELOW, ("p", WHO), *items) == BELOW[1]


LONG = "A hive that stands in the wind loses weight, and its bees eat more of what they have stored in it. "
CAPTIONED = [("caption", "Weights in May"), ("table_head", "Hive | Weight"), ("table", "Old | 30 kg")]
ROWS = [("table", f"Hive {number} | {number} kg") for number in range(40)]


def test_a_table_with_a_caption_stays_where_the_text_before_it_is_cut(quoted: Quoter) -> None:
    text = quoted("Weights", ("p", LONG * 4), ("p", LONG * 3), *CAPTIONED, ("table", "New | 20 kg"))
    assert text == f"{' '.join([LONG.strip()] * 4)} Old | 30 kg New | 20 kg"
    bare = [*CAPTIONED[1:], ("table", "New | 20 kg")]
    assert "30 kg" not in quoted("Weights", ("p", LONG * 4), ("p", LONG * 3), *bare)
    led = ("p", "Weights in May:")
    assert "Weights in May: Old | 30 kg" in quoted("Weights", ("p", LONG * 4), led, *bare)


def test_a_table_of_prices_is_quoted_and_a_catalogue_is_not(quoted: Quoter) -> None:
    assert "Hive 16 | 16 kg" in quoted("Weights", ("table_head", "Hive | Weight"), *ROWS[:17], BELOW)
    assert "Hive 16" not in quoted("Weights", ("table_head", "Hive | Weight"), *ROWS, BELOW)


@pytest.mark.parametrize(
    "formula",
    [
        "honey per hive = honey of the year ÷ hives",
        "Feed = (weight in May − weight now) × 1.5",
        "60 + (60 × 5) = 360",
    ],
)
def test_a_formula_is_quoted_in_its_place(quoted: Quoter, formula: str) -> None:
    before = ("p", "The honey of a hive is what its keeper asks for first, and the answer is a division.")
    after = ("p", "It leaves out what the bees eat.")
    assert quoted("Honey", before, ("p", formula), after) == f"{before[1]} {formula} {after[1]}"
    cut = ("p", "The honey of a hive is shown below.")
    assert formula in quoted("Honey", before, cut, ("p", formula))


@pytest.mark.parametrize("text", ["scale = new Scale(1 + 2);", "weight = 12 kg", "Hive = a box"])
def test_code_and_settings_are_no_formula(quoted: Quoter, text: str) -> None:
    assert quoted("Honey", BELOW, ("p", text)) == BELOW[1]


def test_an_answer_leans_on_any_heading_that_asks(quoted: Quoter) -> None:
    answer = ("p", "Then take the smaller one. It may last for one summer only, but it is never too heavy.")
    assert quoted("And between two sizes?", answer) == answer[1]
    assert "smaller one" not in quoted("Between two sizes", answer)


def test_a_cell_points_to_the_text_below_its_table(quoted: Quoter) -> None:
    assert "Red | see below" in quoted("Lights", *TABLE, BELOW)
    assert "Green" not in quoted("Lights", BELOW, *TABLE)


def test_a_table_of_prices_is_quoted_without_the_cell_that_points_elsewhere() -> None:
    rows = [
        ("table_head", "Machine | Price | Work"),
        ("table", "An old machine of steel | €79 | see below"),
        ("table", "A new machine with a screen | €99 | with a test of all stitches"),
    ]
    blocks = tuple(Block(f"b{n}", kind, text, group="t1") for n, (kind, text) in enumerate(rows, 1))
    page = SourcePage(1, "https://bees.example/prices", "Prices", "", False, blocks)
    table = excerpt(sections_of([page])[0], 90, "en")
    assert table is not None
    assert [row.cells for row in table.paragraphs[0].sentences] == [
        ("An old machine of steel", "€79", ""),
        ("A new machine with a screen", "€99", "with a test of all stitches"),
    ]


@pytest.mark.parametrize(
    ("sentence", "first"),
    [
        ("You find the password in My Hive → Scale.", False),
        ("You find it below My Account and Devices.", False),
        ("My Hive is in the garden.", True),
        ("In spring I weigh the hive.", True),
        ("In spring my Hive is weighed.", True),
    ],
)
def test_the_name_of_a_menu_is_nobody_speaking(sentence: str, first: bool) -> None:
    assert is_first_person(sentence, "en") == first


SCALE = "A scale under a hive tells you every evening how much honey its bees have carried home."


def test_a_rule_in_the_first_person_stays_on_the_page_about_the_topic(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    rule = "My own rule: with fewer than twelve kilograms in October I feed the hive, and with more I do not."
    weighed = ("p", "Weighing a hive takes a minute: lift it at the back, and read the scale twice.")
    parts = [("h1", "Weighing a hive"), ("p", SCALE), ("h2", "How a hive is weighed"), weighed]
    page = make_page(1, "weighing-a-hive", [*parts, ("h2", "Feeding by weight"), ("p", rule)])
    text = write(make_site(page), topic="weighing a hive").post.markdown
    assert f"## Feeding by weight\n\n{rule}" in text


def test_a_long_page_gives_only_the_sections_that_say_some_of_the_topic(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    bell = "The bell rings when a command has ended, and it can be turned off in the settings. " * 9
    others = [
        part for n in range(20) for part in (("h2", f"Bell {n}"), ("p", bell.replace("bell", f"bell {n}")))
    ]
    feed = "Weigh each hive before you feed it, since a heavy hive in autumn needs nothing from you."
    parts = [
        ("h1", "All commands"),
        ("h2", "Weighing a hive"),
        ("p", SCALE),
        ("h2", "Feed"),
        ("p", feed),
        *others,
    ]
    text = write(make_site(make_page(1, "commands", parts)), topic="weighing a hive").post.markdown
    assert feed in text
    assert "The bell" not in text


@pytest.mark.parametrize("rest", ["", " See the plan of the school for it."])
def test_a_fragment_is_not_quoted_without_what_follows_it(quoted: Quoter, rest: str) -> None:
    assert quoted("Place", BELOW, ("p", f"Location.{rest}")) == BELOW[1]
    kept = ("p", "Location. A hive stands in the morning sun.")
    assert quoted("Place", BELOW, kept) == f"{BELOW[1]} {kept[1]}"


def test_a_sentence_on_the_following_stays_with_the_table_or_list_that_follows(quoted: Quoter) -> None:
    note = ("p", "Important! Weigh the hive for all of the following lights.")
    assert quoted("Lights", BELOW, note, *TABLE[:2], ("table", "Red | call us")).startswith(
        f"{BELOW[1]} {note[1]} Green"
    )
    assert quoted("Lights", BELOW, note, ("p", "The lights are on the back of the scale.")) == BELOW[1]
    assert quoted("Lights", BELOW, note, ("table", "Green | nothing")) == BELOW[1]


def test_a_sentence_that_counts_stays_with_what_it_counts(quoted: Quoter) -> None:
    first = "Two examples from the village: a hive in the shade lost half of its honey in one wet summer."
    other = "Another lost its queen."
    assert quoted("Place", ("p", f"{LONG * 2}{BELOW[1]} {first} {other}")).endswith(f"{first} {other}")
    pointing = "Another is shown below."
    assert quoted("Place", ("p", f"{BELOW[1]} {first} {pointing}")) == BELOW[1]
    whole = "Three things help: shade, water and rest."
    assert quoted("Place", ("p", f"{BELOW[1]} {whole} See the plan below.")) == f"{BELOW[1]} {whole}"


RULES = [("li", f"Wear a veil at hive number {n}, and gloves at all of them.") for n in range(3)]


def test_a_list_of_which_one_item_in_four_points_elsewhere_is_quoted_whole(quoted: Quoter) -> None:
    pointing = ("li", "Signed rules, see below.")
    assert pointing[1] in quoted("Four rules", *RULES, pointing)
    assert quoted("Three rules", *RULES[:2], pointing) == ""
    assert quoted("Four rules", *RULES, ("li", "Write to office@bees.example before.")) == ""


def test_a_table_of_which_one_row_in_four_points_elsewhere_is_quoted_whole(quoted: Quoter) -> None:
    rows = [("table", f"Light {n} | Feed the hive until the evening") for n in range(3)]
    pointing = ("table", "Red light | Its cable is broken, and what to do is shown below")
    assert pointing[1] in quoted("Lights", TABLE[0], *rows, pointing)
    assert quoted("Lights", TABLE[0], *rows[:1], pointing) == ""


def test_what_somebody_goes_on_saying_is_quoted_with_the_beginning(quoted: Quoter) -> None:
    said = '"We had nearly sold the scale," says Ruth Fell, who keeps the books of the village hall.'
    turn = '"Then I looked under the lid and found a letter of my aunt about it."'
    assert turn in quoted("How it stayed", ("p", f"{said} {turn}"))
    assert turn not in quoted("How it stayed", ("p", f"The scale of the hall was nearly sold in May. {turn}"))
