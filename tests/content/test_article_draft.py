"""The draft of an article: one call, or halves that see what stands before."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from app.content.artefacts import SourceSnapshot
from app.content.plan import PlannedClosing, PlannedLink, PlannedQuestion, PlannedSection, PostPlan
from app.content.retrieval.evidence import tokens_in_pack
from app.content.writing.article.draft import Draft, Place
from app.content.writing.article.drafting import draft_article, evidence_for
from app.pages.extraction.blocks import Block
from tests.content.conftest import PageMaker, SiteMaker
from tests.support import model_answers
from tests.support.article_material import ScriptedModel, calls_to, material_of


def section(heading: str, words: int, *ids: str) -> PlannedSection:
    return PlannedSection(heading, "say it", (), ids, words)


PLAN = PostPlan(
    title="Beehives",
    sections=(
        section("Choosing", 300, "1:b4", "1:b5"),
        section("Placing", 300, "1:b7"),
        section("Paying", 300, "3:b3"),
    ),
    questions=(PlannedQuestion("Does a town suit them?", ("3:b5",)),),
    closing=PlannedClosing("What now", "end"),
    links=(PlannedLink(2, "Placing"),),
)
LONG = PostPlan(
    title="Beehives",
    sections=tuple(section(f"Part {n}", 700, "1:b4", "1:b7", "2:b3") for n in range(4)),
    questions=PLAN.questions,
    closing=PLAN.closing,
)


def drafted(
    snapshot: SourceSnapshot, plan: PostPlan = PLAN, model: ScriptedModel | None = None
) -> tuple[Draft, ScriptedModel, list[tuple[int, int]]]:
    model, heard = model or ScriptedModel(), list[tuple[int, int]]()
    material = material_of(snapshot, topic="beehive")
    draft = draft_article(
        material, plan, evidence_for(material, plan), calls_to(model), lambda *done: heard.append(done)
    )
    return draft, model, heard


def changed(**members: Any) -> ScriptedModel:
    """A model whose good draft has other members."""
    return ScriptedModel({"write the article": lambda prompt: {**model_answers.draft(prompt), **members}})


def one(text: str, *ids: str, kind: str = "p") -> dict[str, Any]:
    return {"kind": kind, "sentences": [{"text": text, "evidence": list(ids)}], "header": [], "rows": []}


def test_an_article_is_written_in_one_call_by_its_plan(bees: SourceSnapshot) -> None:
    draft, model, heard = drafted(bees)
    assert model.asked == ["write the article"]
    assert [(part.role, part.heading) for part in draft.parts] == [
        ("introduction", ""),
        ("section", "Choosing"),
        ("section", "Placing"),
        ("section", "Paying"),
        ("question", "Does a town suit them?"),
        ("closing", "What now"),
    ]
    assert heard == [(0, 3), (3, 3)]


def test_each_part_knows_the_evidence_that_the_plan_gives_it(bees: SourceSnapshot) -> None:
    given = {part.heading: part.evidence_ids for part in drafted(bees)[0].parts}
    assert given["Choosing"] == ("1:b4", "1:b5")
    assert given["Does a town suit them?"] == ("3:b5",)
    assert given[""] == ()


def test_the_writer_sees_plan_evidence_and_pages_to_link(bees: SourceSnapshot) -> None:
    prompt = drafted(bees)[1].prompts[0]
    planned = json.loads(prompt.split("<plan>\n")[1].split("\n</plan>")[0])
    assert [each["heading"] for each in planned["sections"]] == ["Choosing", "Placing", "Paying"]
    assert set(PLAN.evidence_ids) <= {each.id for each in model_answers.evidence_in(prompt)}
    assert model_answers.PAGE.findall(prompt) == [("2", "Caring for bees")]


def test_a_long_article_is_written_in_halves_that_see_the_text_so_far(bees: SourceSnapshot) -> None:
    draft, model, heard = drafted(bees, LONG)
    assert model.asked == ["write the article"] * 2
    first, second = model.prompts
    assert "<article>" not in first
    before = second.split("<article>\n")[1].split("\n</article>")[0]
    assert "# Part 0" in before
    assert draft.statements[0].sentence.text in before
    assert [part.heading for part in draft.parts if part.role == "section"] == [f"Part {n}" for n in range(4)]
    assert heard == [(0, 4), (2, 4), (4, 4)]


def test_only_the_last_half_is_asked_for_questions_and_closing(bees: SourceSnapshot) -> None:
    draft, model, _ = drafted(bees, LONG)
    plans = [json.loads(p.split("<plan>\n")[1].split("\n</plan>")[0]) for p in model.prompts]
    assert ["questions" in plan for plan in plans] == [False, True]
    assert [part.role for part in draft.parts].count("introduction") == 1
    assert [part.role for part in draft.parts][-2:] == ["question", "closing"]


def test_an_article_of_1800_words_is_written_at_once(bees: SourceSnapshot) -> None:
    plan = PostPlan(title="Beehives", sections=(section("One", 900, "1:b4"), section("Two", 900, "1:b7")))
    assert len(drafted(bees, plan)[1].asked) == 1


def test_an_answer_to_a_planned_question_in_other_words_stands_under_the_planned_one(
    bees: SourceSnapshot,
) -> None:
    answer = [{"text": "It does.", "evidence": ["3:b5"]}]
    worded = [{"question": "Does a town really suit them?", "sentences": answer}]
    draft = drafted(bees, model=changed(questions=worded))[0]
    assert [part.heading for part in draft.parts if part.role == "question"] == ["Does a town suit them?"]


@pytest.mark.parametrize(
    ("asked", "evidence", "stands"),
    [
        ("What if I live in a town?", "3:b5", True),
        ("What if I live in a town?", "1:b1", False),
        ("What does a frame weigh?", "3:b5", False),
        ("Is a town not right?", "3:b5", False),
        ("Is a town of 20,000 people right?", "3:b5", False),
        ("Is a town such as Leeds right?", "3:b5", False),
    ],
)
def test_a_question_of_the_models_own_stands_if_it_is_on_the_evidence_of_a_planned_one(
    bees: SourceSnapshot, asked: str, evidence: str, stands: bool
) -> None:
    answer = [{"text": "It does.", "evidence": [evidence]}]
    draft = drafted(bees, model=changed(questions=[{"question": asked, "sentences": answer}]))[0]
    found = [part.heading for part in draft.parts if part.role == "question"]
    assert found == ([asked] if stands else [])


def test_only_the_planned_questions_are_answered_and_each_once(bees: SourceSnapshot) -> None:
    answer = [{"text": "Yes, a beehive does well in a town.", "evidence": ["3:b5"]}]
    answers = [
        {"question": "DOES A TOWN SUIT THEM", "sentences": answer},
        {"question": "Does a town suit them?", "sentences": answer},
        {"question": "Who asked?", "sentences": answer},
        {"question": "Does a town hall suit them?", "sentences": answer},
        {"question": "Does a town not suit them?", "sentences": answer},
    ]
    draft = drafted(bees, model=changed(questions=answers))[0]
    assert [part.heading for part in draft.parts if part.role == "question"] == ["Does a town suit them?"]


def test_headings_are_the_plans_however_the_model_wrote_them(bees: SourceSnapshot) -> None:
    made = [{"heading": f"Mine {n}", "blocks": [one("A beehive is a box.", "1:b1")]} for n in range(3)]
    draft = drafted(bees, model=changed(sections=made))[0]
    assert [p.heading for p in draft.parts if p.role == "section"] == ["Choosing", "Placing", "Paying"]


def test_a_text_keeps_its_heading_in_whatever_order_the_sections_come(bees: SourceSnapshot) -> None:
    made = [
        {"heading": name, "blocks": [one(f"{name}.")]} for name in ("PAYING", "Where it stands", "Choosing")
    ]
    draft = drafted(bees, model=changed(sections=made))[0]
    found = [(p.heading, p.paragraphs[0].sentences[0].text) for p in draft.parts if p.role == "section"]
    assert found == [("Paying", "PAYING."), ("Placing", "Where it stands."), ("Choosing", "Choosing.")]


def test_headings_are_the_models_where_it_wrote_other_sections(bees: SourceSnapshot) -> None:
    made = [{"heading": f"Mine {n}", "blocks": [one("A beehive is a box.", "1:b1")]} for n in range(2)]
    draft = drafted(bees, model=changed(sections=made))[0]
    assert [p.heading for p in draft.parts if p.role == "section"] == ["Mine 0", "Mine 1"]


def test_blocks_of_every_kind_are_read(bees: SourceSnapshot) -> None:
    blocks = [
        one("A sub-heading", kind="h3"),
        one("An item.", "1:b1", kind="ul"),
        one("A step.", "1:b1", kind="ol"),
        one("Words.", "1:b1", kind="quote"),
        one("```\nscale read\n```", "2:b6", kind="code"),
        {
            "kind": "table",
            "sentences": [],
            "header": ["Hive", "Frames"],
            "rows": [{"cells": ["Langstroth", "10"], "evidence": ["[1:b4]"]}],
        },
    ]
    made = [{"heading": "All", "blocks": blocks}]
    draft = drafted(bees, model=changed(introduction=[], sections=made, questions=[], closing=[]))[0]
    paragraphs = draft.parts[0].paragraphs
    assert [each.kind for each in paragraphs] == ["heading", "ul", "ol", "quote", "code", "table"]
    assert paragraphs[4].sentences[0].text == "scale read"
    assert paragraphs[5].header == ("Hive", "Frames")
    assert (paragraphs[5].sentences[0].cells, paragraphs[5].sentences[0].source_ids) == (
        ("Langstroth", "10"),
        ("1:b4",),
    )


def test_text_between_backticks_becomes_code_without_them(bees: SourceSnapshot) -> None:
    table = {
        "kind": "table", "sentences": [], "header": ["Do", "Type"],
        "rows": [{"cells": ["Weigh", "`scale read`"], "evidence": ["2:b6"]}],
    }  # fmt: skip
    blocks = [
        one("Scale read: type `scale read`, [[page:2|then]] scale read, `read`.", "2:b6"),
        one("A ` is no code.", "2:b6"),
        table,
    ]
    made = [{"heading": "All", "blocks": blocks}]
    draft = drafted(bees, model=changed(introduction=[], sections=made, questions=[], closing=[]))[0]
    said, mark, row = (paragraph.sentences[0] for paragraph in draft.parts[0].paragraphs)
    assert said.text == "Scale read: type scale read, [[page:2|then]] scale read, read."
    assert said.code == (("scale read", 0), ("read", 3))
    assert mark.code == ()
    assert (row.cells, row.code) == (("Weigh", "scale read"), (("scale read", 0),))


def test_each_sentence_knows_its_place_and_its_neighbours(bees: SourceSnapshot) -> None:
    made = [
        {"heading": "All", "blocks": [one("First.", "1:b1"), one("Second.", "1:b1"), one("Third.", "1:b1")]}
    ]
    draft = drafted(bees, model=changed(introduction=[], sections=made, questions=[], closing=[]))[0]
    middle = draft.statements[1]
    assert (middle.place, middle.before, middle.after) == (Place(0, 1, 0), "First.", "Third.")
    assert draft.statements[0].before == "All"


def test_the_writer_sees_how_earlier_posts_ended_once_it_writes_the_closing(bees: SourceSnapshot) -> None:
    snapshot = replace(bees, endings=("Write to us on Monday.",))
    _, whole, _ = drafted(snapshot)
    _, halves, _ = drafted(snapshot, LONG)
    assert "Earlier posts ended so" in whole.prompts[0]
    assert "Write to us on Monday." in whole.prompts[0]
    assert ["Write to us on Monday." in prompt for prompt in halves.prompts] == [False, True]
    assert "Earlier posts ended so" not in drafted(bees)[1].prompts[0]


def test_evidence_for_a_gap_of_the_plan_is_shown_to_the_writer(bees: SourceSnapshot) -> None:
    office = Block("paragraph", 0, "The ticket office opens at nine and closes at noon.")
    elsewhere = replace(
        bees.pages[0], page_id=9, url="https://bees.example/visit", title="Visit", blocks=(office,)
    )
    material = material_of(replace(bees, pages=(*bees.pages, elsewhere)), topic="beehive")
    plan = PostPlan(title="Beehives", sections=(section("Choosing", 300, "1:b4"),))

    def shown(plan: PostPlan) -> bool:
        return any(unit.page_id == 9 for unit in evidence_for(material, plan))

    assert not shown(plan)
    assert shown(replace(plan, gaps=("when the ticket office opens",)))


def test_a_manual_gets_more_evidence_for_what_stands_beside_what_its_plan_names(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    said = "A beehive wants a dry floor and a quiet neighbour, said the keeper. " * 9
    rules = [("h2", f"Group {n}") if n % 4 == 0 else ("p", f"Rule {n}. {said}") for n in range(120)]
    material = material_of(make_site(make_page(1, "hives", [("h1", "Beehives"), *rules])), topic="beehive")
    named = section("Rules", 300, *(f"1:b{n}" for n in range(2, 120, 4)))
    found = evidence_for(material, PostPlan(sections=(named,)))
    assert 7_500 < tokens_in_pack(found) <= 10_500


def test_a_draft_gets_little_that_its_plan_did_not_ask_for(
    make_page: PageMaker, make_site: SiteMaker
) -> None:
    said = "A beehive wants a dry floor and a quiet neighbour, said the keeper. " * 9
    pages = [
        make_page(n, f"p{n}", [("h1", f"Page {n}"), ("p", f"No. {n}. {said}")] * 4) for n in range(1, 30)
    ]
    material = material_of(make_site(*pages), topic="beehive")
    named = section("Floors", 300, "1:b1", "2:b1")
    found = evidence_for(material, PostPlan(sections=(named,)))
    assert {"1:b1", "2:b1"} <= {unit.id for unit in found}
    assert tokens_in_pack(found) <= 3_500
