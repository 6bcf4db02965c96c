"""From draft to what may be published: vetoed, verified, revised, and without what still fails."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.drafts import Paragraph, Sentence
from app.content.writing.article.checking import Checked, Checker
from app.content.writing.article.draft import Draft, Part
from app.content.writing.llm.calls import Calls
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of, model_says, yes_sayer
from tests.support.cloze_tests import filled

PLACE = "A beehive stands best in the morning sun, with its back to the wind and water within 200 metres."
SUN = model_says("A beehive stands best in the morning sun.", "1:b7")
FRAMES = model_says("The Langstroth beehive holds 10 frames in each box.", "1:b4")
FALSE = model_says("The Langstroth beehive holds 12 frames in each box.", "1:b4")
UNSAID = model_says("Beehives sing in the evening.", "1:b7")
SUPPORTED = {
    SUN.text: "A beehive stands best in the morning sun",
    FRAMES.text: "The Langstroth beehive holds 10 frames in each box",
    "Give it the morning sun.": "in the morning sun",
}
"""What the verifier of these tests finds supported, and its words; all else is not, but for questions."""


def verdicts(prompt: str) -> dict[str, Any]:
    found = []
    for n, _ids, shown in model_answers.NUMBERED.findall(prompt):
        text, read = filled(shown, SUPPORTED)
        is_idle = text.endswith(("?", ":")) or text.startswith("Then")
        verdict = "no_claim" if is_idle else "supported" if text in SUPPORTED else "unsupported"
        found.append({"n": int(n), "blanks": read, "verdict": verdict, "words": SUPPORTED.get(text, "")})
    return {"verdicts": found}


def revising(*rounds: Mapping[str, Sentence]) -> Callable[[str], dict[str, Any]]:
    """Write these sentences anew, round by round, and give up the others of the last round."""
    left = list(rounds)

    def answer(prompt: str) -> dict[str, Any]:
        wanted = left.pop(0)
        faulty = prompt.split("<sentences>")[1].split("   sentence: ")[1:]
        texts = [each.split("\n")[0] for each in faulty]
        made = [wanted.get(text, Sentence("", (), "model")) for text in texts]
        return {
            "sentences": [
                {"n": n, "text": each.text, "evidence": list(each.source_ids)}
                for n, each in enumerate(made, 1)
            ]
        }

    return answer


def part(*paragraphs: Paragraph, heading: str = "Where it stands") -> Draft:
    return Draft((Part("section", heading, paragraphs),))


def prose(*sentences: Sentence) -> Paragraph:
    return Paragraph("p", sentences)


class Checks:
    """Checks of drafts on the site about bees by one model."""

    def __init__(self, bees: SourceSnapshot) -> None:
        self._material = material_of(bees, topic="beehive")

    def check(self, draft: Draft, model: ScriptedModel, calls: Calls | None = None) -> Checked:
        units = self._material.pack()
        return Checker(self._material, units, calls or calls_to(model)).check(draft)


@pytest.fixture
def checks(bees: SourceSnapshot) -> Checks:
    return Checks(bees)


def model(*rounds: Mapping[str, Sentence]) -> ScriptedModel:
    return ScriptedModel({"check sentences": verdicts, "revise sentences": revising(*rounds)})


def texts(checked: Checked) -> list[str]:
    return [each.sentence.text for each in checked.draft.statements]


def reasons(checked: Checked) -> str:
    return "\n".join(str(fault) for fault in checked.removed)


def test_a_draft_without_faults_takes_one_call(checks: Checks) -> None:
    asked = model()
    checked = checks.check(part(prose(SUN, FRAMES)), asked)
    assert (texts(checked), checked.removed) == ([SUN.text, FRAMES.text], ())
    assert asked.asked == ["check sentences"]
    assert [each.sentence.quote for each in checked.draft.statements] == [
        SUPPORTED[SUN.text],
        SUPPORTED[FRAMES.text],
    ]


def test_a_repaired_sentence_takes_the_place_of_the_faulty_one(checks: Checks) -> None:
    asked = model({FALSE.text: FRAMES})
    checked = checks.check(part(prose(FALSE, SUN)), asked)
    assert texts(checked) == [FRAMES.text, SUN.text]
    assert checked.draft.statements[0].sentence.quote == SUPPORTED[FRAMES.text]
    assert checked.removed == ()
    assert asked.asked == ["check sentences", "revise sentences", "check sentences"]


def test_only_what_failed_is_revised_and_with_its_neighbours_and_reasons(checks: Checks) -> None:
    asked = model({FALSE.text: FRAMES})
    checks.check(part(prose(SUN, FALSE), prose(model_says("Is that all?"))), asked)
    prompt = asked.prompts[1]
    assert f"before: {SUN.text}" in prompt
    assert f"sentence: {FALSE.text}" in prompt
    assert "after: Is that all?" in prompt
    assert "fault: the number “12”" in prompt
    assert f"sentence: {SUN.text}" not in prompt
    assert "1:b4" in {each.id for each in model_answers.evidence_in(prompt)}
    assert len(model_answers.NUMBERED.findall(asked.prompts[2])) == 1, "what passed is not verified again"


def test_a_sentence_is_revised_twice_at_most(checks: Checks) -> None:
    other = model_says("It holds 14 frames.", "1:b4")
    asked = model({FALSE.text: other}, {other.text: FALSE})
    checked = checks.check(part(prose(FALSE, SUN)), asked)
    assert asked.asked.count("revise sentences") == 2
    assert texts(checked) == [SUN.text]
    assert "the number “12”" in reasons(checked)


def test_a_second_revision_that_passes_is_kept(checks: Checks) -> None:
    other = model_says("It holds 14 frames.", "1:b4")
    checked = checks.check(part(prose(FALSE, SUN)), model({FALSE.text: other}, {other.text: FRAMES}))
    assert texts(checked) == [FRAMES.text, SUN.text]


def test_no_second_revision_is_made_beyond_eight_calls(checks: Checks) -> None:
    other = model_says("It holds 14 frames.", "1:b4")
    asked = model({FALSE.text: other}, {other.text: FRAMES})
    calls = calls_to(asked)
    calls._usage = type(calls.usage)("scripted", "scripted-1", calls=5)
    checks.check(part(prose(FALSE, SUN)), asked, calls)
    assert asked.asked.count("revise sentences") == 1
    assert calls.usage.calls == 8


def test_of_two_versions_the_one_with_fewer_faults_is_tried_on(checks: Checks) -> None:
    worse = model_says("It holds 14 frames and costs 99 euros, says NASA.", "1:b4")
    asked = model({FALSE.text: worse}, {FALSE.text: FRAMES})
    checked = checks.check(part(prose(FALSE, SUN)), asked)
    assert f"sentence: {FALSE.text}" in asked.prompts[3]
    assert texts(checked) == [FRAMES.text, SUN.text]


def test_a_shorter_repair_without_faults_wins(checks: Checks) -> None:
    long = model_says("Give it the morning sun, and 3 hours of music on Radio Honey.", "1:b7")
    checked = checks.check(
        part(prose(long, FRAMES)), model({long.text: model_says("Give it the morning sun.", "1:b7")})
    )
    assert texts(checked) == ["Give it the morning sun.", FRAMES.text]


def test_a_dropped_sentence_is_removed_and_reported(checks: Checks) -> None:
    asked = model({})
    checked = checks.check(part(prose(UNSAID, SUN)), asked)
    assert texts(checked) == [SUN.text]
    assert reasons(checked) == f"“{UNSAID.text}”: the evidence that it names does not say all of this"
    assert asked.asked.count("revise sentences") == 1


def test_a_sentence_that_depends_on_a_removed_one_is_removed_too(checks: Checks) -> None:
    leaning = model_says("Then another one joins in.")
    checked = checks.check(part(prose(UNSAID, leaning, SUN)), model({}))
    assert texts(checked) == [SUN.text]
    assert "it depends on a sentence that was removed" in reasons(checked)


def test_a_sentence_after_a_kept_one_and_in_another_paragraph_stays(checks: Checks) -> None:
    leaning = model_says("Then it rains?")
    checked = checks.check(part(prose(UNSAID), prose(leaning), prose(SUN)), model({}))
    assert texts(checked) == [leaning.text, SUN.text]


def test_a_sub_heading_without_a_body_goes(checks: Checks) -> None:
    lower = Paragraph("heading", (model_says("What hives sing"),))
    checked = checks.check(part(prose(SUN), lower, prose(UNSAID)), model({}))
    assert texts(checked) == [SUN.text]


def test_a_section_without_a_body_goes(checks: Checks) -> None:
    draft = Draft((*part(prose(UNSAID)).parts, *part(prose(SUN), heading="Sun").parts))
    checked = checks.check(draft, model({}))
    assert [each.heading for each in checked.draft.parts] == ["Sun"]


def test_a_lead_in_goes_with_its_list(checks: Checks) -> None:
    lead_in = model_says("Two things matter:")
    items = Paragraph("ul", (UNSAID, model_says("Beehives dance at noon.", "1:b7")))
    checked = checks.check(part(prose(SUN, lead_in), items), model({}))
    assert texts(checked) == [SUN.text]
    assert "what it announces was removed" in reasons(checked)


def test_a_lead_in_stays_with_what_is_left_of_its_list(checks: Checks) -> None:
    lead_in = model_says("This is what matters:")
    checked = checks.check(part(prose(lead_in), Paragraph("ul", (UNSAID, SUN))), model({}))
    assert texts(checked) == [lead_in.text, SUN.text]


def test_a_lead_in_that_counts_more_than_what_is_left_goes(checks: Checks) -> None:
    lead_in, other = model_says("Two things matter:"), model_says("Is that all?")
    checked = checks.check(part(prose(other), prose(lead_in), Paragraph("ul", (UNSAID, SUN))), model({}))
    assert texts(checked) == [other.text, SUN.text]
    assert "what it counts was removed in part" in reasons(checked)


def test_an_incomplete_listing_is_removed_as_a_whole(checks: Checks) -> None:
    lines = (model_says("scale read --unit kg", "2:b6"), model_says("rm -rf /", "2:b6"))
    checked = checks.check(part(prose(SUN), Paragraph("code", lines)), model({}))
    assert texts(checked) == [SUN.text]
    assert "another line of its listing was removed" in reasons(checked)


def test_a_row_of_a_table_keeps_its_columns_when_it_is_revised(checks: Checks) -> None:
    def row(*cells: str) -> Sentence:
        return Sentence(" | ".join(cells), ("1:b4",), "model", cells=cells)

    wrong, right = row("Langstroth", "12 frames"), row("Langstroth", "10 frames")
    SUPPORTED["Row of a table: Hive = Langstroth; Frames = 10 frames"] = "holds 10 frames"
    table = Paragraph("table", (wrong,), header=("Hive", "Frames"))
    SUPPORTED[right.text] = "holds 10 frames"
    checked = checks.check(part(prose(SUN), table), model({wrong.text: right}))
    assert checked.draft.parts[0].paragraphs[1].sentences[0].cells == right.cells
    broken = checks.check(part(prose(SUN), table), model({wrong.text: model_says("10 frames.", "1:b4")}, {}))
    assert texts(broken) == [SUN.text]


def test_a_removed_row_takes_a_numbered_table_and_its_lead_in_along(checks: Checks) -> None:
    def row(*cells: str) -> Sentence:
        return Sentence(" | ".join(cells), ("1:b4",), "model", cells=cells)

    rows = (row("1", "10 frames"), row("2", "12 frames"), row("3", "10 frames"))
    for number in "123":
        SUPPORTED[f"Row of a table: Box = {number}; Frames = 10 frames"] = "holds 10 frames"
    table = Paragraph("table", rows, header=("Box", "Frames"))
    draft = part(prose(SUN), prose(model_says("Box by box:")), table)
    checked = checks.check(draft, model({}))
    assert texts(checked) == [SUN.text]
    assert checked.shortened == ("The table “Box | Frames” in “Where it stands” was removed.",)
    finders = [fault.by for fault in checked.removed]
    assert finders == ["dependence", "dependence", "verification", "dependence"]


def test_what_rules_alone_stop_is_distinguished_from_what_a_model_finds(checks: Checks) -> None:
    words = yes_sayer(lambda _: "The Langstroth beehive holds 10 frames in each box")
    lenient = ScriptedModel({"check sentences": words, "revise sentences": revising({})})
    [by_rules] = checks.check(part(prose(FALSE, FRAMES)), lenient).removed
    [by_model] = checks.check(part(prose(UNSAID, SUN)), model({})).removed
    assert (by_rules.by, by_model.by) == ("veto", "verification")


def test_a_yes_sayer_publishes_no_figure_name_or_quote_of_its_own(checks: Checks) -> None:
    invented = (
        "The Langstroth beehive holds 12 frames in each box.",
        "Every second beehive is sold by Toyota.",
        "Keepers call it “the quietest room of them all”.",
        "In 1987 the Langstroth beehive was new.",
        "Three of four keepers prefer it.",
        "Wolfgang Petersen says that it lasts.",
        "See hives.example/shop for the price.",
        "It costs $150.",
    )
    draft = part(prose(*(model_says(text, "1:b4") for text in invented), FRAMES))
    words = yes_sayer(lambda _: "The Langstroth beehive holds 10 frames in each box")
    checked = checks.check(
        draft, ScriptedModel({"check sentences": words, "revise sentences": model_answers.revision})
    )
    assert texts(checked) == [FRAMES.text]


def test_a_gloss_that_the_veto_stops_goes_and_the_sentence_stays(checks: Checks) -> None:
    glossed = replace(SUN, text="A beehive (a box with seven walls) stands best in the morning sun.")
    checked = checks.check(part(prose(glossed)), ScriptedModel({"check sentences": verdicts}))
    assert (texts(checked), checked.removed) == ([SUN.text], ())


def test_a_gloss_stays_if_the_sentence_fails_without_it_too(checks: Checks) -> None:
    glossed = replace(FALSE, text="The Langstroth beehive (of seven walls) holds 12 frames in each box.")
    model = ScriptedModel({"check sentences": verdicts, "revise sentences": revising({})})
    [removed] = checks.check(part(prose(SUN, glossed)), model).removed
    assert removed.sentence.text == glossed.text
