"""What stands around the sections: answers to questions, the introduction and the search entry."""

from __future__ import annotations

from collections.abc import Sequence

from app.content.artefacts import OutlineSection, Paragraph, SectionDraft, Sentence
from app.content.assembly.assemble import Opening
from app.content.language.text import words
from app.content.planning.titles import DESCRIPTION_LENGTH, META_TITLE_LENGTH, cut
from app.content.rendering.page_links import shown
from app.content.writing.article import prompts
from app.content.writing.article.answers import Beginning, read_beginning, read_faq
from app.content.writing.article.calls import Calls
from app.content.writing.article.claims import findings, heading_findings
from app.content.writing.article.draft import RESERVED_TOKENS, faults_of, held_by, only_new
from app.content.writing.article.evidence import Proof, half_of, within_pack
from app.content.writing.article.length import SMALL_PART, within
from app.content.writing.article.planning import Material, Planned
from app.content.writing.article.questions import Question
from app.content.writing.article.reasons import why_missing
from app.content.writing.article.schemas import FAQ, OPENING
from app.content.writing.providers.base import Message
from app.failures import Failure


def answered(
    material: Material, planned: Planned, calls: Calls, said: set[str]
) -> tuple[list[SectionDraft], list[str]]:
    """Return the questions with the answers that their evidence holds, and notes on what was removed."""
    asked = planned.outline.faq
    if not asked:
        return [], []
    proofs = _of(planned, asked)
    questions = [section.heading for section in asked]

    def messages(shown_proofs: Sequence[Proof]) -> tuple[Message, ...]:
        made = prompts.faq(material.request, planned.outline.title, questions, shown_proofs)
        return (material.system(), made)

    wanted = Question(messages(proofs), messages(half_of(proofs)), FAQ, read_faq)
    affordable = calls.affords(2, wanted.tokens + RESERVED_TOKENS)
    answers = calls.ask_spared([wanted])[0] if affordable else None
    if answers is None or isinstance(answers, Failure):
        return [], [f"The questions were not answered: {why_missing(answers)}."]
    ground = material.ground(proofs)
    drafts: list[SectionDraft] = []
    notes: list[str] = []
    waiting = {_mark(question): question for question in questions}
    for number, (told, sentences) in enumerate(answers, 1):
        question = waiting.pop(_mark(told), None)
        if question is None:
            notes.append(f"An answer to “{told}” was left out: it was not asked, or is answered already.")
            continue
        text = (Paragraph("p", sentences),)
        notes += [f"Removed from the answer to “{question}”: {fault}." for fault in faults_of(text, ground)]
        notes += [f"The question “{question}”: {finding}." for finding in heading_findings(question, ground)]
        kept = only_new(within(held_by(text, ground), SMALL_PART), said)
        if kept and not heading_findings(question, ground):
            drafts.append(SectionDraft(f"q{number}", question, None, kept, (), 3, "model"))
    return drafts, notes


def _mark(question: str) -> str:
    """Return what makes a question the same as another one: its words."""
    return " ".join(words(question)).lower()


def opened(
    material: Material, planned: Planned, drafts: Sequence[SectionDraft], calls: Calls, said: set[str]
) -> tuple[Opening, str, list[str]]:
    """Return introduction and description, the search title, and notes on what was removed."""
    meta_title = planned.outline.meta_title
    proofs = _of(planned, planned.outline.sections)

    def messages(shown_proofs: Sequence[Proof]) -> tuple[Message, ...]:
        title, sections = planned.outline.title, planned.outline.sections
        made = prompts.opening(material.request, material.brief, title, sections, shown_proofs)
        return (material.system(), made)

    question = Question(messages(proofs), messages(half_of(proofs)), OPENING, read_beginning)
    made = calls.ask_spared([question])[0] if calls.affords(1, question.tokens) else None
    if made is None or isinstance(made, Failure):
        notes = [f"The introduction was not written: {why_missing(made)}."]
        return Opening(description=_description(material, (), drafts)), meta_title, notes
    ground = material.ground(proofs)
    text = (Paragraph("p", made.introduction),)
    notes = [f"Removed from the introduction: {fault}." for fault in faults_of(text, ground)]
    notes += [f"The description was not used: {found}." for found in findings(made.description, ground)]
    kept = only_new(within(held_by(text, ground), SMALL_PART), said)
    if _fits(made) and not heading_findings(made.meta_title, ground):
        meta_title = made.meta_title
    first = () if findings(made.description, ground) else (made.description,)
    intro = tuple(s for paragraph in kept for s in paragraph.sentences)
    return Opening(kept, _description(material, (*first, *intro), drafts)), meta_title, notes


def _fits(made: Beginning) -> bool:
    return META_TITLE_LENGTH[0] <= len(made.meta_title) <= META_TITLE_LENGTH[1]


def _of(planned: Planned, sections: Sequence[OutlineSection]) -> tuple[Proof, ...]:
    """Return the evidence of several sections, the best of each first, within one pack."""
    packs = [planned.packs[section.id] for section in sections]
    longest = max(map(len, packs))
    return within_pack(pack[n] for n in range(longest) for pack in packs if n < len(pack))


def _description(material: Material, first: Sequence[Sentence], drafts: Sequence[SectionDraft]) -> Sentence:
    """Return the first sentence of 70 to 156 characters, else the first one cut."""
    told = [*first, *(s for draft in drafts for p in draft.paragraphs if p.kind == "p" for s in p.sentences)]
    told = told or [s for draft in drafts for p in draft.paragraphs for s in p.sentences]
    low, high = DESCRIPTION_LENGTH
    fitting = next((s for s in told if low <= len(shown(s.text)) <= high), told[0])
    return Sentence(cut(shown(fitting.text), high), fitting.source_ids, "model")
