"""The prompt that edits a draft: the draft with its numbers, the findings, and a checklist of an editor."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from app.content.artefacts import Brief
from app.content.drafts import Paragraph
from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.planning.keyphrase import times_said
from app.content.rendering.markdown import shown
from app.content.request import GenerationRequest
from app.content.writing.article.draft import WHOLE, Draft, Part, Place, marked
from app.content.writing.article.findings.finding import Finding
from app.content.writing.article.prompt_parts import (
    characters,
    evidence_lines,
    instruction_lines,
    length_shown,
    planned_words,
    quoted,
    task_message,
    times_of_phrase,
)
from app.content.writing.providers.base import Message
from app.language.words import extent

EDIT: Final = "edit the article"
"""The task; the user message begins with it."""

TITLES: Final = ("title", "meta_title", "description")
_LENGTHS: Final = {"title": (20, 60), "meta_title": (30, 60), "description": (120, 150)}
_KINDS: Final = {"heading": "h3"}
_LONG: Final = 1.2
_TOO_LONG: Final = (
    " It is too long: what is said twice, asides and cases that this reader does not have go first."
)

_CHECKLIST: Final = """\
You are the editor. The facts of the draft below were taken from the evidence, of which you see a part ("[…]" stands for what
is cut: no reason to doubt a sentence), but it costs a reader effort. Mend what is
left to mend, within the evidence, also what does not stand there, and leave every good sentence alone. In this order:
1. The findings: mend each, unless it is a false alarm.
2. Play three readers with a case of their own (a small one, a large one, a beginner) and their numbers. What does the
   text tell each to do? Of two figures or pieces of advice on one thing, say when each holds, or drop one. Where a step,
   test or sum cannot be repeated (of what, from where, compared with what), add what lacks, or drop the result: a sum
   that is worked out has each figure it starts from in its own sentence. Follow the
   steps in their order: is one done by another already, too late for it, or not to be had where the step before leaves the reader? Can
   the last test fail? What the steps need is in the list of needs and in the sum of costs.
3. What the site says and no sentence uses yet (ids below): would a reader who does what the text says fail without it,
   be refused, pay more or lose something, or does it say otherwise than the draft? Then it goes where it is needed: the
   setting and its default, the condition, the warning, the figure; where two places differ, when each holds. Who
   has to write a section, a line or a command sees it, if the evidence has it whole or documents its parts. The rest stays out.
4. Each word of the trade that the one who asks does not know is explained before a rule rests on it, title included: what it
   is or where it lies, by a main clause or in brackets, never by ", which is what we call". An explanation that the
   trade's own people do not need goes, and the fifth bracket of an article. What the evidence does not explain gets a plain word, or up to five words in brackets from
   general knowledge, without figure or name.
5. Take the link, the search phrase, the company's name, "the table" or "these are" out of the sentence: is it still
   worth reading? If not, drop it, or the link. A list or table needs one sentence before it that
   says what to do with it; one that only announces becomes that, and one that reads a table aloud goes.
6. So, because, also, this, it, both, the third: the sentence before has what they refer to. If, unless, only and whom it
   concerns are as in the evidence, also under a heading with a verdict. Advice stays advice, and a range joins figures
   of one column. What nobody would say on the telephone is said as one would.
7. Nothing is said twice: it stays where the reader needs it, the other is cut. A question whose answer repeats it or a section, or that
   this reader would not ask next, goes with all its sentences; any other answer says two things of use.
8. The closing says what to do, with the product's name, a way that the evidence has (address, number, link) and each day
   with its year, and does not begin with its heading. What ages in weeks (places left, queues, stock) goes everywhere.
