"""In which language a page is: what it says of itself, unless its text clearly says another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.language.detection import detect, language_of
from app.language.tags import language_code, valid_tag
from app.pages.extraction.extract import extract

TEXTS = {
    "en": "The hive is opened on a warm day, and the bees that are in it stay calm when you move with care.",
    "de": "Der Stock wird an einem warmen Tag geöffnet, und die Bienen bleiben ruhig, wenn man sich langsam "
    "bewegt.",
    "fr": "La ruche est ouverte par une journée chaude, et les abeilles restent calmes si vous êtes dans le "
    "bon sens du vent.",
    "es": "La colmena se abre en un día cálido, y las abejas están tranquilas si no se hace ruido con los "
    "cuadros.",
    "it": "L'alveare si apre in una giornata calda, e le api che sono nella cassa restano calme se non si fa "
    "rumore.",
    "pt": "A colmeia é aberta em um dia quente, e as abelhas não ficam nervosas se você não fizer barulho "
    "com os quadros.",
    "nl": "De kast wordt op een warme dag geopend, en de bijen blijven rustig als je met beleid van het ene "
    "naar het andere raam gaat.",
    "sv": "Kupan öppnas på en varm dag och bina är lugna om du inte rör dig för fort när det är "
    "vind i en dal.",
    "pl": "Ul otwiera się w ciepły dzień, a pszczoły są spokojne, jeśli nie hałasuje się przy ramkach i jest "
    "cicho.",
    "cs": "Úl se otevírá za teplého dne a včely jsou klidné, pokud se při tom nedělá hluk a je to v pořádku.",
    "tr": "Kovan sıcak bir günde açılır ve arılar çok sakin olur, ama bu için daha yavaş hareket "
    "etmek gerekir.",
    "ru": "Улей открывают в тёплый день, и пчёлы остаются спокойными, если вы не шумите и не делаете резких "
    "движений.",
    "uk": "Вулик відкривають у теплий день, і бджоли залишаються спокійними, якщо ви не шумите та це не дощ.",
    "el": "Η κυψέλη ανοίγει μια ζεστή μέρα και οι μέλισσες μένουν ήρεμες.",
    "he": "פותחים את הכוורת ביום חם והדבורים נשארות רגועות.",
    "ar": "تفتح الخلية في يوم دافئ، ويبقى النحل هادئا إذا كان العمل من غير ضجيج في هذا المكان على مهل.",
    "fa": "کندو را در یک روز گرم باز می‌کنند و زنبورها آرام می‌مانند "
    "اگر شما با آنها آرام رفتار کنید و این خوب است.",
    "hi": "छत्ता गर्म दिन में खोला जाता है और मधुमक्खियाँ शांत रहती हैं।",
    "th": "เปิดรังในวันที่อากาศอบอุ่นแล้วผึ้งจะสงบ",
    "ko": "벌통은 따뜻한 날에 열어야 하고 벌들은 조용히 있습니다.",
    "ja": "巣箱は暖かい日に開けます。蜂は静かにしています。",
    "zh": "蜂箱应在温暖的日子打开，蜜蜂会保持安静，动作要慢。",
}  # fmt: skip


@pytest.mark.parametrize("language", TEXTS)
def test_the_language_of_a_text_is_recognized(language: str) -> None:
    assert detect(TEXTS[language]) == language


@pytest.mark.parametrize("text", ["", "Hive 3000", "12345 67890 --- !!!", "Bee", "OK OK OK " * 20])
def test_a_text_that_says_too_little_is_of_no_known_language(text: str) -> None:
    assert detect(text) is None


@pytest.mark.parametrize(
    ("declared", "text", "expected"),
    [
        ("de-AT", "de", "de-AT"),
        ("en-US", "de", "de"),
        ("en", "ja", "ja"),
        ("ja", "en", "en"),
        ("mk", "ru", "mk"),
        ("zh-TW", "zh", "zh-TW"),
        ("zh", "ja", "ja"),
        ("gl", "pt", "gl"),
        ("he", "en", "en"),
        ("nb-NO", "en", "en"),
        (None, "fr", "fr"),
    ],
)
def test_what_is_declared_counts_unless_the_text_clearly_says_another(
    declared: str | None, text: str, expected: str
) -> None:
    assert language_of(declared, TEXTS[text]) == expected


@pytest.mark.parametrize("declared", ["en", "ja", None])
def test_what_is_declared_counts_where_the_text_says_nothing(declared: str | None) -> None:
    assert language_of(declared, "Bee 3000") == declared


def test_a_page_with_some_words_of_another_language_keeps_its_own() -> None:
    assert language_of("de", TEXTS["de"] * 2 + TEXTS["en"]) == "de"
    assert language_of("en", TEXTS["en"] * 3 + TEXTS["ja"]) == "en"


def test_tags_are_read_in_their_spellings() -> None:
    codes = [language_code(tag) for tag in ("de-AT", "pt_BR", "EN", "nb", "iw")]
    assert codes == ["de", "pt", "en", "no", "he"]
    assert [valid_tag(tag) for tag in (" de_AT ", "en", "english please", "", "x" * 40)] == [
        "de-AT", "en", None, None, None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("html", "header", "expected"),
    [
        ("<html lang=de>", "fr", "de"),
        ("<html xml:lang=de>", "fr", "de"),
        ("<html lang=''><meta http-equiv=Content-Language content=de>", "fr", "de"),
        ("<html>", "fr", "fr"),
        ("<html>", "fr, en", None),
        ("<html><meta property=og:locale content=pt_BR>", None, "pt-BR"),
        ("<html>", None, None),
    ],
)
def test_a_page_declares_its_language_in_several_places(
    html: str, header: str | None, expected: str | None
) -> None:
    page = f"{html}<body><p>Hive 3000</p></body></html>".encode()
    assert extract(page, "https://example.com/", "text/html", header).language == expected


def test_a_theme_that_declares_english_over_a_german_text_is_overruled() -> None:
    page = f"<html lang=en-US><body><p>{TEXTS['de']}</p><pre>{TEXTS['en'] * 9}</pre></body></html>"
    assert extract(page.encode(), "https://example.com/").language == "de"


@given(st.text(max_size=300), st.none() | st.sampled_from(["en", "ja", "xx", "zh-Hant"]))
def test_any_text_has_a_language_or_none(text: str, declared: str | None) -> None:
    found = language_of(declared, text)
    assert found is None or valid_tag(found) == found
