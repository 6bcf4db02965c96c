"""Sentences that warn are known in every language with patterns for them."""

from __future__ import annotations

import pytest

from app.language.languages import languages
from app.language.warning_signs import warns

WARNINGS = {
    "en": ("Never open a hive in the rain.", "Important: the lid is heavy.", "You must wear gloves."),
    "de": ("Achtung: Der Deckel ist schwer.", "Öffnen Sie den Stock nie bei Regen.", "Nur wenn es warm ist."),
    "es": ("¡Atención! La tapa pesa.", "Nunca abra la colmena con lluvia.", "Ábrala solo si hace calor."),
    "fr": ("Attention : le toit est lourd.", "N’ouvrez jamais la ruche.", "Uniquement s’il fait chaud."),
    "it": ("Attenzione: il tetto pesa.", "Non aprite mai l’arnia.", "Apritela solo se fa caldo."),
    "nl": ("Let op: het dak is zwaar.", "Open de kast nooit in de regen.", "Alleen als het warm is."),
    "pt": ("Atenção: a tampa é pesada.", "Nunca abra a colmeia à chuva.", "Abra apenas se estiver calor."),
    "sv": ("Varning: locket är tungt.", "Öppna aldrig kupan i regn.", "Bara om det är varmt."),
    "ru": ("Внимание: крышка тяжёлая.", "Никогда не открывайте улей.", "Только если тепло."),
    "ar": ("تحذير: الغطاء ثقيل.", "لا يجوز فتح الخلية."),
    "ja": ("注意：蓋は重いです。", "雨の日は絶対に開けないでください。"),
}  # fmt: skip


@pytest.mark.parametrize("code", WARNINGS)
def test_a_sentence_that_warns_is_known(code: str) -> None:
    assert [text for text in WARNINGS[code] if not warns(text, code)] == []


def test_every_language_with_patterns_has_examples_here() -> None:
    assert {each.code for each in languages() if each.words.warnings} == set(WARNINGS)


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("A hive weighs 30 kg in May.", "en"),
        ("The most important tool is the smoker.", "en"),
        ("It has never been so warm.", "en"),
        ("Der Stock wiegt im Mai 30 kg.", "de"),
        ("Das ist wichtig für die Bienen.", "de"),
        ("La ruche est lourde.", "fr"),
        ("Never open a hive.", "xx"),
    ],
)
def test_another_sentence_does_not_warn(text: str, code: str) -> None:
    assert not warns(text, code)
