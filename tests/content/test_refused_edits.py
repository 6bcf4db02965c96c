"""Changes of an editing answer that are refused, and answers that are of no use."""

from __future__ import annotations

import math
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph
from app.content.plan import PostPlan
from app.content.writing.article.checking import Checker
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.editing import Editor
from app.failures import ServiceFailure
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, material_of, model_says
from tests.support.edits import PLAN, SUN, Editing, answering, assert_refused, calls_of, change, texts


@pytest.fixture
def editing(bees: SourceSnapshot) -> Editing:
    return Editing(bees)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("s2", "A beehive stands best 73 metres from NASA, says Wolfgang Petersen."),
        ("s2", f"A beehive stands best in the morning sun, {'and in the sun ' * 30}too."),
        ("s99", "A beehive stands in the sun."),
        ("b2", "A beehive stands best in the morning sun."),
        ("h1", "Where 73 beehives stand"),
        ("h1", "frames in a box"),
        ("h1", ""),
        ("title", "The best place in the garden"),
        ("title", f"A beehive {'and its place ' * 5}for beginners"),
        ("meta_title", "A beehive"),
        ("description", "Where a beehive stands."),
    ],
)
def test_a_change_that_is_worse_than_the_draft_is_refused(editing: Editing, name: str, text: str) -> None:
    assert_refused(editing.changed(change(name, text)))


def test_a_block_that_is_worse_than_the_draft_is_refused(editing: Editing) -> None:
    false = model_answers.block([{"text": "It holds 12 frames in each box.", "evidence": ["1:b4"]}])
    assert_refused(editing.changed(change("b2", blocks=[false])))
    headless = {"kind": "table", "sentences": [], "header": [], "rows": []}
    assert_refused(editing.changed(change("b4", blocks=[headless])))


def test_a_change_that_leans_on_a_refused_one_is_taken_back(editing: Editing) -> None:
    tool = change("s2", "A beehive stands best 73 metres from NASA, says Wolfgang Petersen.")
    edited = editing.changed(tool, change("s3", "This distance keeps it dry.", "1:b7"))
    assert_refused(edited, changes=2)
    taken = editing.changed(tool, change("s3", "Water is at most 200 metres away.", "1:b7"))
    assert (taken.made, taken.refused) == (1, 1)


def test_a_sentence_that_is_as_faulty_as_before_is_taken_and_revised_later(
    bees: SourceSnapshot,
) -> None:
    material = material_of(bees, topic="beehive")
    units = material.pack()
    calls = calls_of(answering(change("s1", "It holds 14 frames.", "1:b4")))
    false = model_says("It holds 12 frames.", "1:b4")
    draft = Draft((Part("section", "Frames", (Paragraph("p", (false, *[SUN] * 3)),)),))
    edited = Editor(material, units, (), Checker(material, units, calls)).edit(PLAN, draft, calls)
    assert texts(edited)[0] == "It holds 14 frames."


def test_each_number_is_changed_once(editing: Editing) -> None:
    edited = editing.changed(change("s3", "Water is near it."), change("s3", "Water is not near it."))
    assert texts(edited)[2] == "Water is near it."
    assert (edited.made, edited.refused) == (1, 1)


def test_a_question_may_go_and_a_section_keeps_its_text(editing: Editing) -> None:
    edited = editing.changed(change("s6"))
    assert [part.role for part in edited.draft.parts] == ["introduction", "section", "section", "closing"]
    assert [part.heading for part in editing.changed(change("b4")).draft.parts][2] == "Frames in a box"


def test_what_the_caller_wrote_has_no_number_and_stays(bees: SourceSnapshot) -> None:
    model = answering(change("title", "A beehive: the best place for beginners"))
    own = PostPlan(sections=PLAN.sections[:1])
    edited = Editing(bees).edit(model, title=PLAN.title, plan=own)
    assert "\ntitle (fixed): A beehive for beginners\n" in model.prompts[0]
    assert "\n# (fixed) Where it stands (section)\n" in model.prompts[0]
    assert "\n# h1 Frames in a box (section)\n" in model.prompts[0]
    assert_refused(edited)


def test_an_answer_in_another_language_changes_nothing(editing: Editing) -> None:
    german = "Ein Bienenstock steht am besten in der Morgensonne, und nicht im Schatten."
    assert_refused(editing.changed(change("s2", german), change("s3")), 2)


@pytest.mark.parametrize(
    "changes",
    [
        [change(f"s{n}") for n in (2, 4, 6)],
        [change("s3", f"Water is within 200 metres of it{', or nearer than that' * 6}.")],
    ],
    ids=["removed", "added"],
)
def test_an_answer_that_removes_or_adds_too_much_changes_nothing(
    editing: Editing, changes: list[dict[str, Any]]
) -> None:
    assert_refused(editing.changed(*changes), len(changes))


@pytest.mark.parametrize(
    "answer",
    [
        {"changes": [{"id": "s2", "text": "Sun."}]},
        {"changes": [change("s2", "x" * 4_001)]},
        {"changes": [change("b2", blocks=[model_answers.block([SUN.to_dict()])])]},
        {"changes": [change("b2", blocks=[model_answers.block([])] * 5)]},
        {"changes": [change("s2", "Sun.")] * 121},
        {"sentences": []},
    ],
    ids=["member missing", "long text", "wrong block", "many blocks", "many changes", "no changes"],
)
def test_an_answer_of_another_shape_is_asked_for_again_and_then_done_without(
    editing: Editing, answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.content.writing.llm.calls.PAUSES", (0.0, 0.0))
    model = ScriptedModel({"edit the article": lambda _: answer})
    assert_refused(editing.edit(model), 0)
    assert model.asked == ["edit the article"] * 3


@pytest.mark.parametrize(
    ("stops", "left", "code"), [(True, math.inf, "CANCELED"), (False, 0.0, "JOB_TIMEOUT")]
)
def test_a_job_that_is_over_during_the_editing_ends(
    editing: Editing, stops: bool, left: float, code: str
) -> None:
    over: list[bool] = []

    def answer(_prompt: str) -> dict[str, Any]:
        over.append(True)
        return {"changes": []}

    model = ScriptedModel({"edit the article": answer})
    calls = calls_of(model, lambda: stops and bool(over), lambda: left if over else math.inf)
    with pytest.raises(ServiceFailure) as caught:
        editing.edit(model, calls)
    assert caught.value.failure.code == code


def test_a_long_block_is_not_lost_for_one_faulty_sentence(editing: Editing) -> None:
    good = [
        {"text": text, "evidence": ["1:b7"]} for text in ("Give it sun.", "Give it light.", "Turn its back.")
    ]
    one = {"text": "It holds 12 frames in each box.", "evidence": ["1:b4"]}
    two = {"text": "It weighs 77 kilograms in each box.", "evidence": ["1:b4"]}
    edited = editing.changed(change("b2", blocks=[model_answers.block([*good, one])]))
    assert (edited.made, edited.refused) == (1, 0)
    assert one["text"] in texts(edited)
    assert_refused(editing.changed(change("b2", blocks=[model_answers.block([*good, one, two])])))
