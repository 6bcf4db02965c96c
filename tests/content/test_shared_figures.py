"""Figures that several things of the evidence have, or that it writes in short, pass; moved ones do not."""

from __future__ import annotations

import pytest

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit


def table(header: tuple[str, ...], *rows: tuple[str, ...]) -> EvidenceUnit:
    text = "\n".join(" | ".join(cells) for cells in (header, *rows))
    return unit("1:b1", text, "table", header=header, rows=rows, row_heads=1)


BIKES = table(
    ("", "Longtail", "Front box"),
    ("Children", "2 on the rear bench with rails", "2 on the bench, 3 with the extra bench (£10)"),
    ("Youngest", "12 months, in a seat, sitting unaided", "12 months, harnessed, sitting unaided"),
    ("Length", "1.8 m", "2.6 m"),
)
CLUB = table(
    ("", "Bobbin", "Reel", "Creel"),
    ("Monthly", "£7", "£15", "£26"),
    ("Puncture repairs", "Half price", "4 free a year", "10 free a year"),
    ("Discount on hire", "10%", "15%", "25%"),
)
SERVICE = unit("1:b1", "£185, £215 electric, £265 cargo. The bike is taken down. We ask for a £30 deposit.")
SINGLES = unit("1:b1", "A Shuttle (£95), a Tickover (£48) and two punctures (£32) alone come to £175.")
WARRANTY = unit("1:b1", "Two-year warranty on motor and battery, five on the frame.")


def found(text: str, of: EvidenceUnit) -> tuple[str, ...]:
    return Veto(evidence(of), "en").violations(model_says(text, "1:b1"))


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("The longtail takes 2 children on the rear bench with rails.", BIKES),
        ("The discount on hire is 10% on Bobbin, 15% on Reel and 25% on Creel.", CLUB),
        ("For an electric bike it costs £215, with a £30 deposit.", SERVICE),
        ("A Shuttle at £95, a Tickover at £48 and two punctures at £32 come to £175.", SINGLES),
        ("The motor has a two-year warranty, and the frame one of five years.", WARRANTY),
    ],
)
def test_a_figure_that_fits_passes(text: str, of: EvidenceUnit) -> None:
    assert found(text, of) == ()


@pytest.mark.parametrize(
    ("text", "of"),
    [
        ("The longtail has a length of 2.6 m.", BIKES),
        ("Creel gives a discount on hire of 15%.", CLUB),
        ("A Shuttle at £97, a Tickover at £48 and two punctures at £32 come to £177.", SINGLES),
        ("The motor has a two-year warranty, and the frame one of six years.", WARRANTY),
        ("A tow costs £215.", unit("1:b1", "A service costs £185, or £215 with parts. A tow costs £40.")),
        ("The trip lasts 7 hours.", unit("1:b1", "The trip lasts 2 hours with bus 7 from town.")),
        ("On Bobbin, the discount on hire is 15%.", CLUB),
    ],
)
def test_a_figure_that_does_not_fit_is_stopped(text: str, of: EvidenceUnit) -> None:
    assert found(text, of) != ()
