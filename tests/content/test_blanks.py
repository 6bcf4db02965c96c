"""What a verifier is not shown: numbers and names whole, and of tables what the evidence has to say."""

from __future__ import annotations

import pytest

from app.content.drafts import Paragraph
from app.content.writing.article.cloze import Clozes
from app.content.writing.article.draft import Draft, Part
from tests.content.test_cloze import made, made_of
from tests.support.article_material import evidence, left_out, model_says, unit


def test_a_telephone_number_is_one_figure() -> None:
    said = unit("1:b1", "Ring 01632 960 417, or 01632 960 418 for hires.")
    cloze = made_of(model_says("Ring 01632 960 418 for hires.", "1:b1"), units=(said,))
    assert cloze.text == "Ring {a} for hires."
    assert list(cloze.faults(["01632 960 418"])) == list(cloze.faults(["01632 960418"])) == []
    assert len(list(cloze.faults(["01632 960 417"]))) == 1


def test_of_more_plans_than_figures_the_plans_are_left_out() -> None:
    cloze = made("On Crew it is £39 a month, on Solo less.", "1:b1")
    assert cloze.text == "On {a} it is £39 a month, on {b} less."
    assert list(cloze.faults(["Crew", "Solo"])) == []
    assert len(list(cloze.faults(["Solo", "Crew"]))) == 2


def test_plans_of_which_one_thing_is_said_are_read_in_either_order() -> None:
    cloze = made("There are seats on Solo and on Crew, which are plans.", "1:b1")
    assert cloze.text == "There are seats on {a} and on {b}, which are plans."
    assert list(cloze.faults(["Crew", "Solo"])) == []


def test_a_figure_that_names_a_row_stays_beside_what_the_row_says() -> None:
    header, rows = ("Nights", "Share of a week"), (("3", "60%"), ("4", "70%"))
    lines = "\n".join(map(" | ".join, (header, *rows)))
    said = unit("1:b1", lines, "table", header=header, rows=rows, row_heads=1)
    cloze = made_of(model_says("A break of 3 nights costs 60%.", "1:b1"), units=(said,))
    assert cloze.text == "A break of 3 nights costs {a}%."


@pytest.mark.parametrize(
    ("said", "text", "shown"),
    [
        (
            "We open at 9 a.m. and close at 5 p.m. daily.",
            "We open at 9 a.m. daily.",
            "We open at {a} a.m. daily.",
        ),
        (
            "It runs on Node.js, its editor on Vue.js.",
            "The server runs on Node.js.",
            "The server runs on {a}.",
        ),
        (
            "Ring +49 89 556677, or 030-123 4568 for hires.",
            "Ring 030-123 4568 for hires.",
            "Ring {a} for hires.",
        ),
        ("It sets obj.ttl or obj.grace.", "Set obj.ttl to wait.", "Set {a} to wait."),
    ],
)
def test_abbreviations_names_and_numbers_are_left_out_whole(said: str, text: str, shown: str) -> None:
    cloze = made_of(model_says(text, "1:b1"), units=(unit("1:b1", said),))
    assert cloze.text == shown
    assert list(cloze.faults([blank.written for blank in cloze.blanks])) == []


def test_a_figure_of_another_column_names_no_row() -> None:
    header, rows = ("Nights", "Guests", "Price"), (("2", "4", "£80"), ("3", "6", "£100"), ("4", "8", "£120"))
    lines = "\n".join(map(" | ".join, (header, *rows)))
    said = unit("1:b1", lines, "table", header=header, rows=rows, row_heads=1)
    cloze = made_of(model_says("A stay of 3 nights is for 6 guests at £100.", "1:b1"), units=(said,))
    assert cloze.text == "A stay of 3 nights is for {a} guests at £{b}."


def test_a_year_has_no_twelve_months_to_read() -> None:
    said = unit("1:b1", "Crew is £6 a month, and two visits a year belong to it. Depot is £8.")
    assert made_of(model_says("On Crew, 12 months are £6 each.", "1:b1"), units=(said,)).text == (
        "On Crew, 12 months are £{a} each."
    )


