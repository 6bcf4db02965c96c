"""True sentences that rules once sent back pass, and the falsehoods beside them are still stopped."""

from __future__ import annotations

import pytest

from app.content.drafts import Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def table(header: tuple[str, ...], *rows: tuple[str, ...]) -> EvidenceUnit:
    text = "\n".join(" | ".join(cells) for cells in (header, *rows))
    return unit("1:b1", text, "table", header=header, rows=rows)


REPAIRS = table(
    ("Arbeit", "Geige", "Cello"),
    ("Klangeinstellung", "38 €", "48 €"),
    ("Vier Wirbel einpassen, inkl. Wirbel", "190 €", "320 €"),
)
RENTAL = table(
    ("Instrument", "Größe", "Schülerinstrument", "Gehobenes Instrument"),
    ("Geige", "1/16 bis 1/4", "14 €", "19 €"),
    ("Geige", "1/2 und 3/4", "16 €", "23 €"),
    ("Bratsche", "30 bis 38 cm", "19 €", "27 €"),
    ("Cello", "1/8 bis 1/2", "27 €", "38 €"),
    ("Cello", "3/4 und 4/4", "33 €", "49 €"),
)
SIZES = table(("Geige", "Alter"), ("1/4", "6–7 Jahre"), ("1/2", "7–9 Jahre"))
WORK = table(("Arbeit", "Preis"), ("Klangeinstellung", "38 €"), ("Vier Wirbel, inkl. Einpassen", "190 €"))
CRACKS = table(
    ("Arbeit", "Preis"), ("Riss leimen und belegen", "280 €"), ("Halsbruch, neuer Schaft", "900 €")
)
CELLS = table(("Place", "Interval"), ("Cell 4", "12 months"), ("Cell 3", "6 months"))
SETTINGS = table(
    ("Option", "Value"),
    ("SIP server", "sip.example"),
    ("Outbound proxy", "leave empty"),
    ("Port", "5061 (TLS), or 5060 (UDP)"),
    ("Registration interval", "600 seconds"),
)
BANDS = table(
    ("Band", "Reach", "Speed", "Good for"),
    ("2.4 GHz", "two walls", "up to 80 Mbit/s", "smart plugs, old devices"),
    ("5 GHz", "one wall", "up to 600 Mbit/s", "streaming, laptops"),
)


def found(text: str, of: EvidenceUnit, language: str, *ids: str) -> str:
    return "; ".join(Veto(evidence(of), language).violations(model_says(text, *ids)))


@pytest.mark.parametrize(
    ("text", "of", "language"),
    [
        ("Vier Wirbel einpassen, inklusive Wirbel | 190 Euro", REPAIRS, "de"),
        ("Enter the SIP server with port 5061 or 5060, and leave the outbound proxy empty.", SETTINGS, "en"),
        ("With 2.4 GHz you get up to 80 Mbit/s, good for smart plugs.", BANDS, "en"),
        ("Bei Halsbruch, neuer Schaft sind es 900 €, bei Riss leimen und belegen ab 280 €.", CRACKS, "de"),
        ("Ein Cello kostet zwischen 27 und 49 Euro, und der Preis hängt von der Größe ab.", RENTAL, "de"),
        ("Mit dem Schritt auf 3/4 steigt sie beim Schülerinstrument von 27 auf 33 Euro.", RENTAL, "de"),
        ("Das Alter 7 steht in unserer Tabelle gleich zweimal.", SIZES, "de"),
    ],
)
def test_a_true_figure_passes(text: str, of: EvidenceUnit, language: str) -> None:
    assert found(text, of, language, of.id) == ""


