"""How well pages cover a topic: covered, perhaps, absent."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.artefacts import SourcePage
from app.content.evidence.sections import sections_of
from app.content.retrieval.coverage import TopicCoverage, coverage_of, priced_pages, relevance_about
from app.content.retrieval.page_stems import page_stems
from tests.content.conftest import PageMaker

SITE = {
    "receipts": (
        "Receipt scanning for tradespeople",
        "Take a picture of a receipt: the amount is read from it.",
    ),
    "budgets": ("Set up a budget", "Choose a category, give it a monthly limit, and see what is left of it."),
    "mileage": ("Mileage tracking", "Log each trip with the van; business miles are added to your expenses."),
    "invoices": ("Send an invoice", "Write the invoice on site and send it before you drive home."),
    "about": ("About us", "We are a small team from Leeds that used to run a plumbing firm."),
    "security": ("Security", "Your data is encrypted and kept in two data centres."),
}


@pytest.fixture
def site(make_page: PageMaker) -> list[SourcePage]:
    return [
        make_page(number, name, [("h1", title), ("p", text)])
        for number, (name, (title, text)) in enumerate(SITE.items(), 1)
    ]


def cover(site: list[SourcePage], topic: str) -> TopicCoverage:
    return coverage_of(topic, page_stems(sections_of(site), "en"), "en")


@pytest.mark.parametrize(
    ("topic", "page_id"),
    [
        ("Receipt scanning for tradespeople", 1),
        ("how to create a budget", 2),
        ("budgets", 2),
        ("tracking business mileage", 3),
        ("writing invoices on site", 4),
    ],
)
def test_a_topic_that_one_page_is_about_is_covered_in_any_of_its_words(
    site: list[SourcePage], topic: str, page_id: int
) -> None:
    found = cover(site, topic)
    assert found.level == "covered"
    assert found.page_ids[0] == page_id


@pytest.mark.parametrize("topic", ["crypto payments", "pension auto-enrolment", "quantum computing", "%"])
def test_a_topic_whose_rare_words_no_page_says_is_absent(site: list[SourcePage], topic: str) -> None:
    found = cover(site, topic)
    assert found.level == "absent"
    assert found.missing


def test_a_topic_of_which_a_page_says_half_is_perhaps_covered(site: list[SourcePage]) -> None:
    found = cover(site, "invoice financing")
    assert found.level == "perhaps"
    assert found.missing == ("financ",)


def test_question_and_filler_words_weigh_nothing(site: list[SourcePage]) -> None:
    assert cover(site, "How do I set up a budget?") == cover(site, "budget")


@pytest.mark.parametrize("small", ["already", "still", "just", "yet"])
def test_an_adverb_of_time_decides_for_no_page(site: list[SourcePage], small: str) -> None:
    heading, text = site[5].blocks
    aside = replace(text, text=f"{text.text} An invoice is {small} sent to us.")
    pages = [*site[:5], replace(site[5], blocks=(heading, aside))]
    assert cover(pages, f"what of an invoice {small} sent").about[0] == 4


def test_a_compound_is_found_in_one_word_and_in_two(make_page: PageMaker) -> None:
    pages = [
        make_page(1, "a", [("h1", "Backup"), ("p", "A backup of the ledger is made every night.")]),
        make_page(2, "b", [("h1", "Rotas"), ("p", "A rota says who works on which day of the week.")]),
    ]
    assert cover(pages, "back up the ledger").level == "covered"


def test_no_pages_cover_nothing() -> None:
    assert cover([], "budget").level == "absent"


def test_a_topic_in_other_words_than_the_site_is_covered(make_page: PageMaker) -> None:
    pages = [
        make_page(1, "hens", [("h1", "Poultry"), ("p", "Four hens may live on a plot, and no cockerel.")]),
        make_page(2, "beds", [("h1", "Beds"), ("p", "A bed is dug in winter and raked in spring.")]),
    ]
    found = cover(pages, "can I keep chickens")
    assert (found.level, found.about) == ("covered", (1,))


def test_a_page_that_lacks_most_of_a_topic_is_not_about_it(make_page: PageMaker) -> None:
    """Whatever it says of the common words: "paid", "weekly" and "staff" are not payroll."""
    pages = [
        make_page(
            1, "paid", [("h1", "Paid late"), ("p", "Staff are paid weekly. Paid staff stay paid staff.")]
        ),
        make_page(2, "no", [("h1", "What we leave out"), ("p", "There is no payroll and no stock control.")]),
        make_page(
            3, "vat", [("h1", "Returns"), ("p", "Weekly figures of staff and paid bills make a return.")]
        ),
    ]
    assert cover(pages, "payroll processing for weekly paid staff").about == ()


def test_what_kind_of_thing_somebody_looks_for_weighs_little(make_page: PageMaker) -> None:
    pages = [
        make_page(
            1, "rota", [("h1", "Rotas"), ("p", "Plan a rota for the week. A rota is sent to the staff.")]
        ),
        make_page(2, "beds", [("h1", "Beds"), ("p", "A bed is dug in winter and raked in spring.")]),
    ]
    assert cover(pages, "rota software").about == (1,)


def test_a_page_with_a_name_of_its_own_is_about_what_it_says_again_and_again(make_page: PageMaker) -> None:
    text = "Oil each link of the chain. Clean the chain first. A clean chain with oil lasts, others rust."
    pages = [
        make_page(1, "quiet", [("h1", "Twenty minutes of peace"), ("p", f"{text} {text}")]),
        make_page(2, "hire", [("h1", "Hire"), ("p", "Bring the machine back with a clean chain.")]),
    ]
    assert cover(pages, "oiling and cleaning chains").about == (1,)


@pytest.mark.parametrize(
    ("topic", "outcome"), [("Pferdeversicherung", "perhaps"), ("Fahrradversicherung", "covered")]
)
def test_a_part_of_a_compound_alone_makes_no_page_one_about_it(
    make_page: PageMaker, topic: str, outcome: str
) -> None:
    insured = "Eine Versicherung für das Fahrrad zahlt bei Diebstahl. Die Versicherung gilt in Europa."
    pages = [
        make_page(1, "schutz", [("h1", "Versicherung"), ("p", f"{insured} {insured}")]),
        make_page(2, "touren", [("h1", "Touren"), ("p", "Mit dem Rad am Wasser entlang bis nach Laboe.")]),
    ]
    found = coverage_of(topic, page_stems(sections_of(pages), "de"), "de")
    assert (found.level, bool(found.about)) == (outcome, outcome == "covered")
    assert bool(found.missing) is (outcome != "covered")


def test_a_no_show_is_no_show(make_page: PageMaker) -> None:
    missed = "A missed appointment costs the clinic fifty pounds. Ask why an appointment was missed."
    shown = "The wall of the clinic shows the day. It shows who is in, and shows who waits."
    pages = [
        make_page(1, "wall", [("h1", "What the wall of the clinic shows"), ("p", f"{shown} {shown}")]),
        make_page(2, "missed", [("h1", "The empty half hour"), ("p", f"{missed} The clinic asks. {missed}")]),
    ]
    assert cover(pages, "no shows at a clinic").about == (2,)


def test_pages_of_terms_and_lists_of_articles_are_about_nothing(make_page: PageMaker) -> None:
    names = {"terms": "Terms of service", "blog": "The tea break", "tables": "Booking a table"}
    line = "A deposit is paid when a table is booked. The deposit for a table is ten pounds a head."
    pages = [
        make_page(number, path, [("h1", name), ("p", f"{line} {line} This is text {number}.")])
        for number, (path, name) in enumerate(names.items(), 1)
    ]
    assert cover(pages, "deposit for a table").about == (3,)


def test_the_address_of_a_page_with_a_slogan_names_it(make_page: PageMaker) -> None:
    text = "Kinder sitzen vorn in der Box und werden mit drei Gurten gehalten. Üben Sie ohne Kind."
    pages = [
        make_page(1, "ratgeber/kinder-im-kaeltesack.html", [("h1", "Vorn sitzt der Chef"), ("p", text)]),
        make_page(2, "preise", [("h1", "Preise"), ("p", "Ein Tag kostet vierzig Euro.")]),
    ]
    stems = page_stems(sections_of(pages), "de")
    assert coverage_of("Kinder im Kältesack", stems, "de").about == (1,)


def test_two_words_that_mean_one_thing_are_found_by_its_other_name(make_page: PageMaker) -> None:
    leave = (
        "Staff ask for leave on the phone. Each request for leave names the days, and leave is granted there."
    )
    times = (
        "The time of each sale is kept. Ask for the request number, and the time is shown beside its request."
    )
    pages = [
        make_page(1, "leave", [("h1", "Leave"), ("p", leave)]),
        make_page(2, "times", [("h1", "Times of sales"), ("p", times)]),
    ]
    assert cover(pages, "time off requests").about == (1,)


def test_a_page_may_write_apart_what_a_topic_has_in_one_word(make_page: PageMaker) -> None:
    pages = [
        make_page(
            1, "cards", [("h1", "Gift cards"), ("p", "Gift cards are sold at the till. A gift card expires.")]
        ),
        make_page(
            2, "cakes", [("h1", "Cards"), ("p", "A card with a wish is put in each box of cakes we send.")]
        ),
    ]
    assert cover(pages, "vouchers").about == (1,)


@pytest.mark.parametrize("topic", ["get rid of duplicates", "login", "tidying up folders"])
def test_a_phrase_with_a_verb_is_found_by_another(make_page: PageMaker, topic: str) -> None:
    texts = {
        "get rid of duplicates": ("Removing copies", "A copy is removed at night. Remove a copy by name."),
        "login": ("Signing in", "Sign in with a code. Signing in takes a minute, and nobody is asked twice."),
        "tidying up folders": ("Clean directories", "A directory is cleaned weekly. Clean each directory."),
    }
    pages = [
        make_page(number, f"p{number}", [("h1", title), ("p", text)])
        for number, (title, text) in enumerate(texts.values(), 1)
    ]
    assert cover(pages, topic).about == (list(texts).index(topic) + 1,)


@pytest.mark.parametrize(("topic", "page"), [("shelves", 1), ("a loaf", 2)])
def test_an_irregular_plural_is_the_same_word(make_page: PageMaker, topic: str, page: int) -> None:
    pages = [
        make_page(1, "a", [("h1", "Shelf"), ("p", "A shelf holds forty kilos. Fix each shelf to the wall.")]),
        make_page(
            2, "b", [("h1", "Loaves"), ("p", "Loaves are baked at night. Warm loaves are sold at six.")]
        ),
    ]
    assert cover(pages, topic).about == (page,)


def test_words_from_all_over_a_page_are_no_topic(make_page: PageMaker) -> None:
    """Consultations in one section and fees in another do not say what to charge for a consultation."""
    text = [
        *(("h2", "Records"), ("p", "A consult is saved as you type, and the consult is closed when signed.")),
        *(("h2", "Your bill"), ("p", "The fee is paid by month, and the fee of a year is a tenth lower.")),
    ]
    other = make_page(2, "team", [("h1", "Team"), ("p", "We are nine people in Leeds, with a parrot.")])
    questions = make_page(1, "faq", [("h1", "Questions"), *text])
    assert cover([questions, other], "consult fees").about == ()
    named = make_page(1, "fees", [("h1", "Fees of a consult"), *text])
    assert cover([named, other], "consult fees").about == (1,)


def test_a_heading_of_a_long_page_is_a_name_as_that_of_a_page_is(make_page: PageMaker) -> None:
    rotated = [("h2", "Scans that are rotated"), ("p", "A scan that is rotated is turned when it is read.")]
    short = [("h1", "Cookbook"), *rotated]
    long = [*short, ("h2", "Languages"), ("p", "A language is loaded once for all files. " * 300)]
    other = make_page(2, "team", [("h1", "Team"), ("p", "We are nine people in Leeds, with a parrot.")])
    topic = "fix rotated scans"
    assert cover([make_page(1, "cookbook", short), other], topic).about == ()
    assert cover([make_page(1, "cookbook", long), other], topic).about == (1,)


def test_a_story_of_a_customer_is_about_what_its_name_says(make_page: PageMaker) -> None:
    said = "The harbour of Kilbrannan sold a boat. A boat is sold when its fee is unpaid for a year."
    story = make_page(1, "customers/kilbrannan", [("h1", "Boats of Kilbrannan"), ("p", f"{said} {said}")])
    other = make_page(2, "team", [("h1", "Team"), ("p", "We are nine people in Leeds, with a parrot.")])
    assert cover([story, other], "boats of kilbrannan").about == (1,)
    assert cover([story, other], "sell a boat for an unpaid fee").about == ()


def test_initials_of_light_words_are_no_name(make_page: PageMaker) -> None:
    """The first letters of "knots every new" are no "Ken"."""
    story = make_page(1, "ken", [("h1", "Ken's boat"), ("p", "Ken sails a boat. The boat of Ken is blue.")])
    other = make_page(2, "team", [("h1", "Team"), ("p", "We are nine people in Leeds, with a parrot.")])
    assert cover([story, other], "best knots every new sailor should learn").about == ()


def test_a_plane_is_no_plan(make_page: PageMaker) -> None:
    plan = [("h1", "Plan your visit"), ("p", "Plan an hour for the visit. Who plans a visit may call us.")]
    assert cover([make_page(1, "visit", plan)], "taking a violin on a plane").about == ()


def test_the_page_of_prices_is_found_though_it_does_not_repeat_the_product(make_page: PageMaker) -> None:
    pages = [
        make_page(1, "", [("h1", "Stock software for workshops"), ("p", "It counts your parts for you.")]),
        make_page(2, "job", [("h1", "What did that job really cost?"), ("p", "The software said £412.")]),
        make_page(
            3, "plans", [("h1", "Plans and prices"), ("p", "Bench is £49. Setting it up takes a day.")]
        ),
        make_page(4, "care", [("h1", "Oiling a lathe"), ("p", "A tin of oil is £6 and lasts for a year.")]),
    ]
    stems = page_stems(sections_of(pages), "en")
    assert priced_pages("how much does stock software cost", stems, "en") == (3,)
    assert priced_pages("how much does a wedding dress cost", stems, "en") == ()
    assert priced_pages("what a wedding dress costs and how long it takes", stems, "en") == ()


@pytest.mark.parametrize(("words", "least"), [(1, 0.47), (4, 0.38), (10, 0.2), (15, 0.2)])
def test_the_more_words_a_topic_has_the_fewer_of_them_a_page_about_it_needs(words: int, least: float) -> None:
    assert relevance_about(words) == pytest.approx(least)