def test_the_name_of_a_column_at_the_beginning_is_left_out_where_nothing_else_is() -> None:
    header, rows = ("", "Shore", "Under-25", "Rower"), (("Rate in the yard", "no", "no", "yes"),)
    lines = "\n".join(map(" | ".join, (header, *rows)))
    said = unit("1:b1", lines, "table", header=header, rows=rows, row_heads=1)
    cloze = made_of(model_says("Under-25 members get the rate in the yard.", "1:b1"), units=(said,))
    assert cloze.text == "{a} members get the rate in the yard."
    assert len(list(cloze.faults(["Rower"]))) == 1


@pytest.mark.parametrize(
    ("said", "text", "shown"),
    [
        (
            "The bestups driver is for newer devices, the bestfortress driver for older hardware.",
            "Owners of old devices take the bestups driver.",
            "Owners of old devices take the {a} driver.",
        ),
        # What the evidence does not call so is told apart by nothing.
        (
            "The bestups driver is for newer devices, the bestfortress driver for older hardware.",
            "A driver for older hardware is the simple driver.",
            "A driver for older hardware is the simple driver.",
        ),
        # Words in capitals and words that begin alike are names beside any noun.
        (
            "Send it to the KSK side. The ZSK signs nothing.",
            "Then the ZSK side signs it.",
            "Then the {a} side signs it.",
        ),
        (
            "The knotd daemon writes it, and knotc asks for it.",
            "It is the knotc daemon that writes it.",
            "It is the {a} daemon that writes it.",
        ),
        (
            "zone-refresh looks at the serial, zone-retransfer does not.",
            "Whoever runs zone-refresh gets all of it.",
            "Whoever runs {a} gets all of it.",
        ),
        (
            "Zone-wide flags hold up zone-changing events. Other zone-reading events go on.",
            "It holds up all zone-changing events, such as updates.",
            "It holds up all {a} events, such as updates.",
        ),
        ("The raft module has to be there.", "It needs the raft module.", "It needs the raft module."),
        (
            "The notes on Knot are for knotc. Only the knotd process writes.",
            "Backups are written by the knotc process.",
            "Backups are written by the {a} process.",
        ),
        ("We raise prices, and a price is fixed.", "It fixes prices early.", "It fixes prices early."),
    ],
)
def test_a_small_word_that_tells_things_apart_is_left_out_where_nothing_else_is(
    said: str, text: str, shown: str
) -> None:
    assert made_of(model_says(text, "1:b1"), units=(unit("1:b1", said),)).text == shown


def test_a_plan_is_left_out_with_its_price_where_other_evidence_says_which_one() -> None:
    header, rows = ("", "Rower", "Sailor"), (("Per year", "£126", "£168"),)
    lines = "\n".join(map(" | ".join, (header, *rows)))
    prices = unit("1:b1", lines, "table", header=header, rows=rows, row_heads=1)
    moorings = unit("1:b2", "Annual moorings are for Sailor members.")
    text = "Whoever wants an annual mooring in the harbour needs a Rower membership first, at £126."
    cloze = made_of(model_says(text, "1:b1", "1:b2"), units=(prices, moorings))
    assert cloze.text == (
        "Whoever wants an annual mooring in the harbour needs a {a} membership first, at £{b}."
    )


def test_a_number_that_a_product_is_never_without_goes_with_its_name() -> None:
    said = unit("1:b1", "The Padlock 2 has a battery, the Lockbox 2.5 a cable, the Salto Neo a hub.")
    cloze = made_of(model_says("There is a battery in the Padlock 2 for a year.", "1:b1"), units=(said,))
    assert cloze.text == "There is a battery in the {a} for a year."
    assert len(list(cloze.faults(["Salto Neo"]))) == 1


