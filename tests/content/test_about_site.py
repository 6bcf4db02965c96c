"""The evidence that tells readers who a site is and how to reach it."""

from __future__ import annotations

import pytest

from app.content.evidence.about_site import about_site
from app.content.evidence.units import EvidenceUnit


def unit(page_id: int, number: int, text: str, kind: str = "paragraph") -> EvidenceUnit:
    return EvidenceUnit(f"{page_id}:b{number}", kind, page_id, "Page", (), text, (f"b{number}",))  # type: ignore[arg-type]


HOME = [unit(1, 1, "Garden of Alice sells seeds."), unit(1, 2, "Since 1990."), unit(1, 3, "Come and see.")]


def test_the_home_page_says_who_the_site_is() -> None:
    units = [unit(2, 1, "Peas grow."), *HOME]
    assert [each.id for each in about_site(units, {1})] == ["1:b1", "1:b2"]
    assert about_site(units, ()) == ()


@pytest.mark.parametrize(
    "text",
    [
        "Ring 015396 55 200.",
        "Telefon 0951 5550147",
        "Call (0951) 555-0147 or come",
        "+49 951 5550147",
        "alice@garden.example",
    ],
)
def test_a_unit_with_a_telephone_or_a_mail_address_is_a_way_to_reach_it(text: str) -> None:
    assert [each.id for each in about_site([unit(3, 1, text)], ())] == ["3:b1"]


@pytest.mark.parametrize(
    "text",
    ["On 01/02/2024 10-12", "0.5 to 100 000 000 a year", "Port 5060", "In 2019-2024", "DIN 0815", "@alice"],
)
def test_dates_and_figures_are_no_way_to_reach_it(text: str) -> None:
    assert about_site([unit(3, 1, text)], ()) == ()


def test_the_page_with_most_ways_to_reach_the_site_comes_first() -> None:
    units = [
        unit(2, 1, "Questions to peas@garden.example."),
        unit(3, 1, "Ring 015396 55 200."),
        unit(3, 2, "Write to alice@garden.example."),
        unit(3, 3, "bob@garden.example", "code"),
    ]
    assert [each.id for each in about_site(units, ())] == ["3:b1", "3:b2"]


def test_a_telephone_number_does_not_keep_out_the_only_mail_address() -> None:
    units = [
        unit(2, 1, "Ring 015396 55 200 for seeds."),
        unit(2, 2, "Ring 015396 55 201 for tools."),
        unit(3, 1, "Write to alice@garden.example."),
    ]
    assert [each.id for each in about_site(units, ())] == ["2:b1", "3:b1"]
