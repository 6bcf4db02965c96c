"""What an editor would strike out is not quoted in the first place."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.evidence.foreign_text import FOREIGN, marked_foreign
from app.content.evidence.sections import clean_heading, sections_of
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import library_of
from app.content.retrieval.selection import candidates
from app.pages.extraction.blocks import Block
from tests.content.conftest import PageMaker, SiteMaker, write

STANDS = "The old hive stands on dry ground behind the barn, and its bees fly over the meadow."


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Chapter 8. Submodules", "Submodules"),
        ("Kapitel 4. Installation", "Installation"),
        ("Appendix A. Derivative Distributions", "Derivative Distributions"),
        ("B.4.5. Rights Management", "Rights Management"),
        ("5.3.2. Ports", "Ports"),
        ("1.8.2 – 26 March 2026", "1.8.2 – 26 March 2026"),
        ("1.8.2 (2026-03-26)", "1.8.2 (2026-03-26)"),
        ("1.2 Ports", "Ports"),
        ("Step 2: line or Wi-Fi?", "Step 2: line or Wi-Fi?"),
        ("1.2 venv, small worlds", "venv, small worlds"),
        ("Step 2: Line or Wi-Fi?", "Line or Wi-Fi?"),
        ("git-log(1) Manual Page", "git-log"),
        ("Part of the plan", "Part of the plan"),
        ("Chapter 5", "Chapter 5"),
        ("A. Smith on bees", "A. Smith on bees"),
        ("print(1)", "print"),
        ("sorted(key=None)", "sorted(key=None)"),
    ],
)
def test_a_heading_loses_the_number_of_its_book_and_the_mark_of_a_manual(written: str, read: str) -> None:
    assert clean_heading(written) == read


@pytest.mark.parametrize(
    "sentence",
    [
        "The two ways outlined above keep the bees calm all winter long.",
        "We already saw in the section called “Hives” how a hive is built.",
        "Only one hive is left (see sidebar BACK TO BASICS) in the garden.",
        "Example 6.5 shows a hive that stands on dry ground.",
        "I turned the hive around and then it worked for me.",
        "Ask Ann (ann@bees.example) when the hive is too heavy for you.",
        "Now for the hive itself and all that is in it.",
        "The six steps below take about an hour by hand.",
        "Wax is a matter of taste, so read this whole story before you choose yours.",
        "The honey runs down into the glass, so let’s look at that next.",
        "The method below is rough, but it can be corrected.",
        "A frame (see Boxes) holds the comb in its place.",
        "Frames have four sides, see WOOD below, and one comb.",
        "By combining the previous elements it is possible to carry a hive.",
        "For boxes of another kind see the frames and boxes pages.",
        "It took forever (and for me it never came to an end).",
    ],
)
def test_a_sentence_that_needs_its_page_or_its_writer_is_not_quoted(
    make_page: PageMaker, sentence: str
) -> None:
    page = make_page(1, "hives", [("h1", "Hives"), ("p", f"{STANDS} {sentence}")])
    run = excerpt(sections_of([page])[0], 90, "en")
    assert run is not None
    assert run.text == STANDS


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("de", "Der Stock steht (siehe Abschnitt 4.1.2, „Garten“) hinter dem Haus am Waldrand."),
        ("de", "Dieses Kapitel behandelt die Arbeiten am Bienenstock in ihrer Reihenfolge."),
        ("fr", "Le tableau 3 montre les ruches de notre village et leur récolte annuelle."),
        ("es", "Este capítulo describe las colmenas del pueblo y sus cosechas anuales de miel."),
    ],
)
def test_pointing_at_parts_of_a_book_is_known_in_other_languages(
    make_page: PageMaker, language: str, sentence: str
) -> None:
    page = make_page(1, "a", [("h1", "Garten"), ("p", sentence), ("p", STANDS)])
    run = excerpt(sections_of([page])[0], 90, language)
    assert run is not None
    assert run.text == STANDS


def test_input_and_output_is_nobody_speaking(make_page: PageMaker) -> None:
    sentence = "An I/O error of the hive's scale is written to the log before the next weighing starts."
    run = excerpt(sections_of([make_page(1, "a", [("h1", "Scale"), ("p", sentence)])])[0], 90, "en")
    assert run is not None
    assert run.text == sentence


def test_an_aside_about_the_topic_does_not_make_a_section_about_it(make_page: PageMaker) -> None:
    aside = "Frost is hard on wood and on metal. Paint keeps both dry for years. A queen excluder rusts too."
    queen = "A queen excluder keeps the queen below, so that no brood is laid among the honey."
    page = make_page(
        1, "winter", [("h1", "Winter"), ("h2", "Rust"), ("p", aside), ("h2", "Grid"), ("p", queen)]
    )
    found = candidates(library_of([page], "en"), "queen excluder", (), 90)
    assert [each.heading for each in found] == ["Grid"]


def test_one_of_two_words_does_not_make_the_topic(make_page: PageMaker) -> None:
    parts = [("h1", "Bees")]
    for number in range(12):
        parts += [
            ("h2", f"Bee {number}"),
            ("p", f"Bee {number} flies over the meadow to find her flower there."),
        ]
    pages = [
        make_page(1, "bees", parts),
        make_page(
            2, "power", [("h1", "Power management"), ("p", "Power management switches the lamps off.")]
        ),
    ]
    wanted = library_of(pages, "en").topic_terms("bee management")
    assert all(wanted.share([each]) < 0.7 for each in wanted.stems)


def test_a_manual_page_opens_with_its_description_under_its_name(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    manual = make_page(
        1,
        "hive-scale",
        [
            ("h1", "hive-scale(1) Manual Page"),
            ("h2", "NAME"),
            ("p", "hive-scale - weigh a hive"),
            ("h2", "SYNOPSIS"),
            ("code", "hive-scale [--unit kg]"),
            ("h2", "DESCRIPTION"),
            ("p", "Weighs the hive that stands on the scale and writes its weight to the log of the day."),
            ("h2", "WEIGHING BY NIGHT"),
            ("p", "By night all bees are at home, and the weight of the hive tells what they have gathered."),
            ("h2", "LOST WEIGHT"),
            ("p", "A hive that loses weight in the autumn has to be fed with sugar before the frost comes."),
        ],
    )
    written = write(make_site(manual), topic="hive-scale")
    lines = written.post.markdown.split("\n\n")
    assert lines[0].startswith("Weighs the hive")
    assert [line for line in lines if line.startswith("#")] == ["## WEIGHING BY NIGHT", "## LOST WEIGHT"]
    assert "[hive-scale – Bee School](" in written.post.markdown


def test_a_section_is_below_the_same_section_as_on_its_page(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    page = make_page(
        1,
        "swarms",
        [
            ("h1", "Swarms"),
            ("p", "A swarm is half of a colony that leaves its hive with the old queen in early summer."),
            ("h2", "Catching a swarm"),
            ("p", "A swarm is caught with a box below the branch on which it hangs, early in the morning."),
            ("h3", "The easy case"),
            ("p", "A low branch is shaken once, and the whole swarm falls into the box that stands below."),
            ("h2", "Housing a swarm"),
            ("p", "A swarm is given a new hive on the same evening, with combs that smell of other bees."),
        ],
    )
    headings = [
        line for line in write(make_site(page), topic="swarms").post.markdown.split("\n") if line[:1] == "#"
    ]
    assert headings == ["## Catching a swarm", "### The easy case", "## Housing a swarm"]


def test_what_is_left_untranslated_on_a_page_is_not_quoted() -> None:
    german = (
        "Der Bienenstock steht auf trockenem Boden und die Bienen fliegen von hier über die Wiese zum Bach."
    )
    english = "The hive stands on dry ground and its bees fly from here over the meadow down to the river."
    blocks = (Block("b1", "p", german), Block("b2", "p", english))
    page = SourcePage(1, "https://a.example/", None, None, False, blocks)
    assert [block.kind for block in marked_foreign([page], "de")[0].blocks] == ["p", FOREIGN]


def test_a_page_in_another_language_is_quoted_where_there_is_no_other() -> None:
    english = "The hive stands on dry ground and its bees fly from here over the meadow down to the river."
    page = SourcePage(1, "https://a.example/", None, None, False, (Block("b1", "p", english),))
    assert marked_foreign([page], "de") == (page,)


def test_a_manual_of_the_whole_site_is_no_topic(make_page: PageMaker, make_site: SiteMaker) -> None:
    sentence = [
        ("p", f"The bee school manual tells how number {n} of the hives is kept in winter.") for n in range(9)
    ]
    swarm = [("p", f"A swarm of kind {n} hangs on a branch and is caught with a box.") for n in range(3)]
    site: SourceSnapshot = make_site(
        make_page(1, "manual", [("h1", "Bee School manual"), *sentence]),
        make_page(2, "swarms", [("h1", "Swarms"), *swarm]),
    )
    assert write(site).brief.topic == "Swarms"


def test_a_page_that_shares_one_word_of_two_with_the_topic_is_not_about_it(make_page: PageMaker) -> None:
    packages = [("h1", "Tools")]
    for number in range(12):
        packages += [
            ("h2", f"Package {number}"),
            ("p", f"Package {number} is fetched, and then it is unpacked."),
        ]
    power = "Power management switches the lamps of the machine off while nobody sits in front of it."
    sentence = "Package management keeps the packages of a machine in step with those of their makers."
    pages = [
        make_page(1, "tools", packages),
        make_page(2, "power", [("h1", "Power management"), ("p", power)]),
        make_page(3, "packages", [("h1", "Package management"), ("p", sentence)]),
    ]
    found = candidates(library_of(pages, "en"), "package management", (), 90)
    assert [each.heading for each in found if each.on_topic] == ["Package management"]
    assert "Power management" not in [each.heading for each in found]


def test_thanks_to_those_who_made_a_text_are_not_quoted(make_page: PageMaker) -> None:
    sentence = "The hive of the school was paid for by the mill and by two bakers of the village."
    parts = [
        ("h1", "Hive"),
        ("h2", "Building a hive"),
        ("p", STANDS),
        ("h2", "Acknowledgements"),
        ("p", sentence),
    ]
    found = candidates(library_of([make_page(1, "hive", parts)], "en"), "hive", (), 90)
    assert [each.heading for each in found] == ["Building a hive"]


def test_a_list_of_bare_addresses_is_not_quoted(make_page: PageMaker) -> None:
    items = [("li", "https://bees.example/mill"), ("li", "A hive that was built beside the mill in May.")]
    page = make_page(1, "hives", [("h1", "Hives"), ("p", f"{STANDS} Look at these:"), *items])
    run = excerpt(sections_of([page])[0], 90, "en")
    assert run is not None
    assert run.text == STANDS


def test_a_description_names_the_topic_where_a_later_section_does(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    says = "A drone hive is the wooden box in which a colony raises the males of its own kind all summer."
    parts = [
        ("h1", "Drone hive"),
        ("p", "The males need room, and nobody likes them in the way of the honey. They stay together."),
        ("h2", "Where a drone hive stands"),
        ("p", f"{says} It faces the morning sun."),
    ]
    assert write(make_site(make_page(1, "drones", parts)), topic="Drone hive").post.description == says
