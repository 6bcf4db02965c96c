"""What is right in lists, in stories and in commands is not stopped, and the falsehood beside it is."""

from __future__ import annotations

from app.content.drafts import Sentence
from app.content.writing.veto.evidence import EvidenceSet
from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, left_out, model_says, unit


def test_a_figure_of_a_list_belongs_to_the_label_before_its_colon() -> None:
    items = "- Drying and cleaning gear: 15 seconds\n- Grading and splitting: 11 seconds\n- Travel: 5 seconds"
    gear = unit("5:b24", f"3,600 hours are 43 seconds each, of which:\n{items}", "list")
    assert left_out("Grading and splitting takes 15 seconds.", gear) == {"15"}


def test_a_name_that_a_page_repeats_may_be_said_where_the_page_says_she() -> None:
    page = [
        unit("5:b25", "Jane Doe lends him $2,000."),
        unit("5:b26", "The first payment comes in May, and Doe books it."),
        unit("5:b27", "She books the second payment in June."),
        unit("6:b1", "She books the third payment in July."),
    ]
    veto = Veto(evidence(*page), "en")
    assert veto.violations(model_says("The second payment, which Doe books, comes in June.", "5:b27")) == ()
    assert veto.violations(model_says("The second payment, which Poe books, comes in June.", "5:b27")) != ()
    assert veto.violations(model_says("The third payment, which Doe books, comes in July.", "6:b1")) != ()


def test_a_number_that_a_reader_types_is_judged_as_a_figure() -> None:
    veto = Veto(evidence(unit("5:b28", "The loan is $2,000 for 18 months.")), "en")
    assert (
        veto.violations(Sentence("The present value is 2000.", ("5:b28",), "model", code=(("2000", 0),)))
        == ()
    )
    assert (
        veto.violations(Sentence("The present value is 3000.", ("5:b28",), "model", code=(("3000", 0),)))
        != ()
    )


def test_a_date_in_figures_is_the_same_in_words() -> None:
    veto = Veto(
        evidence(unit("8:b4", "So, 13.06.2027 | 10:00–16:00 | Sonnentag für Familien | frei / 4 €")), "de"
    )
    said = "Der Sonnentag für Familien ist am 13. Juni 2027 von 10 bis 16 Uhr."
    assert veto.violations(model_says(said, "8:b4")) == ()
    assert veto.violations(model_says(said.replace("13. Juni", "14. Juni"), "8:b4")) != ()
    assert veto.violations(model_says(said.replace("2027", "2026"), "8:b4")) != ()


def test_inches_are_no_millimetres_and_two_numbers_no_fraction() -> None:
    page = [
        unit("8:b5", "Im Verleih gibt es einen Okularkoffer mit sechs Brennweiten (30, 18, 12, 8, 6, 5 mm)."),
        unit("8:b6", "Gerechnet für den Dobson.", path=("Tabelle für den 8-Zoll-Dobson (203/1200)",)),
    ]
    veto = Veto(evidence(*page, given="Okulare für den 8-Zoll-Dobson"), "de")
    lent = "Bevor Sie ein Okular für den 8-Zoll-Dobson kaufen, leihen Sie den Koffer mit sechs Brennweiten."
    assert veto.violations(model_says(lent, "8:b5")) == ()
    assert (
        veto.violations(model_says("Gerechnet ist mit 203 mm Öffnung und 1200 mm Brennweite.", "8:b6")) == ()
    )
    assert (
        veto.violations(model_says("Gerechnet ist mit 254 mm Öffnung und 1200 mm Brennweite.", "8:b6")) != ()
    )


def test_a_clause_with_two_figures_of_the_same_clause_moves_none() -> None:
    page = "- Zuerst: als Okular eines mit 25 mm, 150-fach.\n- Nach sechs Monaten: 12 oder 13 mm mit Feld."
    veto = Veto(evidence(unit("8:b7", page, "list")), "de")
    said = "Nach sechs Monaten kommt als Okular eines mit 12 oder 13 mm dazu."
    assert veto.violations(model_says(said, "8:b7")) == ()


def test_an_address_with_a_mask_has_two_numbers() -> None:
    veto = Veto(evidence(unit("8:b8", "permit-access  192.168.45.64/26", "code")), "en")
    said = "It permits the network 192.168.45.64, where {} is the length of its address in bits."
    assert veto.violations(model_says(said.format(26), "8:b8")) == ()
    assert veto.violations(model_says(said.format(24), "8:b8")) != ()


def test_a_month_alone_is_of_the_year_before_it() -> None:
    said = unit("9:b1", "That was in August 2022. She did the course in September, and by 2024 she raced.")
    veto = Veto(evidence(said), "en")
    assert veto.violations(model_says("She did the course in September 2022.", "9:b1")) == ()
    assert veto.violations(model_says("She did the course in September 2024.", "9:b1")) != ()
    since = unit("9:b7", "We have kept bees since September 2012. Visit us in May. It seats 2000 people.")
    veto = Veto(evidence(since), "en")
    assert veto.violations(model_says("We have kept bees since May 2012.", "9:b7")) != ()
    assert veto.violations(model_says("You can visit us in May 2000.", "9:b7")) != ()


def test_a_year_to_pay_for_is_not_moved_by_the_figure_beside_it() -> None:
    said = unit("9:b2", "Pay monthly and stop when you like, or pay for a year and get two months free.")
    veto = Veto(evidence(said), "en")
    assert veto.violations(model_says("If you pay for a year you get two months free.", "9:b2")) == ()
    assert veto.violations(model_says("If you pay for a year you get three months free.", "9:b2")) != ()


def test_a_quote_of_three_words_has_them_all_from_the_evidence() -> None:
    veto = Veto(
        evidence(unit("9:b4", "It is hard to say what runs. Pidfiles often lie. Ask the parent.")), "en"
    )
    assert veto.violations(model_says('The manual says that "pidfiles often lie".', "9:b4")) == ()
    assert veto.violations(model_says('The manual says that "pidfiles never lie".', "9:b4")) != ()
    assert veto.violations(model_says('It calls that "the honest parent".', "9:b4")) == ()
    assert veto.violations(model_says('A parent "hard of hearing" may say more.', "9:b4")) == ()


def test_a_number_of_the_topic_is_the_readers_own() -> None:
    sheets = unit(
        "9:b5",
        "Limits | Corner | Parade\nRate sheets | 2 | 10\nLogins | 3 | 15",
        "table",
        header=("Limits", "Corner", "Parade"),
        rows=(("Rate sheets", "2", "10"), ("Logins", "3", "15")),
        row_heads=1,
    )
    said = model_says("On Corner, twelve machines need two rate sheets.", "9:b5")
    given = EvidenceSet([sheets], "Corner or Parade for a twelve-machine launderette")
    assert Veto(given, "en").violations(said) == ()
    assert Veto(evidence(sheets), "en").violations(said) != ()
    assert left_out("Parade has 3 logins.", sheets) == {"3"}


def test_a_fingerprint_is_copied_whole_or_wrong() -> None:
    said = unit("9:b6", 'Set verify_fingerprint = "94:FD:7A:CB:50:69:82:0A:F8:23" for your server.')
    veto = Veto(evidence(said), "en")
    assert veto.violations(model_says("Its fingerprint is 94:FD:7A:CB:50:69:82:0A:F8:23.", "9:b6")) == ()
    assert veto.violations(model_says("Its fingerprint is 94:FD:7A:CB:50:69:82:0A:F8:24.", "9:b6")) != ()
