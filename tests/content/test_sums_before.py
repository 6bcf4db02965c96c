"""A sum may go on from one before it, or be answered in the introduction; both leave together with it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph
from app.content.writing.article.checking import Checker, Fault
from app.content.writing.article.draft import Draft, Part, Place
from app.content.writing.article.surroundings import Surroundings
from app.content.writing.veto.rules import Veto
from tests.support import model_answers
from tests.support.article_material import (
    ScriptedModel,
    calls_to,
    evidence,
    material_of,
    model_says,
    unit,
)

TOPIC = "Beehive frames for 25 boxes, 3 sites and 40 spare frames"
BOX = "The Langstroth beehive holds 10 frames in each box"


def published(
    bees: SourceSnapshot,
    *paragraphs: tuple[str, ...],
    introduction: tuple[str, ...] = (),
    refused: str = "",
    instead: str = "",
    words: Mapping[str, str] | None = None,
) -> tuple[list[str], str]:
    """Check a draft on the frames of 25 boxes, behind an introduction if one is given.

    The verifier refuses one sentence, if any, and quotes for the others the box, or ``words`` for each; the
    reviser writes ``instead`` of what is refused.
    """
    quotes = words or {}

    def verdicts(prompt: str) -> dict[str, Any]:
        said = {True: "unsupported", False: "supported"}
        found = model_answers.NUMBERED.findall(prompt)
        return {
            "verdicts": [
                {"n": int(n), "blanks": [], "verdict": said[t == refused], "words": quotes.get(t, BOX)}
                for n, _, t in found
            ]
        }

    def revised(prompt: str) -> dict[str, Any]:
        numbers = range(1, 1 + prompt.count("fault:"))
        return {"sentences": [{"n": n, "text": instead, "evidence": ["1:b4"]} for n in numbers]}

    material = material_of(bees, topic=TOPIC)
    model = ScriptedModel({"check sentences": verdicts, "revise sentences": revised})
    opening, *written = (
        Paragraph("p", tuple(model_says(text, "1:b4") for text in texts))
        for texts in (introduction, *paragraphs)
    )
    parts = (Part("introduction", "", (opening,)), Part("section", "How many frames", tuple(written)))
    checker = Checker(material, material.pack(), calls_to(model))
    checked = checker.check(Draft(parts if introduction else parts[1:]))
    reasons = "; ".join(reason for fault in checked.removed for reason in fault.reasons)
    return [each.sentence.text for each in checked.draft.statements], reasons


FRAMES = "With 10 frames in each box, 25 boxes hold 250 frames."
SPARE = "The 250 frames and 40 spare frames are 290 frames."


def test_a_sum_may_go_on_from_one_that_stands_before_it(bees: SourceSnapshot) -> None:
    assert published(bees, (FRAMES,), (SPARE,)) == ([FRAMES, SPARE], "")
    wrong = SPARE.replace("290", "280")
    for drafted, left in (((SPARE,), []), ((SPARE, FRAMES), [FRAMES]), ((FRAMES, wrong), [FRAMES])):
        found, why = published(bees, drafted)
        assert found == left
        assert "is not in the evidence it names" in why


def test_a_sum_before_may_lead_to_a_figure_of_the_evidence(bees: SourceSnapshot) -> None:
    again = "The 250 frames are 25 boxes of 10 frames."
    assert published(bees, (FRAMES,), (again,)) == ([FRAMES, again], "")


def test_a_result_is_said_again_behind_its_sum_and_goes_with_it(bees: SourceSnapshot) -> None:
    again = "So you need 250 frames in 25 boxes."
    assert published(bees, (FRAMES,), (again,)) == ([FRAMES, again], "")
    found, why = published(bees, (FRAMES,), (again,), ("A box holds 10 frames.",), refused=FRAMES)
    assert found == ["A box holds 10 frames."]
    assert "the sum that it goes on from was removed" in why
    found, why = published(bees, (FRAMES,), ("So you need 260 frames in 25 boxes.",))
    assert found == [FRAMES]
    assert "260" in why


def test_a_sum_goes_with_the_one_that_it_goes_on_from(bees: SourceSnapshot) -> None:
    found, why = published(bees, (FRAMES,), (SPARE,), ("A box holds 10 frames.",), refused=FRAMES)
    assert found == ["A box holds 10 frames."]
    assert "the sum that it goes on from was removed" in why


def test_a_sum_goes_with_one_that_is_rewritten_without_its_result(bees: SourceSnapshot) -> None:
    bare = "The beehive holds 10 frames in each box."
    found, why = published(bees, (FRAMES,), (SPARE,), refused=FRAMES, instead=bare)
    assert found == [bare]
    assert why == "the sum that it goes on from was removed"


def test_what_depends_on_a_removed_sum_goes_too(bees: SourceSnapshot) -> None:
    shelf, more = "These do not fit on one shelf.", "With 40 frames more, 290 frames are 330 frames."
    assert published(bees, (FRAMES, SPARE, shelf), (more,)) == ([FRAMES, SPARE, shelf, more], "")
    assert published(bees, (FRAMES, SPARE, shelf), (more,), refused=FRAMES)[0] == []
    assert published(bees, (FRAMES, SPARE, shelf), (more,), refused=SPARE)[0] == [FRAMES]


def test_a_sum_goes_with_one_that_itself_depends_on_a_removed_sentence(bees: SourceSnapshot) -> None:
    boxes = "Langstroth boxes are wide."
    these = "These hold 10 frames in each box, so 25 boxes hold 250 frames."
    assert published(bees, (boxes, these), (SPARE,)) == ([boxes, these, SPARE], "")
    assert published(bees, (boxes, these), (SPARE,), refused=boxes)[0] == []


def test_the_words_for_a_sum_may_be_those_of_the_topic(bees: SourceSnapshot) -> None:
    box, topic = "A box holds 10 frames.", "Beehive frames for 25 boxes"
    found, why = published(bees, (FRAMES,), (SPARE,), (box,), words={FRAMES: topic, SPARE: topic, box: topic})
    assert found == [FRAMES, SPARE]
    assert why == "no words of the evidence that it names say this"


def test_the_words_for_a_sum_may_be_those_of_one_that_it_goes_on_from(bees: SourceSnapshot) -> None:
    words = {SPARE: "25 boxes hold 250 frames"}
    assert published(bees, (FRAMES,), (SPARE,), words=words) == ([FRAMES, SPARE], "")
    other = "With 10 frames in each box and 40 spare frames, 3 sites have 30 frames."
    assert published(bees, (FRAMES,), (other,), words={other: words[SPARE]})[0] == [FRAMES]


def test_revising_one_sentence_removes_no_other_that_failed_the_veto_before(bees: SourceSnapshot) -> None:
    material = material_of(bees, topic=TOPIC)
    model = ScriptedModel(
        {"revise sentences": lambda _: {"sentences": [{"n": 1, "text": "", "evidence": []}]}}
    )
    edited = "An editor counts 777 frames."
    written = tuple(Paragraph("p", (model_says(text, "1:b4"),)) for text in (FRAMES, SPARE, edited))
    draft = Draft((Part("section", "", written),))
    checker = Checker(material, material.pack(), calls_to(model))
    checked = checker.revise(draft, {Place(0, 0, 0): Fault(draft.statements[0].sentence, ("old",))})
    assert [each.sentence.text for each in checked.draft.statements] == [edited]


def test_a_sentence_knows_the_figures_that_it_works_out(bees: SourceSnapshot) -> None:
    written = Part(
        "section", "Frames", (Paragraph("p", (model_says(FRAMES, "1:b4"), model_says(BOX, "1:b4"))),)
    )
    material = material_of(bees, topic=TOPIC)
    checker = Checker(material, material.pack(), calls_to(ScriptedModel()))
    checked = checker.revise(Draft((written,)), {})
    assert [each.sentence.worked_out for each in checked.draft.statements] == [("250",), ()]


def test_a_sentence_knows_the_factor_of_its_sum_too(bees: SourceSnapshot) -> None:
    material = material_of(bees, topic="Frames at €45")
    said = model_says("It is 7 × €45 = €315.", "1:b4")
    checker = Checker(material, material.pack(), calls_to(ScriptedModel()))
    checked = checker.revise(Draft((Part("section", "Frames", (Paragraph("p", (said,)),)),)), {})
    assert checked.draft.statements[0].sentence.worked_out == ("315", "7")


def test_a_rewritten_sentence_knows_them_too(bees: SourceSnapshot) -> None:
    wrong = model_says("25 boxes hold 240 frames.", "1:b4")
    place = Place(0, 0, 0)

    def revised(_prompt: str) -> dict[str, Any]:
        return {"sentences": [{"n": 1, "text": FRAMES, "evidence": ["1:b4"]}]}

    def verdicts(_prompt: str) -> dict[str, Any]:
        return {"verdicts": [{"n": 1, "blanks": [], "verdict": "supported", "words": BOX}]}

    model = ScriptedModel({"revise sentences": revised, "check sentences": verdicts})
    material = material_of(bees, topic=TOPIC)
    checker = Checker(material, material.pack(), calls_to(model))
    draft = Draft((Part("section", "Frames", (Paragraph("p", (wrong,)),)),))
    checked = checker.revise(draft, {place: Fault(wrong, ("240 is wrong",), "veto")})
    assert checked.replaced[place].worked_out == ("250",)


ANSWER = "A beekeeper with 25 boxes needs 250 frames."


def test_the_introduction_gives_the_result_of_a_sum_after_it(bees: SourceSnapshot) -> None:
    assert published(bees, (FRAMES,), introduction=(ANSWER,)) == ([ANSWER, FRAMES], "")
    for wrong in (ANSWER.replace("250", "260"), ANSWER.replace("frames", "shelves"), "It costs 250 euros."):
        found, why = published(bees, (FRAMES,), introduction=(wrong,))
        assert found == [FRAMES]
        assert "is not in the evidence it names" in why


def test_the_introduction_gives_no_result_to_something_else() -> None:
    veto = Veto(evidence(unit("1:b1", "A box costs €5. The apiary has 25 boxes.")), "en")
    total = Part("section", "Sum", (Paragraph("p", (model_says("25 boxes at €5 come to €125.", "1:b1"),)),))

    def violations(text: str) -> tuple[str, ...]:
        opening = Part("introduction", "", (Paragraph("p", (model_says(text, "1:b1"),)),))
        draft = Draft((opening, total))
        return Surroundings(draft, veto).violations(draft.statements[0])

    assert violations("The boxes come to €125.") == ()
    assert violations("A queen is to be had for €125.") != ()


def test_the_sentence_before_a_sum_may_say_what_it_is_of() -> None:
    veto = Veto(evidence(unit("1:b1", "The course costs €80. The suit costs €45.")), "en")
    said = ("Now add up the beginner's first year.", "That is €80 + €45 = €125.")
    opening = Part("introduction", "", (Paragraph("p", (model_says("A beginner pays €125.", "1:b1"),)),))
    total = Part("section", "Sum", (Paragraph("p", tuple(model_says(each, "1:b1") for each in said)),))
    draft = Draft((opening, total))
    assert Surroundings(draft, veto).violations(draft.statements[0]) == ()
    alone = Draft((opening, Part("section", "Sum", (Paragraph("p", (model_says(said[1], "1:b1"),)),))))
    assert Surroundings(alone, veto).violations(alone.statements[0]) != ()


def test_only_a_sum_after_the_introduction_that_is_right_is_answered(bees: SourceSnapshot) -> None:
    wrong = FRAMES.replace("10 frames in each box, ", "10 frames in each box of the 12 at Lea, ")
    assert published(bees, (wrong,), introduction=(ANSWER,))[0] == []
    assert published(bees, (SPARE, FRAMES), introduction=("It takes 290 frames.",))[0] == [FRAMES]
    assert published(bees, ("A box holds 10 frames.",), introduction=(ANSWER, "You see 250 frames."))[0] == [
        "A box holds 10 frames."
    ]


def test_the_introduction_loses_an_answer_together_with_its_sum(bees: SourceSnapshot) -> None:
    box, total = "A box holds 10 frames.", "With spare ones, it takes 290 frames."
    found, why = published(bees, (FRAMES,), (box,), introduction=(ANSWER, box), refused=FRAMES)
    assert found == [box, box]
    assert "the sum that it goes on from was removed" in why
    given = (ANSWER, total)
    assert published(bees, (FRAMES,), (SPARE,), introduction=given) == ([*given, FRAMES, SPARE], "")
    assert published(bees, (FRAMES,), (SPARE,), introduction=given, refused=FRAMES)[0] == []
    assert published(bees, (FRAMES,), (SPARE,), introduction=given, refused=SPARE)[0] == [ANSWER, FRAMES]


def test_the_words_for_an_answer_may_be_those_of_its_sum(bees: SourceSnapshot) -> None:
    words = {ANSWER: "25 boxes hold 250 frames"}
    assert published(bees, (FRAMES,), introduction=(ANSWER,), words=words) == ([ANSWER, FRAMES], "")
    box = "A box holds 10 frames."
    assert published(bees, (FRAMES,), introduction=(box,), words={box: words[ANSWER]})[0] == [FRAMES]


def test_an_introduction_knows_the_figures_that_it_answers_with(bees: SourceSnapshot) -> None:
    written = [Paragraph("p", (model_says(text, "1:b4"),)) for text in (ANSWER, FRAMES)]
    material = material_of(bees, topic=TOPIC)
    checker = Checker(material, material.pack(), calls_to(ScriptedModel()))
    parts = (Part("introduction", "", (written[0],)), Part("section", "Frames", (written[1],)))
    checked = checker.revise(Draft(parts), {})
    assert [each.sentence.worked_out for each in checked.draft.statements] == [("250",), ("250",)]
