"""A digest on a question opens with its answer; its keyphrase is nothing that was cut out of the question."""

from __future__ import annotations

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.planning.phrases_of_pages import keyphrase_on_pages
from app.content.planning.topic_phrase import keyphrase_of
from app.content.retrieval.answers import offers_choice
from app.content.retrieval.excerpts import excerpt
from app.content.retrieval.passages import library_of
from tests.content.conftest import PageMaker, SiteMaker, write

ANSWER = "Keep new helpers away from the kiln until they have fired it twice with somebody who knows it."
COURSE = (
    ("h1", "Bringing helpers into the pottery"),
    ("p", "A helper in the pottery decides in the first week whether to stay, so the first week is planned."),
    ("h2", "The first day in the pottery"),
    ("p", "Show a new helper the door, the aprons and the shelf for tea, and then one task to be finished."),
    ("h2", "Which tasks should new helpers avoid?"),
    ("p", ANSWER),
    ("h2", "Asking helpers back"),
    ("p", "Helpers who come back in spring need one day in the pottery instead of three, and teach others."),
)
OTHER = (
    ("h1", "About the pottery"),
    ("p", "Our helpers do many tasks, and helpers are people whom the pottery would be nothing without."),
    ("h2", "What helpers do"),
    ("p", "Tasks are shared among the helpers of the pottery: new helpers and old helpers share the tasks."),
)
QUESTIONS = (
    ("h1", "Questions"),
    ("h2", "When is the pottery open?"),
    ("p", "The pottery is open from nine to five on all days but Monday, when the kiln cools down."),
    ("h2", "How often is the kiln fired?"),
    ("p", "The kiln is fired on Fridays when it is full, which is every second week in winter."),
    ("h2", "Can children come along?"),
    ("p", "Children from the age of six can come along with an adult and work at the low table."),
)


@pytest.fixture
def pottery(make_page: PageMaker, make_site: SiteMaker) -> SourceSnapshot:
    return make_site(
        make_page(1, "about", list(OTHER)),
        make_page(2, "helpers", list(COURSE)),
        make_page(3, "questions", list(QUESTIONS)),
    )


def test_the_answer_to_the_topic_opens_the_post_and_its_page_follows(pottery: SourceSnapshot) -> None:
    post = write(pottery, topic="Which tasks should new helpers avoid?").post
    assert post.markdown.startswith(ANSWER)
    assert post.markdown.count(ANSWER) == 1
    assert "The first day in the pottery" in post.markdown
    assert "What helpers do" not in post.markdown
    assert post.description == ANSWER


def test_a_question_of_the_page_that_a_post_follows_stays_in_its_place(pottery: SourceSnapshot) -> None:
    post = write(pottery, topic="Bringing helpers into the pottery").post
    headings = [line.lstrip("# ") for line in post.markdown.splitlines() if line.startswith("#")]
    assert headings[:3] == [
        "The first day in the pottery",
        "Which tasks should new helpers avoid?",
        "Asking helpers back",
    ]
    assert not post.faq


def test_a_collection_of_questions_is_no_main_page(pottery: SourceSnapshot) -> None:
    assert write(pottery, topic="How often is the kiln fired?").brief.main_page is None


@pytest.mark.parametrize(
    ("topic", "language", "phrase"),
    [
        ("Which shifts should new people avoid?", "en", "shifts for new people"),
        ("how many waiters do I need per shift", "en", "waiters per shift"),
        ("how long is the wait for an allotment", "en", "wait for an allotment"),
        ("Who can see my phone number?", "en", "phone number"),
        ("how to stop guests not turning up", "en", "stop guests not turning up"),
        ("how to reduce no shows at a clinic", "en", "no shows at a clinic"),
        ("Was kostet eine E-Bike-Inspektion in Kiel", "de", "e-bike-inspektion in kiel"),
        ("how often to recalibrate torque wrenches", "en", "recalibrate torque wrenches"),
        ("how much does a torque wrench cost", "en", "torque wrench cost"),
        ("My balance doesn't match the bank, what now?", "en", "match the bank"),
        ("What happens to pupils when an instructor quits?", "en", "instructor quits"),
        ("which oil do beekeepers use up", "en", "oil for beekeepers"),
        ("does gardening help people who feel alone", "en", "gardening help people"),
        ("welche geigengröße kind 7 jahre", "de", "geigengröße kind 7 jahre"),
        ("welche saiten für ein cello", "de", "saiten für ein cello"),
        ("wie pflege ich eine geige", "de", "geige"),
        ("Welche Schichten sollten neue Leute meiden?", "de", "schichten für neue leute"),
    ],
)
def test_a_keyphrase_is_a_phrase_and_no_piece_of_a_question(topic: str, language: str, phrase: str) -> None:
    assert keyphrase_of(topic, language) == phrase


