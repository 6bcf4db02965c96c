"""Steps of a model are numbered on behind their listings; those of pages begin anew."""

from __future__ import annotations

import re
from dataclasses import replace

from app.content.assembly.body import Body
from app.content.drafts import Paragraph, ParagraphKind
from tests.support.article_material import model_says

STEPS = Paragraph("ol", (model_says("Open the hive."), model_says("Weigh it:")))
CODE = Paragraph("code", (model_says("scale read"),))
LAST = Paragraph("ol", (model_says("Close it."),))
COPIED = Paragraph("ol", tuple(replace(each, origin="source") for each in LAST.sentences))


def prose(text: str, kind: ParagraphKind = "p") -> Paragraph:
    return Paragraph(kind, (model_says(text),))


def numbers(*paragraphs: Paragraph) -> list[str]:
    body = Body({}, None)
    body.write(paragraphs)
    return re.findall(r"^(\d+)\. ", body.markdown, re.MULTILINE)


def test_steps_go_on_behind_a_listing() -> None:
    assert numbers(STEPS, CODE, LAST) == ["1", "2", "3"]


def test_steps_go_on_behind_what_explains_a_listing() -> None:
    assert numbers(STEPS, CODE, prose("The figure is the weight of the hive."), LAST) == ["1", "2", "3"]


def test_steps_go_on_behind_an_alternative() -> None:
    assert numbers(STEPS, CODE, prose("By radio, type:"), CODE, LAST) == ["1", "2", "3"]


def test_steps_go_on_behind_a_table_that_explains_a_listing() -> None:
    said = prose("The figure means:")
    assert numbers(STEPS, CODE, said, replace(LAST, kind="table", header=("Figure", "State")), LAST) == [
        "1",
        "2",
        "3",
    ]


def test_steps_begin_anew_behind_other_text() -> None:
    assert numbers(STEPS, CODE, prose("In autumn, do this:"), LAST) == ["1", "2", "1"]
    assert numbers(STEPS, CODE, prose("That is its weight."), prose("Now wait."), LAST) == ["1", "2", "1"]
    assert numbers(STEPS, prose("In autumn, do this:"), LAST) == ["1", "2", "1"]
    assert numbers(STEPS, CODE, prose("In autumn", "heading"), LAST) == ["1", "2", "1"]


def test_steps_of_a_page_may_be_another_procedure() -> None:
    assert numbers(COPIED, CODE, COPIED) == ["1", "1"]
