"""What rules find in a draft that an editor would look at, and what they leave alone."""

from __future__ import annotations

import pytest

from app.content.drafts import Paragraph, Sentence
from app.content.writing.article.draft import Draft, Part, Place, Role
from app.content.writing.article.findings.find import findings_in
from app.pages.extraction.blocks import CELL_SEPARATOR

REACHED = "Ring 01632 960147 in the morning."


def prose(*texts: str, kind: str = "p") -> Paragraph:
    return Paragraph(kind, tuple(Sentence(text, ("1:b1",), "model") for text in texts))  # type: ignore[arg-type]


def table(header: tuple[str, ...], *rows: tuple[str, ...]) -> Paragraph:
    cells = (Sentence(CELL_SEPARATOR.join(row), ("1:b1",), "model", cells=row) for row in rows)
    return Paragraph("table", tuple(cells), header=header)


def part(heading: str, *paragraphs: Paragraph, role: Role = "section") -> Part:
    return Part(role, heading, paragraphs)


def advice(
    *parts: Part, phrase: str = "", language: str = "en", evidence: str = "", invited: bool = False
) -> list[str]:
    found = findings_in(Draft(parts), phrase, language, lambda _: evidence, is_invited=invited)
    return [each.advice for each in found]


@pytest.mark.parametrize(
    ("heading", "first", "language"),
    [
        ("Draw the drops before you load", "Draw the drops for your next move before you book.", "en"),
        ("If you would like to be certain", "If you would like to be certain first, ring us.", "en"),
        ("How the honey leaves a warm comb", "Out of a comb that is warm, honey runs quickly.", "en"),
        ("Die Wiese in Etappen mähen", "Wer eine Wiese in Etappen mäht, schont die Tiere.", "de"),
    ],
)
def test_a_sentence_that_repeats_the_heading_above_it_is_found(
    heading: str, first: str, language: str
) -> None:
    assert advice(part(heading, prose(first)), language=language) == [
        f"repeats the heading above it, “{heading}”"
    ]


@pytest.mark.parametrize(
    ("heading", "first", "language"),
    [
        ("Where it stands best", "Morning sun and a dry floor suit a hive.", "en"),
        ("Placing a beehive well", "A beehive needs the morning sun.", "en"),
        ("Ten centimetres of seam show the needle", "Sew ten centimetres and pull the cloth.", "en"),
        ("What each frame is worth", "The contract says what a frame above the average is worth.", "en"),
        ("蜂箱を置く場所", "蜂箱を置く場所は朝日の当たる所がよいです。", "ja"),
    ],
)
def test_a_sentence_that_goes_on_from_its_heading_is_left_alone(
    heading: str, first: str, language: str
) -> None:
    assert advice(part(heading, prose(first)), language=language) == []


def test_a_sentence_may_share_the_common_words_of_an_article_with_its_heading() -> None:
    first = "In our club every visitor sees a 3 hanging there and asks whether the board is broken."
    listed = prose(
        "The club has a board.", "Cards hang on the board.", "Read the board of a club from the left."
    )
    assert advice(part("Hang one card on the club board", prose(first), listed)) == []


def test_the_words_of_the_keyphrase_may_be_in_a_heading_and_below_it() -> None:
    counted = part("How to count frames of bees", prose("One frame of bees is full on both sides."))
    assert advice(counted, phrase="frames of bees") == []


def test_a_sentence_that_shares_six_words_or_most_of_its_words_with_another_is_found() -> None:
    first = prose("Do not wet the seat at all, because the hole would grow quickly.")
    for again in (
        "Now do not wet the seat at all.",
        "The hole of a seat grows quickly once you wet it.",
    ):
        assert advice(part("Care", first), part("Damage", prose(again))) == [
            "says again what stands in “Do not wet the seat at all, because the hole would grow qui…”"
        ]
    assert advice(part("Care", first), part("Damage", prose("A dry seat creaks before it gives way."))) == []
    assert advice(part("Price", prose("Three seats cost £12 each.", "Three seats cost 3 × £12 = £36."))) == []
    plans = (part("Care", prose(f"A yard for {n} hives has dry room for them all.")) for n in (20, 60))
    assert advice(*plans) == []


def test_the_steps_of_a_procedure_may_use_what_stands_above_them() -> None:
    agreed = part("Terms", prose("You agree on a yearly interest rate of 5 % and 18 monthly payments."))
    for kind, found in (("ol", 0), ("ul", 1)):
        steps = prose("Enter the yearly interest rate and 18 monthly payments.", kind=kind)
        assert len(advice(agreed, part("Calculator", steps))) == found


SEAT = "A seat that creaks is dry."
"""Said so that an article has more than the two sentences that are compared."""