@pytest.mark.parametrize(
    ("topic", "phrase"),
    [
        ("What makes a weekend rota fair?", "weekend rota"),
        ("How far ahead should a rota be published?", "publish the rota"),
    ],
)
def test_a_question_takes_its_keyphrase_from_the_words_of_the_pages(
    make_page: PageMaker, topic: str, phrase: str
) -> None:
    text = "A weekend rota is fair when all know it. Publish the rota early, and publish the rota whole."
    library = library_of([make_page(1, "rota", [("h1", "Rules"), ("p", text)])], "en")
    assert keyphrase_on_pages(keyphrase_of(topic, "en"), library, topic) == phrase


@pytest.mark.parametrize(
    ("topic", "phrase"),
    [
        ("Winter rest: what still runs while you are closed", "winter rest"),
        ("late bolt for channel sites", "late bolt"),
        ("how the winter rest of a channel costs", "winter rest of a channel costs"),
        ("to be or not to be", "to be or not to be"),
    ],
)
def test_a_keyphrase_that_no_page_writes_gives_way_to_one_that_pages_write(
    make_page: PageMaker, topic: str, phrase: str
) -> None:
    rest = "In winter rest the account is closed, but a calendar still runs while you are away from it."
    bolt = "A late bolt closes a channel. The late bolt of a site runs for three days, and to be or not."
    library = library_of([make_page(1, "rest", [("h1", "Rest"), ("p", rest), ("p", bolt)])], "en")
    assert keyphrase_on_pages(keyphrase_of(topic, "en"), library, topic) == phrase


def test_an_excerpt_has_no_gaps(make_page: PageMaker) -> None:
    first = "The kiln needs two days, one to heat up and one to cool down, and nobody can make it any faster."
    left_out = "I once opened it after a day and lost a month of work."
    last = "Glazes run when the kiln is opened early, and a plate that has run can never be sold to anybody."
    parts = [("h1", "The kiln"), ("p", f"{first} {left_out} {last}"), ("p", last.replace("plate", "bowl"))]
    section = library_of([make_page(1, "kiln", parts)], "en").sections[0]
    found = excerpt(section, 90, "en")
    assert found
    assert found.text == first


def test_a_choice_between_two_things_is_no_question_for_the_price_page(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    prices = [("h1", "Prices"), ("p", "The course costs £40, and a card for five courses costs £180 a year.")]
    paying = [
        ("h1", "Ways to pay"),
        ("p", "Card or transfer: a card takes a second, and a transfer to the pottery takes three days."),
        ("h2", "Fees by card or transfer"),
        ("p", "By card the fees of a year are taken on the first of January, by transfer you send them."),
    ]
    site = make_site(make_page(1, "prices", prices), make_page(2, "paying", paying))
    written = write(site, topic="Card or transfer for yearly fees")
    assert written.post.sources[0].page_id == 2


@pytest.mark.parametrize(
    ("topic", "is_choice"),
    [
        ("Card or transfer for yearly fees", True),
        ("card, debit or transfer for fees", True),
        ("How much does Crew or Depot cost?", False),
        ("Prices of Crew or Depot", False),
        ("What the course costs", False),
    ],
)
def test_a_topic_that_begins_with_a_choice_asks_for_no_price(topic: str, is_choice: bool) -> None:
    assert offers_choice(topic, "en") is is_choice
