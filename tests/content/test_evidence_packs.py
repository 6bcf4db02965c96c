"""The evidence that one prompt holds: the best units within a budget, page by page."""

from __future__ import annotations

from dataclasses import replace

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.retrieval.evidence import EvidenceIndex
from app.content.retrieval.named_passages import NamedPassages
from app.content.retrieval.passages import library_of
from app.pages.extraction.blocks import Block
from tests.content.conftest import page

WORDS = " ".join(["in the garden of the old school behind the village"] * 12)
"""About 150 tokens that say nothing on bees."""


def index_of(*pages: SourcePage) -> EvidenceIndex:
    return EvidenceIndex(library_of(pages, "en", "Bee School"))


def ids(found: tuple[object, ...]) -> list[str]:
    return [each.id for each in found]  # type: ignore[attr-defined]


def long_page(page_id: int, about: str = "beehive") -> SourcePage:
    """A page of 40 paragraphs, every fourth of them on the subject."""
    parts = [("h1", f"Page {page_id}")]
    parts += [("p", f"No. {n} {about if n % 4 == 0 else 'nothing'} {page_id} {WORDS}.") for n in range(40)]
    return page(page_id, f"long{page_id}", parts)


def test_a_short_page_on_the_subject_is_taken_whole_and_in_its_order(bees: SourceSnapshot) -> None:
    found = index_of(*bees.pages).pack("painting a beehive")
    own = [each.id for each in found if each.page_id == 1]
    assert own == [each.id for each in index_of(*bees.pages).units if each.page_id == 1]


