"""A draft on the site about bees, an editor's answers to it, and what became of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from typing import Any

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.plan import PlannedClosing, PlannedQuestion, PlannedSection, PostPlan
from app.content.writing.article.changes import Edited
from app.content.writing.article.checking import Checker
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.editing import Editor
from app.content.writing.article.unused import unused_evidence
from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.llm.questions import NO_CACHE
from app.content.writing.providers.base import Providers
from app.pages.extraction.blocks import CELL_SEPARATOR
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
    """One change of an editing answer."""
    return {"id": name, "text": text, "evidence": list(evidence), "blocks": list(blocks)}


def answering(*changes: dict[str, Any]) -> ScriptedModel:
    """A model that edits so."""
    return ScriptedModel({"edit the article": lambda _: {"changes": list(changes)}})


def calls_of(
    model: ScriptedModel,
    should_stop: Callable[[], bool] = lambda: False,
    remaining: Callable[[], float] = lambda: math.inf,
) -> Calls:
    """The calls of a job that may end."""
    return Calls(Providers(model, model), Attempt(lambda _: None, should_stop, remaining, NO_CACHE))


class Editing:
    """The editing of one draft on the site about bees."""

    def __init__(self, bees: SourceSnapshot) -> None:
        self._bees = bees

    def edit(
        self,
        model: ScriptedModel,
        calls: Calls | None = None,
        planned: PostPlan = PLAN,
        draft: Draft = DRAFT,
        made_titles: Collection[str] = (),
        **wanted: Any,
    ) -> Edited:
        material = material_of(self._bees, **{"topic": "beehive", **wanted})
        units = material.pack()
        asked = calls or calls_of(model)
        unused = unused_evidence(material, planned, draft)
        editor = Editor(material, units, unused, Checker(material, (*units, *unused), asked))
        return editor.edit(planned, draft, asked, made_titles)

    def changed(self, *changes: dict[str, Any], **wanted: Any) -> Edited:
        return self.edit(answering(*changes), **wanted)


def texts(edited: Edited) -> list[str]:
    return [each.sentence.text for each in edited.draft.statements]


def assert_refused(edited: Edited, changes: int = 1) -> None:
    assert (edited.draft, edited.plan) == (DRAFT, PLAN)
    assert (edited.made, edited.refused) == (0, changes)
