"""Sections drafted from their own evidence, checked, asked for again once, and cut down to what is held."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import OutlineSection, Paragraph, SectionDraft, SectionLink, Sentence
from app.content.evidence.ids import page_of
from app.content.evidence.sections import page_name
from app.content.language.text import fold
from app.content.rendering.page_links import links_in, shown
from app.content.request import MOST_WORDS
from app.content.writing.article import prompts
from app.content.writing.article.answers import read_section
from app.content.writing.article.calls import Calls
from app.content.writing.article.claims import Ground, findings
from app.content.writing.article.evidence import Proof, half_of
from app.content.writing.article.length import within, words_of
from app.content.writing.article.planning import Material, Planned
from app.content.writing.article.questions import Question
from app.content.writing.article.reasons import why_missing
from app.content.writing.article.schemas import SECTION
from app.content.writing.providers.base import Message
from app.failures import Failure, ServiceFailure

RESERVED_CALLS: Final = 2
"""Calls kept back from repairs, for the questions and the opening."""

RESERVED_TOKENS: Final = 9_000
"""Tokens kept back for each of them."""

_PAGES_TO_LINK: Final = 4
_FINDINGS_TOLD: Final = 12


@dataclass(frozen=True)
class Fault:
    """A sentence that its evidence does not hold, and why."""

    sentence: Sentence
    reasons: tuple[str, ...]

    def __str__(self) -> str:
        return f"“{shown(self.sentence.text)}”: {'; '.join(self.reasons)}"


Paragraphs = tuple[Paragraph, ...]


def draft(
    material: Material, planned: Planned, calls: Calls, drafted: Callable[[int], None]
) -> list[Paragraphs]:
    """Return the paragraphs of each section as the model wrote them; ``drafted`` hears how many there are."""
    sections = planned.outline.sections
    asked = [_question(material, planned, section) for section in sections]
    return calls.ask_all(asked, drafted)


def repaired(
    material: Material, planned: Planned, written: Sequence[Paragraphs], calls: Calls, said: set[str]
) -> tuple[list[SectionDraft], list[str]]:
    """Return the sections that are held by their evidence, and notes on what was removed from them.

    A section with faults is asked for once more, as long as the job's calls allow; the better text stays, and
    the first one where no other can be had. Sentences that were ``said`` before are left out, and theirs are
    added. What grew much longer than it was asked for is cut. Raises ServiceFailure, also why no other text
    could be had when nothing of the first ones is held.
    """
    sections = planned.outline.sections
    texts = list(written)
    faulty = [n for n, text in enumerate(texts) if faults_of(text, _ground(material, planned, sections[n]))]
    repairs = {n: _repair(material, planned, sections[n], texts[n]) for n in faulty}
    affordable = _affordable(repairs, calls)
    answers = calls.ask_spared([repairs[n] for n in affordable])
    again = dict(zip(affordable, answers, strict=True))
    drafts: list[SectionDraft] = []
    notes: list[str] = []
    for n in faulty:
        text = again.get(n)
        if text is None or isinstance(text, Failure):
            notes.append(f"The section “{sections[n].heading}” was not written again: {why_missing(text)}.")
        else:
            ground = _ground(material, planned, sections[n])
            texts[n] = max(texts[n], text, key=lambda each: _held(each, ground))
    linked: set[int] = set()
    room = MOST_WORDS
    for section, text in zip(sections, texts, strict=True):
        ground = _ground(material, planned, section)
        notes += [f"Removed from “{section.heading}”: {fault}." for fault in faults_of(text, ground)]
        held = held_by(text, ground)
        short = within(held, section.target_words, room)
        notes += _told_of_cut(section, held, short)
        kept = only_new(short, said)
        room -= words_of(kept)
        if kept:
            drafts.append(_section_draft(material, planned, section, kept, linked))
        elif short == held:
            notes.append(f"The section “{section.heading}” was left out: the evidence holds none of it.")
    failed = next((each for each in again.values() if isinstance(each, Failure)), None)
    if failed and not drafts:
        raise ServiceFailure(failed.code, failed.message, hints=failed.hints, details=failed.details)
    return drafts, notes


def _told_of_cut(section: OutlineSection, held: Paragraphs, short: Paragraphs) -> list[str]:
    """Return a note on a section that was cut for its length, or left out for the post's."""
    if short == held:
        return []
    if not short:
        most = f"a post has {MOST_WORDS:,} words at most"
        return [f"The section “{section.heading}” was left out: {most}, and there was no room for it."]
    cut = f"was cut to {words_of(short)} of {words_of(held)} words"
    return [f"The section “{section.heading}” {cut}: about {section.target_words} were asked for."]


def faults_of(text: Iterable[Paragraph], ground: Ground) -> list[Fault]:
    """Return the sentences that their evidence does not hold."""
    judged = [(s, findings(s, ground)) for paragraph in text for s in paragraph.sentences]
    return [Fault(sentence, reasons) for sentence, reasons in judged if reasons]


