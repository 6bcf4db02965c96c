"""Which sections make a post: as good as can be on the topic, and readable as a whole."""

from __future__ import annotations

from dataclasses import replace

from app.content.artefacts import SourcePage
from app.content.drafts import Paragraph, Sentence
from app.content.evidence.sections import PageSection
from app.content.planning.phrases_of_pages import keyphrase_on_pages
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.excerpts import Excerpt, excerpt
from app.content.retrieval.passages import library_of
from app.content.retrieval.selection import candidates
from app.content.writing.digest.choice import until_enough
from app.pages.extraction.blocks import Block
from tests.content.conftest import PageMaker, SiteMaker, write

CALM = "Wax tells others to come, and the noise of the box can be heard from far away in spring. "
SAID = "A smoker calms the bees of the box before anybody opens it on a warm day without wind. "


def candidate(heading: str, text: str, score: float, *, links: tuple[tuple[str, str], ...] = ()) -> Candidate:
    """Return a section of this text, which stands on a page of its own."""
    sentences = tuple(Sentence(f"{each}.", ("1:b1",), "source") for each in text.split(". ") if each.strip())
    block = Block("b1", "p", text, (heading,), links=links)
    page = SourcePage(1, "https://bees.example/", "Bees", None, False, (block,))
    section = PageSection(page, "Bees", (heading,), (block,), 0)
    run = Excerpt(section, (Paragraph("p", sentences),), len(text.split()))
    return Candidate(run, heading, score, False, True)


def headings(chosen: list[Candidate]) -> list[str]:
    return [each.heading for each in chosen]


def test_the_best_sections_are_taken() -> None:
    ranked = [candidate(f"{'Smoker' if n % 2 else 'Box'} {n}", CALM * 3 + SAID, 9 - n) for n in range(9)]
    linked = candidate("Smoker first", CALM * 3 + SAID, 10, links=(("Wax", "https://wax.org/"),))
    assert headings(until_enough([linked, *ranked], 300))[:2] == ["Smoker first", "Box 0"]


def test_sections_that_fall_far_behind_only_fill_up_a_short_post() -> None:
    strong = [candidate(f"Smoker {n}", CALM * 3 + SAID, 9) for n in range(6)]
    weak = [replace(candidate(f"Box {n}", CALM * 3 + SAID, 2), weak=True) for n in range(6)]
    long = sum(each.excerpt.words for each in strong)
    assert headings(until_enough([*strong, *weak], 900)) == headings(strong)
    filled = until_enough([*strong[:2], *weak], 900)
    assert 200 <= sum(each.excerpt.words for each in filled) < long
    assert headings(filled)[:2] == ["Smoker 0", "Smoker 1"]


def test_what_says_far_less_than_the_best_sections_comes_last(make_page: PageMaker) -> None:
    line = "A smoker calms the bees, and every smoker wants dry wood in its box of steel. "
    named = [(part, text) for n in range(4) for part, text in (("h2", f"Smoker {n}"), ("p", f"{line}{n}."))]
    aside = "Anybody who opens a hive in the garden on a cold day of April should have seen a smoker at work."
    pages = [
        make_page(1, "smoker", [("h1", "Tools"), *named]),
        make_page(2, "spring", [("h1", "Spring"), ("p", f"{aside} {CALM * 3}")]),
    ]
    found = candidates(library_of(pages, "en"), "smoker", (), 90)
    assert [each.heading for each in found if each.weak] == ["Spring"]
    assert found[-1].heading == "Spring"


