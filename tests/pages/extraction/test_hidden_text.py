"""What a page's attributes and styles keep from its readers is no part of its text."""

from __future__ import annotations

import time

import pytest

from app.pages.extraction.extract import extract
from app.pages.extraction.styles import MAX_STYLE

URL = "https://example.com/"

HIDDEN_STYLES = (
    "display:none",
    "DISPLAY : NONE !important",
    "color:red;display:none;",
    "visibility:hidden",
    "visibility: collapse",
    "content-visibility:hidden",
    "opacity:0",
    "opacity: 0.0",
    "font-size:0",
    "font-size:0px",
    "font-size: 1px",
    "font-size:.05em",
    "position:absolute;left:-9999px",
    "position:fixed; top:-200em",
    "margin-left:-5000px",
    "text-indent:-9999px",
    "position:absolute;clip:rect(0 0 0 0)",
    "clip: rect(1px, 1px, 1px, 1px); position: absolute",
    "clip-path:inset(50%)",
    "clip-path: inset(100%)",
    "clip-path: circle(0)",
    "width:1px;height:1px;overflow:hidden",
    "transform:scale(0)",
    "transform: translateX(-9999px)",
    "color:transparent",
    "color:rgba(0,0,0,0)",
    "color:#fff;background:#fff",
    "color: white; background-color: white",
)
SHOWN_STYLES = (
    "display:block",
    "visibility:visible",
    "opacity:.5",
    "opacity:0;transform:translateY(20px)",
    "opacity:0;transition:opacity .3s",
    "font-size:12px",
    "font-size:0.8em",
    "font-size:80%",
    "position:absolute;left:-20px",
    "left:-100%",
    "margin-left:-100%",
    "text-indent:-2em",
    "width:0;height:0",
    "transform:scale(0.5)",
    "transform:translateX(-100%)",
    "color:inherit;background:inherit",
    "color:#fff;background:#000",
    "color:rgba(0,0,0,0.5)",
    "clip-path:inset(10%)",
    "::;;:x",
    "",
)


def texts(body: str, head: str = "") -> list[str]:
    page = f"<!doctype html><html><head>{head}</head><body>{body}</body></html>"
    return [block.text for block in extract(page.encode(), URL).blocks]


@pytest.mark.parametrize("style", HIDDEN_STYLES)
def test_text_that_its_style_hides_is_left_out(style: str) -> None:
    assert texts(f"<p>a</p><p style='{style}'>x</p><p>b<span style='{style}'>x</span></p>") == ["a", "b"]
    rule = f"<style>.n {{ {style} }}</style>"
    assert texts("<p>a</p><p class='n m'>x</p><p>b<span class=n>x</span></p>", rule) == ["a", "b"]


@pytest.mark.parametrize("style", SHOWN_STYLES)
def test_text_that_its_style_shows_is_kept(style: str) -> None:
    assert texts(f"<p style='{style}'>x</p>") == ["x"]
    assert texts("<p class=n>x</p>", f"<style>.n {{ {style} }}</style>") == ["x"]


@pytest.mark.parametrize(
    "rule",
    [
        ".n{display:none}",
        "#i{display:none}",
        "p.n{display:none}",
        ".n.m{display:none}",
        "h1, .n , h2{display:none}",
        "/* .n{} */ .n{display:none /* x */}",
        "@import 'x.css'; .n{display:none}",
        "@media screen{.n{display:none}}",
        "@media print{.n{display:block}} .n{display:none}",
        "@layer base{.n{display:none}}",
        ".n{display:block}.n{display:none}",
        ".n{display:block}#i{display:none}",
        ".n{display:none",
        "a{}} .n{display:none}",
    ],
)
def test_a_simple_rule_of_the_page_hides_what_it_names(rule: str) -> None:
    shown = [] if rule != ".n{display:none" else ["x"]
    assert texts("<p class='n m' id=i>x</p>", f"<style>{rule}</style>") == shown


