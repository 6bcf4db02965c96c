"""Texts that only present another page are labels: cut off, linked by their title, or a strip of links."""

from __future__ import annotations

import pytest

from tests.support.html_pages import read

TITLE = "How bees make honey"
HEAD = f"<title>{TITLE} – The Hive</title>"
ARTICLE = HEAD + '<meta property="og:type" content="article">'
PARAGRAPH = f"<p>{'Bees make honey in summer. ' * 9}</p>"
TEXT = f"<h1>{TITLE}</h1>{PARAGRAPH * 3}"
CUT = "Wax is made by young bees, and for each gram of it they eat…"
LINE = "Wax is made by bees, too."


def kinds(body: str, head: str = HEAD) -> dict[str, str]:
    return {block.text: block.kind for block in read(body, head)}


def excerpt(title: str, text: str, more: str) -> str:
    return f"<div><span>{title}</span><div>{text}</div>{more}</div>"


MORE = '<div><a href="/wax">weiter lesen</a></div>'
CUT_TEXTS = [
    excerpt("All about wax", CUT, MORE),
    excerpt("All about wax", CUT, '<a class="btn" href="/wax">Read more</a>'),
    excerpt("All about wax", f'{CUT} <a href="/wax">Read more</a>', ""),
    excerpt("All about wax", f'{CUT} <b><a href="/wax">Continue reading</a></b>', ""),
    excerpt("All about wax", CUT.replace("…", " [...]"), MORE),
]


@pytest.mark.parametrize("cut", CUT_TEXTS)
def test_texts_that_are_cut_off_before_a_link_to_the_rest_are_labels(cut: str) -> None:
    other = excerpt("All about hives", f"Hives need a dry place and {CUT}", MORE)
    found = kinds(f"{TEXT}<div>{cut}{other}</div>")
    labels = [text for text, kind in found.items() if kind == "label"]
    assert [text for text in labels if text.startswith(("All about wax", "Wax is made"))] == [
        "All about wax", CUT.replace("…", " [...]") if "[...]" in cut else CUT,
    ]  # fmt: skip


def test_the_heading_over_a_text_that_is_cut_off_is_a_label() -> None:
    cut = f"<h3>All about wax</h3><p>3 May 2024</p><p>{CUT}</p>{MORE}"
    assert kinds(f"{TEXT}{cut}{cut.replace('wax', 'hives')}")["All about hives"] == "label"


def test_one_text_that_is_cut_off_is_text_and_so_is_one_that_nothing_leads_on_from() -> None:
    assert kinds(f"{TEXT}<p>{CUT}</p>{MORE}")[CUT] == "p"
    assert kinds(f"{TEXT}<p>{CUT}</p><p>{LINE}</p><p>And so on…</p>")[CUT] == "p"


@pytest.mark.parametrize(
    "before", [LINE, "A line without an end that is too long for the title of a page " * 2]
)
def test_the_paragraph_before_a_text_that_is_cut_off_is_text(before: str) -> None:
    body = f"{TEXT}<p>{before.strip()}</p><p>{CUT}</p>{MORE}<p>2 {CUT}</p>{MORE}"
    assert kinds(body)[before.strip()] == "p"


def test_one_linked_title_with_a_link_to_the_rest_is_a_teaser_in_an_article() -> None:
    more = '<strong><a href="/wax">Weiterlesen</a></strong>'
    teaser = f'<h3><a href="/wax">All about wax</a></h3><div>{LINE} {more}</div>'
    for body in (f"{TEXT}{teaser}", f"{TEXT}{teaser.replace(more, f'<p>{more}</p>')}"):
        found = kinds(body, ARTICLE)
        assert (found["All about wax"], found[LINE]) == ("label", "label")
    assert kinds(f"{TEXT}{teaser}")["All about wax"] == "heading"
    assert kinds(f"{TEXT}{teaser.replace(more, '')}", ARTICLE)["All about wax"] == "heading"


def test_a_linked_title_may_begin_with_the_name_of_its_section() -> None:
    named = '<h3>Keeping <a href="/{0}">The best of all {0}</a></h3><p>{1}</p>'
    teasers = "".join(named.format(name, LINE) for name in ("wax", "hives", "combs"))
    assert kinds(f"{TEXT}{teasers}", ARTICLE)["Keeping The best of all hives"] == "label"
    part = '<h3>Three kinds of wax that are of use to a <a href="/keeper">keeper</a></h3>'
    heading = "Three kinds of wax that are of use to a keeper"
    assert kinds(f"{TEXT}{f'{part}<p>{LINE}</p>' * 3}", ARTICLE)[heading] == "heading"


