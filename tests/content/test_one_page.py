"""A digest that repeats one page, or does not say what its topic asks, says so."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import QualityCheck, WrittenPost
from tests.content.conftest import PageMaker, SiteMaker, write

FEED = "A winter feed for a hive is sugar that the bees have stored in their combs before the first frost."
COMBS = "A comb from another hive is the oldest winter feed, and it needs no work in the cold."
SYRUP = "Syrup as winter feed is given to a hive in August, so that the bees have time to dry it."
FONDANT = "Fondant is the winter feed of a hive that has become too light in the cold of January."


@pytest.fixture
def mixed(make_page: PageMaker, make_site: SiteMaker) -> SourceSnapshot:
    """Two pages about one topic, with as much to say."""
    combs = [("h1", "Winter feed for a hive"), ("p", FEED), ("h2", "Feed in the comb"), ("p", COMBS)]
    sugar = [
        ("h1", "Sugar as winter feed for a hive"),
        ("p", SYRUP),
        ("h2", "Winter feed in January"),
        ("p", FONDANT),
    ]
    return make_site(make_page(1, "feed", combs), make_page(2, "sugar", sugar))


def alone(site: SourceSnapshot) -> SourceSnapshot:
    return SourceSnapshot(site.project_name, site.project_url, {}, site.language, site.pages[:1])


def verbatim(written: WrittenPost) -> QualityCheck:
    return next(check for check in written.quality.checks if check.code == "VERBATIM_SHARE_HIGH")


def test_notes_and_report_name_the_page_that_gives_nearly_all_of_a_post(mixed: SourceSnapshot) -> None:
    written = write(alone(mixed), topic="winter feed for a hive")
    assert any("from one page, “Winter feed for a hive”" in note for note in written.editor_notes)
    assert "Nearly all of it is from one page, “Winter feed for a hive”." in verbatim(written).message
    assert "100% of the verbatim words are from “Winter feed for a hive”" in verbatim(written).where


def test_a_post_from_two_pages_names_none(mixed: SourceSnapshot) -> None:
    written = write(mixed, topic="winter feed for a hive")
    assert {source.page_id for source in written.post.sources} == {1, 2}
    assert not any("from one page" in note for note in written.editor_notes)
    assert "one page" not in verbatim(written).message
    assert not any("are from" in place for place in verbatim(written).where)


def test_a_note_names_the_words_of_the_topic_that_a_digest_does_not_say(mixed: SourceSnapshot) -> None:
    written = write(mixed, topic="winter feed for a hive with wasps", chosen_page_ids=(1, 2))
    note = "The text does not say “wasps”: make sure that it answers the topic."
    assert written.draft_kind == "extractive"
    assert note in written.editor_notes
    assert not any("does not say" in each for each in write(mixed, topic="winter feed").editor_notes)
