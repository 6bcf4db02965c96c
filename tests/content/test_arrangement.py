"""What a post is about, and the order in which it says it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.planning.topic_phrase import keyphrase_of
from app.content.retrieval.passages import library_of
from tests.content.conftest import PageMaker, SiteMaker, write

SWARMS = [
    ("h1", "Catching a swarm"),
    ("p", "A swarm is a colony of bees that has left its hive and looks for another place to live in."),
    ("h2", "The box"),
    ("p", "Hold a wide box under the branch and shake the bees into it with one short and firm movement."),
    ("h2", "Waiting for the evening with patience"),
    ("p", "Leave the box in the shade until the evening, so that the scouts find their way to the others."),
]
TEASER = "The guide takes you from tree to box in five short steps, and each of them needs one calm evening."
HONEY = [
    ("h1", "Harvesting honey"),
    ("p", "Honey is ripe when the bees have closed most of the cells of a comb with a thin lid of wax."),
    ("h2", "Tools for the harvest"),
    ("p", "A harvest needs a fork, a spinner and a sieve, all of them made of steel that does not rust."),
]
YARD = [
    ("h1", "The yard"),
    ("p", "The yard behind the school has room for twelve hives and for one bench in the evening sun."),
    ("h2", "Neighbours"),
    ("p", "A swarm that lands in a neighbour's garden may be fetched from there when nobody objects to it."),
]
CHANGES = [
    ("h1", "Changes of the course"),
    ("p", "The swarm lesson was moved to May, because a swarm is hardly ever seen in the month of April."),
]


@pytest.fixture
def school(make_page: PageMaker, make_site: SiteMaker) -> SourceSnapshot:
    pages = [("yard", YARD), ("changes", CHANGES), ("swarm", SWARMS), ("honey", HONEY)]
    return make_site(*(make_page(number, path, parts) for number, (path, parts) in enumerate(pages, 1)))


def test_the_page_about_the_topic_opens_the_post_under_the_posts_own_title(school: SourceSnapshot) -> None:
    written = write(school, topic="Catching a swarm")
    first = written.outline.sections[0]
    assert (first.heading, first.level) == ("Catching a swarm", 1)
    assert "## Catching a swarm\n" not in written.post.markdown


def test_the_sections_of_the_topics_page_follow_in_its_own_order(school: SourceSnapshot) -> None:
    written = write(school, topic="Catching a swarm")
    headings = [section.heading for section in written.outline.sections]
    assert headings[:3] == [
        "Catching a swarm",
        "The box",
        "Waiting for the evening with patience",
    ]


def test_a_page_is_linked_once_after_a_run_of_its_sections(school: SourceSnapshot) -> None:
    markdown = write(school, topic="Catching a swarm", most_links=15, fewest_links=0).post.markdown
    assert markdown.count("(https://bees.example/swarm)") == 1
    assert markdown.index("until the evening") < markdown.index("(https://bees.example/swarm)")


def test_a_page_about_something_else_is_not_quoted(school: SourceSnapshot) -> None:
    assert "sieve" not in write(school, topic="Catching a swarm").post.markdown


def test_every_heading_of_a_section_is_a_heading_of_its_page(school: SourceSnapshot) -> None:
    written = write(school, topic="swarm").outline.sections
    on_the_site = {(page.page_id, block.text) for page in school.pages for block in page.blocks}
    assert {section.heading for section in written} >= {"Neighbours"}
    for section in written:
        assert (int(section.evidence_ids[0].partition(":")[0]), section.heading) in on_the_site


def test_what_changed_once_comes_last(school: SourceSnapshot) -> None:
    written = write(school, topic="swarm")
    assert "moved to May" not in written.post.markdown.split("(https://bees.example/swarm)")[0]


def test_a_page_of_several_main_headings_goes_by_its_title(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    parts = [("h2", "Overview"), ("p", HONEY[1][1]), ("h2", "Tools"), ("p", HONEY[3][1])]
    library = library_of(make_site(make_page(1, "Honey", parts)).pages, "en")
    assert {section.page_name for section in library.sections} == {"Honey"}


def test_one_word_of_the_site_may_say_two_of_the_topic(make_page: PageMaker, make_site: SiteMaker) -> None:
    page = make_page(1, "a", [("h1", "Backup"), ("p", "A backup of the diary is made each evening at nine.")])
    library = library_of(make_site(page).pages, "en")
    assert library.strong_passages("back up the diary")
    assert not library.strong_passages("back of the diary")


def test_no_passage_is_about_a_sign(make_page: PageMaker, make_site: SiteMaker) -> None:
    page = make_page(
        1, "a", [("h1", "Discounts"), ("p", "A discount of 20 % is given to those who come twice.")]
    )
    snapshot = make_site(page)
    assert library_of(snapshot.pages, "en").strong_passages("%") == []
    assert write(snapshot, topic="A discount of 20 %").post.title


def test_the_projects_own_name_adds_nothing_to_a_topic(make_page: PageMaker, make_site: SiteMaker) -> None:
    page = make_page(1, "prices", [("h1", "Prices"), ("p", "A course of ten evenings costs ninety euros.")])
    pages = make_site(page).pages
    assert library_of(pages, "en", "Bee School").strong_passages("Bee School prices")
    assert not library_of(pages, "en").strong_passages("Bee School prices")


@pytest.mark.parametrize(
    ("topic", "keyphrase"),
    [
        ("How to back up a database", "back up a database"),
        ("logging in Python", "logging in python"),
        ("When to use SQLite", "use sqlite"),
        ("How to plan a weekly rota", "plan a weekly rota"),
        ("Deduplication", "deduplication"),
    ],
)
def test_the_keyphrase_is_what_people_would_search_for(topic: str, keyphrase: str) -> None:
    assert keyphrase_of(topic, "en") == keyphrase


def test_pages_of_news_are_no_pages_to_link(school: SourceSnapshot) -> None:
    linked = {candidate.url for candidate in write(school, topic="swarm").brief.link_candidates}
    assert "https://bees.example/swarm" in linked
    assert "https://bees.example/changes" not in linked


def test_the_teaser_of_a_quoted_page_is_not_quoted(make_page: PageMaker, make_site: SiteMaker) -> None:
    teaser = [
        ("h1", "Guides"),
        ("h2", "How to catch a swarm"),
        ("p", "The guide takes you from tree to box."),
    ]
    caught = [("h1", "Catching a swarm"), *SWARMS[1:]]
    written = write(make_site(make_page(1, "guides", teaser), make_page(2, "swarm", caught)), topic="swarm")
    assert "from tree to box" not in written.post.markdown


def test_a_page_about_something_else_opens_with_nothing_on_something_else(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    parts = [("h1", "Additional notes"), ("p", "The paint of a hive has to dry for two weeks in the sun.")]
    for part in ("box", "lid", "floor"):
        parts += [
            ("h2", f"Smoker {part}"),
            ("p", f"The {part} of a smoker has to be made of good steel or copper by a smith."),
        ]
    post = write(make_site(make_page(1, "notes", parts)), topic="smoker").post
    assert "paint" not in post.markdown
    assert "## Smoker lid" in post.markdown


def test_an_answer_is_followed_by_its_page_and_not_by_its_question_again(bees: SourceSnapshot) -> None:
    post = write(bees, topic="beehive").post
    assert "Read more: [Frequently asked questions – Bee School](https://bees.example/faq)" in post.markdown
    assert post.markdown.count("How much does a beehive cost?") == 1


def test_a_page_that_only_lists_names_is_no_page_to_link(make_page: PageMaker, bees: SourceSnapshot) -> None:
    names = make_page(9, "index", [("h1", "Index"), *[("li", f"beehive {n} – hives") for n in range(9)]])
    post = write(replace(bees, pages=(*bees.pages, names)), topic="beehive")
    assert post.brief.link_candidates
    assert 9 not in [candidate.id for candidate in post.brief.link_candidates]


def test_the_only_section_of_a_page_takes_its_name_if_its_heading_says_nothing_alone(
    school: SourceSnapshot, make_page: PageMaker, make_site: SiteMaker
) -> None:
    caught = (
        "Anna caught the swarm in the old apple tree with a wide box, and nobody in the village was stung."
    )
    headings = {
        "The result": "Anna and her bees",
        "A swarm in a tree": "A swarm in a tree",
        "The box or a bag?": "The box or a bag?",
    }
    for heading, shown in headings.items():
        story = make_page(9, "anna", [("h1", "Anna and her bees"), ("h2", heading), ("p", caught)])
        written = write(make_site(*school.pages, story), topic="Catching a swarm", required_page_ids=(9,))
        assert f"## {shown}\n\n{caught}" in written.post.markdown


def test_no_page_that_mentions_the_topic_in_passing_fills_up_the_links(
    school: SourceSnapshot, make_page: PageMaker, make_site: SiteMaker
) -> None:
    said = "I was catching a swarm in June with my neighbour, and both of us were stung by it more than once."
    spring = "I drank my coffee in the garden on each morning of this spring. I read two books there as well."
    parts = [("h1", "A year in the village"), ("h2", "Spring"), ("p", spring), ("h2", "June"), ("p", said)]
    diary = make_page(9, "diary", parts)
    written = write(make_site(*school.pages, diary), topic="Catching a swarm", fewest_links=4)
    assert "https://bees.example/swarm" in written.post.markdown
    assert "https://bees.example/diary" not in written.post.markdown
    assert any("were wanted" in note for note in written.editor_notes)
