"""Two pages with different prices for the same thing: the editor is told."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.retrieval.passages import library_of
from app.content.writing.contradictions import contradictions
from app.pages.extraction.extract import extract
from tests.content.conftest import write


def page(number: int, title: str, body: str) -> SourcePage:
    url = f"https://rota.example/{number}"
    html = f"<html><head><title>{title}</title></head><body><main><h1>{title}</h1>{body}</main></body></html>"
    read = extract(html.encode(), url)
    return SourcePage(number, url, read.title, None, False, read.blocks)


def table(caption: str, *rows: tuple[str, ...]) -> str:
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[1:])
    head = "".join(f"<th>{cell}</th>" for cell in rows[0])
    return f"<table><caption>{caption}</caption><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def notes(text: str, *pages: SourcePage) -> tuple[str, ...]:
    snapshot = SourceSnapshot("Rota", "https://rota.example/", {}, "en", pages)
    return contradictions(library_of(pages, "en", "Rota"), snapshot, text)


PLANS = page(1, "Plans", table("Our plans", ("Plan", "Price per month"), ("Crew", "£17"), ("Solo", "£9")))
START = page(
    2, "Plans at a glance", table("All plans", ("Plan", "Per month"), ("Crew", "£19"), ("Solo", "£9"))
)


def test_two_pages_with_different_prices_of_a_plan_are_named() -> None:
    (note,) = notes("The Crew plan costs £17 a month.", PLANS, START)
    assert note == (
        "Your pages disagree: “Crew” is £17 on https://rota.example/1 and £19 on https://rota.example/2. "
        "Check which one is right."
    )


def test_a_price_that_the_post_does_not_mention_is_no_matter_of_its_editor() -> None:
    assert notes("The Solo plan costs £9 a month.", PLANS, START) == ()


@pytest.mark.parametrize(
    "other",
    [
        table("Our plans", ("Plan", "Price per month"), ("Crew", "£17"), ("Solo", "£9")),
        table("Our plans", ("Plan", "Price per year"), ("Crew", "£170"), ("Solo", "£90")),
        table("Our plans", ("Plan", "Set-up"), ("Crew", "£40"), ("Solo", "£20")),
        table("Our plans", ("Plan", "Price per month"), ("Crew", "€20"), ("Solo", "€11")),
    ],
)
def test_the_same_price_and_prices_of_something_else_do_not_disagree(other: str) -> None:
    assert notes("Crew: £17, £170, £40, €20.", PLANS, page(2, "Plans again", other)) == ()


def test_the_same_row_of_two_products_is_two_things() -> None:
    bikes = page(1, "Bike hire", table("Bike hire", ("Size", "Price"), ("Large", "£17")))
    boats = page(2, "Boat hire", table("Boat hire", ("Size", "Price"), ("Large", "£40")))
    hours = page(3, "Bike hire in town", table("Bike hire", ("Time", "Price"), ("One hour", "£17")))
    later = page(4, "Bike hire at night", table("Bike hire", ("Time", "Price"), ("One hour", "£25")))
    assert notes("Large £17 £40, one hour £17 £25", bikes, boats, hours, later) == ()


def test_a_digest_has_a_note_for_its_editor() -> None:
    prose = "<p>The Crew plan is for teams that share one rota. It has every part of the planner in it.</p>"
    costs = (
        "<h2>What the Crew plan costs</h2><p>The Crew plan costs £17 a month. It can be left at any time.</p>"
    )
    pages = [
        page(n, title, prose.replace("planner", f"planner {n}") + costs + each)
        for n, title, each in (
            (1, "The Crew plan", table("Plans", ("Plan", "Price per month"), ("Crew", "£17"))),
            (2, "Plans", table("Plans", ("Plan", "Price per month"), ("Crew", "£19"))),
        )
    ]
    snapshot = SourceSnapshot("Rota", "https://rota.example/", {}, "en", tuple(pages))
    written = write(snapshot, topic="The Crew plan")
    assert written.draft_kind == "extractive"
    assert any(note.startswith("Your pages disagree: “Crew” is £17 on ") for note in written.editor_notes)
