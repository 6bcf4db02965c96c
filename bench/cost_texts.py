"""Texts that are meant to be expensive: a few pieces of a language or markup, repeated to any length."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Final

PIECES: Final = (
    *("a", "A", "word ", "word", " ", "\n", "\n\n"),
    *("\t", "\r\n", "0", "1,000 ", "9.", "12 % ", "€ 5 ", "2024-05-06 "),
    *(". ", ", ", "? ", "! ", ": ", "; ", "-", "–", "…", "'"),
    *('"', "“", "”", "(", ")", "/", "\\", "@", "#", "&", "="),
    *("*", "**", "_", "`", "```\n", "~~~\n", "~~", "["),
    *("]", "](", "[a](b)", "![", "[[page:1|", "[^1]", "|", "| - |\n"),
    *("# a\n", "## ", "> ", ">", "- ", "- a\n", "1. "),
    *("1) a\n", "    ", "***\n", "---\n", "===\n", "a\n---\n", "[a]: b\n"),
    *("<", ">", "</", "<a ", "<a b='", "<a>", "</a>", "<b>"),
    *("</b>", "<br>", "<p>", "<div>", "</div>", "<ul><li>", "<table><tr><td>"),
    *("<h2>a</h2>", "<dl><dt>a<dd>b", "<pre><code>", "<style>a{b:c}"),
    *("a{b:c}", "a>b,", "<a href='/b'>c</a>", "<!--", "-->"),
    *("<![CDATA[", "]]>", "<?x ", "<!DOCTYPE ", "&amp;", "&#38;", "&#x"),
    *("&lt;", "{", "}", "[1,", '{"a":', "{{", "{%"),
    *("http://a.example/", "https://", "www.a.example ", "mailto:a@b.example ", "%20"),
    *("%", "xn--", "..", "/../", "?a=b&"),
    *("é", "e\u0301", "ß", "İ", "ŉ", "ﬃ", "一", "十百千", "。"),
    *("「", "」", "の", "カ", "한", "ก", "ا", "ه.", "א", "😀"),
    *("\u200b", "\u202e", "\u00ad", "\u00a0", "\ufeff", "\u2028"),
    *("\x0b", "\x1c", "\x7f", "𝒳", "①", "twenty ", "hundert"),
    *("Allow: /*", "Disallow: *a", "User-agent: *\n"),
    *("Sitemap: ", "$", "<url><loc>http://a.example/", "</loc></url>"),
    *("<entry><link href='/a'/>", "a,b\n", '"a', '""'),
    *("a;b\n", "=1+1,", "Mr. ", "e.g. ", "“So it is,” said Ada Byrne. "),
)  # fmt: skip
"""What the texts are made of: characters that parsers branch at, and what the readers here look for."""


@dataclass(frozen=True)
class Shape:
    """A text of any length: a beginning, a unit that is repeated, with its number or without, and an end."""

    before: str
    unit: str
    after: str = ""
    is_numbered: bool = False

    def text(self, length: int) -> str:
        """Return the text with this number of characters."""
        room = max(length - len(self.before) - len(self.after), 0)
        if not self.is_numbered:
            times = room // len(self.unit) + 1
            return f"{self.before}{(self.unit * times)[:room]}{self.after}"
        units: list[str] = []
        left = room
        while left > 0:
            units.append(f"{len(units)}{self.unit}")
            left -= len(units[-1])
        return f"{self.before}{''.join(units)[:room]}{self.after}"


def single_shapes() -> Iterator[Shape]:
    """Yield each piece repeated alone."""
    return (Shape("", piece) for piece in PIECES)


def shapes(seed: int) -> Iterator[Shape]:
    """Yield shapes without end, the same for the same seed."""
    random = Random(seed)
    while True:
        yield Shape(
            _joined(random, 0, 2), _joined(random, 1, 4), _joined(random, 0, 1), random.random() < 0.3
        )


def _joined(random: Random, least: int, most: int) -> str:
    return "".join(random.choices(PIECES, k=random.randint(least, most)))