@pytest.mark.parametrize(
    ("text", "of", "language", "reason"),
    [
        ("Vier Wirbel kosten 4 Euro.", REPAIRS, "de", "the number “4” (€)"),
        ("Beim Cello steigt sie von 30 auf 33 Euro.", RENTAL, "de", "the number “30” (€)"),
        ("Es passt 7 Monate.", SIZES, "de", "the number “7” (month)"),
        ("Das Alter 8 steht in unserer Tabelle.", SIZES, "de", "the number “8”"),
        ("Wir haben 7 Geigen.", SIZES, "de", "the number “7”"),
    ],
)
def test_a_false_figure_is_stopped(text: str, of: EvidenceUnit, language: str, reason: str) -> None:
    assert reason in found(text, of, language, of.id)


@pytest.mark.parametrize(
    ("text", "of", "language", "figure"),
    [
        ("Das Einpassen von Wirbeln an der Geige kostet 320 Euro.", REPAIRS, "de", "320"),
        ("Bei Vier Wirbel einpassen, inkl. Wirbel sind es 38 €.", REPAIRS, "de", "38"),
        ("Vier Wirbel kosten das Gleiche, nämlich 38 €.", WORK, "de", "38"),
        ("Good for 5 GHz: 80 Mbit/s.", BANDS, "en", "80"),
        ("Good for that: 600.", BANDS, "en", "600"),
        ("Cell 3 is checked, in 12 months.", CELLS, "en", "12"),
        ("Riss leimen und belegen – ab 900 €.", CRACKS, "de", "900"),
        ("The outbound proxy is 5060.", SETTINGS, "en", "5060"),
        ("With 5 GHz you get up to 80 Mbit/s, good for laptops.", BANDS, "en", "80"),
        ("The reach is 600, good for streaming.", BANDS, "en", "600"),
        ("Ein Cello kostet zwischen 14 und 23 Euro im Monat.", RENTAL, "de", "14"),
        ("Ein gehobenes Instrument kostet 33 Euro.", RENTAL, "de", "33"),
        ("Eine Bratsche gibt es in 3/4.", RENTAL, "de", "3/4"),
    ],
)
def test_a_figure_of_something_else_has_to_be_read(
    text: str, of: EvidenceUnit, language: str, figure: str
) -> None:
    assert figure in left_out(text, of, language=language)


STANDARD = unit("1:b1", "An instrument was repaired. ISO 9001 asks for more, and the port is 5060.")
ROUTERS = unit("1:b2", "With IPv6 and Wi-Fi 6 the TarnHub 3 has 12 EUR20 cards.")
SITTING = unit("1:b1", "Das Kind sitzt auf einem passenden Stuhl, sagt Anna Kern.")
MEASURES = unit("1:b1", "Zwischen beiden Maßen liegt die Länge. Both sizes cost the same.")


def found_in(text: str, language: str, cites: bool, *units: EvidenceUnit) -> str:
    ids = [each.id for each in units] if cites else []
    return "; ".join(Veto(evidence(*units), language).violations(model_says(text, *ids)))


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Once the line is up, ask for IPv6 as well.", ""),
        ("Is it worth asking for Wi-Fi 6?", ""),
        ("And what of ISO 9001?", ""),
        ("Then ask for IPv8 as well.", "8"),
        ("Is it worth asking for Wi-Fi 7?", "7"),
        ("And what of ISO 9002?", "9002"),
        ("We have 6 of them.", "6"),
        ("That makes EUR20 a month.", "20"),
        ("With the TarnHub 3 kg are saved.", "3"),
        ("Then the port is 5060.", "5060"),
    ],
)
def test_a_number_in_a_name_is_no_figure_if_the_evidence_has_the_name(text: str, number: str) -> None:
    stopped = found_in(text, "en", False, STANDARD, ROUTERS)
    assert f"the number “{number}”" in stopped if number else stopped == ""


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Das Kind nimmt auf einem passenden Stuhl Platz.", ""),
        ("Das Kind nimmt auf einem niedrigen Hocker Platz; es sitzt gerade.", ""),
        ("Bis zu unserer Ankunft Stuhl und Kind nicht bewegen.", ""),
        ("Das Kind sitzt auf dem Stuhl Huber.", "Huber"),
        ("Das Kind nimmt bei Anna Huber Platz.", "Huber"),
        ("Auf dem Stuhl sitzt auch Jana Platz.", "Jana"),
    ],
)
def test_a_capital_makes_no_name_of_a_german_noun(text: str, name: str) -> None:
    stopped = found_in(text, "de", True, SITTING)
    assert f"the name “{name}”" in stopped if name else stopped == ""


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("Sie brauchen zwei Maße:", "de", ""),
        ("There are two sizes.", "en", ""),
        ("So a longer scale is only half of the answer.", "en", ""),
        ("Half the story is the length.", "en", ""),
        ("Das ist nur die Hälfte der Wahrheit.", "de", ""),
        ("Sie brauchen zwei Stühle.", "de", "zwei"),
        ("Sie brauchen drei Maße.", "de", "drei"),
        ("So half of the sizes cost less.", "en", "half"),
        ("Half cost less, and the answer is simple.", "en", "Half"),
        ("Die Hälfte der Maße reicht.", "de", "Hälfte"),
    ],
)
def test_both_are_two_and_half_of_the_answer_is_an_idiom(text: str, language: str, number: str) -> None:
    stopped = found_in(text, language, True, MEASURES)
    assert f"the number “{number}”" in stopped if number else stopped == ""


