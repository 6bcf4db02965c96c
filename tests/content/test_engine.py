"""The extractive engine from request to post."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app.content.artefacts import ExistingPost, SourceSnapshot
from app.content.request import GenerationRequest
from app.content.writing.digest.engine import STAGES, write_extractive
from tests.content.conftest import PageMaker, SiteMaker, write


def test_stages_are_announced_in_order_before_they_run(bees: SourceSnapshot) -> None:
    heard: list[str] = []
    write_extractive(GenerationRequest("beehive"), bees, heard.append)
    assert heard == list(STAGES)


@pytest.mark.parametrize("stage", STAGES)
def test_a_listener_that_raises_ends_the_writing(bees: SourceSnapshot, stage: str) -> None:
    def stop(name: str) -> None:
        if name == stage:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_extractive(GenerationRequest("beehive"), bees, stop)


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


@pytest.fixture
def candles(make_page: PageMaker, make_site: SiteMaker) -> SourceSnapshot:
    """A site with a question that two of its pages answer."""
    wax = "Wax of the hive burns longer than any other wax, and a candle of it smells of honey in the room."
    pour = "A candle of wax is poured in three layers, and each layer of wax has to cool for an hour or two."
    need = "A candle as thick as a thumb needs about 90 grams of wax, and a bigger candle twice as much wax."
    return make_site(
        make_page(
            1, "wax", [("h1", "Wax from the hive"), ("p", wax), ("h2", "Colour of wax"), ("p", wax[9:])]
        ),
        make_page(2, "pouring", [("h1", "Pouring candles at home"), ("p", pour)]),
        make_page(3, "faq", [("h1", "Questions"), ("h2", "How much wax does one candle need?"), ("p", need)]),
    )


def test_an_empty_request_takes_a_question_that_several_pages_answer(candles: SourceSnapshot) -> None:
    written = write(candles)
    assert written.brief.topic == "How much wax does one candle need?"
    assert len(written.brief.about_pages) >= 2


def test_a_topic_that_has_its_post_is_not_chosen_again(candles: SourceSnapshot) -> None:
    topic = write(candles).brief.topic
    posts = (ExistingPost(9, topic, topic.lower()),)
    assert write(replace(candles, existing_posts=posts)).brief.topic != topic


def test_a_post_that_is_named_as_a_page_competes_with_it(bees: SourceSnapshot) -> None:
    written = write(bees, topic="Caring for bees")
    duplicate = next(check for check in written.quality.checks if check.code == "DUPLICATE_TOPIC")
    assert not duplicate.passed
    assert "Caring for bees" in duplicate.where


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


@pytest.mark.parametrize(
    ("language", "word"),
    [("de", "Weiterlesen"), ("fr", "En savoir plus"), ("es-MX", "Más información"), ("nl", "Lees meer")],
)
def test_each_language_has_its_own_lines(bees: SourceSnapshot, language: str, word: str) -> None:
    assert f"{word}" in write(bees, topic="beehive", language=language).post.markdown


def test_artefacts_become_json(bees: SourceSnapshot) -> None:
    data = json.loads(json.dumps(write(bees, topic="beehive").to_dict()))
    assert data["quality"]["checks"][0]["code"] == "CONTENT_EMPTY"


def test_a_post_much_shorter_than_the_length_asked_for_says_so(school: SourceSnapshot) -> None:
    long = write(school, topic="beehive", target_words=3000, length_asked=True)
    sentence = f"{long.post.word_count:,} words; 3,000 were asked for: the pages say no more on the topic."
    assert sentence in long.editor_notes
    for length in ({"target_words": 3000}, {"target_words": long.post.word_count, "length_asked": True}):
        notes = write(school, topic="beehive", **length).editor_notes
        assert not any("were asked for: the pages" in note for note in notes)
