"""The line that ends a digest."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.assembly.closing import usual_button
from app.content.request import CallToAction
from app.pages.extraction.blocks import Block, OutLink
from tests.content.conftest import assert_traced, write

JOIN = ("Join the course", "https://bees.example/course")
SHOP = ("Order a beehive", "https://shop.bees.org/hives")


def with_button(page: SourcePage, button: tuple[str, str]) -> SourcePage:
    text, url = button
    link = (OutLink(text, url),)
    is_own = url.startswith("https://bees.example/")
    block = Block("b99", "label", text, links=() if is_own else link, own_links=link if is_own else ())
    return replace(page, blocks=(*page.blocks, block))


def with_buttons(site: SourceSnapshot, button: tuple[str, str], count: int) -> SourceSnapshot:
    pages = (with_button(page, button) if n < count else page for n, page in enumerate(site.pages))
    return replace(site, pages=tuple(pages))


@pytest.mark.parametrize("button", [JOIN, SHOP])
def test_without_a_call_to_action_a_digest_ends_with_the_button_of_the_site(
    school: SourceSnapshot, button: tuple[str, str]
) -> None:
    site = with_buttons(school, button, 4)
    written = write(site, topic="beehive")
    assert written.post.markdown.endswith(f"[{button[0]}]({button[1]})\n")
    assert {
        check.code for check in written.quality.checks if not check.passed and check.severity == "block"
    } == set()
    assert_traced(written, site)


def test_the_callers_call_to_action_goes_before_the_button(school: SourceSnapshot) -> None:
    asked = CallToAction("Call us", "https://bees.example/team")
    written = write(with_buttons(school, JOIN, 4), topic="beehive", call_to_action=asked)
    assert "[Call us](https://bees.example/team)" in written.post.markdown
    assert "Join the course" not in written.post.markdown


@pytest.mark.parametrize("wanted", [{"declined": ("call_to_action",)}, {"most_links": 0}])
def test_whoever_wants_no_closing_or_no_link_gets_no_button(
    school: SourceSnapshot, wanted: dict[str, object]
) -> None:
    written = write(with_buttons(school, JOIN, 4), topic="beehive", **wanted)
    assert "Join the course" not in written.post.markdown


def test_an_outline_has_no_button(school: SourceSnapshot) -> None:
    written = write(with_buttons(school, JOIN, 4), topic="quantum computing")
    assert "Join the course" not in written.post.markdown


@pytest.mark.parametrize(
    ("button", "count"),
    [(JOIN, 2), (("Read more", JOIN[1]), 4), (("Sign up", "https://bees.example/nowhere"), 4)],
)
def test_a_button_of_two_pages_one_that_says_no_more_and_one_to_an_unknown_page_are_left_out(
    school: SourceSnapshot, button: tuple[str, str], count: int
) -> None:
    assert usual_button(with_buttons(school, button, count).pages) is None


def test_a_line_of_which_only_a_word_is_a_link_is_no_button(school: SourceSnapshot) -> None:
    crumbs = Block("b99", "label", "Home › Care", own_links=(OutLink("Home", JOIN[1]),))
    pages = [replace(page, blocks=(*page.blocks, crumbs)) for page in school.pages]
    assert usual_button(pages) is None


def test_a_button_to_another_site_needs_a_page_that_is_quoted(school: SourceSnapshot) -> None:
    pages = with_buttons(school, SHOP, 4).pages
    assert usual_button(pages) is None
    found = usual_button(pages, [2])
    assert found is not None
    assert found.source == "2:b99"
