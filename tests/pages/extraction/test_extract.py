"""What a page says is kept with its structure; what surrounds it, or is hidden, is not."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.language.words import word_count
from app.pages.extraction.blocks import MAX_TEXT_BYTES, Extracted, OutLink
from app.pages.extraction.extract import extract, from_text

URL = "https://example.com/docs/page.html"
LONG = "Every word of this sentence counts towards the main part of the page. " * 8


def page(body: str, head: str = "") -> Extracted:
    return extract(
        f"<!doctype html><html lang=en><head>{head}</head><body>{body}</body></html>".encode(), URL
    )


def texts(content: Extracted) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in content.blocks]


def test_the_head_has_title_description_canonical_and_language() -> None:
    content = page(
        "<p>x</p>",
        "<title> A  page </title><meta name=Description content=' About it '>"
        "<link rel='alternate canonical' href='../Page#x'>",
    )
    assert (content.title, content.description, content.language) == ("A page", "About it", "en")
    assert content.canonical_url == "https://example.com/Page"
    assert not content.noindex


def test_a_page_without_a_title_is_called_by_its_first_heading() -> None:
    assert page("<h1>Name</h1>").title == "Name"
    assert page("<h1>Name</h1>", "<meta property='og:title' content='Shown'>").title == "Shown"


def test_noindex_is_seen_in_every_spelling() -> None:
    for robots in ("noindex", "NOINDEX, follow", "follow,noindex", "none"):
        assert page("", f"<meta name=robots content='{robots}'>").noindex, robots
    assert not page("", "<meta name=robots content='index, max-snippet:-1'>").noindex


def test_headings_are_kept_with_the_headings_above_them() -> None:
    content = page("<h1>A</h1><p>1</p><h2>B</h2><p>2</p><h3>C</h3><p>3</p><h2>D</h2><p>4</p>")
    assert content.headings == ("A", "B", "C", "D")
    paths = {block.text: block.heading_path for block in content.blocks}
    assert paths["3"] == ("A", "B", "C")
    assert paths["4"] == ("A", "D")
    assert paths["D"] == ("A",)
    assert [block.id for block in content.blocks] == [f"b{n}" for n in range(1, 9)]


def test_permalink_marks_are_no_part_of_a_heading() -> None:
    content = page('<h1>Setup<a class="headerlink" href="#s">¶</a></h1><h2>Next <a href="#n">#</a></h2>')
    assert content.headings == ("Setup", "Next")


def test_lists_definitions_quotes_and_code_keep_their_kind() -> None:
    content = page(
        "<ul><li>one <b>bold</b><ul><li>inner</li></ul></li><li><p>two</p></li></ul>"
        "<dl><dt>term</dt><dd>meaning</dd></dl><blockquote><p>said</p></blockquote>"
        "<pre><code>if x:\n    y()  \n</code></pre>loose<br>text"
    )
    assert texts(content) == [
        ("li", "one bold"), ("li", "inner"), ("li", "two"), ("dt", "term"), ("dd", "meaning"),
        ("quote", "said"), ("code", "if x:\n    y()"), ("p", "loose text"),
    ]  # fmt: skip


def test_a_table_gives_its_caption_head_and_rows_and_a_layout_table_its_content() -> None:
    data = "<table><caption>Sizes</caption><tr><th>Name<th>Size<tr><td>a<td><p>1 <b>MB</b></p><td></table>"
    assert texts(page(data)) == [("caption", "Sizes"), ("table_head", "Name | Size"), ("table", "a | 1 MB")]
    layout = "<table><tr><td><h2>Head</h2><p>body</p></td></tr></table>"
    assert texts(page(layout)) == [("heading", "Head"), ("p", "body")]


def test_an_empty_cell_keeps_its_place_below_a_head_only() -> None:
    rows = "<tr><td><td>x<td></tr><tr hidden><td>y</tr><tr><td hidden>z<td>v</tr>"
    headed = f"<table><thead><tr><td>A<td>B</thead><tbody>{rows}</tbody></table>"
    assert texts(page(headed)) == [("table_head", "A | B"), ("table", " | x"), ("table", "v")]
    assert texts(page(f"<table>{rows}</table>")) == [("table", "x"), ("table", "v")]


def test_the_caption_of_a_figure_is_known_as_such() -> None:
    assert texts(page("<figure><img><figcaption><p>A hive.</p></figcaption></figure><p>x</p>")) == [
        ("caption", "A hive."),
        ("p", "x"),
    ]


def test_an_item_knows_the_lists_around_it() -> None:
    content = page("<ol><li>one<ul><li>inner</ul><li>two</ol><ul><li>other</ul><p>x</p>")
    assert [(block.text, block.lists) for block in content.blocks] == [
        ("one", "o"), ("inner", "ou"), ("two", "o"), ("other", "u"), ("x", ""),
    ]  # fmt: skip


def test_a_question_that_unfolds_heads_its_answer() -> None:
    content = page(
        "<h2>FAQ</h2><details><summary>Does it <b>rain</b>?</summary><p>Often.</p></details>"
        "<details><summary>More</summary>text</details><p>after</p>"
    )
    assert [(block.kind, block.text, block.heading_path) for block in content.blocks][1:] == [
        ("heading", "Does it rain?", ("FAQ",)),
        ("p", "Often.", ("FAQ", "Does it rain?")),
        ("p", "More", ("FAQ",)),
        ("p", "text", ("FAQ",)),
        ("p", "after", ("FAQ",)),
    ]


def test_code_keeps_its_lines_and_loses_numbers_and_buttons() -> None:
    code = "<pre><span class=lineno>1</span><span>a = 1</span><br><span>b</span><button>copy</button></pre>"
    assert texts(page(code)) == [("code", "a = 1\nb")]


def test_a_header_is_the_sites_only_outside_of_sections() -> None:
    content = page(
        "<header>Brand</header><section><header><h2>Part</h2></header><p>x</p></section>"
        "<article><p>y</p><footer>Posted by Z</footer></article><article>z</article>"
        "<footer>Imprint</footer>"
    )
    assert texts(content) == [("heading", "Part"), ("p", "x"), ("p", "y"), ("p", "z")]


def test_a_trail_of_links_is_no_paragraph_and_a_form_around_the_page_is_no_form() -> None:
    trail = "<div><a href=/>Home</a> › <a href=/d>Docs</a> › <a href=/d/x>X</a></div>"
    text = "<p>See <a href=/>one</a> and <a href=/>two</a>, <a href=/>three</a>.</p>"
    assert texts(page(f"<form><h1>A</h1>{trail}{text}</form>")) == [
        ("heading", "A"),
        ("p", "See one and two, three."),
    ]
    assert texts(page("<form><label>Name</label><p>Subscribe</p></form><p>x</p>")) == [("p", "x")]


def test_hidden_elements_and_scripts_are_never_text() -> None:
    hidden = (
        "<p hidden>x</p><div aria-hidden=true>x</div><p style='display: none'>x</p><template>x</template>"
        "<noscript>x</noscript><script>x</script><style>x</style><!-- x --><p>seen<span hidden>x</span>"
        "<b><i style='visibility:hidden'>x</i></b></p><svg><text>x</text></svg><button>x</button>"
    )
    assert texts(page(hidden)) == [("p", "seen")]


def test_navigation_and_boilerplate_around_the_text_are_left_out() -> None:
    content = page(
        "<header>Brand</header><nav><a href=/a>A</a></nav><div class='sidebar wide'>S</div>"
        f"<div role=navigation>N</div><ul><li><a href=/1>1</a><li><a href=/2>2</a><li><a href=/3>3</a></ul>"
        f"<article><header><h1>Title</h1></header><p>{LONG}</p></article><article>other</article>"
        "<footer>Imprint</footer>"
    )
    assert texts(content) == [("heading", "Title"), ("p", LONG.strip()), ("p", "other")]


def test_main_is_preferred_when_it_contains_the_text() -> None:
    assert texts(page(f"<p>teaser</p><main><p>{LONG}</p></main>")) == [("p", LONG.strip())]
    empty_main = page(f"<main><p>Loading</p></main><div><p>{LONG}</p></div>")
    assert ("p", LONG.strip()) in texts(empty_main)


def test_a_base_element_moves_relative_addresses() -> None:
    content = page("<p>See the <a href=/x>wood page</a>.</p>", "<base href='https://wood.org/root/'>")
    assert content.blocks[0].links == (OutLink("wood page", "https://wood.org/x"),)


def test_words_are_counted_in_scripts_with_and_without_spaces() -> None:
    assert word_count("It's a well-known fact: 3 naïve words.") == 7
    assert word_count("你好世界") == 4
    assert word_count("한국어 문장") == 2
    assert word_count("— … !") == 0


@pytest.mark.parametrize("kind", ["text/html", "text/plain"])
@pytest.mark.parametrize(
    "name",
    [
        "undefined",
        "idna",
        "punycode",
        "unicode_escape",
        "raw_unicode_escape",
        "UTF-7",
        "base64",
        "unicode-escape",
    ],
)
def test_a_charset_that_the_web_does_not_know_is_not_used(kind: str, name: str) -> None:
    content = extract(
        "<p>Gr\u00fc\u00dfe \\ud800 +2AA- &#xd800;</p>".encode(), URL, f"{kind}; charset={name}"
    )
    assert "Gr\u00fc\u00dfe \\ud800 +2AA-" in content.blocks[0].text


def test_lone_surrogates_are_dropped() -> None:
    assert from_text("one \ud800 two").blocks[0].text == "one two"


def test_the_charset_of_the_header_or_of_the_page_is_used() -> None:
    html = "<html><head>{}<title>Grüße</title></head></html>"
    assert extract(html.format("").encode("latin-1"), URL, "text/html; charset=ISO-8859-1").title == "Grüße"
    declared = html.format("<meta charset=windows-1252>").encode("cp1252")
    assert extract(declared, URL, "text/html; charset=no-such-thing").title == "Grüße"
    assert extract(html.format("").encode(), URL, "text/html").title == "Grüße"


def test_the_text_is_capped() -> None:
    content = page("".join(f"<p>{'word ' * 200}</p>" for _ in range(1000)))
    size = sum(len(block.text.encode()) for block in content.blocks)
    assert MAX_TEXT_BYTES - 1000 <= size <= MAX_TEXT_BYTES


@pytest.mark.parametrize(
    ("text", "end"),
    [("words ", "words"), ("Bees hum. ", "hum."), ("蜂が飛ぶ。", "。")],
    ids=["words", "sentences", "Japanese sentences"],
)
def test_of_a_paragraph_longer_than_the_cap_as_much_is_kept_as_fits(text: str, end: str) -> None:
    content = page(f"<h1>Bees</h1><p>{text * 40_000}</p><p>More of them.</p>")
    head, paragraph = content.blocks
    size = len((head.text + paragraph.text).encode())
    assert MAX_TEXT_BYTES - 100 < size <= MAX_TEXT_BYTES
    assert paragraph.text == (text * 40_000)[: len(paragraph.text)]
    assert paragraph.text.endswith(end)


def test_a_short_paragraph_that_does_not_fit_is_left_out_whole() -> None:
    content = page(f"<p>{'x ' * ((MAX_TEXT_BYTES - 5) // 2)}</p><p>Bees hum in their hive.</p>")
    assert len(content.blocks) == 1


def test_a_text_that_is_supplied_is_capped_as_one_of_the_web() -> None:
    assert from_text("word " * 50_000).word_count == MAX_TEXT_BYTES // 5


def test_the_hash_changes_with_the_text_and_only_with_it() -> None:
    first = page("<p>Same</p>", "<title>a</title>")
    assert page("<div><p>Same </p></div>", "<title>b</title>").content_hash == first.content_hash
    assert page("<p>Other</p>").content_hash != first.content_hash
    assert page("<li>Same</li>").content_hash != first.content_hash


def test_plain_text_becomes_paragraphs() -> None:
    content = extract(b"One\nline.\r\n\r\nTwo <b>.", URL, "text/plain; charset=utf-8")
    assert texts(content) == [("p", "One line."), ("p", "Two <b>.")]
    assert from_text("a b\n\nc").word_count == 3


def test_nesting_without_end_is_survived() -> None:
    assert extract(b"<div>" * 20_000 + b"<p>deep</p>", URL).word_count <= 1
    assert extract(b"<b>" * 20_000 + b"deep", URL).word_count <= 1
    assert extract(b"<ul><li>" * 5_000 + b"deep", URL).word_count <= 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(
    ["<p>", "</p>", "<div hidden>", "</div>", "<table>", "<tr><td>", "<h2>", "</h2>", "<ul><li>", "text ",
     "<main>", "<a href='x'>", "</a>", "<pre>", "&amp;", "<!--", "-->", "<![CDATA[", "\0", "é", "<base href='http://['>"]),
    max_size=30))  # fmt: skip
def test_no_markup_breaks_it(parts: list[str]) -> None:
    content = extract("".join(parts).encode(), URL)
    assert all(block.text and "<main>" not in block.text for block in content.blocks)
    assert content.word_count >= 0


def test_the_label_of_a_box_heads_nothing_and_a_heading_in_it_stays() -> None:
    html = (
        "<h2>Ports</h2><div class='note'><h3 class='title'>Note</h3><p>In a box.</p></div><p>After it.</p>"
        "<div class='tip'><h3>Choosing a free port</h3><p>Any.</p></div>"
    )
    blocks = extract(html.encode(), "https://a.example/").blocks
    assert [(b.text, b.heading_path) for b in blocks if b.kind == "p"] == [
        ("In a box.", ("Ports",)),
        ("After it.", ("Ports",)),
        ("Any.", ("Ports", "Choosing a free port")),
    ]
