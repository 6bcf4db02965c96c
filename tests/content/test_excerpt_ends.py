"""Where an excerpt ends, so that nothing is announced that does not come."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.planning.titles import make_description
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import library_of
from tests.content.conftest import PageMaker, SiteMaker

WHOLE = "A beehive stands best in the morning sun, with its back to the wind and water close to it."


@pytest.mark.parametrize(
    "last",
    [
        "There are three kinds of boxes.",
        "So why is a beehive not made of steel?",
        "Here is what a beekeeper needs.",
        "The chart below shows the weight of a beehive.",
        "The lid is made of one sheet of steel¹.",
        "Recall that the lid of a beehive is heavy.",
        "More information...",
        "At step 4.2 the beekeeper opens the beehive again.",
        "Below is a plan of the lid that suits most beehives.",
    ],
)
def test_a_last_sentence_that_announces_more_is_left_out(
    last: str, make_page: PageMaker, make_site: SiteMaker
) -> None:
    page = make_page(1, "hives", [("h1", "Places"), ("p", f"{WHOLE} {last}"), ("table", "a | b")])
    [section] = library_of(make_site(page).pages, "en").sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert run.text == WHOLE


@pytest.mark.parametrize(
    ("language", "quoted"),
    [
        ("en", "“The hive is too light. It needs a feed. I shall bring it,” she said on the telephone."),
        ("de", "„Der Stock ist zu leicht. Er braucht Futter. Ich bringe es“, sagte sie am Telefon."),
        ("fr", "« La ruche est légère. Elle a faim. Je vais la nourrir », dit-elle au téléphone."),
    ],
)
def test_no_half_of_a_quotation_is_quoted(
    language: str, quoted: str, make_page: PageMaker, make_site: SiteMaker
) -> None:
    page = make_page(1, "hives", [("h1", "Places"), ("p", f"{WHOLE} {quoted}"), ("table", "a | b")])
    [section] = library_of(make_site(page).pages, language).sections
    run = excerpt(section, 90, language)
    assert run is not None
    assert run.text == WHOLE


def test_a_sentence_about_cookies_is_no_banner(make_page: PageMaker, make_site: SiteMaker) -> None:
    text = "A cookie of the backend keeps a page from being stored, unless its header is taken away before."
    [section] = library_of(
        make_site(make_page(1, "c", [("h1", "Cookies"), ("p", text)])).pages, "en"
    ).sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert run.text == text


def test_a_description_names_what_the_post_covers_when_no_quote_fills_it() -> None:
    headings = ("Choosing a beehive", "Where to put a beehive", "Painting a beehive", "Opening a beehive")
    made = make_description("beehives", "Bee School", "en", ["A beehive is a box."], headings)
    assert made.startswith("Beehives: Choosing a beehive, Where to put a beehive")
    assert 70 <= len(made) <= 156


def test_a_colon_before_a_picture_ends_the_excerpt(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [
        ("h1", "Places"),
        ("p", WHOLE),
        ("p", "A stand looks like this:"),
        ("p", "It has four legs of oak."),
    ]
    [section] = library_of(make_site(make_page(1, "hives", parts)).pages, "en").sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert run.text == WHOLE


def test_what_follows_at_once_may_be_announced(make_page: PageMaker, make_site: SiteMaker) -> None:
    sentence = "Before the winter every beehive in the garden of the school needs the following:"
    items = [("li", "a lid that keeps the rain out"), ("li", "a floor that lets the water run off")]
    site = make_site(make_page(1, "winter", [("h1", "Winter"), ("p", sentence), *items]))
    alone = make_site(make_page(1, "winter", [("h1", "Winter"), ("p", f"{WHOLE} {sentence}")]))
    run = excerpt(library_of(site.pages, "en").sections[0], 90, "en")
    cut = excerpt(library_of(alone.pages, "en").sections[0], 90, "en")
    assert run is not None
    assert run.text == " ".join([sentence, *(text for _, text in items)])
    assert cut is not None
    assert cut.text == WHOLE


def test_a_line_of_data_does_not_keep_a_page_from_being_quoted(make_page: PageMaker) -> None:
    page = make_page(1, "sun", [("h1", "Sun"), ("p", "Source code: Lib/sun.py"), ("p", WHOLE)])
    run = excerpt(library_of([page], "en").sections[0], 90, "en")
    assert run is not None
    assert run.text == WHOLE


def test_a_note_on_a_version_is_passed_over(make_page: PageMaker) -> None:
    note, more = "Changed in version 3.6.", "It takes a whole day to dry after the rain of an evening."
    page = make_page(1, "sun", [("h1", "Sun"), ("p", note), ("p", WHOLE), ("p", note), ("p", more)])
    run = excerpt(library_of([page], "en").sections[0], 90, "en")
    assert run is not None
    assert run.text == f"{WHOLE} {more}"


def test_a_listing_with_a_mail_address_is_not_quoted(make_page: PageMaker) -> None:
    shown = "git log -1\nAuthor: Ann Bee <ann@bees.example>"
    page = make_page(1, "sun", [("h1", "Sun"), ("p", f"{WHOLE} Look it up:"), ("code", shown)])
    run = excerpt(library_of([page], "en").sections[0], 90, "en")
    assert run is not None
    assert run.text == WHOLE


def test_a_sentence_that_leads_to_a_listing_stays_with_it(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [("h1", "Settings"), ("h2", "The file"), ("p", "The file of a scale looks like this:")]
    page = make_page(1, "settings", [*parts, ("code", "unit: kg"), ("p", WHOLE)])
    [section] = library_of(make_site(page).pages, "en").sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert run.text.startswith("The file of a scale looks like this: unit: kg")


def test_a_section_may_begin_with_a_pronoun_that_its_heading_explains(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    said = f"They come in the first three weeks, nearly always from a draught. {WHOLE}"
    headings = [("h1", "Cheese"), ("p", WHOLE), ("h2", "Cracks in the rind"), ("p", said)]
    page = make_page(1, "cheese", [*headings, ("h2", "Butter"), ("p", f"Rub it in (see page 4). {said}")])
    _, cracks, butter = library_of(make_site(page).pages, "en").sections
    run = excerpt(cracks, 90, "en")
    assert run is not None
    assert run.text == said
    behind_gap = excerpt(butter, 90, "en")
    assert behind_gap is None or said not in behind_gap.text


SECOND = (
    "A lid of steel keeps out the rain for ten years and more. In winter a stone on it keeps it in its place."
)


@pytest.mark.parametrize(
    ("budget", "quoted"),
    [
        (200, f"{WHOLE} {SECOND}"),
        (25, f"{WHOLE} {SECOND}"),  # little is missing for the second paragraph
        (19, WHOLE),  # nothing is left for it
    ],
)
def test_a_paragraph_is_quoted_to_its_end_or_not_begun(
    budget: int, quoted: str, make_page: PageMaker, make_site: SiteMaker
) -> None:
    page = make_page(1, "hives", [("h1", "Places"), ("p", WHOLE), ("p", SECOND)])
    [section] = library_of(make_site(page).pages, "en").sections
    run = excerpt(section, budget, "en")
    assert run is not None
    assert run.text == quoted


def test_a_long_paragraph_behind_another_is_not_begun_where_much_is_missing(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    long = " ".join([SECOND] * 3)
    page = make_page(1, "hives", [("h1", "Places"), ("p", WHOLE), ("p", long)])
    [section] = library_of(make_site(page).pages, "en").sections
    found = [excerpt(section, budget, "en") for budget in (25, 90)]
    assert [run.text if run else "" for run in found] == [WHOLE, f"{WHOLE} {long}"]


def test_the_first_paragraph_is_cut_where_it_is_too_long_alone(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    page = make_page(1, "hives", [("h1", "Places"), ("p", " ".join([WHOLE, SECOND, SECOND, SECOND]))])
    [section] = library_of(make_site(page).pages, "en").sections
    run = excerpt(section, 25, "en")
    assert run is not None
    assert run.text == WHOLE


def test_what_a_term_announces_is_quoted_whole_as_a_list(make_page: PageMaker, make_site: SiteMaker) -> None:
    said = ["name: The name of the scale.", "unit: Kilograms or pounds. It counts for all hives."]
    made = make_page(
        1, "scale", [("h1", "Scale"), ("p", WHOLE), ("dt", "Parameters:"), *(("dd", s) for s in said)]
    )
    blocks = [replace(each, group="d1") if each.kind in {"dt", "dd"} else each for each in made.blocks]
    page = replace(made, blocks=tuple(blocks))
    run = excerpt(library_of(make_site(page).pages, "en").sections[0], 90, "en")
    assert run is not None
    shown = [(each.kind, [sentence.text for sentence in each.sentences]) for each in run.paragraphs]
    assert shown == [("p", [WHOLE]), ("p", ["Parameters:"]), ("ul", said)]
