"""The extractive engine from request to post."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from bs4 import BeautifulSoup
from hypothesis import event, given, settings
from hypothesis import strategies as st

from app.content.artefacts import (
    ExistingPost,
    GenerationRequest,
    SourceBlock,
    SourcePage,
    SourceSnapshot,
)
from app.content.engine import STAGES, WrittenPost, write_extractive
from app.content.phrases import is_template_line
from app.content.render import unsafe_markup
from app.content.text import fold, sentences

SiteMaker = Callable[..., SourceSnapshot]
PageMaker = Callable[..., SourcePage]

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
        blocks: list[SourceBlock] = []
        for heading, parts in sections:
            blocks.append(SourceBlock(f"b{len(blocks)}", "heading", heading))
            for kind, text in parts:
                opening = f"The beehive {text}"
                blocks.append(SourceBlock(f"b{len(blocks)}", kind, opening, (heading,)))
        url = f"https://x.example/{page_id}"
        pages.append(SourcePage(page_id, url, None, None, None, None, page_id == 2, tuple(blocks)))
    return SourceSnapshot("X & Co", "https://x.example/", {}, "en", tuple(pages))


def write(snapshot: SourceSnapshot, **wanted: object) -> WrittenPost:
    return write_extractive(GenerationRequest(**wanted), snapshot, lambda *_: None)  # type: ignore[arg-type]


def assert_traced(written: WrittenPost, snapshot: SourceSnapshot) -> None:
    """Every sentence shown is in the trace, and every one traced to a page stands there."""
    texts = {(page.page_id, block.id): fold(block.text) for page in snapshot.pages for block in page.blocks}
    for entry in written.post.trace:
        if entry.origin == "source":
            assert entry.page_id is not None
            assert entry.block_id is not None
            assert fold(entry.sentence) in texts[entry.page_id, entry.block_id]
        else:
            assert entry.origin in {"template", "input"}
    traced = " ".join(fold(entry.sentence) for entry in written.post.trace)
    soup = BeautifulSoup(written.post.html, "lxml")
    for element in soup.find_all(["p", "li", "h2", "h3", "pre"]):
        for sentence in sentences(element.get_text()):
            assert sentence in traced


def test_a_post_about_beehives_quotes_the_site_and_links_to_it(bees: SourceSnapshot) -> None:
    written = write(bees, topic="Choosing and keeping a beehive", target_words=300)
    assert written.draft_kind == "outline" or "](https://bees.example/hives)" in written.post.markdown
    written = write(bees, topic="beehive", target_words=300)
    assert written.draft_kind == "extractive"
    assert written.engine == "extractive"
    assert "## Choosing a beehive" in written.post.markdown
    assert "(https://bees.example/hives)" in written.post.markdown
    assert written.quality.decision != "block"


def test_every_sentence_of_a_post_traces_to_its_page(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive")
    assert_traced(written, bees)
    assert sum(entry.origin == "source" for entry in written.post.trace) > 10


def test_what_is_no_excerpt_is_a_fixed_line(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive")
    lines = [entry.sentence for entry in written.post.trace if entry.origin == "template"]
    assert lines
    assert all(is_template_line(line) for line in lines)


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


def test_stages_are_announced_in_order_before_they_run(bees: SourceSnapshot) -> None:
    heard: list[tuple[str, int, int]] = []
    write_extractive(GenerationRequest("beehive"), bees, lambda *stage: heard.append(stage))
    assert heard == [(name, number, 6) for number, name in enumerate(STAGES)]


@pytest.mark.parametrize("stage", STAGES)
def test_a_listener_that_raises_ends_the_writing(bees: SourceSnapshot, stage: str) -> None:
    def stop(name: str, done: int, total: int) -> None:
        if name == stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_extractive(GenerationRequest("beehive"), bees, stop)


def test_a_list_is_taken_whole_with_its_introduction(bees: SourceSnapshot) -> None:
    markdown = write(bees, topic="beehive").post.markdown
    assert "Three things make a good place for a beehive:\n\n- The ground stays dry" in markdown
    assert "- You can drive there" in markdown


def test_code_is_kept_with_the_sentence_that_announces_it(bees: SourceSnapshot) -> None:
    assert (
        "with this command:\n\n```\nscale read --unit kg\n```" in write(bees, topic="beehive").post.markdown
    )


def test_text_that_points_elsewhere_or_leans_back_is_not_taken(bees: SourceSnapshot) -> None:
    markdown = write(bees, topic="beehive").post.markdown
    assert "shown below" not in markdown
    assert "It depends" not in markdown


def test_banners_that_stand_on_every_page_are_not_taken(bees: SourceSnapshot) -> None:
    assert "cookies" not in write(bees, topic="beehive").post.markdown


def test_a_section_of_code_alone_is_not_taken(bees: SourceSnapshot) -> None:
    assert "--paint white" not in write(bees, topic="beehive").post.markdown


def test_a_colon_without_what_it_announces_is_cut(make_site: SiteMaker, make_page: PageMaker) -> None:
    parts = [("h1", "Beehives")]
    for number in range(4):
        parts += [
            ("h2", f"Beehive number {number}"),
            ("p", f"The beehive number {number} stands in the garden behind the house of our neighbour."),
            ("p", f"Number {number} has these parts:"),
            ("table", "floor | box | roof"),
        ]
    markdown = write(make_site(make_page(1, "hives", parts)), topic="beehive").post.markdown
    assert "stands in the garden" in markdown
    assert "these parts" not in markdown


def test_questions_the_site_answers_become_the_faq(bees: SourceSnapshot) -> None:
    post = write(bees, topic="beehive").post
    assert {entry.question for entry in post.faq} == {
        "How much does a beehive cost?",
        "Can I keep a beehive in a town?",
    }
    for entry in post.faq:
        assert f"### {entry.question}" in post.markdown
        assert entry.answer in post.markdown
    assert [data["@type"] for data in post.json_ld] == ["BlogPosting", "FAQPage"]


def test_without_questions_on_the_site_there_is_no_faq(make_site: SiteMaker, bees: SourceSnapshot) -> None:
    post = write(make_site(*bees.pages[:2]), topic="beehive").post
    assert post.faq == ()
    assert "Frequently asked" not in post.markdown
    assert [data["@type"] for data in post.json_ld] == ["BlogPosting"]


def test_a_draft_has_no_date_of_publication(bees: SourceSnapshot) -> None:
    assert "datePublished" not in json.dumps(write(bees, topic="beehive").post.json_ld)


def test_a_topic_the_site_is_silent_about_makes_an_outline(bees: SourceSnapshot) -> None:
    written = write(bees, topic="Quantum computing", keywords=("qubits", "quantum gates"))
    assert written.draft_kind == "outline"
    assert written.post.sources == ()
    assert "What is qubits?" in written.post.markdown
    assert "- quantum gates" in written.post.markdown
    assert written.quality.decision == "block"
    assert {entry.origin for entry in written.post.trace} == {"template", "input"}


def test_an_outline_states_nothing_about_the_world(bees: SourceSnapshot) -> None:
    soup = BeautifulSoup(write(bees, topic="Quantum computing").post.html, "lxml")
    statements = [item.get_text() for item in soup.find_all("p")]
    assert len(statements) == 1
    assert statements[0].startswith(
        "This is an outline, not an article: the pages of Bee School hold too little"
    )


def test_an_outline_promises_questions_and_no_excerpts(bees: SourceSnapshot) -> None:
    description = write(bees, topic="Quantum computing").post.description
    assert description.startswith("Outline of a post about Quantum computing")
    assert 70 <= len(description) <= 156


def test_two_strong_passages_are_too_few(make_site: SiteMaker, make_page: PageMaker) -> None:
    def about(count: int) -> SourceSnapshot:
        parts = [("h1", "Garden")]
        for number in range(count):
            parts += [
                ("h2", f"Place {number}"),
                ("p", f"Our beehive number {number} stands on a dry and sunny place in the old garden."),
            ]
        return make_site(make_page(1, "garden", parts))

    assert write(about(2), topic="beehive").draft_kind == "outline"
    assert write(about(3), topic="beehive").draft_kind == "extractive"


def test_one_quotable_section_is_too_few(make_site: SiteMaker, make_page: PageMaker) -> None:
    parts = [("h1", "Garden")]
    parts += [
        ("p", f"Our beehive number {n} stands on a dry and sunny place in the garden.") for n in range(5)
    ]
    assert write(make_site(make_page(1, "garden", parts)), topic="beehive").draft_kind == "outline"


def test_an_empty_request_takes_the_best_covered_page(bees: SourceSnapshot) -> None:
    written = write(bees)
    assert (written.brief.topic, written.brief.topic_origin) == ("Beehives", "page")
    assert written.draft_kind == "extractive"


def test_a_page_that_has_its_post_is_not_chosen_again(bees: SourceSnapshot) -> None:
    posts = (ExistingPost(9, "Beehives", "beehives"),)
    again = SourceSnapshot(bees.project_name, bees.project_url, {}, "en", bees.pages, frozenset(), posts)
    assert write(again).brief.topic == "Caring for bees"


def test_an_empty_project_still_gets_an_outline(make_site: SiteMaker) -> None:
    written = write(make_site())
    assert (written.brief.topic, written.brief.topic_origin) == ("Bee School", "project")
    assert written.draft_kind == "outline"
    assert "What is Bee School?" in written.post.markdown


def test_title_and_keywords_of_the_caller_are_used(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", title="All About the Beehive", keywords=("Beehive", "Frames"))
    assert written.post.title == "All About the Beehive"
    assert written.post.slug == "all-about-the-beehive"
    assert written.post.tags == ("beehive", "frames")
    assert written.brief.primary_keyword == "beehive"
    assert written.brief.keyword_support["beehive"] == 1


def test_the_slug_avoids_those_that_are_taken(make_site: SiteMaker, bees: SourceSnapshot) -> None:
    taken = frozenset({"keeping-a-beehive", "keeping-a-beehive-2"})
    written = write(make_site(*bees.pages, taken=taken), title="Keeping a beehive")
    assert written.post.slug == "keeping-a-beehive-3"


def test_more_words_wanted_give_more_sections(bees: SourceSnapshot) -> None:
    short, long = (
        write(bees, topic="beehive", target_words=200),
        write(bees, topic="beehive", target_words=900),
    )
    assert 2 <= len(short.outline.sections) < len(long.outline.sections)
    assert short.post.word_count < long.post.word_count


def test_a_language_without_lines_gets_excerpts_only(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", language="fi")
    assert "Source:" not in written.post.markdown
    assert "[Beehives – Choosing a beehive](https://bees.example/hives)" in written.post.markdown
    assert_traced(written, bees)


@pytest.mark.parametrize(
    ("language", "word"), [("de", "Quelle"), ("fr", "Source"), ("es-MX", "Fuente"), ("nl", "Bron")]
)
def test_each_language_has_its_own_lines(bees: SourceSnapshot, language: str, word: str) -> None:
    assert f"{word}" in write(bees, topic="beehive", language=language).post.markdown


def test_artefacts_become_json(bees: SourceSnapshot) -> None:
    data = json.loads(json.dumps(write(bees, topic="beehive").to_dict()))
    assert data["brief"]["evidence"][0]["page_id"] in {1, 2, 3}
    assert data["quality"]["checks"][0]["code"] == "CONTENT_EMPTY"


def test_a_page_without_headings_goes_under_its_title(make_site: SiteMaker, make_page: PageMaker) -> None:
    told = "The beehive in our {} stands on a dry and sunny place behind the old house."
    pages = [
        make_page(n, place, [("p", told.format(place))])
        for n, place in enumerate(("yard", "field", "wood"), 1)
    ]
    written = write(make_site(*pages), topic="beehive")
    assert [section.heading for section in written.outline.sections] == ["yard", "field", "wood"]
    headings = [entry for entry in written.post.trace if entry.sentence in {"yard", "field", "wood"}]
    assert {entry.origin for entry in headings} == {"input"}
