"""The veto: figures, names, quotes, addresses and code have to stand in the evidence of a sentence."""

from __future__ import annotations

from collections.abc import Collection

import pytest

from app.content.writing.veto.rules import Veto
from tests.support.article_material import evidence, model_says, unit

PRICES = unit(
    "1:b1",
    "A new wooden beehive with frames costs between 150 and 250 euros, a used one half.",
    path=("Prices",),
)
FRAMES = unit(
    "1:b2",
    "The Langstroth beehive holds 10 frames, weighs 60 kg and is called “the box of all boxes” by Anna Kern.",
)
HARVEST = unit("1:b3", "In 2019 the school sold 41,200 jars of honey within 3 days, 12.5 % more than before.")
QUOTE = unit(
    "1:b4",
    "We never lost a colony in winter. — Anna Kern, beekeeper",
    "quote",
    items=("We never lost a colony in winter.",),
    speaker="Anna Kern, beekeeper",
)
OTHER_QUOTE = unit(
    "1:b5",
    "The course taught me everything I know. — Tom Hill",
    "quote",
    items=("The course taught me everything I know.",),
    speaker="Tom Hill",
)
CODE = unit(
    "1:b6",
    "Read the scale:\nscale read --unit kg\nscale send  --to hive",
    "code",
    lead_in="Read the scale:",
    items=("scale read --unit kg\nscale send  --to hive",),
)
STEPS = unit(
    "1:b7",
    "Three things make a good place:\n- dry ground\n- a free flight path\n- a road",
    "list",
    items=("dry ground", "a free flight path", "a road"),
)
POINT = unit("key:1", "We deliver within 3 days.")
EVIDENCE = evidence(PRICES, FRAMES, HARVEST, QUOTE, OTHER_QUOTE, CODE, STEPS, POINT)
VETO = Veto(EVIDENCE, "en", ("cheap",))


def vetoed(text: str, *ids: str, kind: str = "p", counts: Collection[int] = (), by: Veto = VETO) -> str:
    return "; ".join(by.violations(model_says(text, *ids), kind, counts))


def veto_of(text: str, language: str) -> Veto:
    return Veto(evidence(unit("1:b1", text), given=""), language)


@pytest.mark.parametrize(
    "text",
    [
        "Why so soon?",
        "There is a catch, however.",
        "Here is the good news.",
        "You stand in the garden on a Monday in May, and nothing hums.",
        "Before you buy, ask yourself what you need.",
        "So where do you begin?",
        "Let us look at both.",
        "That changes on Saturdays, from March to October.",
        "I'd start small.",
        "Once you have decided, the rest is easy.",
        "Not so fast!",
        "Pick one and read on.",
    ],
)
def test_nothing_is_stopped_for_its_choice_of_words(text: str) -> None:
    assert vetoed(text) == ""
    assert vetoed(text, "1:b1") == ""


@pytest.mark.parametrize(
    ("text", "source"),
    [
        ("A new beehive costs 150 to 250 euros.", "1:b1"),
        ("You pay €150 at least.", "1:b1"),
        ("You pay 250 EUR at most.", "1:b1"),
        ("It holds ten frames.", "1:b2"),
        ("Full, it weighs 60 kilograms.", "1:b2"),
        ("A 60 kg box is nothing to lift alone.", "1:b2"),
        ("In 2019, 41,200 jars were sold.", "1:b3"),
        ("That were 41.200 jars.", "1:b3"),
        ("That was 12.5 percent more.", "1:b3"),
        ("Sales took three days.", "1:b3"),
        ("It comes within 3 days.", "key:1"),
        ("Anna Kern calls it “the box of all boxes”.", "1:b2"),
        ("The Bee School sells it.", "1:b1"),
        ("Langstroth's box holds the frames.", "1:b2"),
        ("Compare the prices first.", "1:b1"),
    ],
)
def test_what_the_evidence_says_passes_in_other_words(text: str, source: str) -> None:
    assert vetoed(text, source) == ""


@pytest.mark.parametrize(
    "text",
    [
        "When Anna Kern began, she had one hive.",
        "Does Langstroth’s box suit you?",
        "With Langstroth frames you are never alone.",
        "Choose Langstroth if your neighbours do.",
        "Neither Anna Kern nor her bees complain.",
        "The Bee School agrees.",
    ],
)
def test_a_capital_at_the_start_of_a_sentence_makes_no_name(text: str) -> None:
    assert vetoed(text, "1:b2") == ""


