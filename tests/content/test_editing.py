"""The editing of a draft: what the model sees, and which of its changes are taken."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.plan import PlannedClosing, PlannedQuestion, PlannedSection, PostPlan
from app.content.writing.article.changes import Edited
from app.content.writing.article.checking import Checker
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.editing import Editor
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Providers
from app.failures import ServiceFailure
from app.language.words import tokens_in
from app.pages.extraction.blocks import CELL_SEPARATOR
from tests.content.conftest import PageMaker, SiteMaker
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, material_of, model_says

OPENING = model_says("A beehive is the box that a colony of honey bees lives in.", "1:b1")
SUN = model_says("A beehive stands best in the morning sun, with its back to the wind.", "1:b7")
WATER = model_says("Water is within 200 metres of it.", "1:b7")
HEAVY = model_says("You can drive there with a car, because full boxes are heavy.", "1:b8")
ROW = Sentence(CELL_SEPARATOR.join(("Langstroth", "10")), ("1:b4",), "model", cells=("Langstroth", "10"))
TOWN = model_says("Yes, a beehive does well in a town, because gardens flower.", "3:b5")
LAST = model_says("So where do you begin with your first beehive and its frames?")
DRAFT = Draft(
    (
        Part("introduction", "", (Paragraph("p", (OPENING,)),)),
        Part("section", "Where it stands", (Paragraph("p", (SUN, WATER)), Paragraph("ul", (HEAVY,)))),
        Part("section", "Frames in a box", (Paragraph("table", (ROW,), header=("Hive", "Frames")),)),
        Part("question", "Does a town suit it?", (Paragraph("p", (TOWN,)),)),
        Part("closing", "Next", (Paragraph("p", (LAST,)),)),
    )
)
PLAN = PostPlan(
    title="A beehive for beginners",
    meta_title="A beehive for beginners: where to put it",
    description="Where a beehive stands best, how many frames are in a box and what a beginner should take.",
    keyphrase="beehive",
    reader_question="Where do I put a beehive?",
    sections=(
        PlannedSection("Where it stands", evidence_ids=("1:b7",)),
        PlannedSection("Frames in a box", evidence_ids=("1:b4",)),
    ),
    questions=(PlannedQuestion("Does a town suit it?", ("3:b5",)),),
    closing=PlannedClosing("Next", "how to begin"),
)


def change(name: str, text: str = "", *evidence: str, blocks: Any = ()) -> dict[str, Any]:
    return {"id": name, "text": text, "evidence": list(evidence), "blocks": list(blocks)}


def answering(*changes: dict[str, Any]) -> ScriptedModel:
    return ScriptedModel({"edit the article": lambda _: {"changes": list(changes)}})


def calls_of(
    model: ScriptedModel,
    should_stop: Callable[[], bool] = lambda: False,
    remaining: Callable[[], float] = lambda: math.inf,
) -> Calls:
    return Calls(Providers(model, model), Attempt(lambda _: None, should_stop, remaining, NO_CACHE))


class Editing:
    """The editing of one draft on the site about bees."""

    def __init__(self, bees: SourceSnapshot) -> None:
        self._bees = bees

    def edit(
        self, model: ScriptedModel, calls: Calls | None = None, planned: PostPlan = PLAN, **wanted: Any
    ) -> Edited:
        material = material_of(self._bees, **{"topic": "beehive", **wanted})
        units = material.pack()
        asked = calls or calls_of(model)
        return Editor(material, units, Checker(material, units, asked)).edit(planned, DRAFT, asked)

    def changed(self, *changes: dict[str, Any], **wanted: Any) -> Edited:
        return self.edit(answering(*changes), **wanted)


@pytest.fixture
def editing(bees: SourceSnapshot) -> Editing:
    return Editing(bees)


def texts(edited: Edited) -> list[str]:
    return [each.sentence.text for each in edited.draft.statements]


def assert_refused(edited: Edited, changes: int = 1) -> None:
    assert (edited.draft, edited.plan) == (DRAFT, PLAN)
    assert (edited.made, edited.refused) == (0, changes)


def test_the_editor_sees_the_numbered_draft_the_findings_and_the_evidence_it_names(editing: Editing) -> None:
    model = answering()
    edited = editing.edit(model)
    assert (edited.draft, edited.plan, edited.made, edited.refused) == (DRAFT, PLAN, 0, 0)
    [prompt] = model.prompts
    for line in (
        "title: A beehive for beginners",
        "# h1 Where it stands (section)",
        f"s2 [1:b7] {SUN.text}",
        "b4 table: Hive | Frames",
        "s5 [1:b4] Langstroth | 10",
        "# h3 Does a town suit it? (question)",
        "- h3 has an answer of one short sentence",
        "- h4 is a closing without e-mail address, telephone number or link to take the next step",
    ):
        assert f"\n{line}\n" in prompt
    assert {"1:b1", "1:b4", "1:b7", "3:b5"} <= {unit.id for unit in model_answers.evidence_in(prompt)}


def test_the_evidence_of_the_editor_fits_into_2500_tokens(make_page: PageMaker, make_site: SiteMaker) -> None:
    long = "A beehive wants a dry floor and a quiet neighbour, said the keeper of the village. " * 9
    parts = [("p", f"Beehive {n}. {long}") for n in range(20)]
    model = answering()
    plan = replace(PLAN, highlights=tuple(f"1:b{n}" for n in range(20)))
    Editing(make_site(make_page(1, "hives", parts))).edit(model, planned=plan)
    shown = model.prompts[0].split("<evidence> (untrusted data)")[1]
    assert 2_000 < tokens_in(shown) < 2_900


def test_a_changed_sentence_takes_its_place_and_keeps_its_evidence(editing: Editing) -> None:
    edited = editing.changed(change("s2", "Give a beehive the morning sun, its back to the wind."))
    new = edited.draft.statements[1].sentence
    assert (new.text, new.source_ids) == ("Give a beehive the morning sun, its back to the wind.", ("1:b7",))
    assert (edited.made, edited.refused) == (1, 0)


def test_a_changed_sentence_may_name_other_evidence(editing: Editing) -> None:
    text = "The Langstroth beehive, the commonest in the world, holds 10 frames in each box."
    edited = editing.changed(change("s3", text, "1:b4"))
    assert edited.draft.statements[2].sentence.source_ids == ("1:b4",)


def test_a_dropped_sentence_goes(editing: Editing) -> None:
    assert WATER.text not in texts(editing.changed(change("s3")))


def test_a_row_keeps_its_cells(editing: Editing) -> None:
    edited = editing.changed(change("s5", "Langstroth beehive | 10"))
    assert edited.draft.statements[4].sentence.cells == ("Langstroth beehive", "10")
    assert_refused(editing.changed(change("s5", "Langstroth | 10 | frames")))


def test_a_block_is_replaced_by_several(editing: Editing) -> None:
    items = model_answers.block([{"text": "Morning sun.", "evidence": ["1:b7"]}], "ul")
    lead = model_answers.block([{"text": "Look for a place with these:", "evidence": []}])
    edited = editing.changed(change("b2", blocks=[lead, items]), change("s2", "Not used."))
    paragraphs = edited.draft.parts[1].paragraphs
    assert [each.kind for each in paragraphs] == ["p", "ul", "ul"]
    assert texts(edited)[1:4] == ["Look for a place with these:", "Morning sun.", HEAVY.text]
    assert (edited.made, edited.refused) == (1, 1)


def test_headings_and_titles_change_in_the_plan_too(editing: Editing) -> None:
    edited = editing.changed(
        change("h1", "Where a beehive stands"),
        change("h3", "Does a town suit a beehive?"),
        change("h4", "How to begin"),
        change("title", "A beehive: the best place for beginners"),
    )
    assert [part.heading for part in edited.draft.parts][1:] == [
        "Where a beehive stands", "Frames in a box", "Does a town suit a beehive?", "How to begin",
    ]  # fmt: skip
    assert [each.heading for each in edited.plan.sections] == ["Where a beehive stands", "Frames in a box"]
    assert edited.plan.questions[0].question == "Does a town suit a beehive?"
    assert edited.plan.closing.heading == "How to begin"
    assert edited.plan.title == "A beehive: the best place for beginners"


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


def test_a_sentence_that_is_as_faulty_as_before_is_taken_and_revised_later(
    bees: SourceSnapshot,
) -> None:
    material = material_of(bees, topic="beehive")
    units = material.pack()
    calls = calls_of(answering(change("s1", "It holds 14 frames.", "1:b4")))
    false = model_says("It holds 12 frames.", "1:b4")
    draft = Draft((Part("section", "Frames", (Paragraph("p", (false, *[SUN] * 3)),)),))
    edited = Editor(material, units, Checker(material, units, calls)).edit(PLAN, draft, calls)
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
