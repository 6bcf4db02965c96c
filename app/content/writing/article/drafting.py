"""The draft of an article: one call, or several for a long one, each with the text so far."""

from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from typing import Final

from app.content.drafts import Paragraph, Sentence
from app.content.evidence.units import EvidenceUnit
from app.content.plan import PlannedQuestion, PlannedSection, PostPlan
from app.content.rendering.markdown import shown
from app.content.retrieval.evidence import tokens_in_pack
from app.content.writing.article import prompts
from app.content.writing.article.answers import WrittenPart, read_draft
from app.content.writing.article.draft import Draft, Part
from app.content.writing.article.material import Material, described_pages
from app.content.writing.article.schemas import DRAFT
from app.content.writing.llm.calls import Calls
from app.content.writing.llm.questions import Question
from app.content.writing.providers.base import Message
from app.content.writing.veto.evidence import half_of
from app.content.writing.veto.names import unsupported_names
from app.content.writing.veto.quantities import quantities
from app.language.languages import language_data
from app.language.stems import content_stems
from app.language.words import fold, words

_WHOLE_WORDS: Final = 1_800
"""Words up to which an article is written in one call."""

_PACK_TOKENS: Final = (3_500, 8_500)
"""The evidence for a draft: at least, and at most, where much stands beside what a plan names."""

_ON_SECTION: Final = 3
_OF_LINKED: Final = 1
_SAME_QUESTION: Final = 0.66


def evidence_for(material: Material, plan: PostPlan) -> tuple[EvidenceUnit, ...]:
    """Return a plan's evidence: what it names, fills gaps, stands beside it, explains it, and is linked.

    What says most on a section in the words of the plan, which saw less, is evidence, too. Little else is: of
    what is there for no reason a writer uses one passage of twenty.
    """
    index = material.index
    named = index.named(plan.evidence_ids)
    pages = {unit.page_id for unit in named}
    first = (
        *named,
        *index.examples_of(named),
        *(unit for gap in plan.gaps for unit in material.filling(gap)),
        *index.places.openings_of(named),
        *index.places.beside(named),
        *index.mentioned(named),
        *_on_sections(material, plan),
        *index.best_of(
            (link.page_id for link in plan.links if link.page_id not in pages),
            material.brief.topic,
            _OF_LINKED,
        ),
        *index.places.options_beside(named),
    )
    explaining = index.definitions.explaining(named)
    least, most = _PACK_TOKENS
    around = (*material.given, *material.about_site, *explaining)
    tokens = tokens_in_pack(dict.fromkeys((*first, *around)))
    return material.pack(list(dict.fromkeys(first)), min(most, max(least, tokens)), explaining)


def _on_sections(material: Material, plan: PostPlan) -> Iterator[EvidenceUnit]:
    """Yield what says most on each section of all evidence."""
    for section in plan.sections:
        ranked = material.index.ranked(" ".join((section.heading, *section.key_points)))
        yield from (unit for unit, _ in ranked[:_ON_SECTION])


def draft_article(
    material: Material,
    plan: PostPlan,
    units: Sequence[EvidenceUnit],
    calls: Calls,
    drafted: Callable[[int, int], None],
) -> Draft:
    """Return the article as the model wrote it; ``drafted(done, total)`` gets the numbers of sections.

    Raises ServiceFailure.
    """
    pages = _pages(material, plan)
    groups = _groups(plan.sections)
    written: list[WrittenPart] = []
    drafted(0, len(plan.sections))
    for number, sections in enumerate(groups):
        is_last = number == len(groups) - 1

        def messages(
            shown_units: Sequence[EvidenceUnit],
            sections: Sequence[PlannedSection] = sections,
            is_last: bool = is_last,
        ) -> tuple[Message, ...]:
            asked = prompts.draft(
                material.request,
                material.brief,
                plan,
                sections,
                shown_units,
                pages=pages,
                sample=material.sample,
                endings=material.snapshot.endings,
                so_far=_text_of(written),
                is_last=is_last,
            )
            return (material.system(), asked)

        reader = read_draft([number for number, _ in pages])
        written.append(calls.ask(Question(messages(units), messages(half_of(units)), DRAFT, reader)))
        drafted(sum(len(part.sections) for part in written), len(plan.sections))
    return _joined(plan, written, material.brief.language)


