"""HTML texts of publish targets, read block by block."""

from __future__ import annotations

import pytest

from app.content.posts.comparing import compare_html
from app.content.rendering.blocks import blocks_of
from app.content.rendering.html import render_html
from app.content.rendering.html_blocks import blocks_of_html

MARKDOWN = """\
Intro with *one* word,
on two lines.

## What belongs in it

- loose & plain

- second

1. `code` here

| Bed | Plant |
|---|---|
| 1 | Beans |

> A quote

```
for bed in beds:
    print(bed < 1)
```
"""


def read(html: str) -> list[tuple[str, str]]:
    return [(block.kind, block.text) for block in blocks_of_html(html)]


def test_our_own_html_has_the_blocks_of_its_markdown() -> None:
    html = blocks_of_html(render_html(MARKDOWN))
    assert [(each.kind, each.level, each.text) for each in html] == [
        (each.kind, each.level, each.text) for each in blocks_of(MARKDOWN)
    ]


@pytest.mark.parametrize(
    ("html", "blocks"),
    [
        ("<p>One<br>line</p>", [("p", "One line")]),
        ("Classic text\n\nof two <b>parts</b>", [("p", "Classic text"), ("p", "of two parts")]),
        ("<!-- wp:paragraph --><p>Kept</p><!-- pub_1 -->", [("p", "Kept")]),
        ("<script>bad()</script><style>p{}</style><p>Kept</p>", [("p", "Kept")]),
        ("<figure><img src=x><figcaption>Caption</figcaption></figure>", [("p", "Caption")]),
        ("<ul><li>One<ul><li>Two</li></ul></li></ul>", [("li", "One"), ("li", "Two")]),
        ("<li>One<ul><li>Two</li></ul><p>Three</p></li>", [("li", "One"), ("li", "Two"), ("li", "Three")]),
        ("<p>Not closed<p>Next</div></p>", [("p", "Not closed"), ("p", "Next")]),
        ("<p> </p><p></p>", []),
        ("<", [("p", "<")]),
        ("<p>One \ud800 half</p>", [("p", "One ? half")]),
        ("", []),
    ],
)
def test_what_others_write_is_read_too(html: str, blocks: list[tuple[str, str]]) -> None:
    assert read(html) == blocks


def test_texts_that_only_look_different_have_the_same_words() -> None:
    assert compare_html("<p>The <b>same</b> words</p>", "<div><p>The same\nwords</p></div>").same_words
    assert not compare_html("<p>The same words</p>", "<p>The same word</p>").same_words


def test_what_stands_in_more_elements_than_any_text_has_is_read_in_its_order() -> None:
    deep = "".join(f"{n}<p><table><tr><td>" for n in range(5_000))
    assert [text for _, text in read(deep)] == [str(n) for n in range(5_000)]