@pytest.mark.parametrize(
    "rule",
    [
        "div.n{display:none}",
        ".n.o{display:none}",
        ".N{display:none}",
        ".n:hover{display:none}",
        ".n::before{display:none}",
        ".o .n{display:none}",
        "html.js .n{display:none}",
        "@media print{.n{display:none}}",
        "@media (max-width: 600px){.n{display:none}}",
        "@supports (x:y){.n{display:none}}",
        "@keyframes n{from{opacity:0}}",
        ".n{display:none}.n.m{display:block}",
        "#i{display:block}.n{display:none}",
        ".n{display:none}.n{display:block}",
    ],
)
def test_a_rule_that_does_not_hide_it_here_is_left_aside(rule: str) -> None:
    assert texts("<p class='n m' id=i>x</p>", f"<style>{rule}</style>") == ["x"]


def test_styles_for_printers_and_for_browsers_without_scripts_hide_nothing() -> None:
    assert texts("<p class=n>x</p>", "<style media=print>.n{display:none}</style>") == ["x"]
    assert texts("<noscript><style>.n{display:none}</style></noscript><p class=n>x</p>") == ["x"]


def test_an_inline_style_has_the_last_word() -> None:
    assert texts("<p class=n style='display:block'>x</p>", "<style>.n{display:none}</style>") == ["x"]


@pytest.mark.parametrize(
    "attribute",
    [
        "hidden",
        "hidden=''",
        "HIDDEN",
        "aria-hidden=true",
        "aria-hidden=' TRUE '",
        "role=Banner",
        "class=Sidebar",
    ],
)
def test_text_that_an_attribute_hides_is_left_out(attribute: str) -> None:
    assert texts(f"<p>a</p><div {attribute}><p>x</p></div>") == ["a"]


@pytest.mark.parametrize("attribute", ["hidden=until-found", "aria-hidden=false", "role=main", "class=side"])
def test_text_that_an_attribute_does_not_hide_is_kept(attribute: str) -> None:
    assert texts(f"<div {attribute}><p>x</p></div>") == ["x"]


def test_a_main_part_that_is_hidden_is_not_the_pages_text() -> None:
    words = "Twenty words are enough for a main part, so this sentence has some more of them than that. " * 3
    assert texts(f"<div hidden><main><p>{words}</p></main></div><p>seen</p>") == ["seen"]


@pytest.mark.parametrize(
    "mark",
    [
        "\u200b",
        "\u202e",
        "\u2066",
        "\ufeff",
        "\u00ad",
        "\U000e0041\U000e0042",
        "\ufe0f\ufe01\ufe02",
        "\uf0c1",
        "\x9f",
    ],
)
def test_characters_that_no_reader_sees_are_left_out(mark: str) -> None:
    assert texts(f"<p>pa{mark}ss</p><pre>co{mark}de</pre>") == ["pass", "code"]


@pytest.mark.parametrize("mark", ["\u200c", "\u200d", "\u200f", "\ufe0f"])
def test_marks_that_scripts_and_emoji_need_are_kept(mark: str) -> None:
    assert texts(f"<p>a{mark}b</p>") == [f"a{mark}b"]


@pytest.mark.parametrize(
    "sheet",
    ["{" * 100_000, "}" * 100_000, ".a{" * 50_000, "/*" * 100_000, ".a,"*90_000 + "{display:none}",
     "".join(f".c{n}{{display:none}}" for n in range(20_000)), "@media screen{" * 20_000,
     "." + "a" * MAX_STYLE],
    ids=["open", "close", "nested", "comments", "selectors", "rules", "media", "long"],
)  # fmt: skip
def test_a_style_sheet_without_end_costs_little(sheet: str) -> None:
    began = time.process_time()
    assert texts("<p class=c1>x</p><p>y</p>", f"<style>{sheet}</style>")[-1] == "y"
    assert time.process_time() - began < 3
