"""Links that the caller asks for: how many, to which pages, and where in the text."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import WrittenPost
from app.content.request import GenerationRequest, Include, RequestedSection
from tests.content.conftest import PageMaker, SiteMaker, assert_traced, write


def body(written: WrittenPost) -> str:
    return written.post.markdown


def test_pages_on_the_topic_are_linked_until_there_are_enough(school: SourceSnapshot) -> None:
    outline = (RequestedSection("Weighing a beehive"),)
    few = write(school, topic="beehive", outline=outline, include=Include(faq=False), fewest_links=1)
    assert body(few).count("](https://bees.example/") == 1
    more = write(school, topic="beehive", outline=outline, include=Include(faq=False), fewest_links=3)
    linked = {
        url for url in ("hives", "care", "faq", "course") if f"https://bees.example/{url})" in body(more)
    }
    assert len(linked) == 3
    assert body(more).count("Read more: ") == 1
    assert "https://bees.example/team" not in body(more)
    assert_traced(more, school)
    assert any("were wanted" in note for note in write(school, topic="beehive", fewest_links=9).editor_notes)


def test_a_page_that_a_sentence_names_is_linked_there(
    bees: SourceSnapshot, make_site: SiteMaker, make_page: PageMaker
) -> None:
    named = make_page(
        6, "smoke", (("h1", "Little smoke"), ("p", "A beehive needs smoke. It is made of straw."))
    )
    written = write(make_site(*bees.pages, named), topic="beehive", required_page_ids=(6,))
    assert "Blow a [little smoke](https://bees.example/smoke) into it" in body(written)
    assert 6 not in {source.page_id for source in written.post.sources}


def test_more_links_than_wanted_are_names_only(bees: SourceSnapshot) -> None:
    written = write(bees, topic="beehive", most_links=2)
    assert body(written).count("](https://bees.example/") == 2
    assert "Read more: Frequently asked questions – " in body(written)
    assert any("without a link" in note for note in written.editor_notes)
    assert "](" not in body(write(bees, topic="beehive", most_links=0))


@pytest.mark.parametrize(("words", "least"), [(500, 2), (900, 3), (1600, 4)])
def test_the_length_says_how_many_links_there_should_be(words: int, least: int) -> None:
    assert GenerationRequest(target_words=words).least_links == least
    assert GenerationRequest(target_words=words, most_links=1).least_links == 1
    assert GenerationRequest(target_words=words, fewest_links=0).least_links == 0


def test_a_required_page_is_quoted_when_it_can_be(school: SourceSnapshot) -> None:
    assert 4 not in {
        source.page_id for source in write(school, topic="beehive", target_words=200).post.sources
    }
    written = write(school, topic="beehive", target_words=200, required_page_ids=(4,))
    assert 4 in {source.page_id for source in written.post.sources}
    assert not any("had to be used" in note for note in written.editor_notes)


def test_required_pages_off_the_topic_are_noted_for_the_editor(
    school: SourceSnapshot,
) -> None:
    notes = write(school, topic="beehive", required_page_ids=(5,)).editor_notes
    assert any("https://bees.example/team" in note and "says nothing" in note for note in notes)
    assert "bees.example/team" not in body(write(school, topic="beehive", required_page_ids=(5,)))