def test_sentences_on_two_things_may_share_the_common_words_of_an_article() -> None:
    below = prose(
        "Fädeln Sie mit gesenktem Fuß ein, liegt der Faden vor den Scheiben statt dazwischen.",
        "Der Faden läuft zwischen zwei Scheiben.",
        "Bei gesenktem Fuß sind die Scheiben zu.",
        "Ziehen Sie am Faden, bevor Sie den Fuß heben.",
    )
    other = (
        "Obwohl der Faden richtig liegt, spüren Sie bei gesenktem Fuß keinen Widerstand: "
        "Dann öffnen die Scheiben nicht."
    )
    assert advice(part("Warum", below), part("Werkstatt", prose(other)), language="de") == []


def test_a_first_step_and_a_worked_example_may_repeat_the_answer_and_the_steps() -> None:
    answer = Part(
        "introduction", "", (prose("Wet the sagging seat from below with a sponge and let it dry."),)
    )
    steps = prose(
        "Wet the sagging seat from below with a sponge.", "Let the frame rest until noon.", kind="ol"
    )
    example = prose("Say you let the frame of a stool rest until noon: by then it is tight.")
    assert advice(answer, part("Step by step", steps, example, prose(SEAT))) == []
    again = prose("A seat that creaks is dry.", "Wet the sagging seat from below with a sponge.")
    assert len(advice(answer, part("Care", again))) == 1, "no step, and said twice"


def test_rows_of_tables_and_quotes_may_repeat_what_the_text_says() -> None:
    said = "Seagrass wears out first at the front rail where it frays."
    rows = table(("Material", "Wear"), ("Seagrass", said))
    assert advice(part("Wear", prose(said), rows, prose(said, kind="quote"))) == []


@pytest.mark.parametrize(
    ("question", "answer", "found"),
    [
        (
            "Can a worn rush seat be repaired?",
            ("A worn corner can be built up again.",),
            "has an answer of one short sentence",
        ),
        (
            "Will a cushion stop a cane seat sagging?",
            ("A cushion will not stop a cane seat sagging.", "So leave the cushion."),
            "has an answer that repeats it and adds little",
        ),
    ],
)
def test_an_answer_that_says_too_little_is_found(question: str, answer: tuple[str, ...], found: str) -> None:
    assert advice(part(question, prose(*answer), role="question")) == [found]


def test_an_answer_with_facts_of_its_own_is_left_alone() -> None:
    answer = prose("Neither of them.", "Cane gives claws no grip, because its surface is hard and shiny.")
    assert advice(part("Which seat is better with a cat?", answer, role="question")) == []


@pytest.mark.parametrize("header", [("Meadow", "Cut", "Cut"), ("", "Rush", "Seagrass")])
def test_a_table_with_empty_or_repeated_column_names_is_found(header: tuple[str, ...]) -> None:
    found = advice(part("Cuts", table(header, ("Poor", "June", "August"))))
    assert found == ["has an empty or repeated column name"]


def test_a_column_with_different_units_is_found() -> None:
    mixed = table(
        ("Way", "Time", "Cost"), ("We re-cane it", "6 weeks", "£98"), ("At home", "20 hours", "3 kg of cane")
    )
    assert advice(part("Ways", mixed)) == ["has different units in the column “Cost”"]


@pytest.mark.parametrize(
    "plain",
    [
        table(
            ("What you compare", "Rush", "Seagrass"),
            ("Price", "£46", "£17"),
            ("Life", "25 years", "10 years"),
        ),
        table(("Fact", "Value"), ("Price", "£46"), ("Life", "25 years")),
        table(("Way", "Time", "Cost"), ("We do it", "6 weeks", "£98"), ("At home", "20 hours", "£40")),
    ],
)
def test_a_table_whose_rows_are_traits_or_whose_columns_agree_is_left_alone(plain: Paragraph) -> None:
    assert advice(part("Ways", plain)) == []


def closing(*texts: str) -> Part:
    return part("Next", prose(*texts), role="closing")


def test_a_closing_without_any_way_to_take_the_next_step_is_found_in_every_language() -> None:
    missing = "is a closing without e-mail address, telephone number or link to take the next step"
    assert advice(closing("Bring the chair to our shop.")) == [missing]
    assert advice(closing("Przynieś krzesło do naszego sklepu."), language="pl") == [missing]
    assert advice(closing("Bring the chair to our shop."), invited=True) == []


@pytest.mark.parametrize(
    "reached", [REACHED, "Write to hello@seats.example.", "See [[page:3|our opening hours]]."]
)
def test_a_closing_with_number_address_or_link_is_left_alone(reached: str) -> None:
    assert advice(closing("Bring the chair to our shop.", reached)) == []


