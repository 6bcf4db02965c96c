"""Falsehoods that stand right beside what the rules let pass."""

from __future__ import annotations

import pytest

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.article.blank_places import Blank
from app.content.writing.article.cloze import Cloze
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def table(header: tuple[str, ...], *rows: tuple[str, ...]) -> EvidenceUnit:
    text = "\n".join(" | ".join(cells) for cells in (header, *rows))
    return unit("1:b1", text, "table", header=header, rows=rows)


def listed(*items: str) -> EvidenceUnit:
    return unit("1:b2", "\n".join(f"- {each}" for each in items), "list", items=items)


PLANS = table(("", "Starter", "Kitchen", "Group"), ("Price per month", "€39", "€89", "€219"))
BOOKING = table(("", "Basic", "Pro"), ("Booking fee", "£2", "£1"), ("Booking change", "£9", "£7"))
TOTAL = table(("Item", "Price"), ("Suit", "£45"), ("Course", "£80"), ("Hive", "£150"), ("Total", "£275"))
STEPS = unit("1:b3", "", "list", items=tuple("abcdefgh"), numbered=True)
CLOSED = unit("1:b4", "We are closed on 3 and 24 December. We have 17 rooms.")


@pytest.mark.parametrize(
    ("text", "told", "language"),
    [
        ("As a rule 3 frames suffice.", STEPS, "en"),
        ("Run the command five times, then heat.", STEPS, "en"),
        ("In dem Teil 3 Räume.", STEPS, "de"),
        ("We are closed on 17 December.", CLOSED, "en"),
    ],
)
def test_a_figure_that_the_evidence_has_not_is_stopped(text: str, told: EvidenceUnit, language: str) -> None:
    assert Veto(evidence(told), language).violations(model_says(text, told.id)) != ()


@pytest.mark.parametrize(
    ("text", "told", "language", "figure"),
    [
        ("Il piano Starter costa €219 al mese.", PLANS, "it", "219"),
        ("Med Starter betalar du €219.", PLANS, "sv", "219"),
        ("Why not take Starter at €219 a month?", PLANS, "en", "219"),
        ("Warum nicht Starter für €219?", PLANS, "de", "219"),
        ("On Basic, a booking change costs £2.", BOOKING, "en", "2"),
        ("For the suit, you pay £275.", TOTAL, "en", "275"),
    ],
)
def test_a_figure_of_something_else_has_to_be_read(
    text: str, told: EvidenceUnit, language: str, figure: str
) -> None:
    assert left_out(text, told, language=language) == {figure}


SERVER = unit(
    "1:b5", "server {\n  listen 80;\n  root /var/www;\n}\nwith the file saved,\nthe server starts", "code"
)
SET = unit("3:b1", "the quick start\nset theme dark\nopen the box", "code")
PANEL = unit("1:b6", "You can open the panel and set the colour of a hive to blue or the theme to light.")
STATUS = unit("1:b7", "`bees-ctl status` says whether the server runs.")
TOOL = unit("1:b8", "terraform plan [-out] writes a plan. java [-version] says which. Use tool [-force].")
JOBS = listed("Backup: Every night.", "Restore: On request.", "Delete account: Any time.")
GUIDE = unit("1:b9", "Please read the guide [English] before you delete the hive or copy the frames.")
CONF = unit("1:b10", "Run `hive --config /etc/hive/bees.conf` as root.")


@pytest.mark.parametrize(
    ("code", "told"),
    [
        ("bees-ctl listen", STATUS),
        ("bees-ctl with status", STATUS),
        ("set colour blue", PANEL),
        ("open hive", PANEL),
        ("terraform plan -o", TOOL),
        ("java -i", TOOL),
        ("Delete night", JOBS),
        ("copy the hive", GUIDE),
        ("hive --config /path/to/../../etc/shadow", CONF),
    ],
)
def test_code_that_nothing_documents_is_stopped(code: str, told: EvidenceUnit) -> None:
    said = Sentence(f"Type {code} now.", (told.id,), "model", code=((code, 0),))
    assert Veto(evidence(SERVER, SET, told), "en").violations(said) != ()


@pytest.mark.parametrize(("written", "read"), [("M", "Medium"), ("IT", "Irene Tanner"), ("ABC", "Anna Bell")])
def test_initials_of_less_than_three_words_confirm_nothing(written: str, read: str) -> None:
    cloze = Cloze("{a} has a box", (Blank(0, 1, written, "name"),), "en")
    assert list(cloze.faults([read])) != []


@pytest.mark.parametrize(
    ("read", "is_right"), [("/health", True), ("GET /health", True), ("health", True), ("/leader", False)]
)
def test_an_endpoint_is_read_with_and_without_its_method(read: str, is_right: bool) -> None:
    cloze = Cloze("Ask /{a} first.", (Blank(5, 11, "health", "code"),), "en")
    assert (list(cloze.faults([read])) == []) is is_right
