"""Words that evidence lists beside others: a verifier is not shown which of them a sentence names."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.listed_words import listed_words
from tests.content.test_cloze import made_of
from tests.support.article_material import model_says, unit


def table(*rows: tuple[str, ...]) -> EvidenceUnit:
    lines = "\n".join(" | ".join(row) for row in rows)
    return unit("1:b1", lines, "table", header=rows[0], rows=rows[1:], row_heads=1)


ROOFS = table(
    ("Covering", "How", "Extra cost"),
    ("Natural slate", "Flashed bolt, slate drilled not cut", "£38 a panel"),
    ("Standing seam metal", "Clamp, no hole", "None"),
)
CARE = table(
    ("When", "What"),
    ("May", "Press the test button; check the vents for dust"),
    ("September", "Clear leaves from around the battery"),
)
DRIVERS = unit(
    "1:b1",
    "Install one of two packages:\n- nut: if you have a server\n- nut-client: if you have a client",
    "list",
    items=("nut: if you have a server", "nut-client: if you have a client"),
)
CODES = unit("1:b1", "OL -- On line\nHB -- High battery\nRB -- Replace the battery", "code")
MAIL = unit("1:b1", "Invoices go to accounts@shop.example, questions to hello@shop.example.")
BIOS = unit("1:b1", 'Change the setting to "always power on" instead of "last state".')


@pytest.mark.parametrize(
    ("text", "said", "shown"),
    [
        (
            "On natural slate the panels hang on a flashed bolt, which adds £38 for each of them.",
            ROOFS,
            "On {a} the panels hang on a flashed bolt, which adds £38 for each of them.",
        ),
        (
            "May is the month to press the test button and to look for dust in the vents.",
            CARE,
            "{a} is the month to press the test button and to look for dust in the vents.",
        ),
        (
            "A Fedora machine that only talks to a server of yours, so a client, needs `nut-client`.",
            DRIVERS,
            "A Fedora machine that only talks to a server of yours, so a client, needs `{a}`.",
        ),
        (
            "In the status line RB is the hint that a new battery is due.",
            CODES,
            "In the status line {a} is the hint that a new battery is due.",
        ),
        (
            "Send questions about your invoices to accounts@shop.example before the month ends.",
            MAIL,
            "Send questions about your invoices to {a} before the month ends.",
        ),
        (
            'Another way out is to switch the board from "last state" to "always power on".',
            BIOS,
            'Another way out is to switch the board from "{a}" to "{b}".',
        ),
        (
            'A board that is set to "off" stays dark until somebody comes.',
            BIOS,
            'A board that is set to "{a}" stays dark until somebody comes.',
        ),
    ],
)
def test_what_the_evidence_lists_beside_others_has_to_be_read_there(
    text: str, said: EvidenceUnit, shown: str
) -> None:
    assert made_of(model_says(text, "1:b1"), units=(said,)).text == shown


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("A clamp leaves the roof whole.", ROOFS),  # too little says which row it is of
        ("A covering of another kind is none of our business here.", ROOFS),
        ("May and September are the months with the least work for owners of a battery.", CARE),
        ("A client is installed like any other program of yours.", DRIVERS),
        ("Everybody may write to us at any time of the day or night.", MAIL),
        ('"We never leave a roof open overnight," the owner promised to all of us.', BIOS),
    ],
)
def test_what_nothing_tells_apart_stays(text: str, said: EvidenceUnit) -> None:
    assert list(listed_words(text, [said], "en", has_figures=False)) == []


def test_a_row_stays_beside_a_figure_that_is_left_out() -> None:
    text = "In May you press the tested buttons and look at the vents for dust, in 5 minutes."
    assert list(listed_words(text, [CARE], "en", has_figures=True)) == []


def test_terms_of_definitions_are_names_wherever_they_stand() -> None:
    units = (
        unit("1:b1", "reread: Reload the files, without restarts", "definition", lead_in="reread"),
        unit("1:b2", "update: Reload the files and restart programs", "definition", lead_in="update"),
    )
    sentence = model_says(
        "Edited the files, but want no restarts yet? Then reread is what to type.", "1:b1", "1:b2"
    )
    cloze = made_of(sentence, units=units)
    assert cloze.text == "Edited the files, but want no restarts yet? Then {a} is what to type."
    assert list(cloze.faults(["reread"])) == []
    assert len(list(cloze.faults(["update"]))) == 1


def test_half_of_a_name_in_small_letters_is_another_thing() -> None:
    sentence = model_says("A machine that only talks to your server, so a mere client, needs `nut`.", "1:b1")
    assert len(list(made_of(sentence, units=(DRIVERS,)).faults(["nut-client"]))) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "With Crew the delivery to your own yard in spring is not included.",
            table(("Service", "Crew", "Solo"), ("Delivery", "Included", "Not included")),
        ),
        (
            "Fill in clean water at the end, after the pump and the filter of the tank.",
            unit(
                "1:b1",
                "Install the pump\nCheck the filter\nClean the tank",
                "list",
                items=("Install the pump", "Check the filter", "Clean the tank"),
            ),
        ),
        ('What the trade calls a "smart" plug only reports its draw each minute.', MAIL),
        (
            "Buy a frame, a feeder, a smoker, a queen and a stand before the bees arrive in their box.",
            unit(
                "1:b1",
                "frame: a\nfeeder: b\nsmoker: c\nqueen: d\nstand: e",
                "list",
                items=("frame: a", "feeder: b", "smoker: c", "queen: d", "stand: e"),
            ),
        ),
    ],
)
def test_what_turns_a_sentence_around_or_nobody_can_fill_stays(text: str, said: EvidenceUnit) -> None:
    cloze = made_of(model_says(text, "1:b1"), units=(said,))
    assert not any(each.written in {"included", "not included", "clean", "smart"} for each in cloze.blanks)
    assert len(cloze.blanks) <= 1


def test_a_word_for_nothing_is_no_thing() -> None:
    said = table(("Grave", "Fee"), ("Plain", "Nothing at all"), ("Bench", "Nothing"), ("Oak", "By quote"))
    text = "A bench costs nothing, whoever asks for it on whatever day of the year."
    assert list(listed_words(text, [said], "en", has_figures=False)) == []
