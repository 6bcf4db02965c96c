"""Pages of a documentation site that does not exist, each the same whenever it is made.

Shaped like what Sphinx makes: a navigation with a search, a table of contents, headings with permalinks,
paragraphs, lists, tables, listings, notes and a footer. Words come as often as words do (Zipf); every page
has a subject of two words, said in its title, in some of its headings and here and there in its text; most
speak of other pages' subjects, too, below plain headings.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from random import Random

SITE = "https://docs.example/"
_SOUNDS = (
    "ba",
    "ce",
    "di",
    "fo",
    "gu",
    "ka",
    "le",
    "mi",
    "no",
    "pu",
    "ra",
    "se",
    "ti",
    "vo",
    "lu",
    "ster",
    "man",
    "pre",
)
_LITTLE = (
    "the",
    "of",
    "and",
    "to",
    "in",
    "a",
    "is",
    "for",
    "with",
    "on",
    "are",
    "can",
    "from",
    "at",
    "by",
    "each",
    "not",
)
_VOCABULARY = 20_000
_NAVIGATION = 60


@dataclass(frozen=True)
class DocumentationPage:
    """A page, its address and the two words it is about."""

    url: str
    subject: str
    html: bytes
    headings: int


@cache
def _words() -> tuple[tuple[str, ...], tuple[float, ...]]:
    chance = Random(1)
    made: dict[str, None] = {}
    while len(made) < _VOCABULARY:
        made["".join(chance.choice(_SOUNDS) for _ in range(chance.randint(2, 4)))] = None
    return tuple(made), tuple(accumulate(1 / (rank + 3) for rank in range(_VOCABULARY)))


def vocabulary() -> tuple[str, ...]:
    """The words that the pages are made of, the commonest first."""
    return _words()[0]


def subject_of(number: int) -> str:
    """The two words that page ``number`` is about."""
    words = _words()[0]
    chance = Random(f"subject {number}")
    return f"{chance.choice(words[200:4000])} {chance.choice(words[200:4000])}"


def documentation_page(number: int, of: int) -> DocumentationPage:
    """Page ``number`` of a site of so many pages."""
    chance = Random(f"page {number}")
    subject = subject_of(number)
    title = f"{subject.capitalize()} {_phrase(chance, 1)}"
    body: list[str] = [
        f'<h1>{title}<a class="headerlink" href="#top">¶</a></h1>',
        _paragraphs(chance, subject, 2),
    ]
    headings = 1
    for part in range(max(2, min(14, round(chance.lognormvariate(1.6, 0.5))))):
        other = subject_of(chance.randrange(of)) if part % 3 == 2 else subject
        named = (
            f"{subject.capitalize()} {_phrase(chance, 2)}" if part % 2 else _phrase(chance, 3).capitalize()
        )
        body.append(f'<section id="s{part}"><h2>{named}<a class="headerlink" href="#s{part}">¶</a></h2>')
        body.append(_paragraphs(chance, other, chance.randint(1, 3)))
        body.append(chance.choice((_list, _listing, _table, _note, _nothing))(chance))
        headings += 1
        if chance.random() < 0.4:
            body.append(f"<h3>{_phrase(chance, 2).capitalize()}</h3>{_paragraphs(chance, other, 2)}")
            headings += 1
        body.append("</section>")
    url = f"{SITE}{number}/{subject.replace(' ', '-')}.html"
    html = _frame(title, f"{_sentence(chance, subject)}", "\n".join(body), number, of)
    return DocumentationPage(url, subject, html.encode(), headings)


def _frame(title: str, description: str, body: str, number: int, of: int) -> str:
    places = [(number + step) % of for step in range(min(of, _NAVIGATION))]
    menu = "".join(f'<li><a href="/{place}">{subject_of(place).title()}</a></li>' for place in places)
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>{title} — Example documentation</title>
<meta name="description" content="{description}"><link rel="stylesheet" href="/a.css">
<script src="/a.js"></script></head>
<body><div class="related" role="navigation"><ul><li><a href="/">Home</a></li></ul></div>
<div class="document"><div class="body" role="main">{body}</div></div>
<div class="sphinxsidebar" role="navigation"><h3>Contents</h3><ul>{menu}</ul>
<form class="search"><input name="q"></form></div>
<div class="footer">© The authors. Made with a tool.</div></body></html>"""


def _paragraphs(chance: Random, subject: str, count: int) -> str:
    return "".join(
        f"<p>{' '.join(_sentence(chance, subject) for _ in range(chance.randint(2, 6)))}</p>"
        for _ in range(count)
    )


def _sentence(chance: Random, subject: str) -> str:
    text = _phrase(chance, chance.randint(6, 22))
    if chance.random() < 0.35:
        text = f"{text} {subject}"
    if chance.random() < 0.2:
        text = f"{text} <code>{_phrase(chance, 1)}</code> {_phrase(chance, 2)}"
    return f"{text.capitalize()}."


def _phrase(chance: Random, count: int) -> str:
    words, weights = _words()
    drawn = chance.choices(words, cum_weights=weights, k=count)
    return " ".join(
        chance.choice(_LITTLE) if chance.random() < 0.35 and count > 3 else word for word in drawn
    )


def _list(chance: Random) -> str:
    return f"<ul>{''.join(f'<li>{_phrase(chance, 9).capitalize()}.</li>' for _ in range(5))}</ul>"


def _listing(chance: Random) -> str:
    lines = "\n".join(
        f"$ <span class='nb'>{_phrase(chance, 1)}</span> --{_phrase(chance, 1)}" for _ in range(6)
    )
    return f"<div class='highlight'><pre>{lines}</pre></div>"


def _table(chance: Random) -> str:
    rows = "".join(f"<tr><td>{_phrase(chance, 1)}</td><td>{_phrase(chance, 4)}</td></tr>" for _ in range(5))
    return f"<table><thead><tr><th>Name</th><th>Meaning</th></tr></thead><tbody>{rows}</tbody></table>"


def _note(chance: Random) -> str:
    text = _phrase(chance, 14).capitalize()
    return f"<div class='admonition note'><p class='admonition-title'>Note</p><p>{text}.</p></div>"


def _nothing(_chance: Random) -> str:
    return ""