PLANS = unit("1:b1", "We have three plans. Each of them is for one shop.")


@pytest.mark.parametrize(
    ("text", "language", "number"),
    [
        ("These are two firms, and yours will differ.", "en", ""),
        ("If you are torn between two firms, ask us.", "en", ""),
        ("If you are torn between two plans, ask us.", "en", "two"),
        ("Zwei Angebote lassen sich vergleichen, wenn beide im selben Maß stehen.", "de", ""),
        ("Two offers can be compared if both have the same unit.", "en", ""),
        ("Both say so, and two offers are left.", "en", "two"),
        ("Two offers can be compared.", "en", "Two"),
        ("Three offers can be compared if both have the same unit.", "en", "Three"),
        ("Step five is where the loss comes in.", "en", ""),
        ("Im Schritt fünf kommt der Verlust dazu.", "de", ""),
        ("Step eight is where the loss comes in.", "en", "eight"),
        ("Shop five is where the loss comes in.", "en", "five"),
    ],
)
def test_a_number_word_that_counts_nothing_of_the_site_passes(text: str, language: str, number: str) -> None:
    sentence = model_says(text, *(["1:b1"] if "torn" in text else []))
    stopped = "; ".join(Veto(evidence(PLANS), language).violations(sentence, counts={7}))
    assert f"the number “{number}”" in stopped if number else stopped == ""


COMMANDS = unit(
    "1:b1",
    "The option copy keeps each file. MBIDs are stored for the address of the customer, and so is caCAFile.",
)


@pytest.mark.parametrize(
    ("text", "language", "stopped"),
    [
        ("Files without such IDs are listed as well.", "en", ""),
        ("Files without such Tags are listed as well.", "en", "the name “Tags”"),
        ("The MBID-based list has them.", "en", ""),
        ("The Discogs-based list has them.", "en", "the name “Discogs-based”"),
        ("They name the CA of the customer.", "en", ""),
        ("Wir schicken Ihnen die Adresse.", "de", ""),
        ("Wir schicken Jana Huber die Adresse.", "de", "the name “Jana”"),
    ],
)
def test_an_id_and_a_polite_pronoun_are_no_names(text: str, language: str, stopped: str) -> None:
    found = found_in(text, language, True, COMMANDS)
    assert stopped in found if stopped else found == ""


@pytest.mark.parametrize(
    ("text", "option", "is_stopped"),
    [
        ("What if copy is on as well?", "copy", False),
        ("What if link is on as well?", "link", True),
        ("Then turn copy on as well.", "copy", True),
    ],
)
def test_a_question_may_name_an_option_of_the_article(text: str, option: str, is_stopped: bool) -> None:
    found = Veto(evidence(COMMANDS), "en").violations(Sentence(text, (), "model", code=((option, 0),)))
    assert found == ((f"the code “{option}” is not in the evidence it names",) if is_stopped else ())


