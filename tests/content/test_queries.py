"""A topic typed as a search becomes a title that reads as one."""

from __future__ import annotations

import pytest

from app.content.planning.titles import make_title
from app.content.planning.topic_phrase import keyphrase_of


@pytest.mark.parametrize(
    ("topic", "language", "title"),
    [
        ("cello or viola which is easier", "en", "Cello or viola: which is easier?"),
        ("software for vets which is free", "en", "Software for vets which is free"),
        ("cello insurance how much", "en", "Cello insurance: how much?"),
        ("tool to calculate how much feed bees need", "en", "Tool to calculate how much feed bees need"),
        ("cello oder geige was ist besser", "de", "Cello oder geige: Was ist besser?"),
        ("cello kaufen welche größe", "de", "Cello kaufen: Welche größe?"),
        ("cello stimmen wann und wie oft", "de", "Cello stimmen: Wann und wie oft?"),
        ("bogen beziehen wie geht das", "de", "Bogen beziehen: Wie geht das?"),
        ("fast so gut wie neu", "de", "Fast so gut wie neu"),
        ("alles was man über celli wissen muss", "de", "Alles was man über celli wissen muss"),
        ("welches harz zum bogen streichen", "de", "Bogen streichen: Welches harz?"),
        ("welches harz zum üben", "de", "Welches harz zum üben?"),
    ],
)
def test_a_question_typed_behind_its_subject_gets_its_colon_and_mark(
    topic: str, language: str, title: str
) -> None:
    assert make_title(topic, "Bee School", language) == title


@pytest.mark.parametrize(
    ("topic", "language", "title"),
    [
        ("rent a cello near me price", "en", "Rent a cello: price"),
        ("cello teacher for adults near me", "en", "Cello teacher for adults"),
        ("cello miete in der nähe kosten", "de", "Cello miete: Kosten"),
        ("bogen beziehen lassen preis", "de", "Bogen beziehen lassen: Preis"),
        ("gutes cello zum kleinen preis", "de", "Gutes cello zum kleinen preis"),
        ("was darf ein bogen kosten", "de", "Was darf ein bogen kosten?"),
        ("cello repair cost", "en", "Cello repair cost"),
    ],
)
def test_near_me_is_left_out_and_a_price_behind_its_subject_is_set_apart(
    topic: str, language: str, title: str
) -> None:
    assert make_title(topic, "Bee School", language) == title


@pytest.mark.parametrize(
    ("topic", "language", "title"),
    [
        ("cost to keep bees uk", "en", "Cost to keep bees in the UK"),
        ("bees of canada", "en", "Bees of canada"),
        ("Camping New South Wales", "en", "Camping New South Wales"),
        ("moving from canada ireland", "en", "Moving from canada ireland"),
        ("cello lernen erwachsene", "de", "Cello lernen für erwachsene"),
        ("was lernen kinder", "de", "Was lernen kinder?"),
        ("cello für größere kinder", "de", "Cello für größere kinder"),
    ],
)
def test_a_country_and_those_for_whom_something_is_get_their_preposition(
    topic: str, language: str, title: str
) -> None:
    assert make_title(topic, "Bee School", language) == title


def test_near_me_is_in_no_keyphrase() -> None:
    assert keyphrase_of("rent a cello near me", "en") == "rent a cello"
    assert keyphrase_of("who do I call about a swarm of bees", "en") == "swarm of bees"


@pytest.mark.parametrize(
    ("topic", "phrase"),
    [
        ("Case study: rebuilding a Victorian kitchen", "rebuilding a victorian kitchen"),
        ("Ask the expert: how much does a boiler service cost?", "boiler service cost"),
        ("Beginners: the best kayak trip", "kayak trip"),
        ("Hives: from frame to honey", "hives"),
    ],
)
def test_a_label_before_a_colon_is_no_keyphrase_and_a_subject_is(topic: str, phrase: str) -> None:
    assert keyphrase_of(topic, "en") == phrase