def test_a_closing_that_asks_to_send_or_call_needs_the_address_or_the_number() -> None:
    sent = "Send us two photographs of the chair."
    assert advice(closing(sent, REACHED)) == ["asks to send something and the closing has no e-mail address"]
    assert advice(closing(sent, "Write to hello@seats.example.")) == []
    assert advice(closing("Schicken Sie uns zwei Fotos.", "Telefon 0951 5550147"), language="de") == [
        "asks to send something and the closing has no e-mail address"
    ]
    assert advice(closing("Or phone us.", "Write to hello@seats.example.")) == [
        "asks to call and the closing has no telephone number"
    ]


def test_a_date_that_leaves_out_the_year_of_its_evidence_is_found() -> None:
    course = part("A course", prose("The course is on Saturday 18 April."))
    assert advice(course, evidence="Courses in 2026: Sat 18 April") == ["leaves out the year of its date"]
    assert advice(course, evidence="every year on 18 April") == [], "no year to be named"
    dated = part("A course", prose("The course is on 18 April 2026."))
    assert advice(dated, evidence="Courses in 2026: Sat 18 April") == []


def test_what_is_announced_or_pointed_at_and_not_there_is_found() -> None:
    announced = part("Habits", prose("Keep to these habits:"), prose("Air the room."))
    assert advice(announced) == ["ends in a colon, and nothing follows that it announces"]
    pointed = part("Time", prose("The table below gives the hours."))
    assert advice(pointed) == ["points at something that does not stand there"]
    for said in ("These figures leave out worn linen.", "That is the stock of this one article."):
        assert advice(part("Time", prose(said))) == []
    rows = table(("Seat", "Hours"), ("Cane", "20"))
    listed = part("Habits", prose("Keep to these habits:"), prose("Air the room.", kind="ul"))
    assert advice(listed, part("Time", prose("The table below gives the hours."), rows)) == []


def test_a_heading_with_a_pronoun_for_nothing_named_is_found() -> None:
    unnamed = part("Settle it before the price", prose("Put the inspection into the contract."))
    assert advice(unnamed) == ["is a heading that says “it” of nothing named"]
    named_first = ("When the seat sags and they say so", "The sum that shows whether losses fall")
    for named in ("What it costs to mend", "Is it worth the money?", *named_first):
        assert advice(part(named, prose("Look at the frame."))) == []


def test_a_keyphrase_that_stands_too_often_is_found() -> None:
    crammed = [part(f"Part {n}", prose(f"Ask {n} about cane size.")) for n in range(3)]
    assert advice(*crammed, phrase="cane size") == ["stands 3 times in the article; 2 are enough"]
    named = [part(f"Cane size {name}", prose("Look at the frame.")) for name in ("first", "next")]
    assert advice(*named, phrase="cane size") == []
    third = part("The size of cane at last", prose("Look at the wood."))
    assert advice(*named, third, phrase="cane size") == ["is in 3 headings; one or two are enough"]


def test_a_keyphrase_of_one_word_may_stand_anywhere() -> None:
    texts = ("Honey sets.", "Warm honey.", "Keep honey dark.", "Sell honey.")
    assert advice(part("Honey", prose(*texts)), phrase="honey") == []


def test_findings_come_in_the_order_of_the_text_with_their_places() -> None:
    draft = Draft(
        (
            part("Draw the drops first", prose("Draw the drops now.")),
            part("Try it soon", prose("Look at the plan.", "The list announces this:")),
        )
    )
    found = findings_in(draft, "", "en", lambda _: "", is_invited=False)
    assert [each.place for each in found] == [Place(0, 0, 0), Place(1, -1, -1), Place(1, 0, 1)]
    assert str(found[0]) == "“Draw the drops now.” repeats the heading above it, “Draw the drops first”"


def test_a_closing_may_name_an_address_that_a_reader_types() -> None:
    typed = Sentence(
        "Open http://p.example/ and write a site.", ("1:b1",), "model", code=(("http://p.example/", 0),)
    )
    closing = part("Next step", Paragraph("p", (typed,)), role="closing")
    assert advice(part("Sites", prose("A site is allowed.")), closing) == []


def test_an_explanation_in_a_table_is_found_and_what_the_site_says_in_brackets_is_not() -> None:
    rows = table(("Part", "Is"), ("Floor (its lowest part)", "wood"))
    assert advice(part("Parts", rows)) == ["explains a word in a table: do it before, or not at all"]
    assert advice(part("Parts", rows), evidence="Floor (its lowest part)") == []
    assert advice(part("Parts", table(("Part", "Is"), ("Floor (2 mm)", "wood")))) == []


def test_the_fifth_explanation_in_brackets_is_found() -> None:
    words = ("floor", "roof", "frame", "comb", "queen")
    texts = [
        f"Of the {word} (a part that some call {word}) we speak on day {n}." for n, word in enumerate(words)
    ]
    assert advice(part("Parts", prose(*texts[:4]))) == []
    assert advice(part("Parts", prose(*texts))) == [
        "is explanation 5 in brackets: does this reader need it? Four are many"
    ]