9. A table has one kind of value a column and its unit in the header, all headers different; else two tables.
10. Last, headings, title and description: do they promise what stands below them, name it instead of "it", "they" or "this"
   ("you" and "we" are fine), and bend nothing for the search phrase? The words of the search phrase stay in title and description."""

_SHAPE: Final = """\
Answer with changes only; a good draft has none: {"changes": [{"id": "s3", "text": "", "evidence": ["id"], "blocks": []}]}
- g: a gap, text empty: the draft or the evidence answers it.
- s (sentence, item, row with | between its cells): text is the new sentence, empty to drop it; evidence: [] keeps its ids.
- h, title, meta_title, description: text.
- b: blocks, up to four BLOCKs in the place of the whole block, none to drop it; text "". Its sentences get no change.
BLOCK: {"kind": "p", "sentences": [{"text": "", "evidence": ["id"]}], "header": [], "rows": []}, so for ul, ol and
code (a sentence is a line); a table has "sentences": [], "header": ["", ""], "rows": [{"cells": ["", ""], "evidence": ["id"]}].
Each id once."""


def numbered_gaps(plan: PostPlan) -> dict[str, str]:
    """Return the gaps of a plan by their numbers in the prompt."""
    return {f"g{number}": gap for number, gap in enumerate(plan.gaps, 1)}


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
    made: Collection[str] = (),
    unused: Collection[EvidenceUnit] = (),
) -> Message:
    """Ask for the changes of a draft, whose numbers are ``places``.

    ``made`` are the titles that rules made, because the plan has none that can be used. ``unused`` is what no
    sentence of the draft uses.
    """
    names = {place: name for name, place in places.items()}
    lengths = [(each.kind, extent(shown(each.sentence.text))) for each in draft.statements]
    length = sum(words for kind, words in lengths if kind not in {"table", "code"})
    whole = sum(words for kind, words in lengths if kind != "code")
    planned = planned_words(plan, brief)
    asked = [
        _CHECKLIST,
        f"Topic: {quoted(brief.topic)}",
        f"The reader's question: {quoted(plan.reader_question)}",
        f"Search phrase: {quoted(brief.primary_keyword)}. {times_of_phrase(brief, planned, whole)}; the draft has "
        f"them {times_said(brief.primary_keyword, _texts_of(draft), brief.language)} times.",
        f"Length: planned about {length_shown(planned, brief.language)}, the draft has "
        f"{length_shown(length, brief.language)} without tables and listings.{_TOO_LONG if length > _LONG * planned else ''}",
        *_invitation(request),
        _SHAPE,
        *instruction_lines(request),
        "Findings:",
        *([f"- {_finding(each, names)}" for each in findings] or ["- none"]),
        *_gap_lines(plan),
        *_unused_lines(units, {unit.id for unit in unused}),
        "<article>",
        *(_title_line(name, getattr(plan, name), brief.language, fixed, made) for name in TITLES),
        *(line for number, part in enumerate(draft.parts) for line in _part_lines(number, part, names)),
        "</article>",
    ]
    return task_message(EDIT, [*asked, *evidence_lines(units)])


def _texts_of(draft: Draft) -> Iterator[str]:
    yield from (part.heading for part in draft.parts)
    yield from (shown(each.sentence.text) for each in draft.statements if each.kind != "code")


def _title_line(name: str, text: str, language: str, fixed: Collection[str], made: Collection[str]) -> str:
    least, most = (characters(count, language) for count in _LENGTHS[name])
    wanted = f"{least} to {most} characters"
    if not text:
        return f"{name}: (missing: write one of {wanted})"
    if name in made and text not in fixed:
        return f"{name} (made by rule: write a better one of {wanted}): {quoted(text)}"
    return f"{name}{' (fixed)' if text in fixed else ''}: {quoted(text)}"


def _invitation(request: GenerationRequest) -> list[str]:
    closing = request.call_to_action
    return [f"Right after the closing stands this link: {quoted(closing.text)}"] if closing else []


def _gap_lines(plan: PostPlan) -> list[str]:
    """Return the gaps of the plan, which saw only a part of the evidence."""
    gaps = [f"- {name}: {quoted(gap)}" for name, gap in numbered_gaps(plan).items()]
    if not gaps:
        return []
    return [
        "Gaps that the plan saw. One that the evidence below fills is answered in the draft, where this reader needs it,",
        "and each that the draft or the evidence answers is dropped:",
        *gaps,
    ]


def _unused_lines(units: Sequence[EvidenceUnit], unused: Collection[str]) -> list[str]:
    ids = [unit.id for unit in units if unit.id in unused]
    return [f"No sentence uses yet, although the site says it: {', '.join(ids)}"] if ids else []


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
            name = f"{names[place]} [{', '.join(sentence.source_ids)}] " if place in names else ""
            yield quoted(f"{name}{marked(sentence)}")


def _block(paragraph: Paragraph) -> str:
    kind = _KINDS.get(paragraph.kind, paragraph.kind)
    return f"{kind}: {quoted(' | '.join(paragraph.header))}" if paragraph.header else kind
