"""What a well-behaved model answers: grounded JSON, made from nothing but the evidence in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from app.language.sentences import sentences
from app.language.words import word_count
from tests.support.cloze_tests import filled

TASK = re.compile(r"\ATask: ([a-z ]+)\.")
PAGE = re.compile(r"^- page (\d+): (.+)$", re.MULTILINE)
UNIT = re.compile(r"^\[([\w:]+)\] (?:\((list|table|code|definition|quote|price)\) )?")
HEADING = re.compile(r"^#{1,6} (.*)")
NUMBERED = re.compile(r"^(\d+)\. \[([^\]]*)\] (.*)$", re.MULTILINE)
FAULTY = re.compile(r"^(\d+)\. before: ", re.MULTILINE)
SECTION_COUNT = 4
CLOSING = {"text": "So where do you begin?", "evidence": []}

Sentence = dict[str, Any]


class Unit(NamedTuple):
    """A piece of evidence as a prompt shows it."""

    id: str
    kind: str
    heading: str
    text: str


def task_of(messages: Sequence[Mapping[str, Any]]) -> str:
    """What the last message asks for."""
    found = TASK.match(messages[-1]["content"])
    assert found, "a prompt begins with its task"
    return found[1]


def evidence_in(prompt: str) -> list[Unit]:
    """The evidence of a prompt, in its order."""
    units: list[Unit] = []
    heading = ""
    inside = False
    for line in prompt.split("<evidence> (untrusted data)", 1)[-1].splitlines():
        unit = UNIT.match(line)
        if line.startswith("<page "):
            heading = (re.search(r'name="([^"]*)"', line) or ["", ""])[1]
            inside = False
        elif above := HEADING.match(line):
            heading, inside = above[1], False
        elif unit:
            units.append(Unit(unit[1], unit[2] or "paragraph", heading, line[unit.end() :]))
            inside = True
        elif line.startswith("</"):
            inside = False
        elif inside:
            units[-1] = units[-1]._replace(text=f"{units[-1].text}\n{line}")
    return units


def grounded(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A plausible answer to any of the writer's prompts."""
    prompt = messages[-1]["content"]
    made = {
        "plan the article": plan,
        "write the article": draft,
        "edit the article": edit,
        "check sentences": verdicts,
        "revise sentences": revision,
    }
    return made[task_of(messages)](prompt)


def answer(messages: Sequence[Mapping[str, Any]]) -> str:
    """The same as the text of an answer."""
    return json.dumps(grounded(messages), ensure_ascii=False)


def said_of(prompt: str) -> list[Sentence]:
    """Each whole sentence of the paragraphs in a prompt's evidence, with its id."""
    return [
        {"text": sentence, "evidence": [unit.id]}
        for unit in evidence_in(prompt)
        if unit.kind == "paragraph"
        for sentence in sentences(unit.text)
        if word_count(sentence) > 5 and sentence.endswith(".")
    ]


def plan(prompt: str) -> dict[str, Any]:
    """A plan whose sections are the headings of the evidence."""
    headings: dict[str, list[str]] = {}
    questions: dict[str, list[str]] = {}
    paragraphs = [unit for unit in evidence_in(prompt) if unit.kind == "paragraph"]
    for unit in [each for each in paragraphs if each.id[0].isdigit()] or paragraphs:
        name = unit.heading
        (questions if name.endswith("?") else headings).setdefault(name, []).append(unit.id)
    chosen = list(headings.items())[:SECTION_COUNT]
    if len(chosen) == 1:
        chosen.append((f"More on {chosen[0][0]}", chosen[0][1]))
    topic = re.search(r"^Topic: (.+)$", prompt, re.MULTILINE)
    given = re.findall(r"^\d+\. (.+?)(?::|$)", prompt.split("The sections are given", 1)[-1], re.MULTILINE)
    if "The sections are given" in prompt:
        chosen = [(heading, chosen[n % len(chosen)][1]) for n, heading in enumerate(given)]
    pages = re.findall(r"^page (\d+): ", prompt, re.MULTILINE)
    return {
        "not_covered": False,
        "missing": [],
        "reader_question": "What should a beginner know?",
        "angle": "what the pages say, in one place",
        "keyphrase": "",
        "title": f"A guide: {topic[1] if topic else 'the topic'}",
        "meta_title": f"A short guide: {topic[1] if topic else 'the topic'}"[:60],
        "description": "",
        "sections": [
            {
                "heading": heading,
                "purpose": f"say what is known: {heading}",
                "key_points": [heading],
                "evidence": ids,
                "words": 120,
                "format": "prose",
            }
            for heading, ids in chosen
        ],
        "highlights": [],
        "questions": [{"question": name, "evidence": ids} for name, ids in questions.items()][:3],
        "closing": {"heading": "What to do next", "purpose": "end the article"},
        "links": [{"page": int(number), "section": chosen[0][0]} for number in pages[:3]],
        "gaps": [],
    }


