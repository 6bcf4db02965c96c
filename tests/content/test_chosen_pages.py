"""A few pages that the caller keeps a post to are about its topic, in whichever words."""

from __future__ import annotations

from app.content.artefacts import SourceSnapshot
from app.content.evidence.sections import sections_of
from app.content.request import RequestedSection
from app.content.retrieval.coverage import coverage_of
from app.content.retrieval.page_stems import page_stems
from tests.content.conftest import CARE, HIVES, TEAM, PageMaker, SiteMaker, assert_traced, write

TOPIC = "Homes for pollinating insects"


def test_a_topic_in_other_words_than_its_page_is_only_an_outline(bees: SourceSnapshot) -> None:
    assert write(bees, topic=TOPIC).draft_kind == "outline"


def test_a_chosen_page_is_followed_in_its_own_words(make_site: SiteMaker, make_page: PageMaker) -> None:
    one = make_site(make_page(1, "hives", HIVES))
    written = write(one, topic=TOPIC, chosen_page_ids=(1,))
    assert (written.draft_kind, written.brief.coverage) == ("extractive", "perhaps")
    assert written.post.title == TOPIC
    headings = ["Choosing a beehive", "Where to put a beehive", "Painting a beehive"]
    assert [line[3:] for line in written.post.markdown.splitlines() if line[:3] == "## "][:3] == headings
    assert_traced(written, one)


def test_the_gap_between_topic_and_chosen_page_is_named(make_site: SiteMaker, make_page: PageMaker) -> None:
    written = write(make_site(make_page(1, "hives", HIVES)), topic=TOPIC, chosen_page_ids=(1,))
    assert any("pollinating insects" in note for note in written.editor_notes)


def test_all_chosen_pages_are_quoted(make_site: SiteMaker, make_page: PageMaker) -> None:
    two = make_site(make_page(1, "hives", HIVES), make_page(2, "care", CARE))
    written = write(two, topic=TOPIC, chosen_page_ids=(1, 2))
    assert {source.page_id for source in written.post.sources} == {1, 2}


def test_a_chosen_page_about_the_company_is_followed_too(make_site: SiteMaker, make_page: PageMaker) -> None:
    history = (
        ("h1", "About us"),
        ("p", "We began in 1987 with 4 colonies behind a barn that belonged to a retired teacher."),
        ("h2", "The first years"),
        ("p", "Each spring we split the colonies, and by 1992 there were 60 of them in three villages."),
        ("h2", "The garden"),
        ("p", "In 2004 the town let us have the old nursery, where 12 people a year learn to keep bees."),
    )
    written = write(make_site(make_page(1, "about", history)), topic="Our story", chosen_page_ids=(1,))
    assert written.draft_kind == "extractive"


def test_a_section_that_is_asked_for_still_needs_its_own_words(
    make_site: SiteMaker, make_page: PageMaker
) -> None:
    asked = (RequestedSection("Kayak rental"),)
    one = make_site(make_page(1, "hives", HIVES))
    written = write(one, topic=TOPIC, chosen_page_ids=(1,), outline=asked)
    assert "Kayak rental" in written.brief.gaps
    assert "Kayak rental" not in written.post.markdown


def test_the_pages_that_say_most_of_a_topic_are_nearest_however_little(make_page: PageMaker) -> None:
    pages = [make_page(1, "hives", HIVES), make_page(2, "care", CARE), make_page(3, "team", TEAM)]
    found = coverage_of(
        "Kayak cooking courses for nervous swimmers in autumn rain",
        page_stems(sections_of(pages), "en"),
        "en",
    )
    assert found.level == "absent"
    assert set(found.nearest) == {2, 3}
