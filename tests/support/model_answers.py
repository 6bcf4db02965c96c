"""What a well-behaved model answers: grounded JSON, made from nothing but the evidence in the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from app.content.language.text import sentences, word_count

EVIDENCE = re.compile(r'<evidence id="([^"]+)" about="([^"]*)">\n(.*?)\n</evidence>', re.DOTALL)
TASK = re.compile(r"\ATask: ([a-z ]+)\.")
PAGE = re.compile(r"^- page (\d+): (.+)$", re.MULTILINE)

Sentence = dict[str, Any]
Shown = list[tuple[str, str, str]]


def task_of(messages: Sequence[Mapping[str, Any]]) -> str:
    """What the last message asks for."""
    found = TASK.match(messages[-1]["content"])
    assert found, "a prompt begins with its task"
    return found[1]


def grounded(messages: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """A plausible answer to any of the engine's prompts."""
    prompt = messages[-1]["content"]
    shown: Shown = EVIDENCE.findall(prompt)
    assert shown, "a prompt shows evidence"
    made = {
        "plan the post": _plan,
        "write one section": _section,
        "mend one section": _section,
        "answer questions": _faq,
        "write the opening": _opening,
    }
    return made[task_of(messages)](prompt, shown)


def answer(messages: Sequence[Mapping[str, Any]]) -> str:
    """The same as the text of an answer."""
    return json.dumps(grounded(messages), ensure_ascii=False)


def _told(shown: Shown) -> list[Sentence]:
    """Each whole sentence of the evidence, said as it is there, with its id."""
    return [
        {"text": sentence, "evidence": [name]}
        for name, _about, text in shown
        for sentence in sentences(text)
        if word_count(sentence) > 5 and sentence.endswith(".")
    ]


def said_of(prompt: str) -> list[Sentence]:
    """Each whole sentence of the evidence in a prompt."""
    return _told(EVIDENCE.findall(prompt))


def _plan(prompt: str, shown: Shown) -> dict[str, Any]:
    headings: dict[str, list[str]] = {}
    for name, about, _text in shown:
        headings.setdefault(about.split(" › ")[-1].rstrip("?") or "In short", []).append(name)
    sections = [
        {
            "heading": heading,
            "purpose": f"say what is known: {heading}",
            "key_points": [heading],
            "evidence": ids,
        }
        for heading, ids in list(headings.items())[:4]
    ]
    if len(sections) == 1:
        sections.append({**sections[0], "heading": f"More on {sections[0]['heading']}"})
    asked = [
        {"question": about.split(" › ")[-1], "evidence": [name]}
        for name, about, _ in shown
        if about.endswith("?")
    ]
    topic = re.search(r"^Topic: (.+)$", prompt, re.MULTILINE)
    return {
        "title": f"A guide: {topic[1] if topic else 'the topic'}",
        "sections": sections,
        "questions": asked[:3],
    }


def _section(prompt: str, shown: Shown) -> dict[str, Any]:
    told = _told(shown)[:6]
    pages = PAGE.findall(prompt)
    paragraphs = [{"kind": "p", "sentences": told[n : n + 3]} for n in range(0, len(told), 3)]
    if pages and paragraphs:
        number, name = pages[0]
        first = dict(paragraphs[0]["sentences"][0])
        first["text"] = first["text"].removesuffix(".") + f" ([[page:{number}|{name}]])."
        paragraphs[0]["sentences"] = [first, *paragraphs[0]["sentences"][1:]]
    return {"paragraphs": paragraphs}


def _faq(prompt: str, shown: Shown) -> dict[str, Any]:
    questions = [line[2:] for line in prompt.splitlines() if line.startswith("- ") and line.endswith("?")]
    told = {about.split(" › ")[-1]: _told([(name, about, text)]) for name, about, text in shown}
    return {"answers": [{"question": q, "sentences": told.get(q) or _told(shown)[:1]} for q in questions]}


def _opening(prompt: str, shown: Shown) -> dict[str, Any]:
    told = _told(shown)
    fitting = next((s for s in told if 70 <= len(s["text"]) <= 156), told[0])
    title = re.search(r"^Post: (.+)$", prompt, re.MULTILINE)
    return {"introduction": told[-2:], "meta_title": (title[1] if title else "")[:60], "description": fitting}
