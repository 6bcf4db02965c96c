"""Title ideas: found, never invented, none twice."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import ExistingPost, SourceSnapshot
from app.content.planning.ideas.candidates import IdeaKeyword
from app.content.planning.ideas.finding import TitleIdea, suggest_titles
from app.content.retrieval.passages import library_of
from tests.content.conftest import CARE, FAQ, HIVES, Part, page, site


def ideas(
    snapshot: SourceSnapshot,
    *keywords: str,
    count: int = 50,
    posts: tuple[ExistingPost, ...] = (),
    **more: Any,
) -> tuple[TitleIdea, ...]:
    known = [IdeaKeyword(number, text) for number, text in enumerate(keywords, 1)]
    snapshot = replace(snapshot, existing_posts=posts)
    return suggest_titles(snapshot, library_of(snapshot.pages, "en"), known, count, **more)


def one(found: tuple[TitleIdea, ...], topic: str) -> TitleIdea:
    return next(idea for idea in found if idea.topic == topic)


def topics(found: tuple[TitleIdea, ...], origin: str) -> list[str]:
    return [idea.topic for idea in found if idea.origin == origin]


def test_a_keyword_that_the_pages_carry_is_an_idea_with_full_support(bees: SourceSnapshot) -> None:
    idea = one(ideas(bees, "beehive"), "beehive")
    assert (idea.origin, idea.support, idea.keyword, idea.keyword_ids) == ("keyword", 1.0, "beehive", (1,))
    assert "no post is about it yet" in idea.why


@pytest.mark.parametrize(
    ("keyword", "support", "why"),
    [
        (
            "varroa mites",
            0.0,
            "No passage of the pages is about this keyword yet, so a draft would be an outline.",
        ),
        ("langstroth beehive", 0.33, "Only one passage of the pages is about this keyword, too few"),
    ],
)
def test_a_keyword_that_the_pages_hardly_carry_is_a_gap(
    bees: SourceSnapshot, keyword: str, support: float, why: str
) -> None:
    idea = one(ideas(bees, keyword), keyword)
    assert (idea.origin, idea.support) == ("gap", support)
    assert idea.why.startswith(why)


def test_the_sites_own_questions_are_ideas_as_they_stand(bees: SourceSnapshot) -> None:
    idea = one(ideas(bees), "Can I keep a beehive in a town?")
    assert (idea.origin, idea.title) == ("question", "Can I keep a beehive in a town?")
    assert "asks this, and no post answers it yet" in idea.why


def test_words_of_a_heading_alone_make_no_page_an_idea(bees: SourceSnapshot) -> None:
    assert "Caring for bees" not in topics(ideas(bees), "page")


def test_a_page_that_says_much_is_an_idea(bees: SourceSnapshot) -> None:
    idea = one(ideas(bees), "Beehives")
    assert (idea.origin, idea.support) == ("page", 1.0)


def test_a_keyword_that_the_site_asks_has_the_question_as_its_title(bees: SourceSnapshot) -> None:
    found = ideas(bees, "keep beehive town")
    idea = one(found, "keep beehive town")
    assert idea.title == "Can I keep a beehive in a town?"
    assert [each.title for each in found].count(idea.title) == 1


def test_a_question_or_page_is_named_after_the_keywords_it_holds(bees: SourceSnapshot) -> None:
    found = ideas(bees, "beehive town winter", "beehive", "town house", "keep")
    assert one(found, "Can I keep a beehive in a town?").keyword_ids == (4,)


def test_a_keyword_leads_one_idea_only(bees: SourceSnapshot) -> None:
    found = [idea.keyword for idea in ideas(bees, "beehive", "honey") if idea.keyword]
    assert sorted(found) == ["beehive", "honey"]


@pytest.mark.parametrize(
    "post",
    [
        ExistingPost(5, "Something else", "Beehive"),
        ExistingPost(5, "The beehive", None),
        ExistingPost(5, "Beehive | Bee School", None),
        ExistingPost(5, "BEEHIVES", None),
    ],
)
def test_what_a_post_is_about_is_no_idea(bees: SourceSnapshot, post: ExistingPost) -> None:
    found = ideas(bees, "beehive", posts=(post,))
    assert "beehive" not in [idea.topic for idea in found]
    assert "Beehives" not in [idea.topic for idea in found]


def test_posts_on_something_similar_are_named_the_nearest_first(bees: SourceSnapshot) -> None:
    posts = (ExistingPost(7, "Painting beehives", None), ExistingPost(8, "Garden tables", None))
    idea = one(ideas(bees, "paint beehive blue", posts=posts), "paint beehive blue")
    assert idea.existing_post_ids == (7,)


def test_no_two_ideas_are_about_the_same(bees: SourceSnapshot) -> None:
    found = ideas(bees, "beehive", "the beehive", "beehives", "honey")
    assert [idea.topic for idea in found if idea.origin in ("keyword", "gap")] == ["beehive", "honey"]
    titles = [idea.title.casefold() for idea in found]
    assert len(set(titles)) == len(titles)


def test_nothing_is_invented(bees: SourceSnapshot) -> None:
    keywords = ("beehive", "varroa mites", "honey")
    given = " ".join([*keywords, bees.project_name, *(b.text for p in bees.pages for b in p.blocks)]).lower()
    for idea in ideas(bees, *keywords):
        assert idea.topic.lower() in given
        assert idea.title.lower() in given


def test_the_origins_take_turns(bees: SourceSnapshot) -> None:
    said = [("p", f"Honey jars number {n} hold the honey of one hive.") for n in range(3)]
    jars = page(4, "jars", [("h1", "Honey jars"), *said])
    found = ideas(replace(bees, pages=(*bees.pages, jars)), "beehive", "varroa", "propolis", count=4)
    assert [idea.origin for idea in found] == ["keyword", "question", "page", "gap"]
    assert len(found) == 4


def test_the_most_searched_keyword_comes_first(bees: SourceSnapshot) -> None:
    known = [IdeaKeyword(1, "varroa", 10), IdeaKeyword(2, "propolis", 900), IdeaKeyword(3, "swarm")]
    found = suggest_titles(bees, library_of(bees.pages, "en"), known, 50)
    assert topics(found, "gap") == ["propolis", "varroa", "swarm"]


def test_chosen_keywords_leave_everything_else_out(bees: SourceSnapshot) -> None:
    found = ideas(bees, "town", only_these=True)
    assert found
    assert all(1 in idea.keyword_ids for idea in found)
    assert "Can I keep a beehive in a town?" in [idea.topic for idea in found]


def test_the_same_input_gives_the_same_ideas(bees: SourceSnapshot) -> None:
    assert ideas(bees, "beehive", "varroa") == ideas(bees, "beehive", "varroa")


def test_a_project_without_pages_has_its_keywords() -> None:
    found = ideas(site(), "beehive", "garden notes")
    assert [(idea.topic, idea.origin, idea.support) for idea in found] == [
        ("beehive", "gap", 0.0), ("garden notes", "gap", 0.0),
    ]  # fmt: skip
    assert ideas(site()) == ()


def test_the_sites_name_and_words_without_a_subject_are_no_ideas() -> None:
    home: tuple[Part, ...] = (
        ("h1", "Bee School"),
        *[("p", f"Bee School teaches people number {n} to keep bees.") for n in range(5)],
    )
    overview: tuple[Part, ...] = (
        ("h1", "Overview"),
        *[("p", f"This overview tells {n} things about keeping bees here.") for n in range(5)],
    )
    assert topics(ideas(site(page(1, "", home), page(2, "overview", overview))), "page") == []


def test_a_title_too_long_for_a_post_is_no_idea() -> None:
    asked = f"What is {'very ' * 40}long?"
    found = ideas(
        site(page(1, "faq", (("h2", asked), ("p", "It is long, as everybody can see for themselves here."))))
    )
    assert found == ()


def test_a_large_project_is_searched_within_seconds() -> None:
    parts = [(f"h{2}", f"How does part {n} work?") for n in range(20)]
    pages = []
    for number in range(300):
        told: list[Part] = [("h1", f"Machine {number}")]
        for heading in parts:
            told += [
                heading,
                ("p", f"The machine number {number} has a part that works like every other part does."),
            ]
        pages.append(page(number, f"machine-{number}", told))
    posts = tuple(ExistingPost(n, f"Another machine {n} and its story", f"story {n}") for n in range(2000))
    snapshot = replace(site(*pages), existing_posts=posts)
    library = library_of(snapshot.pages, "en")
    known = [IdeaKeyword(n, f"machine {n} part") for n in range(200)]
    started = time.process_time()
    assert len(suggest_titles(snapshot, library, known, 50)) == 50
    assert time.process_time() - started < 10


def test_the_pages_of_the_fixture_say_what_these_tests_suppose() -> None:
    assert ("h2", "Can I keep a beehive in a town?") in FAQ
    assert HIVES[0] == ("h1", "Beehives")
    assert CARE[0] == ("h1", "Caring for bees")