def test_a_heading_with_a_link_to_its_own_place_heads_a_section_of_this_page() -> None:
    section = '<h3><a href="/modules/{0}">The module {0}</a><a href="#{0}">¶</a></h3><p>{1}</p>'
    sections = "".join(section.format(name, LINE) for name in ("wax", "hives", "combs"))
    found = [block.kind for block in read(f"{TEXT}{sections}", ARTICLE) if "hives" in block.text]
    assert found == ["heading"]


def strip(address: str = "/{0}", text: str = "What keepers say of {0} in spring.") -> str:
    pair = f'<ul><li><a href="{address}">Best {{0}}</a></li></ul><ul><li>{text}</li></ul>'
    return "".join(pair.format(name) for name in ("wax", "hives", "combs"))


def test_links_at_the_end_of_an_article_with_a_short_line_below_each_are_teasers() -> None:
    found = kinds(f"{TEXT}<h2>Highlights</h2>{strip()}", ARTICLE)
    shown = ("Highlights", "Best wax", "What keepers say of combs in spring.")
    assert [found[text] for text in shown] == ["label"] * 3


@pytest.mark.parametrize(
    ("body", "head"),
    [
        (f"{TEXT}{strip()}", HEAD),
        (f"{TEXT}{strip().rpartition('<ul><li><a')[0]}", ARTICLE),
        (f"{TEXT}{strip()}{PARAGRAPH}", ARTICLE),
        (f"{TEXT}{strip('https://code.example.org/{0}')}", ARTICLE),
        (f"{TEXT}{strip('#{0}')}", ARTICLE),
        (f"{TEXT}{strip(text='What keepers say of {0} in spring. ' * 5)}", ARTICLE),
    ],
    ids=["no article", "two links", "text below", "another site", "the page itself", "long texts"],
)
def test_links_with_texts_elsewhere_are_text(body: str, head: str) -> None:
    assert kinds(body, head)["Best wax"] == "li"


def test_headings_after_the_last_text_of_an_article_are_labels() -> None:
    found = kinds(f"{TEXT}<h2>Sources</h2><p>{LINE}</p><h3>Listen live</h3><h3>Music</h3>", ARTICLE)
    assert [found[text] for text in ("Sources", "Listen live", "Music")] == ["heading", "label", "label"]
    assert kinds(f"{TEXT}<h3>Listen live</h3>")["Listen live"] == "heading"


def courses(*lines: str) -> str:
    pair = '<ul><li><a href="/{0}">{0} course</a></li></ul><ul><li>{1}</li></ul>'
    return "".join(pair.format(name, line) for name, line in zip(("Wax", "Hive", "Comb"), lines, strict=True))


@pytest.mark.parametrize("lines", [("16 evenings, €624.", "From 3 May.", "€90"), (LINE, "9 am", "Ask us.")])
def test_links_with_a_figure_below_say_what_this_page_offers(lines: tuple[str, str, str]) -> None:
    found = kinds(f"{TEXT}<h2>Our courses</h2>{courses(*lines)}", ARTICLE)
    shown = ("Our courses", "Wax course", "Hive course", *lines)
    assert [found[text] for text in shown] == ["heading"] + ["li"] * 5


def test_a_link_with_a_figure_below_stays_among_others_that_are_teasers() -> None:
    last = courses("16 evenings, €624.", LINE, LINE).partition('<ul><li><a href="/Hive')[0]
    found = kinds(f"{TEXT}{strip()}{last}", ARTICLE)
    assert (found["Best combs"], found["Wax course"], found["16 evenings, €624."]) == ("label", "li", "li")


def test_a_heading_with_a_figure_after_the_last_text_stays_with_the_heading_above_it() -> None:
    end = "<h2>Contact</h2><h3>Questions? Call 0800 123456</h3><h2>Listen live</h2>"
    found = kinds(f"{TEXT}{end}", ARTICLE)
    assert (found["Contact"], found["Questions? Call 0800 123456"]) == ("heading", "heading")
    assert found["Listen live"] == "label"


@pytest.mark.parametrize("heading", ["Other columns", "More columns", "Other table columns"])
def test_a_section_on_the_columns_of_a_table_is_text(heading: str) -> None:
    assert kinds(f"{TEXT}<h2>{heading}</h2><p>{LINE}</p>")[LINE] == "p"