def test_pages_come_as_named_then_by_what_they_say(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    assert index.pack("painting a beehive")[0].page_id == 1
    named = index.pack("painting a beehive", pages=(3, 2))
    assert list(dict.fromkeys(each.page_id for each in named)) == [3, 2, 1]


def test_only_units_on_the_subject_are_taken_of_a_long_page() -> None:
    found = index_of(long_page(1)).pack("beehive")
    assert found
    assert all("beehive" in each.text for each in found)


def test_one_page_does_not_fill_the_whole_pack() -> None:
    index = index_of(*(long_page(n) for n in range(1, 5)))
    found = index.pack("beehive", tokens=12_000)
    assert {each.page_id for each in found} == {1, 2, 3, 4}


def test_a_pack_stays_within_its_budget() -> None:
    index = index_of(*(long_page(n) for n in range(1, 9)))
    for tokens in (500, 2_000, 6_000):
        found = index.pack("beehive", tokens=tokens)
        assert 0 < sum(len(each.text) for each in found) / 4 <= tokens


def test_named_units_come_first_and_once(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    first = index.named(("3:b3", "2:b8", "3:b3", "9:b9"))
    assert ids(first) == ["3:b3", "2:b8"]
    found = index.pack("painting a beehive", first=first, tokens=120)
    assert ids(found)[:2] == ["3:b3", "2:b8"]
    assert len(set(ids(found))) == len(found)


def test_units_are_ranked_by_what_they_and_their_headings_say(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    assert index.ranked("painting a beehive")[0][0].id == "1:b13"
    assert index.ranked("submarine engines") == []


def test_a_subject_that_no_page_covers_gets_only_the_named_pages(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    assert index.pack("submarine engines") == ()
    assert {each.page_id for each in index.pack("submarine engines", pages=(3,))} == {3}


def test_units_are_found_by_synonyms_too() -> None:
    index = index_of(
        page(1, "hens", [("h1", "Poultry"), ("p", "Four hens may live on each plot of the association.")]),
        page(2, "beds", [("h1", "Beds"), ("p", "A bed is dug in winter and raked again in spring.")]),
    )
    assert ids(tuple(unit for unit, _ in index.ranked("keeping chickens"))) == ["1:b1"]


def test_units_under_the_same_heading_are_beside_a_unit(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    unit = next(each for each in index.units if each.heading == "Painting a beehive")
    assert {each.heading for each in index.places.beside([unit])} == {"Painting a beehive"}
    assert unit in index.places.beside([unit])


def test_no_terms_of_a_glossary_are_beside_another() -> None:
    terms = [
        ("dt", "Split"),
        ("dd", "A part of a transaction."),
        ("dt", "Lot"),
        ("dd", "Shares bought at once."),
    ]
    index = index_of(page(1, "glossary", [("h1", "Glossary"), ("p", "All words of the trade."), *terms]))
    assert {each.kind for each in index.units} == {"paragraph", "definition"}
    assert {each.kind for each in index.places.beside(index.units)} == {"paragraph"}


def test_the_best_of_a_page_says_most_on_a_subject(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    page_id = bees.pages[0].page_id
    best = index.best_of([page_id], "painting a beehive", 3)
    assert best[0].heading == "Painting a beehive"
    assert len(best) <= 3
    assert index.best_of([999], "painting", 3) == ()


def test_what_a_unit_names_by_its_heading_is_found_elsewhere() -> None:
    index = index_of(
        page(1, "move", [("h1", "Moving"), ("p", "Then follow the steps of winter feeding by hand.")]),
        page(
            2, "feed", [("h1", "Feeding"), ("h2", "Winter feeding by hand"), ("p", "Boil a syrup of sugar.")]
        ),
    )
    named = index.mentioned([unit for unit in index.units if unit.page_id == 1])
    assert [unit.text for unit in named] == ["Boil a syrup of sugar."]


def test_what_stands_aside_is_taken_and_makes_its_page_no_more_important(bees: SourceSnapshot) -> None:
    index = index_of(*bees.pages)
    [aside] = index.named(["3:b5"])
    found = index.pack("painting a beehive", aside=(aside,), tokens=300)
    assert aside in found
    assert found[0].page_id == 1


def reference(*names: str) -> EvidenceIndex:
    """A reference of options, each under its own heading, below a chapter of prose."""
    options = [
        part
        for name in names
        for part in (("h3", name), ("dt", "Specifies"), ("dd", f"What {name} does for a hive."))
    ]
    parts = [("h1", "Manual"), ("h2", "Chapter"), ("p", "How to paint."), ("h2", "Options"), *options]
    return index_of(page(1, "manual", parts))


def test_the_other_options_of_a_short_reference_are_beside_two_of_it() -> None:
    index = reference("key-file", "cert-file", "password", "directory")
    two = [unit for unit in index.units if unit.heading in {"cert-file", "password"}]
    assert [unit.heading for unit in index.places.options_beside(two)] == ["key-file", "directory"]
    assert index.places.options_beside(index.units) == ()
    listed = list(NamedPassages(index).beyond((), "hive").values())
    assert listed == ["Chapter", "key-file", "cert-file", "password", "directory"]
    assert index.places.options_beside(two[:1]) == ()


def test_the_options_of_a_long_reference_are_not_beside_two_of_it() -> None:
    index = reference(*(f"option-{n}" for n in range(9)))
    two = [unit for unit in index.units if unit.heading in {"option-3", "option-4"}]
    assert len(two) == 2
    assert index.places.options_beside(two) == ()


def test_what_a_unit_announces_comes_with_it() -> None:
    parts = [("h1", "Paint"), ("p", "The paint of a hive has one of these colours:"), ("p", "Blue or white.")]
    index = index_of(page(1, "paint", parts), page(2, "other", [("h1", "Visits"), ("p", "We open at nine.")]))
    [first, _] = [unit for unit in index.units if unit.page_id == 1]
    assert [unit.text for unit in index.pack("visits", first=[first])][:2] == [first.text, "Blue or white."]


def test_a_section_is_shown_from_its_beginning_which_may_limit_it() -> None:
    parts = [
        ("h1", "Keys"),
        ("h2", "Old keys"),
        ("p", "This holds for old keys only."),
        ("p", "Store them dry."),
    ]
    index = index_of(page(1, "keys", parts))
    assert [unit.text for unit in index.places.openings_of(index.units[1:])] == [
        "This holds for old keys only."
    ]


def test_the_rest_of_a_procedure_comes_behind_the_listing_that_interrupts_it() -> None:
    steps = [
        Block("b2", "li", "Open the hive.", ("Weighing",), lists="o"),
        Block("b3", "li", "Type this.", ("Weighing",), lists="o"),
        Block("b4", "code", "scale read", ("Weighing",)),
        Block("b5", "li", "Close the hive.", ("Weighing",), lists="o"),
        Block("b6", "li", "Write it down.", ("Weighing",), lists="o"),
    ]
    whole = replace(
        page(1, "weigh", [("h1", "Weighing")]), blocks=(Block("b1", "heading", "Weighing"), *steps)
    )
    index = index_of(whole, page(2, "other", [("h1", "Visits"), ("p", "We open at nine.")]))
    first = next(unit for unit in index.units if "Open" in unit.text)
    assert "Write it down" in " ".join(unit.text for unit in index.pack("visits", first=[first]))
