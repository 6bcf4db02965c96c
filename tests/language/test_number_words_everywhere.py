"""A number in words is a figure in every language that has a file."""

from __future__ import annotations

import pytest

from app.content.writing.veto.rules import Veto
from app.language.languages import languages
from app.language.number_words import number_words
from tests.support.article_material import evidence, model_says, unit

TWENTY_MINUTES = {
    "ar": ("تستغرق القراءة {} دقيقة.", "عشرين"),
    "bg": ("Отчитането отнема {} минути.", "двадесет"),
    "ca": ("La lectura dura {} minuts.", "vint"),
    "cs": ("Odečet trvá {} minut.", "dvacet"),
    "da": ("Aflæsningen tager {} minutter.", "tyve"),
    "de": ("Das Ablesen dauert {} Minuten.", "zwanzig"),
    "en": ("It takes {} minutes to read the meter.", "twenty"),
    "es": ("La lectura dura {} minutos.", "veinte"),
    "fa": ("خواندن {} دقیقه طول می‌کشد.", "بیست"),
    "fi": ("Lukeminen kestää {} minuuttia.", "kaksikymmentä"),
    "fr": ("La lecture dure {} minutes.", "vingt"),
    "hr": ("Očitavanje traje {} minuta.", "dvadeset"),
    "hu": ("A leolvasás {} percig tart.", "húsz"),
    "id": ("Pembacaan memakan waktu {} menit.", "dua puluh"),
    "it": ("La lettura dura {} minuti.", "venti"),
    "ja": ("読み取りは{}分かかります。", "二十"),
    "nl": ("Het lezen duurt {} minuten.", "twintig"),
    "no": ("Avlesningen tar {} minutter.", "tjue"),
    "pl": ("Odczyt trwa {} minut.", "dwadzieścia"),
    "pt": ("A leitura leva {} minutos.", "vinte"),
    "ro": ("Citirea durează {} de minute.", "douăzeci"),
    "ru": ("Чтение занимает {} минут.", "двадцать"),
    "sk": ("Odčítanie trvá {} minút.", "dvadsať"),
    "sr": ("Очитавање траје {} минута.", "двадесет"),
    "sv": ("Avläsningen tar {} minuter.", "tjugo"),
    "tr": ("Okuma {} dakika sürer.", "yirmi"),
    "uk": ("Читання триває {} хвилин.", "двадцять"),
    "ur": ("پڑھنے میں {} منٹ لگتے ہیں۔", "بیس"),
    "vi": ("Việc đọc mất {} phút.", "hai mươi"),
    "zh": ("读取需要{}分钟。", "二十"),
}

IN_PARTS = {
    "ar": {"خمس وعشرون": 25, "خمسة عشر": 15, "ثلاثة آلاف": 3000, "بعشرين": 20},
    "bg": {"двадесет и пет": 25},
    "ca": {"vint-i-cinc": 25},
    "cs": {"dvacet pět": 25, "tři sta": 300},
    "da": {"femogtyve": 25, "to hundrede": 200},
    "de": {"einundzwanzig": 21, "zweihundertfünfzig": 250},
    "en": {"twenty-one": 21, "a hundred and one": 101},
    "es": {"treinta y cinco": 35, "veinticinco": 25, "mil doscientos": 1200},
    "fa": {"بیست و پنج": 25, "سیصد و بیست": 320},
    "fi": {"kaksikymmentäviisi": 25, "viisisataa": 500},
    "fr": {"quatre-vingt-dix": 90, "soixante-douze": 72, "vingt et une": 21, "cinq cents": 500},
    "hr": {"dvadeset i pet": 25},
    "hu": {"huszonöt": 25, "háromszáz": 300},
    "id": {"dua puluh lima": 25, "tiga ratus": 300},
    "it": {"venticinque": 25, "trentotto": 38, "tremila": 3000},
    "ja": {"四百二十": 420},
    "no": {"tjuefem": 25},
    "pl": {"dwadzieścia pięć": 25, "trzysta dwadzieścia": 320},
    "pt": {"cento e vinte e cinco": 125},
    "ro": {"douăzeci și cinci": 25},
    "ru": {"двести тридцать пять": 235},
    "sk": {"dvadsaťpäť": 25},
    "sr": {"двадесет и пет": 25},
    "sv": {"tjugofem": 25, "tvåhundra": 200},
    "tr": {"yirmi beş": 25, "iki bin": 2000},
    "uk": {"двадцять п’ять": 25},
    "ur": {"تین سو": 300},
    "vi": {"hai mươi lăm": 25},
}