def test_a_speaker_whom_other_pages_give_an_office_is_the_same_one() -> None:
    said = unit("1:b1", "I sleep well. — Anna Kern", "quote", speaker="Anna Kern")
    office = unit("2:b1", "At last. — Anna Kern, Bee School", "quote", speaker="Anna Kern, Bee School")
    other = unit("3:b1", "It hums. — Tom Hill, Oak Farm", "quote", speaker="Tom Hill, Oak Farm")
    veto = Veto(evidence(said, office, other), "en")
    assert veto.violations(model_says("Anna Kern is calm: “I sleep well.”", "1:b1")) == ()
    assert veto.violations(model_says("Anna Kern is calm: “It hums.”", "3:b1")) != ()
    assert veto.violations(model_says("Tom Hill is calm: “I sleep well.”", "1:b1")) != ()


def test_the_port_in_an_address_is_a_figure_of_the_evidence() -> None:
    veto = Veto(evidence(unit("1:b1", "Type http://127.0.0.1:6081/ into a browser.")), "en")
    assert veto.violations(model_says("It answers on port 6081 of the machine.", "1:b1"), "p") == ()
    assert veto.violations(model_says("It answers on port 6082 of the machine.", "1:b1"), "p") != ()


@pytest.mark.parametrize("claim", ["A ticket costs €30.", "The ride takes 30 minutes.", "It has 50 seats."])
def test_a_time_and_a_scale_are_no_ports(claim: str) -> None:
    said = unit("1:b1", "The bus leaves at 17:30 from here, for a scale of 1:50 and more.")
    assert Veto(evidence(said), "en").violations(model_says(claim, "1:b1"), "p") != ()


def test_the_number_of_plans_in_the_name_of_a_page_belongs_to_no_row() -> None:
    plans = EvidenceUnit(
        *("1:b1", "table", 1, "Three plans, no commission", ()),
        *("Limit | Croft | Steading | Estate\nCottages | 3 | 9 | 40\nTexts | 6 | 30 | 90", ()),
        header=("Limit", "Croft", "Steading", "Estate"),
        rows=(("Cottages", "3", "9", "40"), ("Texts", "6", "30", "90")),
        row_heads=1,
    )
    veto = Veto(evidence(plans), "en")
    assert veto.violations(model_says("Texts are a part of all three plans.", "1:b1"), "p") == ()
    assert "30" in left_out("On Croft you get 30 texts.", plans)


def test_a_row_states_a_name_beside_what_its_cell_says() -> None:
    way = unit("1:b1", "In reverse mode Fell opens a connection to the address of the central Cob facility.")
    also = unit(
        "1:b2", "The connection is without encryption, but Cob must still be named with Pascale's key."
    )
    row = Sentence("Reverse mode | Fell, central facility | Cob, no encryption", ("1:b1", "1:b2"), "model")
    assert Veto(evidence(way, also), "en").violations(row, "table") == ()


@pytest.mark.parametrize(
    ("text", "language", "name"),
    [
        ("Un SMS coûte 0,07 € HT.", "fr", ""),
        ("Un SMS coûte 0,07 € LTD.", "fr", "LTD"),
        ("乾燥機に建材床Ⅲ型は入れられません。", "ja", ""),
        ("乾燥機にBee-Boxは入れられません。", "ja", "Bee-Box"),
    ],
)
def test_taxes_and_japanese_words_are_no_names(text: str, language: str, name: str) -> None:
    prices = unit("1:b1", "Tous les prix sont hors taxes, un SMS coûte 0,07 €. 建材床Ⅲ型は縮むおそれがある。")
    found = found_in(text, language, True, prices)
    assert f"the name “{name}”" in found if name else found == ""