def _groups(sections: Sequence[PlannedSection]) -> list[tuple[PlannedSection, ...]]:
    """Return the sections of each call: all together, or in groups of equal length."""
    ends = list(accumulate(section.words for section in sections))
    if not ends or ends[-1] <= _WHOLE_WORDS or len(sections) < 2:
        return [tuple(sections)]
    count = -(-ends[-1] // _WHOLE_WORDS)
    share = ends[-1] / count
    groups: list[list[PlannedSection]] = [[] for _ in range(count)]
    for section, end in zip(sections, ends, strict=True):
        groups[min(count - 1, int((end - 1) // share))].append(section)
    return [tuple(group) for group in groups if group]


def _pages(material: Material, plan: PostPlan) -> list[tuple[int, str]]:
    names = described_pages(material.snapshot.pages)
    return [(link.page_id, names[link.page_id]) for link in plan.links if link.page_id in names]


def _joined(plan: PostPlan, written: Sequence[WrittenPart], language: str) -> Draft:
    """Return the parts in reading order: introduction, sections, the planned questions, closing."""
    parts = [Part("introduction", "", part.introduction) for part in written[:1]]
    sections = [section for part in written for section in part.sections]
    headings = _headings(plan, [heading for heading, _ in sections])
    evidence = {section.heading: section.evidence_ids for section in plan.sections}
    parts += [
        Part("section", name, text, evidence.get(name, ()))
        for name, (_, text) in zip(headings, sections, strict=True)
    ]
    waiting = list(plan.questions)
    for asked, sentences in (question for part in written for question in part.questions):
        found = _planned(asked, sentences, waiting, language) if sentences else None
        if found is not None:
            question, heading = found
            waiting.remove(question)
            text = (Paragraph("p", sentences),)
            parts.append(Part("question", heading, text, question.evidence_ids))
    parts += [Part("closing", plan.closing.heading, part.closing) for part in written if part.closing][-1:]
    return Draft(tuple(part for part in parts if part.paragraphs))


def _headings(plan: PostPlan, written: Sequence[str]) -> list[str]:
    """Return the planned heading of each written section, in any order.

    If no section is missing, sections with other headings get the planned ones that are left.
    """
    planned = {_mark(section.heading): section.heading for section in plan.sections}
    named = [planned.pop(_mark(heading), "") for heading in written]
    left = iter(planned.values() if len(written) == len(plan.sections) else ())
    return [name or next(left, heading) for name, heading in zip(named, written, strict=True)]


def _planned(
    asked: str, answer: Sequence[Sentence], waiting: Sequence[PlannedQuestion], language: str
) -> tuple[PlannedQuestion, str] | None:
    """Return the planned question that an answer is to, and its heading.

    It is the one most alike, in the planned words; else the one with the answer's evidence and a word of what
    was asked, in the words of the model: of what the evidence does not let answer, it asks less. These have
    no figure or name that neither the plan nor the answer has.
    """
    likeness = {each: _likeness(each.question, asked, language) for each in waiting}
    best = max(waiting, key=lambda each: likeness[each], default=None)
    if best is not None and likeness[best] >= _SAME_QUESTION:
        return best, best.question
    named = {unit_id for sentence in answer for unit_id in sentence.source_ids}
    on_it = [each for each in waiting if likeness[each] > 0 and not named.isdisjoint(each.evidence_ids)]
    if len(on_it) != 1:
        return None
    said = " ".join([on_it[0].question, *(sentence.text for sentence in answer)])
    figures = {each.number for each in quantities(said, language)}
    is_known = all(each.number in figures for each in quantities(asked, language))
    return (on_it[0], asked) if is_known and not unsupported_names(asked, said, language) else None


def _likeness(one: str, other: str, language: str) -> float:
    """Return the share of the words with a meaning that two questions have in common, from 0 to 1.

    Models word a planned question anew. Two of which only one denies something are not alike.
    """
    if _mark(one) == _mark(other):
        return 1.0
    denying = language_data(language).words.denying
    first, second = (frozenset(words(text.lower())) for text in (one, other))
    if denying & first != denying & second:
        return 0.0
    meant, answered = (frozenset(content_stems(text, language)) for text in (one, other))
    return len(meant & answered) / max(1, len(meant | answered))


def _mark(text: str) -> str:
    """Return the words by which headings and questions are compared."""
    return " ".join(words(text)).lower()


def _text_of(written: Sequence[WrittenPart]) -> str:
    """Return the text so far, which the model continues."""
    lines: list[str] = []
    for part in written:
        lines += [_plain(paragraph) for paragraph in part.introduction]
        for heading, paragraphs in part.sections:
            lines += [f"# {heading}", *(_plain(paragraph) for paragraph in paragraphs)]
    return "\n".join(lines)


def _plain(paragraph: Paragraph) -> str:
    return fold(" ".join(shown(sentence.text) for sentence in paragraph.sentences))