SAME_TIME = [
    ("ar", "ساعتين", "120 دقيقة"),
    ("de", "Eine Viertelstunde reicht.", "15 Minuten"),
    ("de", "Ein zwanzigminütiger Besuch.", "20 Minuten"),
    ("de", "Anderthalb Stunden reichen.", "90 Minuten"),
    ("en", "It comes every fortnight.", "every two weeks"),
    ("en", "It takes a quarter of an hour.", "15 minutes"),
    ("en", "It takes one hour.", "60 minutes"),
    ("en", "It costs £40 for one hour.", "£40 per hour"),
    ("fr", "Une demi-heure suffit.", "30 minutes"),
    ("es", "Media hora basta.", "30 minutos"),
    ("hu", "két hét", "14 nap"),
    ("ja", "二時間かかります。", "120分"),
    ("nl", "Een driedaags bezoek.", "3 dagen"),
    ("pl", "Pół godziny wystarczy.", "30 minut"),
]


NAMED = [
    ("ar", "السعر 15 يورو.", "السعر 15 €."),
    ("cs", "Stojí 15 eur.", "Stojí 15 €."),
    ("fi", "Se maksaa 15 euroa.", "Hinta on 15 €."),
    ("hu", "Ez 15 százalék.", "Ez 15 %."),
    ("ja", "15ユーロです。", "15€です。"),
    ("pl", "To 15 procent.", "To 15 %."),
    ("ru", "Это 15 процентов.", "Это 15 %."),
    ("uk", "Це коштує 15 євро.", "Ціна 15 €."),
]


def violations(text: str, language: str, shown: str) -> tuple[str, ...]:
    """What the veto says of a sentence that names ``shown`` as its evidence."""
    return Veto(evidence(unit("1:b1", shown), given=""), language).violations(model_says(text, "1:b1"))


def test_every_language_with_a_file_is_tried() -> None:
    assert {language.code for language in languages()} == TWENTY_MINUTES.keys()


@pytest.mark.parametrize("language", TWENTY_MINUTES)
def test_twenty_minutes_in_words_need_evidence(language: str) -> None:
    sentence, twenty = TWENTY_MINUTES[language]
    claim = sentence.format(twenty)
    assert violations(claim, language, sentence.format("5"))
    assert violations(claim, language, sentence.format(""))
    assert violations(claim, language, sentence.format("20")) == ()
    assert violations(claim, language, claim) == ()
    assert violations(sentence.format("20"), language, claim) == ()


@pytest.mark.parametrize("language", IN_PARTS)
def test_words_say_one_number_together(language: str) -> None:
    for text, number in IN_PARTS[language].items():
        assert [word.number for word in number_words(text, language)] == [str(number)], text


@pytest.mark.parametrize(("language", "text"), [("sv", "femtio" * 40 + "x"), ("de", "dreizehn" * 40 + "x")])
def test_a_word_with_very_many_ways_to_be_divided_is_no_number(language: str, text: str) -> None:
    assert list(number_words(text, language)) == []


@pytest.mark.parametrize(("language", "text", "shown"), SAME_TIME)
def test_a_time_in_one_word_is_the_time_in_figures(language: str, text: str, shown: str) -> None:
    assert violations(text, language, shown) == ()
    assert violations(text, language, "7 km")


@pytest.mark.parametrize(
    "text", ["Is it a hat on a set?", "Bin I on to it?", "A pet in the den.", "Mila sat once."]
)
def test_a_number_of_another_language_is_no_number_in_english(text: str) -> None:
    assert list(number_words(text, "en")) == []


def test_things_are_counted_by_no_figure_that_measures() -> None:
    shown = "The call takes twenty minutes and costs 15 euros."
    assert violations("There are twenty calls.", "en", shown)
    assert violations("It is 15 a month.", "en", shown) == ()
    assert violations("The call takes twenty minutes.", "en", shown) == ()


@pytest.mark.parametrize(("language", "text", "shown"), NAMED)
def test_a_unit_may_be_a_word_or_a_sign(language: str, text: str, shown: str) -> None:
    assert violations(text, language, shown) == ()
    assert violations(text, language, shown.replace("15", "16"))


@pytest.mark.parametrize(
    "text",
    ["One day you will thank yourself.", "On the one hand it is quick.", "One of them calls."],
)
def test_one_is_mostly_no_number(text: str) -> None:
    assert violations(text, "en", "The call takes twenty minutes.") == ()
