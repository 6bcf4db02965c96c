"""The one sanitiser and the escaping before it."""

from __future__ import annotations

import re
from html import unescape

import pytest
from bs4 import BeautifulSoup
from hypothesis import given
from hypothesis import strategies as st

from app.content.rendering.html import render_html, unsafe_markup
from app.content.rendering.markdown import (
    escape,
    escape_with_marks,
    fenced,
    link,
    looks_active,
    pipe_table,
    spans_of,
)
from app.language.words import fold

HOSTILE = st.text(
    alphabet=st.sampled_from(list("<>&\"'`*_[]()#!|\\/:=-+~.1 \n\taonclickjvsrpthim%")), max_size=120
)
LINES = st.text(st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=80).map(fold)


@given(HOSTILE)
def test_rendered_html_has_only_harmless_tags_and_web_addresses(markdown: str) -> None:
    for element in BeautifulSoup(render_html(markdown), "lxml").find_all(True):
        assert element.name not in {"script", "iframe", "style", "form", "object", "svg"}
        assert not [name for name in element.attrs if name.startswith("on") or name == "style"]
        address = str(element.get("href") or element.get("src") or "https://")
        assert re.match(r"https?://", address)


@given(LINES)
def test_escaped_text_is_shown_as_it_is_written(text: str) -> None:
    html = render_html(escape(text))
    assert fold(BeautifulSoup(html, "lxml").get_text()) == text
    assert not BeautifulSoup(html, "lxml").find_all(["em", "a", "code", "ul", "ol", "h1", "hr", "blockquote"])


def test_a_decimal_at_the_beginning_of_a_line_needs_no_backslash() -> None:
    assert escape("4.1 kW, 54 kg") == "4.1 kW, 54 kg"
    assert escape("4. Weigh the hive") == "4\\. Weigh the hive"


@given(LINES)
def test_escaped_text_is_no_unsafe_markup(text: str) -> None:
    assert unsafe_markup(escape(text)) == []


@given(st.text(alphabet="`ab\n ", max_size=40).filter(str.strip))
def test_fenced_code_cannot_leave_its_fence(code: str) -> None:
    soup = BeautifulSoup(render_html(fenced(code) + "\n\nafter"), "lxml")
    assert [p.get_text() for p in soup.find_all("p")] == ["after"]


@pytest.mark.parametrize(
    "markdown",
    [
        "<script>alert(1)</script>",
        "text <iframe src=x></iframe>",
        '<img src=x onerror="alert(1)">',
        "<svg/onload=alert(1)>",
        "[a](javascript:alert(1))",
        "[a](<JaVaScRiPt:alert(1)>)",
        "![a](data:text/html;base64,x)",
        "<a href='javascript:alert(1)'>x</a>",
        "<javascript:alert(1)>",
        '<a title=">" onclick="alert(1)">',
        '<img src="a>b" onerror=alert(1)>',
        '<!--><img src="a>b" onerror=alert(1)> -->',
        '<a href="&#106;avascript:alert(1)">',
        '<a href="javascript&colon;alert(1)">',
    ],
)
def test_dangerous_markup_is_found_and_never_rendered(markdown: str) -> None:
    assert unsafe_markup(markdown)
    soup = BeautifulSoup(render_html(markdown), "lxml")
    assert not soup.find_all(["script", "iframe", "svg", "img"])
    assert all(str(a.get("href", "")).startswith("http") for a in soup.find_all("a", href=True))


@pytest.mark.parametrize(
    "markdown",
    [
        "`<script>`",
        "    <script>",
        "a < b and c > d",
        "[a](https://x.example/?javascript:)",
        "on time",
        "Use <b> tags",
        "x <y on monday",
        "kind=data: see below",
    ],
)
def test_harmless_text_is_no_finding(markdown: str) -> None:
    assert unsafe_markup(markdown) == []


def test_links_that_are_no_web_addresses_lose_their_address() -> None:
    html = render_html("[mail](mailto:a@b.example) [rel](/x) [web](https://x.example/)")
    soup = BeautifulSoup(html, "lxml")
    assert [a.get("href") for a in soup.find_all("a")] == [None, None, "https://x.example/"]


def test_markdown_structure_survives() -> None:
    html = render_html("## A\n\n- b\n\n> c\n\n```\nd\n```\n\n| e | f |\n|---|---|\n| g | h |\n")
    assert all(
        f"<{tag}>" in html for tag in ("h2", "ul", "li", "blockquote", "pre", "code", "table", "th", "td")
    )


def test_linked_headings_with_the_same_words_have_ids_of_their_own() -> None:
    links = " ".join(f"[{n}](#section-c{n})" for n in ("", "-2", "-3", "-2-2"))
    html = render_html(f"{links}\n\n## C\n\n## C 2\n\n### C++\n\n## C\n\n## C 2\n")
    ids = [str(each["id"]) for each in BeautifulSoup(html, "lxml").find_all(id=True)]
    assert ids == ["section-c", "section-c-2", "section-c-3", "section-c-2-2"]


