"""The claim gate: what a sentence states has to stand in the evidence it cites."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import Sentence
from app.content.llm.claims import Ground, findings, heading_findings, usual_in
from app.content.llm.evidence import Proof

PRICES = Proof(
    "1:b1", "A new wooden beehive with frames costs between 150 and 250 euros, a used one half.", "Prices", 1
)
FRAMES = Proof(
    "1:b2",
    "The Langstroth beehive holds 10 frames, weighs 60 kg and is called “the box of boxes” by Anna Kern.",
    "Hives", 1,
)  # fmt: skip
POINT = Proof("key:1", "We deliver within 3 days.")
GROUND = Ground(
    {proof.id: proof for proof in (PRICES, FRAMES, POINT)},
    "Bee School\nWe deliver within 3 days.",
    "en",
    ("cheap",),
)
GERMAN = Ground(
    {"1:b1": Proof("1:b1", "Ein neuer Bienenstock aus Holz kostet zwischen 150 und 250 Euro.", "Bienen", 1)},
    "",
    "de",
)


def found(text: str, *ids: str, ground: Ground = GROUND) -> str:
    return "; ".join(findings(Sentence(text, ids or ("1:b1", "1:b2"), "model"), ground))


@pytest.mark.parametrize(
    "text",
    [
        "A new beehive costs 150 to 250 euros.",
        "A new wooden beehive costs at least 150 euros.",
        "A new wooden beehive costs up to €250.",
        "The Langstroth beehive holds ten frames.",
        "Every Langstroth beehive with frames weighs 60 kg.",
        "Anna Kern calls the beehive “the box of boxes”.",
        "The Bee School sells wooden beehives with frames.",
        "A wooden beehive with frames comes within 3 days.",
        "I like wooden beehives with frames.",
        "Insulation keeps a wooden beehive with frames warm.",
        "Compare prices of a wooden beehive with frames.",
        "Langstroth made the beehive of 10 frames.",
        "A wooden beehive lasts; beekeepers built it with frames.",
    ],
)
def test_what_stands_in_the_evidence_passes(text: str) -> None:
    assert found(text) == ""


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("A new wooden beehive costs 300 euros.", "number 300"),
        ("A new wooden beehive costs 150 dollars.", "number 150 ($)"),
        ("A new wooden beehive costs $150.", "number 150 ($)"),
        ("Of all wooden beehives, 10% have frames.", "number 10 (%)"),
        ("The wooden beehive holds 1,000 frames.", "number 1,000"),
        ("The Langstroth beehive with frames weighs 60 g.", "number 60 (g)"),
        ("The Langstroth beehive holds twelve frames.", "number “twelve”"),
        ("Half a million people own a wooden beehive with frames.", "number “million”"),
        ("Jane Doe keeps a wooden beehive with frames.", "name “Doe”"),
        ("Amazon recommends wooden beehives with frames.", "name “Amazon”"),
        ("Every wooden beehive with frames is made by IKEA.", "name “IKEA”"),
        ("NASA tested wooden beehives with frames.", "name “NASA”"),
        ("Toyota builds wooden beehives with frames.", "name “Toyota”"),
        ("Toyota's wooden beehives have frames.", "name “Toyota”"),
        ("A wooden beehive lasts; Toyota made the frames.", "name “Toyota”"),
        ("Keepers call the wooden beehive “a dream of frames”.", "quote “a dream of frames”"),
        ('Keepers call the wooden beehive "a dream of frames".', "quote “a dream of frames”"),
        ("Buy wooden beehives with frames at hives.example/shop now.", "address"),
        ("Write to anna@hives.test for wooden beehives with frames.", "address"),
        ("A cheap wooden beehive with frames is enough.", "“cheap” is to be avoided"),
        ("A wooden beehive with frames costs [insert price].", "placeholder"),
        ("Beehives cure nearly every illness quickly.", "does not speak of this"),
    ],
)
def test_what_does_not_stand_there_is_found(text: str, reason: str) -> None:
    assert reason in found(text)


def test_a_sentence_is_judged_by_the_evidence_it_cites_and_no_other() -> None:
    assert found("The Langstroth beehive holds 10 frames.", "1:b2") == ""
    assert "number 10" in found("The Langstroth beehive holds 10 frames.", "1:b1")


def test_a_sentence_cites_what_it_was_given() -> None:
    assert "it cites no evidence" in found_without_ids("A wooden beehive has frames.")
    assert "“9:b9”" in found("A wooden beehive has frames.", "1:b1", "9:b9")
    assert found("We deliver within 3 days.", "key:1") == ""


def found_without_ids(text: str) -> str:
    return "; ".join(findings(Sentence(text, (), "model"), GROUND))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Ein neuer Bienenstock kostet 150 bis 250 Euro.", ""),
        ("Gute Bienenstöcke aus Holz mag auch Anna Müller.", "name “Müller”"),
        ("Der Imker Hans Meier mag neue Bienen aus Holz.", "name “Meier”"),
        ("Dr. Schulz mag neue Bienen aus Holz.", "name “Schulz”"),
        ("Der neue Stock aus Holz hat zwölf Waben.", "number “zwölf”"),
    ],
)
def test_german_nouns_are_no_names(text: str, reason: str) -> None:
    told = found(text, "1:b1", ground=GERMAN)
    assert told == "" if not reason else reason in told


def test_names_may_be_inflected_in_a_language_without_a_table() -> None:
    proof = Proof("1:b1", "Улей Лангстрота держит 10 рамок. Его делают в Москве.", "Ульи", 1)
    ground = Ground({"1:b1": proof}, "", "ru")
    assert found("Сегодня улей с рамок делает Москва.", "1:b1", ground=ground) == ""
    assert "Берлин" in found("Сегодня улей и рамок делает Берлин.", "1:b1", ground=ground)


def test_headings_are_judged_too() -> None:
    assert heading_findings("What a beehive costs", GROUND) == ()
    assert heading_findings("Why Beginners Like A Wooden Beehive", GROUND) == ()
    assert "2031" in "".join(heading_findings("What a beehive costs in 2031", GROUND))
    assert "NASA" in "".join(heading_findings("Why NASA Likes A Wooden Beehive", GROUND))


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("Why Starbucks Trusts Wooden Beehives", "Starbucks"),
        ("Toyota Beehives: A Buyer's Guide", "Toyota"),
        ("How Langstroth Beehives Hold Their Frames", ""),
        ("Choosing Affordable, Long-Lasting Equipment For Your First Winter", ""),
        ("10 Common Mistakes Beginners Make (And How To Avoid Them)", ""),
    ],
)
def test_in_title_case_a_name_is_what_is_no_ordinary_word(heading: str, name: str) -> None:
    told = "".join(heading_findings(heading, GROUND))
    assert f"name “{name}”" in told if name else "name" not in told


def test_a_word_that_the_project_writes_small_is_no_name() -> None:
    text = "How A Varroa Board Shows Mites"
    assert "Varroa" in "".join(heading_findings(text, GROUND))
    usual = usual_in("A varroa board shows how many mites fell. We met Toyota.", "en")
    told = "".join(heading_findings(text, replace(GROUND, usual=usual)))
    assert told == ""
    assert "Toyota" in "".join(heading_findings("Why Toyota Likes Mites", replace(GROUND, usual=usual)))