@pytest.mark.parametrize(
    ("text", "source", "reason"),
    [
        ("A new beehive costs 300 euros.", "1:b1", "the number “300” (€)"),
        ("A new beehive costs $150.", "1:b1", "the number “150” ($)"),
        ("A new beehive costs 150 dollars.", "1:b1", "the number “150” ($)"),
        ("It weighs 60 g.", "1:b2", "the number “60” (g)"),
        ("It holds twelve frames.", "1:b2", "the number “twelve”"),
        ("They sold 4,120 jars.", "1:b3", "the number “4,120”"),
        ("They sold half a million jars.", "1:b3", "the number “a million”"),
        ("They sold 12 % more.", "1:b3", "the number “12” (%)"),
        ("In 2031 they sold more.", "1:b3", "the number “2031”"),
        ("A beehive costs 150 euros.", "1:b2", "the number “150” (€)"),
        ("It comes in 3 weeks.", "1:b3", "the number “3” (week)"),
    ],
)
def test_a_figure_that_the_named_evidence_does_not_say_is_stopped(
    text: str, source: str, reason: str
) -> None:
    assert reason in vetoed(text, source)


def test_a_small_number_may_count_what_a_reader_sees_beside_it() -> None:
    assert vetoed("Three steps are enough.", counts={3}) == ""
    assert vetoed("Pick one of 3 answers.", counts={3}) == ""
    assert vetoed("These 3 things matter.", "1:b7") == "", "the list of the evidence has three items"
    assert vetoed("Do two gardens need a second one?") == "", "a question states nothing"
    assert "the number “two”" in vetoed("We have two gardens.")
    assert "the number “Twelve”" in vetoed("Twelve keepers use it already, why not you?")
    assert "the number “Eleven”" in vetoed("Eleven keepers agree.", counts={3})
    assert "the number “3” (€)" in vetoed("It costs 3 euros.", "1:b1", counts={3})
    assert "the number “40”" in vetoed("There are 40 steps.", counts={40}), "nobody counts forty at a glance"


def test_a_sentence_is_judged_by_the_evidence_that_it_names() -> None:
    assert vetoed("It holds 10 frames.", "1:b2") == ""
    assert "the number “10”" in vetoed("It holds 10 frames.", "1:b1")
    assert "the number “10”" in vetoed("It holds 10 frames.")


def test_evidence_that_was_not_shown_is_none() -> None:
    assert vetoed("It has frames.", "1:b1", "9:b9") == "it names evidence that was not shown: 9:b9"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Every hive is made by IKEA.", "IKEA"),
        ("NASA tested the hive.", "NASA"),
        ("Jane Doe keeps bees too.", "Jane"),
        ("Experts such as Doe keep bees.", "Doe"),
        ("The hive is from Toyota.", "Toyota"),
        ("Today Toyota’s hives have frames.", "Toyota"),
        ("Mr Miller keeps bees.", "Miller"),
        ("Miller says that bees sleep.", "Miller"),
        ("An iPhone weighs the hive.", "iPhone"),
        ("Otto Kern keeps bees.", "Kern"),
    ],
)
def test_a_name_that_the_named_evidence_does_not_say_is_stopped(text: str, name: str) -> None:
    assert "the name “" in vetoed(text, "1:b1")
    assert name in vetoed(text, "1:b1")


def test_a_sentence_without_evidence_may_name_what_the_article_is_about() -> None:
    assert vetoed("So is the Langstroth hive for you?") == ""
    assert vetoed("And what does Anna Kern say?") == ""
    assert "the name “Toyota”" in vetoed("And what does Toyota say?")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ein neuer Bienenstock kostet 150 bis 250 Euro und passt in jeden Garten.", ""),
        ("Die Beute steht in der Sonne, der Wind im Rücken.", ""),
        ("Reicht der Platz für Ihr Gelände und Ihren Bestand?", ""),
        ("Gute Bienenstöcke mag auch Anna Müller.", "Müller"),
        ("Dr. Schulz mag neue Bienen.", "Schulz"),
        ("Das sagt auch die NASA.", "NASA"),
        ("Schulz empfiehlt Beuten aus Holz.", "Schulz"),
    ],
)
def test_german_nouns_are_no_names(text: str, name: str) -> None:
    by = veto_of("Ein neuer Bienenstock aus Holz kostet zwischen 150 und 250 Euro.", "de")
    found = vetoed(text, "1:b1", by=by)
    assert (name in found) if name else found == ""


def test_names_may_be_inflected_where_a_language_does_so() -> None:
    by = veto_of("Улей Лангстрота держит 10 рамок. Его делают в Москве.", "ru")
    assert vetoed("Сегодня улей с рамками делает Москва.", "1:b1", by=by) == ""
    assert "Берлин" in vetoed("Сегодня улей делает Берлин.", "1:b1", by=by)