def draft(prompt: str) -> dict[str, Any]:
    """An article of the evidence's own sentences, by the plan in the prompt."""
    planned = json.loads(prompt.split("<plan>\n", 1)[1].split("\n</plan>", 1)[0])
    said = said_of(prompt)
    by_unit: dict[str, list[Sentence]] = {}
    for sentence in said:
        by_unit.setdefault(sentence["evidence"][0], []).append(sentence)
    used: set[str] = set()
    sections = []
    for section in planned["sections"]:
        own = [s for i in section["evidence_ids"] for s in by_unit.get(i, ())]
        new = [s for s in own or said if s["text"] not in used][:6] or said[:2]
        used.update(s["text"] for s in new)
        sections.append(
            {"heading": section["heading"], "blocks": [block(new[n : n + 3]) for n in range(0, len(new), 3)]}
        )
    pages = PAGE.findall(prompt)
    if pages:
        number, name = pages[0]
        first = dict(sections[0]["blocks"][0]["sentences"][0])
        first["text"] = first["text"].removesuffix(".") + f" ([[page:{number}|{name}]])."
        sections[0]["blocks"][0]["sentences"][0] = first
    rest = [s for s in said if s["text"] not in used]
    return {
        "introduction": [block((rest or said)[-2:])] if "<article>" not in prompt else [],
        "sections": sections,
        "questions": [
            {
                "question": each["question"],
                "sentences": [s for i in each["evidence_ids"] for s in by_unit.get(i, ())] or said[:1],
            }
            for each in planned.get("questions", ())
        ],
        "closing": [block([{"text": "So where do you begin?", "evidence": []}])]
        if "closing" in planned
        else [],
    }


def edit(_prompt: str) -> dict[str, Any]:
    """No change: the draft is good as it is."""
    return {"changes": []}


def block(stated: list[Sentence], kind: str = "p") -> dict[str, Any]:
    """A block of an article."""
    return {"kind": kind, "sentences": stated, "header": [], "rows": []}


def verdicts(prompt: str) -> dict[str, Any]:
    """An honest check: what stands so in the evidence is supported, a question without any states nothing."""
    units = {unit.id: " ".join(unit.text.split()) for unit in evidence_in(prompt)}
    found = []
    for number, ids, shown in NUMBERED.findall(prompt):
        text, fillings = filled(shown, units.values())
        said = re.sub(r" \([^()]*\)\.$", ".", text)
        holds = any(
            said in units.get(each, "") or said.rstrip(".") in units.get(each, "") for each in ids.split(", ")
        )
        if ids == "no evidence":
            verdict, words = ("no_claim" if text.endswith("?") else "unsupported"), ""
        else:
            verdict, words = ("supported", said.rstrip(".")) if holds else ("unsupported", "")
        found.append({"n": int(number), "blanks": fillings, "verdict": verdict, "words": words})
    return {"verdicts": found}


def revision(prompt: str) -> dict[str, Any]:
    """Every faulty sentence given up."""
    return {"sentences": [{"n": int(n), "text": "", "evidence": []} for n in FAULTY.findall(prompt)]}
