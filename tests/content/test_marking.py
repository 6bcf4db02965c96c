"""The marks around the sentences of a post: found through markup, and never able to bring in any."""

from __future__ import annotations

import re

import pytest

from app.content.rendering.html import render_html
from app.content.rendering.marking import Marked, Said, mark_sentences


def marked(markdown: str, *sentences: str, others: bool = False, doubts: tuple[str, ...] = ()) -> Marked:
    wanted = [Said(sentence, "source", f"from-{number}") for number, sentence in enumerate(sentences)]
    return mark_sentences(render_html(markdown), wanted, others=others, doubts=doubts)


def said(html: str) -> dict[str, str]:
    """The text under each mark, by its number."""
    found: dict[str, str] = {}
    for number, words in re.findall(r'data-s="(\d+)">(.*?)</(?:a|span)>', html):
        found[number] = found.get(number, "") + words
    return found


@pytest.mark.parametrize(
    ("markdown", "sentence"),
    [
        ("Plain words. And more.", "Plain words."),
        ("One *with emphasis* and `code` in it.", "One with emphasis and code in it."),
        ("Tea &amp; coffee < 5 > 3, \"said\" he [1].", 'Tea & coffee < 5 > 3, "said" he [1].'),
        ("A line\nthat goes on.", "A line that goes on."),
        ("店は水曜日が休みです。次の文。", "店は水曜日が休みです。"),
        ("| a | b |\n|---|---|\n| Disc | £18 |", "Disc | £18"),
    ],
)  # fmt: skip
def test_a_sentence_is_found_whatever_is_inside_it(markdown: str, sentence: str) -> None:
    result = marked(markdown, sentence)
    assert list(result.shown) == [0]
    assert re.sub(r"<[^>]+>", "", result.html) == re.sub(r"<[^>]+>", "", render_html(markdown))


def test_a_mark_never_puts_a_link_into_a_link() -> None:
    html = marked("See [the full *list*](https://a.example/) today.", "See the full list today.").html
    assert re.findall(r"<a class=[^>]*>See </a>", html)
    assert '<a href="https://a.example/"><span class="said" data-s="0">the full </span>' in html
    assert html.count("<a ") == 2
    assert html.count('id="t-0"') == 1


@pytest.mark.parametrize(
    "hostile",
    [
        'Close it </a></p><script>alert(1)</script> "now".',
        '"><img src=x onerror=alert(1)>',
        "&lt;svg onload=alert(1)&gt;",
        "<!-- <b title='>'> -->",
    ],
)
def test_hostile_sentences_stay_text(hostile: str) -> None:
    plain = render_html(hostile)
    result = mark_sentences(plain, [Said(hostile, "source", '"><script>')], others=True)
    without_marks = re.sub(r'</?(?:a|span)(?: class="said[^>]*)?>', "", result.html)
    assert without_marks.replace("&gt;", ">") == plain.replace("&gt;", ">")
    assert "<script" not in result.html


def test_equal_sentences_are_marked_one_after_the_other_and_none_twice() -> None:
    assert said(marked("Again. Once.\n\nAgain.", "Again.", "Again.", "Again.").html) == {
        "0": "Again.", "1": "Again.",
    }  # fmt: skip


def test_a_short_sentence_is_not_found_inside_a_longer_one_or_a_word() -> None:
    result = marked("Prices are low today. Pricesmart.", "Prices", "Prices are low today.")
    assert said(result.html) == {"1": "Prices are low today."}


def test_headings_and_code_are_found_and_not_marked() -> None:
    text = "## Our prices\n\n```\nx = 1\n```\n\nA text."
    result = marked(text, "Our prices", "x = 1", "A text.", others=True)
    assert said(result.html) == {"2": "A text."}
    assert result.shown[0].kind == "plain"


def test_what_nobody_asked_for_is_a_persons_own_or_in_doubt() -> None:
    text = "From a page. My *own* line. It was 1987.\n\n- An item of mine"
    result = marked(text, "From a page.", others=True, doubts=("1987",))
    assert said(result.html) == {
        "0": "From a page.", "1": "My own line.", "2": "It was 1987.", "3": "An item of mine",
    }  # fmt: skip
    assert [result.shown[number].kind for number in range(4)] == ["source", "own", "unsure", "own"]


def test_a_telephone_number_in_arabic_is_found_behind_the_mark_before_it() -> None:
    sentence = "اتصل على 06 500 0147 واسأل عن الخطة."
    assert said(marked(sentence, sentence).html) == {"0": sentence.replace("06", "\u200e06")}
