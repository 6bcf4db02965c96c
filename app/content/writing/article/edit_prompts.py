"""The prompt that edits a draft: the draft with its numbers, the findings, and a checklist of an editor."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from app.content.artefacts import Brief
from app.content.drafts import Paragraph
from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.request import GenerationRequest
from app.content.writing.article.draft import WHOLE, Draft, Part, Place, marked
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.prompt_parts import evidence_lines, instruction_lines, quoted, task_message
from app.content.writing.providers.base import Message

EDIT: Final = "edit the article"
"""The task; the user message begins with it."""

TITLES: Final = ("title", "meta_title", "description")
_KINDS: Final = {"heading": "h3"}

_CHECKLIST: Final = """\
You are the editor. The draft below is true, but costs a reader effort. Mend what is left to mend, within the evidence,
and leave every good sentence alone. Go through it in this order:
1. The findings: mend each, unless it is a false alarm.
2. Play three readers with a case of their own (a small one, a large one, a beginner) and their numbers. What does the
   text tell each to do? Of two figures or pieces of advice on one thing, say when each holds, or drop one. Where a step,
   test or sum cannot be repeated (of what, from where, compared with what), add what lacks, or drop the result.
3. Each word of the trade is explained where it first occurs, title included, by a main clause or in brackets, never by
   ", which is what we call". What the evidence does not explain gets a plain word.
4. Take the link, the search phrase, the company's name, "the table" or "these are" out of the sentence: is it still
   worth reading? If not, drop it, or the link. A lead-in that only announces goes; so does a sentence that reads a
   table aloud.
5. So, because, also, this, it: the sentence before has what they refer to. Advice stays advice, and a range joins
   figures of one column. What nobody would say on the telephone is said as one would.
6. Nothing is said twice: it stays where the reader needs it. A question whose answer repeats it or a section, or that
   this reader would not ask next, goes with all its sentences; any other answer says two things of use.
7. The closing says what to do, with the product's name, a way that the evidence has (address, number, link) and each day
   with its year, and does not begin with its heading. What ages in weeks (places left, queues, stock) goes everywhere.
8. A table has one kind of value a column and its unit in the header, all headers different; else two tables.
9. Last, headings, title and description: do they promise what stands below them, with no pronoun and nothing bent for
   the search phrase? The words of the search phrase stay in title and description."""

_SHAPE: Final = """\
Answer with changes only; a good draft has none: {"changes": [{"id": "s3", "text": "", "evidence": ["id"], "blocks": []}]}
- s (sentence, item, row with | between its cells): text is the new sentence, empty to drop it; evidence: [] keeps its ids.
- h, title, meta_title, description: text.
- b: blocks, up to four BLOCKs in the place of the whole block, none to drop it; text "". Its sentences get no change.
BLOCK: {"kind": "p", "sentences": [{"text": "", "evidence": ["id"]}], "header": [], "rows": []}, so for ul and ol; a table
has "sentences": [], "header": ["", ""], "rows": [{"cells": ["", ""], "evidence": ["id"]}].
Each id once. The length stays about the same."""


def numbered_places(draft: Draft, fixed: Collection[str]) -> dict[str, Place]:
    """Return the place of each number in the prompt; ``fixed`` headings have none, and neither has code."""
    found: dict[str, Place] = {}
    counts = {"h": 0, "b": 0, "s": 0}

    def add(kind: str, place: Place) -> None:
        counts[kind] += 1
        found[f"{kind}{counts[kind]}"] = place

    for number, part in enumerate(draft.parts):
        if part.heading and part.heading not in fixed:
            add("h", Place(number, WHOLE, WHOLE))
        for position, paragraph in enumerate(part.paragraphs):
            add("b", Place(number, position, WHOLE))
            for n in range(len(paragraph.sentences) if paragraph.kind != "code" else 0):
                add("s", Place(number, position, n))
    return found


def edit(
    request: GenerationRequest,
    brief: Brief,
    plan: PostPlan,
    draft: Draft,
    places: Mapping[str, Place],
    findings: Sequence[Finding],
    units: Sequence[EvidenceUnit],
    *,
    fixed: Collection[str],
) -> Message:
    """Ask for the changes of a draft, whose numbers are ``places``."""
    names = {place: name for name, place in places.items()}
    titles = {name: getattr(plan, name) for name in TITLES}
    asked = [
        _CHECKLIST,
        f"The reader's question: {quoted(plan.reader_question)}",
        f"Search phrase: {quoted(brief.primary_keyword)}",
        *_invitation(request),
        _SHAPE,
        *instruction_lines(request),
        "Findings:",
        *([f"- {_finding(each, names)}" for each in findings] or ["- none"]),
        "<article>",
        *(
            f"{name}{' (fixed)' if text in fixed else ''}: {quoted(text)}"
            for name, text in titles.items()
            if text
        ),
        *(line for number, part in enumerate(draft.parts) for line in _part_lines(number, part, names)),
        "</article>",
    ]
    return task_message(EDIT, [*asked, *evidence_lines(units)])


def _invitation(request: GenerationRequest) -> list[str]:
    closing = request.call_to_action
    return [f"Right after the closing stands this link: {quoted(closing.text)}"] if closing else []


def _finding(each: Finding, names: Mapping[Place, str]) -> str:
    name = names.get(each.place, "") if each.place else ""
    return quoted(f"{name} {each.advice}" if name else str(each))


def _part_lines(number: int, part: Part, names: Mapping[Place, str]) -> Iterator[str]:
    name = names.get(Place(number, WHOLE, WHOLE), "(fixed)")
    yield f"# {f'{name} {quoted(part.heading)}' if part.heading else part.role} ({part.role})"
    for position, paragraph in enumerate(part.paragraphs):
        yield f"{names[Place(number, position, WHOLE)]} {_block(paragraph)}"
        for n, sentence in enumerate(paragraph.sentences):
            place = Place(number, position, n)
            ids = f" [{', '.join(sentence.source_ids)}]" if place in names else ""
            yield quoted(f"{names.get(place, '')}{ids} {marked(sentence)}".strip())


def _block(paragraph: Paragraph) -> str:
    kind = _KINDS.get(paragraph.kind, paragraph.kind)
    return f"{kind}: {quoted(' | '.join(paragraph.header))}" if paragraph.header else kind
