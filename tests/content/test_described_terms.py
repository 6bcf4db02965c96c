"""A description of a term that goes on after a listing or a note stays with its term."""

from __future__ import annotations

from app.content.artefacts import SourcePage
from app.content.evidence.units import EvidenceUnit
from app.content.retrieval.evidence import EvidenceIndex
from app.content.retrieval.named_passages import NamedPassages
from app.content.retrieval.passages import library_of
from app.pages.extraction.blocks import Block

_PATH = ("Commands",)


def manual(*parts: tuple[str, str, str]) -> EvidenceIndex:
    """A page with one heading over parts of (kind, text, group)."""
    blocks = [
        Block(f"b{n}", kind, text, _PATH, group=group) for n, (kind, text, group) in enumerate(parts, 1)
    ]
    heading = Block("b0", "heading", "Commands")
    page = SourcePage(1, "https://bees.example/manual", "Manual", None, False, (heading, *blocks))
    return EvidenceIndex(library_of([page], "en", "Bee School"))


LONG = manual(
    ("p", "A command tells the hive what to do.", ""),
    ("dt", "feed", "d1"),
    ("dd", "Gives sugar to the bees.", "d1"),
    ("dt", "why, why-not", "d2"),
    ("dd", "Explains why there is no honey.", "d2"),
    ("code", "$ hive why", "d2"),
    ("table", "[Note] | It looks at one hive only.", "t1"),
    ("dd", "It returns 1 when nobody knows.", "d2"),
    ("dt", "smoke", "d3"),
    ("dd", "Calms the bees.", "d3"),
    ("p", "Each command can be undone.", ""),
)


def paths(units: tuple[EvidenceUnit, ...]) -> list[tuple[str, ...]]:
    return [unit.path for unit in units]


def test_every_part_of_a_long_description_has_its_term_above_it() -> None:
    why = ("Commands", "why, why-not")
    assert paths(LONG.units) == [_PATH, _PATH, why, why, why, why, _PATH, _PATH]


def test_beside_a_part_stands_the_rest_of_the_description_and_no_other_term() -> None:
    [listing] = [unit for unit in LONG.units if unit.kind == "code"]
    assert [unit.id for unit in LONG.places.beside([listing])] == ["1:b4", "1:b6", "1:b7", "1:b8"]
    [feed] = [unit for unit in LONG.units if unit.lead_in == "feed"]
    assert [unit.id for unit in LONG.places.beside([feed])] == ["1:b1", "1:b11"]


def test_each_term_is_named_among_the_passages_that_are_not_shown() -> None:
    assert list(NamedPassages(LONG).beyond((), "bees").values()) == [
        "Commands",
        "feed",
        "why, why-not (code, table)",
        "smoke",
    ]


def test_a_term_that_is_named_brings_its_description_alone() -> None:
    named = {name: unit for unit, name in NamedPassages(LONG).beyond((), "bees").items()}
    assert [unit.text for unit in NamedPassages(LONG).whole(named["smoke"], "")] == ["smoke: Calms the bees."]
    assert len(NamedPassages(LONG).whole(named["why, why-not (code, table)"], "")) == 4


def test_a_term_in_a_description_of_another_has_both_above_it() -> None:
    index = manual(
        ("dt", "feed", "d1"),
        ("dd", "Gives what you name:", "d1"),
        ("dt", "sugar", "d2"),
        ("dd", "In winter.", "d2"),
        ("code", "$ hive feed sugar", "d2"),
        ("dd", "Never honey.", "d1"),
    )
    assert paths(index.units) == [
        ("Commands", "feed"),
        ("Commands", "feed", "sugar"),
        ("Commands", "feed", "sugar"),
        ("Commands", "feed"),
    ]


SETTINGS = manual(
    ("p", "Settings stand in a file:", ""),
    ("code", 'Bees::Theme "Dark";', ""),
    ("dt", "Bees::Size", "d1"),
    ("dd", "How many fit into a hive.", "d1"),
    ("dt", "Bees::Colour", "d2"),
    ("dd", "What they like.", "d2"),
    ("dt", "--help", "d3"),
    ("dd", "Shows a text.", "d3"),
)


def test_a_listing_with_the_same_signs_shows_how_a_setting_is_written() -> None:
    size, theme = SETTINGS.named(["1:b3"]), SETTINGS.named(["1:b1"])
    assert [unit.kind for unit in theme] == ["code"]
    assert SETTINGS.examples_of(size) == theme
    assert SETTINGS.examples_of((*size, *theme)) == ()
    assert SETTINGS.examples_of(SETTINGS.named(["1:b7"])) == ()


def test_a_term_of_two_colons_keeps_them() -> None:
    [unit, other] = manual(
        ("dt", "::", "d1"), ("dd", "All.", "d1"), ("dt", "Size:", "d2"), ("dd", "3.", "d2")
    ).units
    assert (unit.text, other.text) == ("::: All.", "Size: 3.")


def test_an_option_in_a_list_of_its_own_stands_above_what_describes_it() -> None:
    options = manual(
        ("p", "How fast the hive hums.", ""),
        ("dt", "hum_delay", "d1"),
        ("code", "hum_delay 10", ""),
        ("p", "The delay between two hums.", ""),
        ("dt", "Monday", "d2"),
        ("dt", "hum_pitch", "d3"),
        ("p", "The pitch of a hum.", ""),
    )
    delay, pitch = ("Commands", "hum_delay"), ("Commands", "hum_pitch")
    assert paths(options.units) == [_PATH, _PATH, delay, delay, delay, _PATH, pitch]


def test_a_single_option_is_described_right_below_it() -> None:
    honey = manual(
        ("dt", "honey", "d1"),
        ("p", "What bees make.", ""),
        ("table", "Opening | nine", "t1"),
        ("p", "Do.", ""),
    )
    assert paths(honey.units) == [_PATH, ("Commands", "honey"), _PATH, _PATH]
