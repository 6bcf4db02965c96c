"""What a model sees of the sentences that it checks again and revises."""

from __future__ import annotations

from typing import Any

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.rendering.markdown import with_backticks
from app.content.writing.article.checking import Checked, Checker
from app.content.writing.article.draft import Draft, Part
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of, model_says

SUN = model_says("A beehive stands best in the morning sun.", "1:b7")
UNSAID = model_says("Beehives sing about the frames in each box.", "1:b7")
READ = Sentence(
    "Type scale read --unit kg to weigh it.", ("2:b6",), "model", code=(("scale read --unit kg", 0),)
)
SUPPORTED = {
    SUN.text: "morning sun",
    "Beehives sing.": "beehive",
    "Type `scale read --unit kg` to weigh it.": "kg",
}


def verdicts(prompt: str) -> dict[str, Any]:
    found = [
        {
            "n": int(n),
            "blanks": [],
            "verdict": "supported" if text in SUPPORTED else "unsupported",
            "words": SUPPORTED.get(text, ""),
        }
        for n, _ids, text in model_answers.NUMBERED.findall(prompt)
    ]
    return {"verdicts": found}


def revising(*answers: tuple[str, ...]) -> ScriptedModel:
    """A model whose revisions have these texts, round by round."""
    rounds = list(answers)

    def revised(_prompt: str) -> dict[str, Any]:
        texts = enumerate(rounds.pop(0), 1)
        return {
            "sentences": [{"n": n, "text": text, "evidence": ["1:b7"] if text else []} for n, text in texts]
        }

    return ScriptedModel({"check sentences": verdicts, "revise sentences": revised})


def check(
    bees: SourceSnapshot, model: ScriptedModel, *sentences: Sentence, planned: tuple[str, ...]
) -> Checked:
    material = material_of(bees, topic="beehive")
    part = Part("section", "Where it stands", (Paragraph("p", sentences),), planned)
    return Checker(material, material.pack(), calls_to(model)).check(Draft((part,)))


def evidence_shown(prompt: str) -> set[str]:
    return {each.id for each in model_answers.evidence_in(prompt)}


def test_a_revision_sees_the_evidence_of_the_sentence_its_neighbours_and_its_section(
    bees: SourceSnapshot,
) -> None:
    model = revising(("Beehives sing.",))
    check(bees, model, SUN, UNSAID, READ, planned=("1:b7", "1:b8"))
    assert evidence_shown(model.prompts[1]) <= {"1:b7", "1:b8", "2:b6"}
    assert {"1:b7", "2:b6"} <= evidence_shown(model.prompts[1]), (
        "the sentence names one, its neighbour the other"
    )


def test_a_part_to_which_the_plan_gives_nothing_may_rest_on_all_the_evidence(bees: SourceSnapshot) -> None:
    model = revising(("Beehives sing.",))
    check(bees, model, SUN, UNSAID, planned=())
    assert "1:b4" in evidence_shown(model.prompts[1]), "it is on the frames in each box"


def test_code_keeps_its_marks_where_a_sentence_is_checked_and_revised(bees: SourceSnapshot) -> None:
    model = revising(("Beehives sing.", ""))
    lost = Sentence("Type rm to lose it.", ("2:b6",), "model", code=(("rm", 0),))
    check(bees, model, READ, UNSAID, lost, planned=("1:b7",))
    checked, revised = model.prompts[:2]
    assert "] Type `scale read --unit kg` to weigh it." in checked
    assert "before: Type `scale read --unit kg` to weigh it." in revised
    assert "sentence: Type `rm` to lose it." in revised


def test_a_sentence_that_was_emptied_is_not_shown_again(bees: SourceSnapshot) -> None:
    other = model_says("Bees hum in the box.", "1:b7")
    model = revising(("", "Bees hum loudly."), ("Beehives sing.",))
    checked = check(bees, model, UNSAID, other, SUN, planned=("1:b7",))
    assert model.asked == ["check sentences", "revise sentences"] * 2 + ["check sentences"]
    assert not [each for each in model.prompts[2:] if UNSAID.text in each]
    assert [each.sentence.text for each in checked.draft.statements] == ["Beehives sing.", SUN.text]
    assert [each.sentence.text for each in checked.removed] == [UNSAID.text]


def test_the_number_of_a_linked_page_is_no_code() -> None:
    text = "Set [[page:911|VLAN 911]] on page 911."
    assert with_backticks(text, (("911", 1),)) == "Set [[page:911|VLAN 911]] on page `911`."


def test_code_keeps_its_place_behind_a_link() -> None:
    text = "Press e to [[page:9|see it]], . for the next and , to go back."
    assert (
        with_backticks(text, ((",", 0),))
        == "Press e to [[page:9|see it]], . for the next and `,` to go back."
    )
