"""The evidence that one prompt holds: the best units within a budget, page by page."""

from __future__ import annotations

from dataclasses import replace

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.retrieval.evidence import EvidenceIndex
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


def titled(page_id: int, *sections: tuple[str, str]) -> SourcePage:
    parts = [("h1", f"Page {page_id}")]
    for heading, text in sections:
        parts += [("h2", heading), ("p", text), ("p", f"{text} Twice.")]
    return page(page_id, f"page{page_id}", parts)


def test_of_passages_that_are_not_shown_the_first_unit_under_each_heading_is_known() -> None:
    index = index_of(
        titled(1, ("Paint", "Paint a hive."), ("Wax", "Melt the wax.")), titled(2, ("Law", "Ask first."))
    )
    shown = [each for each in index.units if each.heading == "Paint"][:1]
    assert list(index.beyond(shown, "paint").values()) == ["Paint (rest)", "Wax", "Law"]
    rest, wax, _ = index.beyond(shown, "paint")
    assert [each.text for each in index.whole(rest, "paint")] == ["Paint a hive. Twice."]
    assert [each.text for each in index.whole(wax, "wax")] == ["Melt the wax.", "Melt the wax. Twice."]


def test_of_too_many_headings_those_on_the_subject_stay_in_reading_order() -> None:
    sections = [
        (f"Section number {n}", f"In case {n} {'paint' if n % 40 == 0 else 'nothing'}.") for n in range(400)
    ]
    index = index_of(titled(1, *sections))
    found = index.beyond((), "paint")
    assert {f"Section number {n}" for n in range(0, 400, 40)} <= {each.heading for each in found}
    assert 50 < len(found) < 300
    assert [each for each in index.units if each in found] == list(found)


def test_a_long_passage_is_named_as_far_as_a_section_needs_it() -> None:
    index = index_of(long_page(1))
    found = index.whole(index.units[3], "")
    assert found[0] == index.units[3]
    assert 2 <= len(found) < 8


def test_a_passage_has_what_is_below_headings_further_down() -> None:
    parts = [
        ("h1", "Import"),
        ("h2", "Matcher"),
        ("p", "It matches rows."),
        ("h3", "One row"),
        ("p", "Click it."),
    ]
    index = index_of(page(1, "import", [*parts, ("h2", "Panel"), ("p", "It shows columns.")]))
    matcher = next(each for each in index.units if each.heading == "Matcher")
    assert [each.text for each in index.whole(matcher, "rows")] == ["It matches rows.", "Click it."]


def test_a_heading_too_long_for_the_list_keeps_no_other_out_of_it() -> None:
    index = index_of(titled(1, ("Paint " * 2_500, "Paint a hive."), ("Wax", "Melt the wax.")))
    assert [each.heading for each in index.beyond((), "paint")] == ["Wax"]


def test_the_names_of_pages_count_in_the_list_of_headings() -> None:
    name = "A very long name of a page about bees and hives in the garden of the old school "
    pages = [page(n, f"p{n}", [("h1", f"{name}{n}"), ("p", f"Text {n}.")]) for n in range(1, 200)]
    index = EvidenceIndex(library_of(pages, "en", "Bee School"))
    assert 0 < len(index.beyond((), "bees")) < 80


def test_of_too_many_headings_the_few_below_and_beside_one_on_the_subject_stay() -> None:
    others = [part for n in range(400) for part in (("h2", f"No. {n}"), ("p", f"In case {n} nothing."))]
    options = ["The brush that is to be taken for it", "The can that is to be taken for it"]
    setup = [("h2", "The set-up"), ("p", "How to paint a hive."), ("h3", options[0]), ("p", "Which one.")]
    parts = [("h1", "Manual"), *others, *setup, ("h3", options[1]), ("p", "Where it stands.")]
    found = index_of(page(1, "manual", parts)).beyond((), "paint")
    assert [each.heading for each in found][-3:] == ["The set-up", *options]


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
    listed = list(index.beyond((), "hive").values())
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


def test_of_a_long_passage_what_says_most_on_the_subject_is_taken() -> None:
    parts = [
        ("h1", "Settings"),
        ("h2", "Request"),
        *(("p", f"Setting {n} says how it works. " * 20) for n in range(9)),
    ]
    index = index_of(page(1, "settings", [*parts, ("p", "Ignore the lid where a hive is painted.")]))
    found = index.whole(index.units[0], "ignore the lid")
    assert found[0] == index.units[0]
    assert found[-1].text == "Ignore the lid where a hive is painted."
    assert len(found) < 8


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
