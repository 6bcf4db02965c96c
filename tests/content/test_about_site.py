"""The evidence that tells readers who a site is and how to reach it."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.about_site import about_site, self_descriptions
from app.content.evidence.units import EvidenceUnit
from app.content.plan import EVIDENCE_ID
from tests.content.conftest import page


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


def described(page_id: int, description: str | None) -> SourcePage:
    return replace(page(page_id, f"page{page_id}", [("p", "Peas grow.")]), description=description)


def test_the_description_of_the_home_page_is_evidence_with_an_id_of_its_own() -> None:
    pages = [described(2, "Peas and beans."), described(1, "A  seed garden by the sea.")]
    [found] = self_descriptions(pages, {1}, "Alice & Co", "en")
    assert (found.id, found.page_id, found.text) == ("1:description", 1, "A seed garden by the sea.")
    assert re.fullmatch(EVIDENCE_ID, found.id), "a plan may name it"


def test_a_page_that_says_what_the_site_is_in_its_description_is_evidence_too() -> None:
    pages = [
        described(1, None),
        described(2, "Alice & Co sells peas."),
        described(3, "Alice & Co is a seed garden of four people."),
        described(4, "Alice & Co was founded in 1990."),
    ]
    assert [each.id for each in self_descriptions(pages, {1}, "Alice & Co", "en")] == ["3:description"]


def test_a_description_that_a_browser_might_run_is_no_evidence() -> None:
    assert self_descriptions([described(1, "<script>alert(1)</script>")], {1}, "Alice", "en") == ()
