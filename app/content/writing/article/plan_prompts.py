"""The prompt that plans an article, or finds out that the evidence does not cover its topic."""

from collections.abc import Mapping, Sequence
from typing import Final

from app.content.artefacts import Brief
from app.content.evidence.units import EvidenceUnit
from app.content.plan import PostPlan
from app.content.request import GenerationRequest
from app.content.writing.article.prompt_parts import (
    characters,
    evidence_lines,
    heading_lines,
    instruction_lines,
    invitation,
    key_point_lines,
    length_shown,
    quoted,
    sample_lines,
    task_message,
)
from app.content.writing.providers.base import Message

PLAN: Final = "plan the article"
"""The task; the user message begins with it."""

_PLAN_TASK: Final = """\
First read the evidence, and the headings and terms after it, which are of passages that you do not see. Do they answer what
a reader with this topic wants to know? Where a heading promises the answer, plan with it: name its id as evidence of the section,
and the writer gets that passage. Where a page of the titles promises more than is shown of it, "page 7" is an id, too. If evidence and headings only touch the topic, or speak of something else with the same words,
answer not_covered: true, say in missing what a page would have to say, name in links the pages listed below that may say it, and
leave everything else empty. Do not stretch evidence to fit. Of each section ask what would change its answer or stop the
reader - a condition, an exception, a way round, a setting, a price, how to order - and name the heading that promises that, too.
What this reader needs of a page (its keys, prices, deadlines) is evidence of a section, not only a link.
Otherwise plan one article that a reader would thank for:
- reader_question: who asks, and the one question that brings them here ("A roofer with five people: how ...?",
  "Somebody who never did it: ..."). angle: what this article says that no
  page or post listed below says alone. Where the topic nearly is one of these pages, the article tells it in full,
  a procedure to its end, adds what other pages have on it - a decision, a case, a comparison, costs - and
  links the page.
- keyphrase: the main search phrase, in lower case: two to five words that people type into a search box, with a
  word of the topic. Keep the one above only if somebody would type it so; of a question, what the asker
  does to what ("what happens if you open a busy beehive": "opening a beehive", never "busy beehive").
- title: at most {c60} characters, with the search phrase, early where it reads naturally, and the name of no page.
  meta_title: {c30} to {c60} characters. description: one sentence of {c120} to {c150} characters that says what the
  reader gets, with the words of the search phrase in any natural order, and no figure that is not in the evidence.
- sections: in the order a reader asks, from what to how to details to limits and costs. Each has a
  heading that says something, a purpose,
  key points, the ids of its evidence, a length in words that follows how much evidence there is, and a format: prose, list, steps (a numbered procedure), table
  (where things are compared), listing (code). No section called introduction or conclusion, no two
  sections on the same points. Few good sections are better than many thin ones; plan fewer words than
  asked where the evidence ends. One heading has most words of the search phrase, as a reader would say it; the
  others say what their section tells, name it instead of "it", and promise no more than its evidence has. No section has under 60 words: it belongs to another. The lengths of all sections, with about 60 words for the introduction, 40 for each
  answer and 80 for the closing, come to the length of the post. Of the page that says most on the topic, each warning, each
  case of a table and what it advises first is in a section, or left out because this reader does not need it; so is a fact that
  only stands on the same page. A comparison ends with what the evidence recommends to whom. A sum that
  answers the reader's question, at most three, is a key point that names the figures it starts from, of the evidence or the
  topic, and not the result, which the writer works out.
- highlights: ids of the figures, quotes and cases that carry the article, of what explains the words of the trade, and
  of what the closing needs: what speaks for the next step, too (a guarantee, a trial, when it is open).
  Evidence that neither a section nor the highlights nor a question names may not be shown to the writer.
- questions: up to 4 that this reader asks next, that no section answers and the evidence does; none about other
  things that the site sells, and an empty list where nothing is left open. Each names its subject: it is read alone.
- closing: a heading and how the article ends: the next step that the site offers a reader with this question,
  as the evidence has it (an appointment, a number to call, the trial of a named product), and how to take it, with its page
  among the links{invitation}. No step for people whom the site says it does not serve. What ages in weeks (places left, queues) carries nothing.
- links: {links} pages of the list to link, each with the heading of the section, or the question, or the
  closing, where it helps the reader most.
- gaps: what a reader would want to know, no evidence says or lets work out, and no heading promises."""

_PLAN_SHAPE: Final = """\
Shape: {"not_covered": false, "missing": [""], "reader_question": "", "angle": "", "keyphrase": "", "title": "",
"meta_title": "", "description": "", "sections": [{"heading": "", "purpose": "", "key_points": [""],
"evidence": ["id"], "words": 150, "format": "prose"}], "highlights": ["id"],
"questions": [{"question": "", "evidence": ["id"]}], "closing": {"heading": "", "purpose": ""},
"links": [{"page": 1, "section": ""}], "gaps": [""]}"""


def plan(
    request: GenerationRequest,
    brief: Brief,
    units: Sequence[EvidenceUnit],
    *,
    page_titles: Sequence[tuple[int, str]],
    post_titles: Sequence[str],
    sample: Sequence[str],
    passages: Mapping[EvidenceUnit, str],
) -> Message:
    """Ask for the plan of an article, or for what is missing to write one.

    Of ``passages`` only the names are shown.
    """
    length = length_shown(brief.target_words, brief.language)
    lengths = {f"c{count}": characters(count, brief.language) for count in (30, 60, 120, 150)}
    asked = [
        f"Topic: {quoted(brief.topic)}",
        *([f"Title: {quoted(request.title)} (use it as it is)"] if request.title else []),
        f"Main search phrase, {_origin(request)}: {quoted(brief.primary_keyword)}",
        f"Other search phrases: {quoted('; '.join(brief.secondary) or 'none')}",
        f"Kind of post: {request.post_type}. Length: about {length} in all.",
        _PLAN_TASK.format(invitation=invitation(request), links=_number_of_links(request), **lengths),
        *_requested(request.plan),
        *key_point_lines(request),
        _PLAN_SHAPE,
    ]
    titles = [f"page {number}: {quoted(name)}" for number, name in page_titles]
    titles += [f"post: {quoted(name)}" for name in post_titles]
    return task_message(
        PLAN,
        [
            *asked,
            "<titles>",
            *titles,
            "</titles>",
            *sample_lines(sample),
            *instruction_lines(request),
            *evidence_lines(units),
            *heading_lines(passages),
        ],
    )


def _origin(request: GenerationRequest) -> str:
    """Say whether the search phrase may be changed."""
    return "chosen by the site: keyphrase is exactly this" if request.keywords else "cut out of the topic"


def _number_of_links(request: GenerationRequest) -> str:
    least, most = request.least_links, request.most_links
    return "no" if most == 0 else f"{least} to {max(least, min(most, least + 3))}"


def _requested(requested: PostPlan | None) -> list[str]:
    """Return the sections that the caller asked for; the plan keeps them."""
    if requested is None or not requested.sections:
        return []
    lines = [
        "The sections are given: keep exactly these headings in this order, and plan the rest around them."
    ]
    for number, section in enumerate(requested.sections, 1):
        points = f": {'; '.join(section.key_points)}" if section.key_points else ""
        lines.append(quoted(f"{number}. {section.heading}{points}"))
    return lines