def test_a_keyphrase_is_the_longest_part_that_the_pages_say(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    sentences = [("p", f"In week {n} sorting keeps the jars of the house in good order.") for n in range(5)]
    library = library_of(make_site(make_page(1, "sorting", [("h1", "Sorting"), *sentences])).pages, "en")
    assert keyphrase_on_pages("sorting glasses", library) == "sorting glasses"
    assert keyphrase_on_pages("sorting jars in the rain", library) == "sorting jars"
    assert keyphrase_on_pages("sorting jars", library) == "sorting jars"
    assert keyphrase_on_pages("washing glasses", library) == "washing glasses"
    assert keyphrase_on_pages("back up a database", library) == "back up a database"


def test_the_keyphrase_alone_is_never_a_links_anchor(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [
        ("h1", "Swarms"),
        ("p", "A swarm rests on a branch for a few hours before the scouts agree on a hollow tree."),
        ("h2", "Catching a swarm"),
        ("p", "A swarm is caught in the evening, when all of its bees are back from the fields."),
        ("h2", "Feeding a swarm"),
        ("p", "A swarm is fed with sugar water in the first week, because its combs are still empty."),
    ]
    markdown = write(make_site(make_page(1, "swarms", parts)), topic="swarms").post.markdown
    assert "[Swarms – Bee School](https://bees.example/swarms)" in markdown


HIRE = [
    ("h1", "Hire a canoe"),
    (
        "p",
        "A canoe for two is hired by the day or by the hour, with paddles, vests and a dry barrel.",
    ),
    ("h2", "Before you set off"),
    (
        "p",
        "Come a quarter of an hour early to hire a canoe. Bring a card and shoes that may be wet.",
    ),
    ("h2", "Back at the pier"),
    (
        "p",
        "Wash the canoe with the hose and put it on its rack, with the paddles in the shed behind the pier.",
    ),
]
CAMP = [
    ("h1", "The camp"),
    (
        "p",
        "Tents stand under the trees. A tent is for hire too, and a canoe may lie beside it over the night.",
    ),
]


def test_what_mentions_the_topic_does_not_fill_up_beside_a_page_about_it(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    alone = write(make_site(make_page(1, "hire", HIRE), make_page(2, "camp", CAMP)), topic="hire a canoe")
    assert "shed behind the pier" in alone.post.markdown
    assert "Tents stand" not in alone.post.markdown
    thin = write(make_site(make_page(1, "hire", HIRE[:2]), make_page(2, "camp", CAMP)), topic="hire a canoe")
    assert "Tents stand" in thin.post.markdown


def test_the_price_of_something_else_is_no_answer_to_what_the_project_costs(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    plans = [
        ("h1", "Prices"),
        (
            "p",
            "The course of a year costs €240 and is paid in spring, before the first of the evenings begins.",
        ),
        ("h2", "Two people"),
        (
            "p",
            "Two people of one house pay €400 together, and a third one of them pays half of what one pays.",
        ),
    ]
    smokers = [
        ("h1", "Smokers"),
        ("p", "A smoker keeps the bees calm while a hive is open, and the smoker is lit with straw or wood."),
        ("h2", "What they cost"),
        ("p", "The costs of a smoker are €30 to €60, and the dearer one costs less in the end, as it lasts."),
    ]
    site = make_site(make_page(1, "prices", plans), make_page(2, "smokers", smokers))
    assert "€30" not in write(site, topic="How much does Bee School cost").post.markdown
    assert "€30" in write(site, topic="How much does a smoker cost").post.markdown


def test_the_page_that_lists_the_prices_of_a_thing_comes_before_the_list_of_all_prices(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    hire = [
        ("h1", "Hire a cello"),
        (
            "p",
            "Hire a cello for a year, or return it after three months. The bow and the case are included.",
        ),
        ("h2", "What it takes a month"),
        ("table_head", "Size | A month"),
        ("table", "Half | £27"),
        ("table", "Full | £33"),
        (
            "p",
            "The hire is paid on the first day of each month, and the deposit comes back at the end.",
        ),
    ]
    repairs = [
        ("h1", "Prices"),
        (
            "p",
            "All prices of the workshop are for a violin, a viola or a cello, and hold for a whole year.",
        ),
        ("h2", "Repairs"),
        ("table_head", "Repair | Cello"),
        ("table", "New bridge | £265"),
        ("table", "New strings | £18"),
    ]
    site = make_site(make_page(1, "prices", repairs), make_page(2, "hire", hire))
    text = write(site, topic="cello hire prices").post.markdown
    assert text.startswith("Hire a cello for a year")
    assert "| Full | £33 |" in text


def test_the_list_of_prices_comes_before_a_page_with_the_commonest_word_of_the_topic_and_a_table(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    plans = [
        ("h1", "Prices"),
        ("p", "Every plan of the calendar has all its colours, and a plan is paid by the month or the year."),
        ("table_head", "Plan | A month"),
        ("table", "Small | £9"),
        ("table", "Large | £30"),
        ("h2", "Two houses"),
        ("p", "A second house costs half of the price of the first one, and a third one costs the same."),
    ]
    paper = [
        ("h1", "A calendar on paper"),
        ("p", "A calendar on paper costs more than its price a month, because somebody has to write it."),
        ("table_head", "Work | Price"),
        ("table", "Print it | £11"),
        ("table", "Send it | £14"),
        ("h2", "Time"),
        ("p", "The time for a calendar on paper is half an hour a month, and no calendar is read by all."),
    ]
    rest = make_page(3, "help", [("h1", "Help"), ("p", "The calendar of a house is opened with its key.")])
    site = make_site(make_page(1, "paper", paper), make_page(2, "prices", plans), rest)
    assert write(site, topic="calendar prices").post.markdown.startswith("Every plan")


def test_a_listing_right_below_its_heading_is_quoted(make_page: PageMaker, make_site: SiteMaker) -> None:
    parts = [
        ("h1", "Restoring"), ("h2", "A single file"), ("code", "coffer restore --include a.txt"),
        ("p", "Several files may be named, each in a line of its own."),
    ]  # fmt: skip
    [section] = library_of(make_site(make_page(1, "restore", parts)).pages, "en").sections
    run = excerpt(section, 90, "en")
    assert run is not None
    assert [paragraph.kind for paragraph in run.paragraphs] == ["code", "p"]
