"""The claim gate: what a sentence states has to stand in the evidence it cites."""

from __future__ import annotations

from dataclasses import replace

import pytest
from app.content.writing.article.claims import Ground, findings, heading_findings, usual_in

from app.content.artefacts import Sentence
from app.content.writing.article.evidence import Proof
from app.content.writing.article.figures import counted

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
        "A new beehive costs at least 150 and at most 250 euros.",
        "The Langstroth beehive weighs some 60 full kilograms with frames.",
        "The Langstroth beehive has 10 wooden frames.",
        "A 60-kilogram Langstroth beehive holds frames.",
        "We at the Bee School sell every Wooden Beehive with frames.",
        "A keeper may hold Langstroth Frames in a beehive.",
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
        ("The wooden beehive has 60 frames.", "number 60 is not one of “frames”"),
        ("Some 150 keepers have a wooden beehive with frames.", "number 150 is not one of “keepers”"),
        ("The Langstroth beehive with frames weighs 60 g.", "number 60 (g)"),
        ("The Langstroth beehive holds twelve frames.", "number “twelve”"),
        ("Half a million people own a wooden beehive with frames.", "number “million”"),
        ("Jane Doe keeps a wooden beehive with frames.", "name “Doe”"),
        ("Amazon recommends wooden beehives with frames.", "name “Amazon”"),
        ("Every wooden beehive with frames is made by IKEA.", "name “IKEA”"),
        ("Each wooden beehive is made by the Used Half Company.", "name “Used Half”"),
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
    ("language", "evidence", "text"),
    [
        ("de", "Der Honig braucht 30 Tage, für 20 EUR.", "Nach 30 vollen Tagen kostet der Honig 20 Euro."),
        ("fr", "Le miel repose 30 s, pour 150 à 250 euros.", "Le miel repose 30 secondes pour 150 ou 250 €."),
        ("es", "La miel cuesta entre 150 y 250 euros.", "La miel cuesta desde 150 hasta 250 euros."),
        ("it", "Il miele pesa 20 kg, il 30 % in meno.", "Il miele pesa 20 chili, il 30 percento in meno."),
    ],
)  # fmt: skip
def test_a_figure_may_name_its_unit_in_another_way(language: str, evidence: str, text: str) -> None:
    ground = Ground({"1:b1": Proof("1:b1", evidence, "", 1)}, "", language)
    assert found(text, "1:b1", ground=ground) == ""


@pytest.mark.parametrize(
    ("language", "evidence", "text"),
    [
        ("en", "The coffee costs 20 EUR.", "The coffee holds 20 coffee beans."),
        ("de", "Der Kaffee kostet 20 EUR.", "Der Kaffee kommt in 20 Dosen."),
        ("fr", "Le café coûte 20 euros.", "Le café vient de 20 pays."),
        ("fr", "Le café coûte 20 euros.", "Le café vient de 20 fermes."),
        ("es", "El café cuesta 20 euros.", "El café viene de 20 fincas."),
    ],
)
def test_a_price_is_no_number_of_things(language: str, evidence: str, text: str) -> None:
    ground = Ground({"1:b1": Proof("1:b1", evidence, "", 1)}, "", language)
    assert "number 20 is not one of" in found(text, "1:b1", ground=ground)


def test_a_number_within_a_name_counts_nothing() -> None:
    assert (
        list(counted("the python3.11 command, the X11 project, pre-3.6 behaviour and 5-10 bees", "en")) == []
    )
    assert list(counted("9 bees and 8 EUR or 7 full days", "en")) == [("9", "bees")]


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