def test_an_address_with_parentheses_stays_whole() -> None:
    html = render_html(link("Bees [1]", "https://x.example/bee_(insect)"))
    assert 'href="https://x.example/bee_(insect)"' in html
    assert "Bees &#91;1]" in html


@pytest.mark.parametrize("query", ["?a=1&copy;=2", "?a=1&amp;b=2", "?x=*_y_*", "?q=a|b~c"])
def test_an_address_reaches_the_reader_as_it_is(query: str) -> None:
    html = render_html(link("Bees", f"https://x.example/{query}"))
    address = BeautifulSoup(html, "lxml").find("a", href=True)
    assert address is not None
    assert str(address["href"]).replace("%7C", "|") == f"https://x.example/{query}"


@pytest.mark.parametrize(
    "markdown",
    [
        'A page says \\[gallery ids="1"\\] and more.',
        '`[gallery ids="1"]`',
        '```\n[gallery ids="1"]\n```',
        '[x](https://x.example/ "[gallery ids=1]")',
        "![\\[gallery\\]](https://x.example/a.png)",
    ],
)
def test_no_shortcode_is_left_for_wordpress_to_run(markdown: str) -> None:
    html = render_html(markdown)
    assert "[" not in html
    assert "[gallery" in unescape(html)


@pytest.mark.parametrize(
    ("text", "code", "html"),
    [
        ("Type knotc status now.", [("knotc status", 0)], "<p>Type <code>knotc status</code> now.</p>"),
        ("The user sets user.", [("user", 1)], "<p>The user sets <code>user</code>.</p>"),
        ("-d, then -d +qr.", [("-d +qr", 0), ("-d", 0)], "<p><code>-d</code>, then <code>-d +qr</code>.</p>"),
        ("Set a_b and x_a_b.", [("a_b", 0), ("a_b", 1)], "<p>Set <code>a_b</code> and x_a_b.</p>"),
        ("# no *heading* here", [("here", 0)], "<p># no *heading* <code>here</code></p>"),
        ("Say 1 < 2 & go.", [("1 < 2 & go", 0)], "<p>Say <code>1 &lt; 2 &amp; go</code>.</p>"),
        ("a b c", [("a b", 0), ("b c", 0)], "<p><code>a b</code> c</p>"),
        ("Run dmesg | tail | head.", [("dmesg | tail", 0)], "<p>Run <code>dmesg | tail</code> | head.</p>"),
        ("Nothing of it.", [("else", 0)], "<p>Nothing of it.</p>"),
    ],
)
def test_runs_of_code_are_shown_as_code_and_the_rest_as_it_is_written(
    text: str, code: list[tuple[str, int]], html: str
) -> None:
    assert render_html(escape_with_marks(text, spans_of(text, code))).strip() == html


def test_a_bar_in_code_ends_no_cell() -> None:
    code = r"grep 'a\|b' | wc -l"
    text = f"Run {code} for a|b"
    cell = escape_with_marks(text, spans_of(text, [(code, 0)]), in_cell=True)
    row = BeautifulSoup(render_html(pipe_table(["One"], [[cell]])), "lxml").select("tbody td")
    assert [each.get_text() for each in row] == [text]
    assert [each.get_text() for each in row[0].select("code")] == [code]


def test_a_figure_that_begins_a_link_is_no_item_of_a_list() -> None:
    figure = link("99.98 % availability", "https://example.com/")
    assert figure == "[99.98 % availability](https://example.com/)"
    html = render_html(link("1. Begin here", "https://example.com/"))
    assert html.strip() == '<p><a href="https://example.com/">1. Begin here</a></p>'


@pytest.mark.parametrize(
    ("text", "is_active"),
    [
        ('secret = "${GITHUB_SECRET}"', False),
        ("echo ${HOME:-/root} ${file:/run/secrets/key}", False),
        ("${alert(1)}", True),
        ("${7*7}", True),
        ("#{x}", True),
        ("{{ name }}", True),
        ("[audio]\noutput = oss4sink", False),
        ("[audio]", True),
        ("see [video]\nwidth = 3", True),
    ],
)
def test_variables_and_sections_of_a_configuration_are_no_active_content(text: str, is_active: bool) -> None:
    assert looks_active(text) is is_active


def test_a_telephone_number_does_not_turn_around_in_text_from_right_to_left() -> None:
    html = render_html("اتصل على 06 500 0147 أو +962 6 500 0147 قبل 2025.\n\nRing 06 500 0147.")
    assert html.split("\n") == [
        "<p>اتصل على \u200e06 500 0147 أو \u200e+962 6 500 0147 قبل 2025.</p>",
        "<p>Ring 06 500 0147.</p>",
        "",
    ]