def held_by(text: Iterable[Paragraph], ground: Ground) -> Paragraphs:
    """Return the text without the sentences that have faults."""
    kept = (
        replace(paragraph, sentences=tuple(s for s in paragraph.sentences if not findings(s, ground)))
        for paragraph in text
    )
    return tuple(paragraph for paragraph in kept if paragraph.sentences)


def _held(text: Paragraphs, ground: Ground) -> int:
    return sum(len(paragraph.sentences) for paragraph in held_by(text, ground))


def only_new(text: Iterable[Paragraph], said: set[str]) -> Paragraphs:
    """Return the text without sentences that were said before, and remember its own."""
    kept: list[Paragraph] = []
    for paragraph in text:
        new: list[Sentence] = []
        for sentence in paragraph.sentences:
            mark = mark_of(sentence)
            if mark not in said:
                said.add(mark)
                new.append(sentence)
        if new:
            kept.append(replace(paragraph, sentences=tuple(new)))
    return tuple(kept)


def mark_of(sentence: Sentence) -> str:
    """Return what makes a sentence the same as another one."""
    return fold(shown(sentence.text)).lower()


def _affordable(repairs: Mapping[int, Question[Paragraphs]], calls: Calls) -> list[int]:
    """Return the numbers of the repairs that leave enough for what comes after them."""
    chosen: list[int] = []
    tokens = RESERVED_CALLS * RESERVED_TOKENS
    for number, repair in repairs.items():
        if calls.affords(len(chosen) + 1 + RESERVED_CALLS, tokens + repair.tokens):
            chosen.append(number)
            tokens += repair.tokens
    return chosen


def _question(material: Material, planned: Planned, section: OutlineSection) -> Question[Paragraphs]:
    others = [other for other in planned.outline.sections if other.id != section.id]
    pack = planned.packs[section.id]
    pages = _pages(material, pack)

    def messages(proofs: Sequence[Proof]) -> tuple[Message, ...]:
        asked = prompts.section(material.request, planned.outline.title, section, others, pages, proofs)
        return (material.system(), asked)

    return Question(messages(pack), messages(half_of(pack)), SECTION, read_section([i for i, _ in pages]))


def _repair(
    material: Material, planned: Planned, section: OutlineSection, text: Paragraphs
) -> Question[Paragraphs]:
    pack = planned.packs[section.id]
    faults = faults_of(text, _ground(material, planned, section))
    told = [str(fault) for fault in faults][:_FINDINGS_TOLD]

    def messages(proofs: Sequence[Proof]) -> tuple[Message, ...]:
        title = planned.outline.title
        return (material.system(), prompts.repair(material.request, title, section, text, told, proofs))

    reader = read_section([page_id for page_id, _ in _pages(material, pack)])
    return Question(messages(pack), messages(half_of(pack)), SECTION, reader)


def _ground(material: Material, planned: Planned, section: OutlineSection) -> Ground:
    return material.ground(planned.packs[section.id])


def _pages(material: Material, pack: Sequence[Proof]) -> list[tuple[int, str]]:
    """Return the link candidates that a section's evidence is from, by number and name."""
    if material.request.most_links == 0:
        return []
    cited = {proof.page_id for proof in pack}
    candidates = [c for c in material.brief.link_candidates if c.page_id in cited]
    return [(candidate.page_id, candidate.anchors[0]) for candidate in candidates][:_PAGES_TO_LINK]


def _section_draft(
    material: Material, planned: Planned, section: OutlineSection, text: Paragraphs, linked: set[int]
) -> SectionDraft:
    """Return the draft with its links: each page is linked once in a post, and no more than was asked for."""
    kept = tuple(
        replace(paragraph, sentences=tuple(_linked_once(material, s, linked) for s in paragraph.sentences))
        for paragraph in text
    )
    links: tuple[SectionLink, ...] = ()
    if not any(s.link for paragraph in kept for s in paragraph.sentences):
        links = _source_link(material, kept, linked)
    named = planned.headings[section.id]
    return SectionDraft(section.id, section.heading, named.source, kept, links, section.level, named.origin)


def _linked_once(material: Material, sentence: Sentence, linked: set[int]) -> Sentence:
    """Return the sentence as it is read, with its first link to a page that has none yet."""
    text = shown(sentence.text)
    for page_id, anchor in links_in(sentence.text):
        if page_id not in linked and len(linked) < material.request.most_links:
            linked.add(page_id)
            return replace(sentence, text=text, link=SectionLink(page_id, anchor, "inline"))
    return replace(sentence, text=text)


def _source_link(material: Material, text: Paragraphs, linked: set[int]) -> tuple[SectionLink, ...]:
    """Return a link to the first page cited that the post does not link yet, if one more is allowed."""
    cited = (page_of(source) for paragraph in text for s in paragraph.sentences for source in s.source_ids)
    pages = {page.page_id: page for page in material.snapshot.pages}
    new = next((page_id for page_id in cited if page_id in pages and page_id not in linked), None)
    if new is None or len(linked) >= material.request.most_links:
        return ()
    linked.add(new)
    return (SectionLink(new, page_name(pages[new])),)