def test_readings_with_one_name_twice_are_cases_of_which_one_has_to_fit_whole() -> None:
    said = unit("1:b1", "Beside RSA, Harbour takes Ecdsa. Beside Ecdsa, Softstore takes Eddsa.")
    text = "Of the stores tested, it is Harbour that takes keys made elsewhere for Eddsa."
    cloze = made_of(model_says(text, "1:b1"), units=(said,))
    assert [blank.written for blank in cloze.blanks] == ["Harbour", "Eddsa"]
    assert len(list(cloze.faults(["Harbour; Softstore; Softstore", "Ecdsa; Ecdsa; Eddsa"]))) == 1
    assert list(cloze.faults(["Harbour; Harbour", "Ecdsa; Eddsa"])) == []


def test_a_plan_of_the_topic_is_left_out_only_where_the_evidence_names_it() -> None:
    header, rows = ("", "Rower", "Sailor"), (("Per year", "£126", "£168"),)
    lines = "\n".join(map(" | ".join, (header, *rows)))
    units = (
        unit("1:b1", lines, "table", header=header, rows=rows, row_heads=1),
        unit("1:b2", "Ring us on Saturday."),
    )
    shown = evidence(*units, given="Is Rower worth it?")

    def cloze_of(text: str, *ids: str) -> str:
        (statement,) = Draft((Part("section", "", (Paragraph("p", (model_says(text, *ids),)),)),)).statements
        return Clozes(shown, "en").of(statement).text

    assert cloze_of("Ask for Rower when you ring us.", "1:b2") == "Ask for Rower when you ring us."
    assert cloze_of("Ask for Rower when you ring us.", "1:b1", "1:b2") == "Ask for {a} when you ring us."


def test_a_value_that_a_list_explains_beside_others_is_left_out() -> None:
    items = ("robust – It is durable but slower.", "asynchronous – It is faster and less durable.")
    said = unit("1:b1", "\n".join(f"- {each}" for each in items), "list", items=items)
    cloze = made_of(model_says("Secondary servers are best off in robust mode.", "1:b1"), units=(said,))
    assert cloze.text == "Secondary servers are best off in {a} mode."
    assert len(list(cloze.faults(["asynchronous"]))) == 1


def test_a_name_in_small_letters_is_left_out_beside_a_figure() -> None:
    said = unit("1:b1", "Keep 120 °C on single-wall pipe and 140 °C on twin-wall pipe, both in the flue.")
    text = "In the flue of a good stove, single-wall pipe needs 120 °C."
    assert made_of(model_says(text, "1:b1"), units=(said,)).text == (
        "In the flue of a good stove, {a} pipe needs {b} °C."
    )


def test_names_in_capitals_are_left_out_where_the_evidence_has_others() -> None:
    said = unit("1:b1", "An offline server is noticed with plain TCP and RELP, but not with UDP.")
    cloze = made_of(model_says("To notice an offline server, forward over RELP.", "1:b1"), units=(said,))
    assert cloze.text == "To notice an offline server, forward over {a}."
    assert len(list(cloze.faults(["UDP"]))) == 1


def test_a_row_of_another_table_than_the_figure_is_left_out_with_it() -> None:
    kilns = unit(
        "1:b1", "Kiln | Shelves\nHilda | 5\nGladstone | 9", "table",
        header=("Kiln", "Shelves"), rows=(("Hilda", "5"), ("Gladstone", "9")),
    )  # fmt: skip
    firings = unit(
        "1:b2", "Firing | Top\nStoneware | 1240°C\nHot stoneware, Hilda only | 1260°C", "table",
        header=("Firing", "Top"), rows=(("Stoneware", "1240°C"), ("Hot stoneware, Hilda only", "1260°C")),
    )  # fmt: skip
    text = "Potters who want a hot stoneware firing at 1260°C can have it in Gladstone alone."
    cloze = made_of(model_says(text, "1:b1", "1:b2"), units=(kilns, firings))
    assert [blank.written for blank in cloze.blanks] == ["1260", "Gladstone"]


