"""Pages that try everything still give a safe and traced post."""

from __future__ import annotations

import json
import re
from typing import Any

from hypothesis import event, given, settings
from hypothesis import strategies as st

from app.content.artefacts import SourcePage, SourceSnapshot
from app.content.rendering.html import unsafe_markup
from app.content.request import CallToAction, Include, RequestedSection
from app.pages.extraction.blocks import Block
from tests.content.conftest import assert_traced, write

_SCRAPS = (
    *(
        "the honey bee",
        "<script>alert(1)</script>",
        "*stars*",
        "_under_",
        "[link](javascript:alert(1))",
        "`tick`",
    ),
    *(
        "lives. Why?",
        "In 1999,",
        "12.5 % of bees",
        "| swarm |",
        "&amp;",
        "{{x}}",
        "1.",
        "#",
        "- >",
        "See below:",
        "\\",
    ),
    *(
        "é",
        "蜂",
        "蜜。",
        "e.g.",
        "http://x.example/",
        "beehive",
        "beehive stands.",
        "A beehive is warm!",
        "[[page:1|x]]",
    ),
)
_TEXTS = st.lists(st.sampled_from(_SCRAPS), min_size=1, max_size=30).map(
    lambda scraps: f"{' '.join(scraps)} hums."
)
_SECTION = st.tuples(
    _TEXTS,
    st.lists(st.tuples(st.sampled_from(["p", "p", "li", "code", "dd"]), _TEXTS), min_size=1, max_size=4),
)


@st.composite
def snapshots(draw: st.DrawFn) -> SourceSnapshot:
    """Draw small sites with hostile text in every kind of block."""
    pages = []
    for page_id, sections in enumerate(draw(st.lists(st.lists(_SECTION, max_size=6), max_size=4)), 1):
        blocks: list[Block] = []
        for heading, parts in sections:
            blocks.append(Block(f"b{len(blocks)}", "heading", heading))
            for kind, text in parts:
                opening = f"The beehive {text}"
                blocks.append(Block(f"b{len(blocks)}", kind, opening, (heading,)))
        url = f"https://x.example/{page_id}"
        pages.append(SourcePage(page_id, url, None, None, page_id == 2, tuple(blocks)))
    return SourceSnapshot("X & Co", "https://x.example/", {}, "en", tuple(pages))


@settings(max_examples=60, deadline=None)
@given(snapshots(), st.sampled_from([None, "beehive", "Why? <b>bees</b>", "蜂蜜", "honey | *bee*"]))
def test_hostile_pages_give_the_same_safe_traced_post_each_time(
    snapshot: SourceSnapshot, topic: str | None
) -> None:
    first, second = write(snapshot, topic=topic), write(snapshot, topic=topic)
    event(first.draft_kind)
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    assert_traced(first, snapshot)
    assert unsafe_markup(first.post.markdown) == []
    assert "javascript:" not in "".join(re.findall(r"href=\"[^\"]*\"", first.post.html))
    assert re.fullmatch(r"[a-z0-9-]{1,80}", first.post.slug)
    assert len(first.post.meta_title) <= 60
    assert len(first.post.description) <= 156


_REQUESTS = st.fixed_dictionaries(
    {
        "topic": st.sampled_from(["beehive", "蜂蜜", "honey | *bee*"]),
        "key_points": st.lists(_TEXTS, max_size=3).map(tuple),
        "avoid": st.lists(st.sampled_from(_SCRAPS), max_size=3).map(tuple),
        "outline": st.lists(st.builds(RequestedSection, _TEXTS, st.tuples(_TEXTS)), max_size=3).map(tuple),
        "include": st.builds(Include, st.booleans(), st.booleans(), st.booleans(), st.booleans()),
        "call_to_action": st.none() | st.builds(CallToAction, _TEXTS, st.just("https://x.example/?a=(b)&c")),
        "required_page_ids": st.lists(st.integers(1, 5), max_size=3).map(tuple),
        "fewest_links": st.none() | st.integers(0, 10),
        "most_links": st.integers(0, 15),
        "language": st.sampled_from(["en", "de", "fi", "ja"]),
        "slug": st.none() | st.just("a-slug"),
    }
)


@settings(max_examples=60, deadline=None)
@given(snapshots(), _REQUESTS)
def test_hostile_pages_and_requests_give_the_same_safe_post_each_time(
    snapshot: SourceSnapshot, request: dict[str, Any]
) -> None:
    first, second = write(snapshot, **request), write(snapshot, **request)
    event(first.draft_kind)
    assert json.dumps(first.to_dict()) == json.dumps(second.to_dict())
    assert_traced(first, snapshot)
    assert unsafe_markup(first.post.markdown) == []
    assert "<script" not in first.post.html
    links = re.findall(r'<a href="([^"]*)"', first.post.html)
    assert all(link.startswith(("https://x.example/", "#section-")) for link in links)
    own = [link for link in links if re.fullmatch(r"https://x\.example/\d+", link)]
    assert len(own) <= request["most_links"]
