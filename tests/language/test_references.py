"""References of a sentence to other parts of its text, by rule and in each language with a table."""

from __future__ import annotations

import pytest

from app.language.languages import languages
from app.language.references import announces_more, depends_on_previous, points_elsewhere

POINTING = {
    "en": [
        "The table below lists all of them.",
        "As noted earlier, the rate is fixed.",
        "As seen in the table, the rate is fixed.",
        "As can be seen from the table, the rate is fixed.",
        "As seen from the second graph and the table, demand doubled.",
        "Shown by Dr. Lane above, it works.",
        "Further down you will find the rates.",
        "The next section explains the rest.",
        "Do jobs 3 to 5 once more.",
        "Follow the steps above.",
        "See the manual.",
        "On this page you find all rates.",
        "You can download it here.",
        "The rest is explained in our course.",
    ],
    "de": ["Siehe Tabelle 3.", "Die unten beschriebenen Regeln gelten.", "Im nächsten Kapitel folgt mehr."],
    "fr": [
        "Comme indiqué ci-dessus, c’est gratuit.",
        "Le chapitre suivant l’explique.",
        "Voici les suivantes.",
    ],
    "es": ["Como se ha mencionado anteriormente, es gratis.", "Véase la tabla 2.", "Son los siguientes."],
    "it": ["Come descritto sopra, è gratis.", "Nel prossimo capitolo si vede."],
    "pt": ["Como mencionado acima, é grátis.", "Veja a tabela 2."],
    "nl": ["Zoals hierboven beschreven is het gratis.", "Zie tabel 2."],
    "sv": ["Som nämnts ovan är det gratis.", "Se tabell 2.", "I nästa kapitel står mer."],
    "ru": ["Как показано выше, это верно.", "В следующей главе сказано больше."],
    "ar": ["كما هو موضح أعلاه.", "هذا الدليل لمن يسكن وحده.", "اقرأ المزيد."],
    "ja": ["次の表を見てください。"],
    "zh": ["如下图所示。"],
}
STANDING = {
    "en": [
        "Keep the room below 30 degrees.",
        "The price is 5% below the list price.",
        "If in doubt, ask.",
        "In which case I would ask.",
        "The drying lasts 3 to 5 days.",
        "Read the label first.",
        "Turn left after the school.",
        "Shine a torch into it from above. You see two plates.",
        "Number the seats from left to right, as seen from the stage.",
    ],
    "de": ["Der Rahmen liegt oben auf dem Kasten.", "Im nächsten Jahr geht es weiter."],
    "fr": ["La ruche est plus haute.", "Revenez dans les dix jours suivants."],
    "es": ["El año anterior llovió.", "Venga el mismo día o al día siguiente."],
    "it": ["Il coperchio sta sopra la cassa."],
    "pt": ["A caixa fica acima do chão."],
    "nl": ["De kast staat boven de grond."],
    "sv": ["Lådan står ovanpå kupan.", "Nästa år blir skörden större."],
    "ru": ["Температура выше двадцати градусов."],
    "ar": ["الخلية مصنوعة من الخشب.", "انظر إلى القاع أولا."],
    "ja": ["巣箱は木で作ります。"],
    "zh": ["蜂箱是木头做的。"],
}


def test_every_language_with_a_table_is_tried() -> None:
    known = {language.code for language in languages() if language.references.always}
    assert POINTING.keys() == STANDING.keys() == known


@pytest.mark.parametrize("language", POINTING)
def test_what_points_elsewhere_is_known(language: str) -> None:
    assert [text for text in POINTING[language] if not points_elsewhere(text, language)] == []


@pytest.mark.parametrize("language", STANDING)
def test_text_that_makes_sense_alone_points_nowhere(language: str) -> None:
    assert [text for text in STANDING[language] if points_elsewhere(text, language)] == []


def test_a_colon_lets_a_sentence_announce_what_comes_next() -> None:
    assert not points_elsewhere("Every hive needs the following:", "en")
    assert points_elsewhere("Every hive needs the following.", "en")


@pytest.mark.parametrize(
    "sentence",
    [
        "They stop within a minute.",
        "The latter is cheaper.",
        "If they pay, stop.",
        "Choose this option to keep it.",
        "“It works.”",
        "With this you can go on.",
    ],
)
def test_an_opening_that_only_the_sentence_before_explains_depends_on_it(sentence: str) -> None:
    assert depends_on_previous(sentence, "en")


@pytest.mark.parametrize(
    ("sentence", "heading"),
    [
        ("If you pay, stop.", ""),
        ("Choose this option to keep it.", "An option for winter"),
        ("The reminders are sent, and these reminders stop by themselves.", ""),
        ("In this year we sold ten.", ""),
        ("Write the weight down with this command:", ""),
    ],
)
def test_an_opening_that_names_its_subject_depends_on_nothing(sentence: str, heading: str) -> None:
    assert not depends_on_previous(sentence, "en", heading)


@pytest.mark.parametrize(
    ("sentence", "depends"),
    [
        ("Das Gesetz nennt kein Mindestalter.", False),
        ("Das hilft nur im Winter.", True),
        ("Wenn Sie möchten, kommen wir vorbei.", False),
        ("Wenn sie fehlen, kommen wir vorbei.", True),
        ("Sind sie verschwunden, müssen neue her.", True),
        ("Haben Sie einen Zuschuss, lohnt es sich.", False),
    ],
)
def test_german_capitals_distinguish_articles_from_references(sentence: str, depends: bool) -> None:
    assert depends_on_previous(sentence, "de") is depends


@pytest.mark.parametrize("sentence", ["There are three kinds.", "Here is the list.", "Why?", "As follows:"])
def test_colons_questions_and_counts_announce_more(sentence: str) -> None:
    assert announces_more(sentence, "en")


def test_a_language_without_a_table_has_no_rules() -> None:
    assert not points_elsewhere("See below.", "fi")
    assert not depends_on_previous("They stop.", "fi")