def test_a_number_of_weeks_is_no_count_of_things_that_are_known() -> None:
    said = unit(
        "1:b1",
        "The school has two programmes, of six weeks with a short note and twelve weeks with a full one.",
    )
    cloze = made_of(model_says("For a full note, take the twelve-week programme.", "1:b1"), units=(said,))
    assert cloze.text == "For a full note, take the {a}-week programme."


def test_pence_are_a_unit() -> None:
    said = unit("1:b1", "With 15p for export a unit earns you 11p. With just 4p it earns you 22p.")
    cloze = made_of(model_says("At 4p for export a unit is worth 11p.", "1:b1"), units=(said,))
    assert cloze.text == "At {a}p for export a unit is worth {b}p."


def test_a_name_with_a_hyphen_is_left_out_beside_others_that_begin_alike() -> None:
    said = unit("1:b1", "Dnf pulls in Hive-Scale for Fedora users, and Hive-Radio is at RPMFusion.")
    cloze = made_of(
        model_says("Whoever is on Fedora receives Hive-Radio with dnf, too.", "1:b1"), units=(said,)
    )
    assert "{b} with dnf" in cloze.text


def test_a_number_that_counts_in_other_words_has_to_be_read() -> None:
    said = unit("1:b1", "There were 23 forms: 14 capsizes, 6 collisions and 3 others.")
    cloze = made_of(
        model_says("Of these, 6 concerned a collision with something fixed.", "1:b1"), units=(said,)
    )
    assert cloze.text == "Of these, {a} concerned a collision with something fixed."
    assert len(list(cloze.faults(["14"]))) == 1


def test_a_word_that_only_other_evidence_has_in_small_letters_is_a_name() -> None:
    layouts = unit(
        "1:b1", "Some take options. The Fat and Tall layouts accept a bias, and the Grid has none."
    )
    other = unit("1:b2", "A fat pen draws a tall line on a grid.")
    sentence = model_says("How the space is split up, the bias of the Tall layout decides.", "1:b1")
    assert "{a}" in made_of(sentence, units=(layouts, other)).text


def test_a_name_that_only_begins_sentences_of_the_evidence_has_to_be_read() -> None:
    said = unit("1:b1", "FastMail sponsors an account for tests. Packagecloud provides repositories.")
    sentence = model_says("The account for the tests of the program is sponsored by Packagecloud.", "1:b1")
    cloze = made_of(sentence, units=(said,))
    assert cloze.text == "The account for the tests of the program is sponsored by {a}."
    assert len(list(cloze.faults(["FastMail"]))) == 1


def test_german_words_with_capitals_are_no_names_of_two_words() -> None:
    said = unit("1:b1", "Für den Kurs brauchen Sie Ihre Jacke. Bringen Sie Ihren Ausweis mit.")
    sentence = model_says("Vergessen Sie Ihre Handschuhe nicht, denn sonst ist der Kurs zu kalt.", "1:b1")
    assert made_of(sentence, units=(said,), language="de").blanks == ()


def test_a_script_without_capitals_has_no_names_of_two_words() -> None:
    said = unit("5:b1", "نعمل في أمانة عمّان والزرقاء. إذا أصلحنا موضع التسريب فالكفالة سنة.")
    for text in ("مناطقنا هي أمانة عمّان والزرقاء.", "الكفالة سنة إذا أصلحنا موضع التسريب."):
        assert left_out(text, said, language="ar") == set()


def test_a_small_letter_with_an_accent_is_no_capital() -> None:
    said = unit(
        "5:b2", "Un badge s’ouvre à l’accueil, la consigne est rendue à midi. Le code ouvre aussitôt."
    )
    assert left_out("Le code est rendu à l’accueil.", said, language="fr") == set()


def test_a_time_has_to_be_read_where_the_evidence_has_one_in_another_unit() -> None:
    said = unit("5:b3", "The steps take about an hour by hand and about ten minutes with a draft.")
    assert left_out("By hand the steps take about ten minutes.", said) == {"ten"}
