"""Numbers in words are figures too: the veto asks the evidence for them."""

from __future__ import annotations

import pytest

from app.content.writing.veto.rules import Veto
from app.language.number_words import number_words
from tests.support.article_material import evidence as evidence_of
from tests.support.article_material import model_says, unit

EVIDENCE = {
    "en": "A beehive holds frames and honey, and the colony lives in the beehive.",
    "de": "Die Beute beherbergt das Volk und den Honig.",
    "fr": "La ruche abrite la colonie et le miel.",
    "ru": "Улей — это дом, где живёт семья пчёл и хранится мёд.",
    "zh": "蜂箱是蜂群居住的地方，里面有巢框和蜂蜜。",
    "ja": "巣箱は蜂の群れが住む場所で、巣枠と蜂蜜があります。",
    "ar": "الخلية هي المكان الذي يعيش فيه النحل ويخزن العسل.",
}


def found(text: str, language: str, evidence: str = "") -> tuple[str, ...]:
    shown = unit("1:b1", f"{EVIDENCE[language]} {evidence}")
    return Veto(evidence_of(shown, given=""), language).violations(model_says(text, "1:b1"))


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A beehive holds ½ of the honey of the colony."),
        ("en", "Half of the honey of the colony stays in a beehive."),
        ("en", "Two thirds of the honey stay in the beehive."),
        ("en", "Dozens of colonies live in a beehive with honey."),
        ("de", "Die Hälfte des Honigs bleibt in der Beute beim Volk."),
        ("de", "Die Beute beherbergt fünfundzwanzig Völker und den Honig."),
        ("de", "Die Beute beherbergt dreihundert Völker und den Honig."),
        ("de", "Ein Drittel des Honigs bleibt in der Beute beim Volk."),
        ("fr", "La moitié du miel reste dans la ruche de la colonie."),
        ("fr", "La ruche abrite une centaine de colonies et le miel."),
        ("ru", "В улье живёт пять тысяч пчёл и хранится мёд."),
        ("zh", "蜂箱里有三千个巢框和蜂蜜。"),
        ("ja", "巣箱には五百の巣枠と蜂蜜があります。"),
        ("ja", "巣箱には「世界一の蜂蜜」があります。"),
        ("ar", "الخلية يعيش فيها خمسة آلاف من النحل ويخزن العسل."),
    ],
)
def test_an_invented_number_in_words_is_found(language: str, text: str) -> None:
    assert found(text, language)
    assert found(text, language, evidence=text) == ()


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "A third party sells the beehive with frames."),
        ("en", "The colony lives in the second beehive with frames."),
        ("en", "Otto keeps the colony."),
        ("de", "Die Beute und das Volk sind hundertmal beschrieben."),
        ("zh", "蜂箱十分重要，里面有巢框和蜂蜜，万一下雨也不怕。"),
    ],
)
def test_what_only_looks_like_a_number_is_none(language: str, text: str) -> None:
    assert list(number_words(text, language)) == []


def test_a_number_in_digits_supports_the_word_for_it() -> None:
    assert found("A beehive holds honey in ½ of the frames.", "en", "Honey is in 1/2 of the frames.") == ()
    assert found("A beehive of a colony holds dozens of frames.", "en", "It holds 12 frames.") == ()


def test_a_very_long_run_of_chinese_numerals_is_no_number() -> None:
    run = "九" * 100_000
    assert [word.number for word in number_words(f"共{run}个", "zh")] == [run]
