"""Pages that try to smuggle something through a post: from their HTML to all that leaves the house."""

from __future__ import annotations

import json
import re
from html import escape

import pytest
from bs4 import BeautifulSoup
from jinja2.utils import htmlsafe_json_dumps

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.rendering.html import unsafe_markup
from app.pages.extraction.blocks import Block
from app.pages.extraction.extract import extract
from tests.content.conftest import assert_traced, write
from tests.support.hostile_pages import GOOD, MARKUP, TEXTS, active, everywhere, lax, strings

_NOISE = 10_000


def page_of(number: int, body: str, title: str = "Bees", description: str = "") -> SourcePage:
    """A page as it is read from its HTML."""
    url = f"https://bees.example/{number}"
    head = f"<title>{title}</title><meta name=description content='{description}'>"
    html = f"<!doctype html><html lang=en><head>{head}</head><body><main>{body}</main></body></html>"
    read = extract(html.encode(), url)
    blocks = tuple(Block(b.id, b.kind, b.text, b.heading_path, b.lists) for b in read.blocks)
    return SourcePage(number, url, read.title, read.description, False, blocks)


def site_with(*bodies: str, title: str = "Bees", description: str = "") -> SourceSnapshot:
    """Three sound pages with an addition each, and one that holds nothing but the last."""
    sound = [f"<h2>{heading} {{0}}</h2><p>{text} This is page {{0}} on it.</p>" for heading, text in GOOD]
    pages = [
        page_of(number, "".join(part.format(number) for part in sound) + body, title, description)
        for number, body in enumerate((*bodies, "", "")[:3], 1)
    ]
    last = page_of(4, bodies[-1].replace("here", "there"), title)
    return SourceSnapshot("Bee School", "https://bees.example/", {}, "en", (*pages, last))


def assert_harmless(made: WrittenPost, snapshot: SourceSnapshot) -> None:
    """Nothing of a post acts, in whatever form it is taken."""
    post = made.post
    assert active(post.html) == []
    assert active(lax(post.markdown)) == []
    assert unsafe_markup(post.markdown) == []
    # A renderer that knows no escape of an angle bracket, as Python-Markdown, sees no tag either.
    assert (
        re.search(r"<[a-z/!?]", re.sub(r"(?m)^```[^\0]*?^```|\(<[^<>]*>\)", "", post.markdown), re.I) is None
    )
    plain = [post.title, post.meta_title, post.description, *post.tags, made.brief.topic]
    plain += [text for entry in post.faq for text in (entry.question, entry.answer)]
    assert [text for text in plain if active(text) or "javascript:" in text.lower() or "{{" in text] == []
    assert re.fullmatch(r"[a-z0-9-]{1,80}", post.slug)
    held = json.dumps([dict(entry) for entry in post.json_ld], ensure_ascii=False)
    assert "</script" not in held.lower()
    assert [text for text in strings(json.loads(held)) if "<" in text and active(text)] == []
    written = htmlsafe_json_dumps(json.loads(held))
    embedded = BeautifulSoup(f"<script type='application/ld+json'>{written}</script>", "html.parser")
    assert embedded.script is not None
    assert json.loads(embedded.script.string or "") == json.loads(held)
    everything = post.html + post.markdown + held + "".join(plain)
    assert re.search("[\u200b\u202a-\u202e\u2060-\u2069\ufeff\0\U000e0000-\U000e01ef]", everything) is None
    assert_traced(made, snapshot)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name, marks=[pytest.mark.thorough] if "giant" in name else [])
        for name, text in TEXTS.items()
    ],
)
def test_text_that_spells_markup_never_becomes_any(text: str) -> None:
    escaped = escape(text, quote=True)
    bodies = [everywhere(text, number) for number in (1, 2, 3)]
    snapshot = site_with(*bodies, title=f"{escaped} bees", description=escaped)
    posts = [write(snapshot, topic="beehive", target_words=3000), write(snapshot)]
    for made in posts:
        assert_harmless(made, snapshot)
    # Of pages that are noise but for a sentence, an outline is as right.
    assert posts[0].draft_kind == "extractive" or len(text) > _NOISE


@pytest.mark.parametrize("markup", MARKUP.values(), ids=MARKUP)
def test_what_a_page_does_not_show_never_reaches_a_post(markup: str) -> None:
    snapshot = site_with(markup)
    assert "EVIL" not in json.dumps([page.to_dict() for page in snapshot.pages])
    made = write(snapshot, topic="bees")
    assert made.draft_kind == "extractive"
    assert "EVIL" not in json.dumps(made.to_dict())
    assert_harmless(made, snapshot)


@pytest.mark.parametrize(
    "text", ["if a < b and b > c", "AT&T &amp; co", "*args and **kwargs", "{a_b_c}", "<b>"]
)
def test_harmless_marks_are_shown_as_they_are(text: str) -> None:
    escaped = escape(text)
    sentence = f"A beehive is counted {escaped} by those who know it well and have kept bees for years."
    snapshot = site_with(f"<h2>Frames of a beehive</h2><p>{sentence}</p>")
    made = write(snapshot, topic="beehive", target_words=3000)
    assert f"counted {escape(text, quote=False)} by those" in made.post.html
    assert_harmless(made, snapshot)
