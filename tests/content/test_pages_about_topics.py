"""Which page a topic is about: words that say little, the home page, and questions between two things."""

from __future__ import annotations

from collections.abc import Sequence

from app.content.artefacts import SourcePage
from app.content.evidence.sections import sections_of
from app.content.retrieval.answers import answering_section
from app.content.retrieval.coverage import coverage_of
from app.content.retrieval.page_stems import page_stems, topic_words_on
from app.content.retrieval.passages import library_of
from tests.content.conftest import Part, page

HOME: tuple[Part, ...] = (
    ("h1", "Software for driving schools"),
    ("p", "Two bigger offices answer the phone for driving schools, and one of them is near you."),
)
DIARY: tuple[Part, ...] = (
    ("h1", "A diary for driving schools"),
    ("p", "It puts the way between two lessons into the day of a pupil."),
    ("h2", "The calendar of your phone"),
    ("p", "There is a feed to Google, which reads it every four hours. Google shows it to a pupil, too."),
)
REFUNDS: tuple[Part, ...] = (
    ("h1", "Selling ten hours at once"),
    ("p", "A pupil who stops after four of them gets back what is left of the block."),
    ("h2", "Refunds: two sums"),
    ("p", "A refund at the price of the block is larger than one at the price of a lesson."),
)
THEORY: tuple[Part, ...] = (
    ("h1", "Through the theory test in ten weeks"),
    ("p", "A pupil reads for ten minutes a day and sits a mock test each week for ten weeks."),
)
QUESTIONS: tuple[Part, ...] = (
    ("h1", "Questions about plans"),
    ("h2", "There are six of us. Crew or Depot?"),
    ("p", "Crew goes up to eight people. At nine you need Depot, which also has a phone number for a pupil."),
)
PARTS = {"": HOME, "diary": DIARY, "refunds": REFUNDS, "theory": THEORY, "questions": QUESTIONS}
SITE = [page(number, name, parts) for number, (name, parts) in enumerate(PARTS.items(), 1)]
FILLERS = [
    page(number, f"p{number}", (("h1", f"Part {number}"), ("p", "A pupil and a car.")))
    for number in range(6, 11)
]
LARGE = [*SITE, *FILLERS]
CROSSINGS = [f"In case {n} a pupil stops a car at a wall." for n in range(10)]
USUAL = [
    page(n, f"p{n}", (("h1", f"Part {n}"), ("p", f"Good day {n}. Come in {n}. {CROSSINGS[n]}")))
    for n in range(1, 10)
]


def about(topic: str, pages: Sequence[SourcePage] = LARGE) -> tuple[int, ...]:
    return coverage_of(topic, page_stems(sections_of(pages), "en"), "en").about


def test_a_word_that_a_page_only_mentions_does_not_make_the_page_about_the_topic() -> None:
    assert about("get Google reviews") == ()
    assert about("a calendar feed for the phone") == (2,)


def test_a_number_in_words_weighs_as_little_as_a_light_word() -> None:
    topic = "refund when a pupil stops after ten lessons"
    weights = topic_words_on(topic, page_stems(sections_of(LARGE), "en"), "en").weights
    assert weights["ten"] < weights["refund"]
    assert about(topic) == (3,)
    assert about("ten weeks to the theory test") == (4,)


def test_a_topic_of_words_that_all_pages_have_is_about_none_of_them() -> None:
    assert about("stop pupils not turning up") == ()


def test_a_topic_of_words_on_most_pages_needs_one_place_that_says_most_of_it() -> None:
    usual = [*USUAL, page(11, "other", (("h1", "Other"), ("p", "Nothing of it is here.")))]
    text = (("p", "We open at nine. Bring a coat."), ("h2", "Cars"), ("p", " ".join(CROSSINGS)))
    topic = "pupil with a car at a wall"
    assert about(topic, [*usual, page(10, "car", (("h1", "Crossings"), *text))]) == ()
    assert about(topic, [*usual, page(10, "car", (("h1", "The car, the pupil, the wall"), *text))]) == (10,)


def test_light_words_that_are_no_part_of_a_topic_are_passed_over() -> None:
    assert about("why does every pupil need two cars", USUAL) == ()


def test_a_home_page_is_about_the_project_only() -> None:
    assert 1 not in about("bigger offices near you")
    assert 1 not in about("software for driving schools")
    assert about("software for driving schools", SITE[:1]) == (1,)


def test_a_question_between_the_same_two_things_answers_the_topic() -> None:
    library = library_of(LARGE, "en")
    asked = answering_section("Crew or Depot for a school with seven instructors", library)
    assert asked is not None
    assert asked.heading == "There are six of us. Crew or Depot?"
    assert answering_section("Crew and Depot for a school with seven instructors", library) is None
    assert answering_section("Crew or Solo for a school with seven instructors", library) is None


def test_a_site_of_a_home_page_and_an_imprint_is_about_what_the_home_page_is_named_after() -> None:
    home: tuple[Part, ...] = (
        *(("h1", "Beekeeping courses in Leeds"), ("p", "Our courses take three Saturdays in the spring.")),
        *(("h2", "What a beekeeping course costs"), ("p", "A course costs £90 with a veil and a tool.")),
    )
    imprint: tuple[Part, ...] = (("h1", "Imprint"), ("p", "Bee School, 1 High Street, Leeds."))
    assert about("beekeeping courses", [page(1, "", home), page(2, "imprint", imprint)]) == (1,)


def test_a_page_with_the_rarest_word_in_passing_comes_behind_the_page_about_the_topic() -> None:
    guide: Sequence[Part] = (
        ("h1", "Mud mooring or trot mooring?"),
        ("p", "A mud mooring dries. A trot mooring floats a boat. A trot costs more than mud."),
    )
    story: Sequence[Part] = (
        ("h1", "A year on the mud mooring"),
        ("p", "Ken keeps a boat there. It is a cruiser."),
    )
    team: Sequence[Part] = (("h1", "Team"), ("p", "We are nine people in Leeds, with a parrot."))
    pages = [
        page(n, name, each) for n, (name, each) in enumerate((("g", guide), ("s", story), ("t", team)), 1)
    ]
    found = coverage_of("mud mooring or trot for a cruiser", page_stems(sections_of(pages), "en"), "en")
    assert found.about == (1, 2)


def test_no_page_is_about_a_topic_whose_words_it_has_here_and_there() -> None:
    orders: tuple[Part, ...] = (
        ("h1", "Spring orders"),
        ("p", "Each season is planned in October."),
        ("h2", "Counting"),
        ("p", "Two of the staff count the trays."),
        ("h2", "Easter"),
        ("p", "A holiday moves, and the rota moves with it."),
    )
    pages = [page(20, "orders", orders), *FILLERS]
    assert about("Planning rotas and holidays of staff for the spring season", pages) == ()
    assert about("Planning the spring season", pages) == (20,)
