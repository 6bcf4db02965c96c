"""Sentences, words, stems, titles and slugs."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.content.planning.titles import cut, make_description, make_meta_title, make_slug, make_title
from app.content.planning.topic_phrase import keyphrase_of
from app.content.planning.topics import intent_of
from app.language.phrases import is_template_line
from app.language.sentences import is_joint_known, join_sentences, sentences
from app.language.stems import content_stems, stem, topic_stems
from app.language.words import extent, fold, meeting_pairs, width, word_count


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("Use e.g. Linux. It works.", ["Use e.g. Linux.", "It works."]),
        ("Version 1.2.4 is out. Get it.", ["Version 1.2.4 is out.", "Get it."]),
        ("Mr. Smith met J. Doe. They spoke.", ["Mr. Smith met J. Doe.", "They spoke."]),
        ("He said “Stop.” Then he left.", ["He said “Stop.”", "Then he left."]),
        ("It costs approx. 5 euros. Cheap!", ["It costs approx. 5 euros.", "Cheap!"]),
        ("蜂は飛ぶ。花が咲く。", ["蜂は飛ぶ。", "花が咲く。"]),
        ("「行きます。すぐに。」と言った。次へ。", ["「行きます。すぐに。」と言った。", "次へ。"]),
        ("本当ですか？はい！（たぶん。）", ["本当ですか？", "はい！", "（たぶん。）"]),
        ("他说：“走吧。”然后走了。好。", ["他说：“走吧。”", "然后走了。", "好。"]),
        ("هل هذا صحيح؟ نعم. شكرا!", ["هل هذا صحيح؟", "نعم.", "شكرا!"]),
        ("یہ شہد ہے۔ وہ موم ہے۔", ["یہ شہد ہے۔", "وہ موم ہے۔"]),
        ("यह शहद है। वह मोम है।", ["यह शहद है।", "वह मोम है।"]),
        (
            "Er kam z. B. am 3. Oktober 2020 an. Dann ging er.",
            ["Er kam z. B. am 3. Oktober 2020 an.", "Dann ging er."],
        ),
        ("Das 19. Jahrhundert war lang. Es endete.", ["Das 19. Jahrhundert war lang.", "Es endete."]),
        ("Es kostet 1.234,50 Euro. Es lohnt sich.", ["Es kostet 1.234,50 Euro.", "Es lohnt sich."]),
        ("Er sagte: „Komm mit.“ Sie blieb.", ["Er sagte: „Komm mit.“", "Sie blieb."]),
        ("Er sprach. »Komm mit.« Sie blieb.", ["Er sprach.", "»Komm mit.«", "Sie blieb."]),
        (
            "Il dit : « Viens. » Elle reste. Pourquoi ? Rien.",
            ["Il dit : « Viens. »", "Elle reste.", "Pourquoi ?", "Rien."],
        ),
        ("M. Dupont et J.-P. Roux parlent. Fin.", ["M. Dupont et J.-P. Roux parlent.", "Fin."]),
        (
            "¿Cuándo? ¡Ahora! La Sra. Díaz, p. ej., viene. Sí.",
            ["¿Cuándo?", "¡Ahora!", "La Sra. Díaz, p. ej., viene.", "Sí."],
        ),
        ("Он родился в 1990 г. в Москве. Это факт.", ["Он родился в 1990 г. в Москве.", "Это факт."]),
        (
            "Мёд, воск и т. д. продаются тут. — Да. Нет.",
            ["Мёд, воск и т. д. продаются тут.", "— Да.", "Нет."],
        ),
        (
            "See No. 5 and Fig. 3. The answer is no. Then go.",
            ["See No. 5 and Fig. 3.", "The answer is no.", "Then go."],
        ),
        ("Wait... what? It works… Good.", ["Wait... what?", "It works…", "Good."]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences_are_split_where_they_end(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


@given(st.text(max_size=200))
def test_sentences_are_verbatim_and_lose_nothing(text: str) -> None:
    found = sentences(text)
    assert all(sentence in fold(text) for sentence in found)
    assert "".join("".join(found).split()) == "".join(fold(text).split())


@pytest.mark.parametrize(
    "scrap", ["?", "E. ", ". ", "A.B.", '."', "。", "？", "「", "「。", "。」", " » ", ". »", "؟"]
)
def test_hostile_text_is_split_in_linear_time(scrap: str) -> None:
    began = time.process_time()
    sentences(scrap * (150_000 // len(scrap)) + "x")
    assert time.process_time() - began < 3


def test_words_are_counted_in_any_script() -> None:
    assert word_count("It’s a well-known café, 3.5 km away.") == 7
    assert word_count("蜂は飛ぶ") == 4


def test_forms_of_a_word_share_a_stem() -> None:
    forms = ("deduplication", "deduplicating", "deduplicated", "deduplicate", "deduplicates")
    assert len({stem(form, "en") for form in forms}) == 1
    assert stem("Backups", "en") == stem("backup", "en")
    assert stem("Sicherungen", "de") == stem("Sicherung", "de")


def test_topic_stems_leave_out_what_carries_no_topic() -> None:
    assert topic_stems("How does deduplication work?", "en") == {stem("deduplication", "en")}
    assert topic_stems("How to", "en")
    assert "the" not in content_stems("The bees", "en")


def test_the_keyphrase_is_the_longest_run_of_carrying_words() -> None:
    assert keyphrase_of("How deduplication works", "en") == "deduplication"
    assert keyphrase_of("A guide to Automating Backups", "en") == "automating backups"
    assert keyphrase_of("aptitude, apt-get, and apt commands", "en") == "apt commands"
    assert keyphrase_of("What is it", "en") == "what is it"


def test_intent_is_read_from_the_topic() -> None:
    topics = ("Borg vs Restic", "Backup pricing", "Best backup tools", "How to back up", "Deduplication")
    assert [intent_of(topic) for topic in topics] == ["compare", "buy", "list", "how", "what"]


def test_how_to_with_prices_asks_how_and_how_much_asks_for_the_price() -> None:
    hows = ("How to set prices", "how do I keep costs low", "Wie senke ich die Kosten")
    assert {intent_of(topic) for topic in hows} == {"how"}
    prices = (
        "How much does it cost to buy",
        "how expensive is it, prices",
        "Wie viel kosten Räder, Preis",
        "Was kostet ein Rad",
    )
    assert {intent_of(topic) for topic in prices} == {"buy"}


def test_a_long_keyphrase_ends_before_those_for_whom_it_is() -> None:
    assert keyphrase_of("Click and collect for a small shop", "en") == "click and collect"
    assert keyphrase_of("Receipt scanning for tradespeople", "en") == "receipt scanning for tradespeople"


@given(st.text(max_size=200), st.frozensets(st.sampled_from(["post", "post-2", "a", "a-2", "bees"])))
def test_a_slug_is_valid_and_free_whatever_the_title(title: str, taken: frozenset[str]) -> None:
    slug = make_slug(title, taken)
    assert slug not in taken
    assert 1 <= len(slug) <= 80
    assert set(slug) <= set("abcdefghijklmnopqrstuvwxyz0123456789-")
    assert not slug.startswith("-")
    assert not slug.endswith("-")


def test_slugs_keep_letters_of_other_latin_alphabets() -> None:
    assert make_slug("Größe & Café’s Łódź", frozenset()) == "grosse-cafes-lodz"
    assert make_slug("Größe für Öfen", frozenset(), "de-AT") == "groesse-fuer-oefen"
    assert make_slug("Smørebrød på Åland", frozenset(), "da") == "smoerebroed-paa-aaland"
    assert make_slug("Kött på Åland", frozenset(), "sv") == "kott-paa-aaland"


def test_slugs_of_other_scripts_are_transliterated() -> None:
    assert make_slug("Как выбрать улей", frozenset(), "ru") == "kak-vybrat-uley"
    assert make_slug("蜂箱", frozenset(), "zh") == "feng-xiang"
    assert make_slug("🐝", frozenset()) != ""


@given(st.text(min_size=1, max_size=120).filter(str.strip), st.integers(2, 80))
def test_cut_text_fits_its_limit(text: str, limit: int) -> None:
    assert len(cut(fold(text) or "x", limit)) <= limit


@pytest.mark.parametrize("topic", ["bees", "Choosing a beehive", "A " + "very long " * 20 + "topic"])
def test_titles_and_descriptions_have_their_lengths(topic: str) -> None:
    title = make_title(topic, "Bee School", "en")
    assert len(make_meta_title(title, "Bee School", "en")) <= 60
    description = make_description(topic, "Bee School", "en", [])
    assert 70 <= len(description) <= 156


def test_a_site_without_a_name_is_not_named_in_titles() -> None:
    assert make_title("Prices", "127.0.0.1", "en") == "Prices"
    assert make_meta_title("Prices", "[::1]", "en") == "Prices"
    assert "Shop 2.0" in make_title("Prices", "Shop 2.0", "en")


def test_the_title_of_a_post_is_no_line_of_search_results() -> None:
    assert make_title("Wax prices", "Bee School", "en") == "Wax prices: an overview from Bee School"
    assert make_meta_title("Wax prices", "Bee School", "en").startswith("Wax prices")


@pytest.mark.parametrize(
    ("topic", "title"),
    [
        ("late suppliers how to deal with them", "Late suppliers: how to deal with them"),
        ("tips on how to deal with swarms", "Tips on how to deal with swarms"),
        ("how to deal with late suppliers", "How to deal with late suppliers"),
        ("swarms in May: how to catch them early", "Swarms in May: how to catch them early"),
        ("teach employees how to use excel", "Teach employees how to use excel"),
        ("show customers how to return goods", "Show customers how to return goods"),
        ("best way to know when to water tomatoes", "Best way to know when to water tomatoes"),
        ("decide with your team when to close", "Decide with your team when to close"),
        ("late suppliers  how to deal with them", "Late suppliers: how to deal with them"),
    ],
)
def test_a_question_behind_a_subject_is_set_apart(topic: str, title: str) -> None:
    assert make_title(topic, "Bee School", "en") == title


def test_the_subject_before_a_question_is_the_keyphrase() -> None:
    assert keyphrase_of("suppliers always late how to deal with it", "en") == "suppliers always late"


def test_a_defining_sentence_is_preferred_as_description() -> None:
    quote = "A beehive is the box a colony of honey bees lives in, builds its combs in and stores honey in."
    assert make_description("beehive", "Bee School", "en", ["Too short.", quote]) == quote


def test_fixed_lines_are_known_as_such() -> None:
    assert is_template_line("Read more: Beehives – Painting")
    assert is_template_line("Häufige Fragen")
    assert not is_template_line("Bees live in hives.")


def test_japanese_is_searched_by_parts_that_may_be_words_and_chinese_by_characters() -> None:
    assert topic_stems("ミツバチの巣箱を選ぶ", "ja") == {"ミツバチ", "巣箱"}
    assert topic_stems("はちみつの瓶", "ja") == {"はち", "ちみ", "みつ", "瓶"}
    assert topic_stems("巣箱と蜂の瓶、どちらがお得", "ja") == {"巣箱", "蜂", "瓶"}
    assert topic_stems("如何选择蜂箱", "zh") == {"蜂", "箱"}
    assert {"はち", "みつ", "固"} <= set(content_stems("はちみつは固まる。", "ja"))
    assert keyphrase_of("はちみつの作り方", "ja") == "はちみつの作り方"


def test_words_may_meet_inside_a_run_of_characters() -> None:
    assert meeting_pairs("高温乾燥と梅雨前") == [
        ("温乾", ("高温", "乾燥")),
        ("梅雨", ("雨前",)),
        ("雨前", ("梅雨",)),
    ]
    assert meeting_pairs("畳の対策とプラン") == []


def test_two_small_words_with_an_apostrophe_carry_no_topic() -> None:
    assert topic_stems("la nuit d’une abeille", "fr") == {"nuit", "abeil"}


def test_forms_of_russian_and_arabic_words_share_a_stem() -> None:
    assert len({stem(form, "ru") for form in ("пчелиный", "пчелиного", "пчелиная", "пчелиные")}) == 1
    assert len({stem(form, "ar") for form in ("العسل", "والعسل", "عسل", "بالعسل")}) == 1


def test_lengths_are_measured_in_what_there_is_to_read() -> None:
    assert (extent("蜂は飛ぶ"), word_count("蜂は飛ぶ"), width("蜂は飛ぶ")) == (2, 4, 8)
    assert (extent("Bees fly"), width("Größe")) == (2, 5)
    assert width(cut("蜂" * 100, 60)) <= 60
    assert join_sentences(["蜂は飛ぶ。", "花が咲く。"]) == "蜂は飛ぶ。花が咲く。"
    assert join_sentences(["Bees fly.", "Done."]) == "Bees fly. Done."


def test_a_blank_follows_a_sentence_whose_script_has_blanks() -> None:
    assert join_sentences(["Bees fly.", "蜂は飛ぶ。", "Bees fly."]) == "Bees fly. 蜂は飛ぶ。Bees fly."
    assert join_sentences(["「蜂」の本。）", "See 蜂 1.", "花。"]) == "「蜂」の本。）See 蜂 1. 花。"


def test_a_question_of_a_page_is_no_fixed_line() -> None:
    assert not is_template_line("Why do bees dance?")


@pytest.mark.parametrize(
    ("first", "second", "known"),
    [
        ("蜂の巣です。", "蜜は甘い。", True),
        ("A hive.", "It hums.", True),
        ("蜂の巣です。", "Python is one.", False),
        ("蜜。", "- > hums.", False),
    ],
)
def test_what_stands_between_two_sentences_is_not_guessed_at_a_change_of_script(
    first: str, second: str, known: bool
) -> None:
    assert is_joint_known(first, second) is known
