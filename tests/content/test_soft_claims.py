"""Claims of research, experts, rank, proof and fame: a warning where no source makes one of the kind."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.content.drafts import QualityCheck
from app.content.quality.gate import PostText, QualityContext, SourceText, check_post

POST = PostText(
    title="Painting a hive",
    meta_title="Painting a hive",
    slug="painting-a-hive",
    description="How a hive is painted.",
    markdown="",
    keywords=(),
    primary_keyword="hive",
    language="en",
    draft_kind="full",
)


def judged(
    text: str, source: str = "A hive has 1 box and 12 frames.", given: str = "", **changed: str
) -> QualityCheck:
    post = replace(POST, markdown=f"A hive is a box.\n\n{text}", **changed)
    context = QualityContext(
        project_host="bees.example", sources=lambda: [SourceText(1, source)], given_text=given
    )
    report = check_post(post, context)
    return next(check for check in report.checks if check.code == "UNSUPPORTED_CLAIM")


CLAIMS = {
    "en": ["Studies show that bees like oil.", "Experts agree on oil.", "It is the best paint.",
           "It is the #1 paint.", "This is a proven paint.", "It is an award-winning paint.",
           "According to recent studies, oil lasts.", "Research has shown that oil lasts.",
           "## The Best Paint"],
    "de": ["Studien zeigen, dass Bienen Öl mögen.", "Experten empfehlen Öl.", "Das ist die beste Farbe.",
           "Die Farbe hält nachweislich lange.", "Die preisgekrönte Farbe hält.",
           "Die Nummer 1 unter den Farben."],
    "fr": ["Des études montrent que l’huile dure.", "Les experts recommandent l’huile.",
           "C’est la meilleure peinture.", "Une peinture éprouvée.", "La peinture la plus populaire."],
    "es": ["Los estudios demuestran que el aceite dura.", "Los expertos recomiendan aceite.",
           "Es la mejor pintura.", "Una calidad garantizada.", "La pintura más popular."],
}  # fmt: skip


@pytest.mark.parametrize(("language", "text"), [(each, text) for each in CLAIMS for text in CLAIMS[each]])
def test_a_soft_claim_that_no_source_makes_warns_with_its_place(language: str, text: str) -> None:
    found = judged(text, language=language)
    assert (found.passed, found.severity) == (False, "warn")
    assert found.where == (text.removeprefix("## "),)
    assert "source" in found.message
    assert found.hint


@pytest.mark.parametrize(
    "text",
    ["Oil protects wood.", "A best practice is to use oil.", "Paint it as best you can.",
     "Which is the best paint?",
     "Read the studies of bees.", "Issue #12 is about paint.",
     "This is one of the best practices."],
)  # fmt: skip
def test_ordinary_words_are_no_claim(text: str) -> None:
    assert judged(text).passed


def test_a_claim_of_the_kind_that_a_source_makes_passes() -> None:
    said = "Three studies have shown that oil lasts longest."
    assert judged("Studies show that oil lasts.", source=said).passed
    assert judged("Studies show that oil lasts.", given=said).passed
    assert not judged("Experts agree that oil lasts.", source=said).passed


def test_title_and_description_are_looked_at_too() -> None:
    assert judged("", title="The best paint for a hive").where == ("The best paint for a hive",)
    assert judged("", description="Experts agree on paint.").where == ("Experts agree on paint.",)


def test_a_language_without_a_table_is_not_judged() -> None:
    assert judged("Studies show that bees like oil.", language="ru").passed


def test_a_figure_without_a_source_still_blocks_and_both_are_reported() -> None:
    found = judged("Studies show that oil lasts 13 years.")
    assert (found.passed, found.severity) == (False, "block")
    assert found.where == ("13", "Studies show that oil lasts 13 years.")
    assert found.message == (
        "1 number, quote or name is in no source. "
        "1 sentence claims proof, rank or approval that no source speaks of."
    )


def test_a_guarantee_for_some_time_is_no_claim_of_proof() -> None:
    assert judged("The body of the hive is guaranteed for ten years.", "Guarantee: ten years.").passed
    assert not judged("The hive is guaranteed to last.", "Guarantee: ten years.").passed


@pytest.mark.parametrize(("amount", "is_said"), [("3,740", True), ("740", False), ("3,741", False)])
def test_an_amount_right_behind_a_japanese_word_is_read_whole(amount: str, is_said: bool) -> None:
    found = judged(f"料金の差は{amount}円です。", source="差は3,740円。", language="ja")
    assert found.passed is is_said, found.where


@pytest.mark.parametrize(("figure", "is_said"), [("42", True), ("٤٢", True), ("2.5", True), ("43", False)])
def test_arabic_digits_say_the_same_as_others(figure: str, is_said: bool) -> None:
    source = "وزن الخزان ٤٢ كغم وسماكته ٢٫٥ سم"
    assert judged(f"الرقم {figure} من الصفحة.", source=source, language="ar").passed is is_said