@pytest.mark.parametrize(
    ("language", "said", "text"),
    [
        ("de", "Der Honig braucht 30 Tage, für 20 EUR.", "Nach 30 Tagen kostet er 20 Euro."),
        ("fr", "Le miel repose 30 s, pour 150 à 250 euros.", "Il repose 30 secondes pour 150 ou 250 €."),
        ("es", "La miel cuesta entre 150 y 250 euros.", "Cuesta desde 150 hasta 250 euros."),
        ("it", "Il miele pesa 20 kg, il 30 % in meno.", "Pesa 20 chili, il 30 percento in meno."),
    ],
)
def test_a_figure_may_name_its_unit_in_another_way(language: str, said: str, text: str) -> None:
    assert vetoed(text, "1:b1", by=veto_of(said, language)) == ""


@pytest.mark.parametrize(
    ("text", "source", "reason"),
    [
        ("“We never lost a colony in winter”, says Anna Kern.", "1:b4", ""),
        ('As Anna Kern puts it: "we never lost a colony in winter".', "1:b4", ""),
        ("“We never lost a single hive in winter”, says Anna Kern.", "1:b4", "is not in the evidence"),
        ("“We never lost a colony in winter”, says Tom Hill.", "1:b4", "is not by Tom Hill"),
        ("The “free flight” is what matters.", "1:b7", ""),
        ("Anna Kern answers: “Sell the combs.”", "1:b4", "is not in the evidence"),
    ],
)
def test_a_quote_has_the_words_and_the_speaker_of_the_evidence(text: str, source: str, reason: str) -> None:
    found = vetoed(text, source, "1:b5")
    assert (reason in found) if reason else found == ""


def test_a_quotation_is_word_for_word() -> None:
    assert vetoed("We never lost a colony in winter.", "1:b4", kind="quote") == ""
    assert "exact words" in vetoed("We never lost colonies in winter.", "1:b4", kind="quote")
    assert "exact words" in vetoed("We never lost a colony in winter.", "1:b5", kind="quote")
    assert "exact words" in vetoed("We never lost a colony in winter.", kind="quote")


def test_each_line_of_a_listing_must_be_in_the_evidence() -> None:
    assert vetoed("scale read --unit kg\n\nscale send --to hive", "1:b6", kind="code") == ""
    found = vetoed("scale read --unit kg\nrm -rf /", "1:b6", kind="code")
    assert found == "the line “rm -rf /” is not in the evidence it names, nor is its part “rm”"
    assert "scale read" in vetoed("scale read --unit kg", kind="code")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("Buy one at hives.example/shop now.", "the address hives.example/shop"),
        ("Buy one at www.hives.tld now.", "the address www.hives.tld"),
        ("See https://hives.test/ now.", "the address https://hives.test/"),
        ("Write to anna@hives.test now.", "the address anna@hives.test"),
        ("A Cheap hive is enough.", "“Cheap” is to be avoided"),
        ("It costs [insert price].", "placeholder"),
        ("It costs {{price}}.", "placeholder"),
    ],
)
def test_addresses_placeholders_and_words_to_avoid_are_stopped(text: str, reason: str) -> None:
    assert reason in vetoed(text, "1:b1")


def test_an_address_that_the_evidence_says_may_be_written() -> None:
    by = veto_of("Type https://hive.local/setup into the browser.", "en")
    assert vetoed("Open https://hive.local/setup.", "1:b1", by=by) == ""


@pytest.mark.parametrize(
    ("heading", "reason"),
    [
        ("What a beehive costs", ""),
        ("Why Beginners Like A Wooden Beehive", ""),
        ("How Thixotropic Honey Behaves", ""),
        ("Three steps to a good place", ""),
        ("How the Langstroth box holds its frames", ""),
        ("When to call Anna Kern", ""),
        ("What Wolfgang Petersen says of bees", "the name “Wolfgang”"),
        ("How Toyota builds a hive", "the name “Toyota”"),
        ("What a beehive costs in 2031", "the number “2031”"),
        ("Why “bees are the best friends” is wrong", "the quote “bees are the best friends”"),
        ("A cheap start", "“cheap” is to be avoided"),
        ("More at hives.example", "the address hives.example"),
    ],
)
def test_headings_are_judged_by_all_the_evidence(heading: str, reason: str) -> None:
    for found in ("; ".join(VETO.heading_violations(heading)), vetoed(heading, kind="heading")):
        assert (reason in found) if reason else found == ""
