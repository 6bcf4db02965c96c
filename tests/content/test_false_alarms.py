"""True sentences that rules once sent back pass, and the falsehoods beside them are still stopped."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


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
        ("Das Einpassen von Wirbeln an der Geige kostet 320 Euro.", REPAIRS, "de", "320 belongs to Cello"),
        ("The outbound proxy is 5060.", SETTINGS, "en", "5060 belongs to Port"),
        ("With 5 GHz you get up to 80 Mbit/s, good for laptops.", BANDS, "en", "80 belongs to 2.4 GHz"),
        ("The reach is 600, good for streaming.", BANDS, "en", "600 belongs to Speed"),
        ("Ein Cello kostet zwischen 14 und 23 Euro im Monat.", RENTAL, "de", "14 belongs to Geige"),
        ("Ein gehobenes Instrument kostet 33 Euro.", RENTAL, "de", "33 belongs to Schülerinstrument"),
        ("Eine Bratsche gibt es in 3/4.", RENTAL, "de", "3/4 belongs to Geige"),
        ("Es passt 7 Monate.", SIZES, "de", "the number “7” (month)"),
        ("Das Alter 8 steht in unserer Tabelle.", SIZES, "de", "the number “8”"),
        ("Wir haben 7 Geigen.", SIZES, "de", "the number “7”"),
    ],
)
def test_a_false_figure_is_stopped(text: str, of: EvidenceUnit, language: str, reason: str) -> None:
    assert reason in found(text, of, language, of.id)
