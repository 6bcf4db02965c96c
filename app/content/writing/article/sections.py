"""The sections of a checked draft, ready for assembly: links resolved, repetitions removed. Pure."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import Brief
from app.content.assembly.assemble import Opening
from app.content.drafts import Paragraph, SectionDraft, SectionLink, Sentence
from app.content.plan import PlannedQuestion, PostPlan
from app.content.planning.titles import DESCRIPTION_LENGTH, cut
from app.content.rendering.markdown import links_in, shown
from app.content.request import MOST_WORDS
from app.content.writing.article.draft import Draft, Part, with_bodies
from app.content.writing.article.material import Material
from app.language.stems import content_stems, topic_stems
from app.language.words import extent, fold, width

_ANSWERED: Final = 1 / 3
"""The share of a question's words that a sentence has which answers it elsewhere."""
_SAID_TWICE: Final = 5
"""The fewest words of a sentence whose second occurrence is removed."""


@dataclass(frozen=True)
class ArticleParts:
    """The sections, the questions, and the opening with the closing of an article."""

    sections: tuple[SectionDraft, ...]
    questions: tuple[SectionDraft, ...]
    opening: Opening
    notes: tuple[str, ...]

    @property
    def around(self) -> tuple[SectionDraft, ...]:
        """The introduction, the questions and the closing, which stand around the sections."""
        introduction = SectionDraft("introduction", "", (), self.opening.paragraphs, (), 1, "model")
        closing = (self.opening.closing,) if self.opening.closing else ()
        return introduction, *self.questions, *closing


def article_parts(
    material: Material, plan: PostPlan, draft: Draft, violations: Callable[[str], Sequence[str]]
) -> ArticleParts:
    """Return the parts of a checked draft, to be assembled; ``violations`` checks unplanned headings.

    Each page is linked once, and once more in the closing; no sentence is repeated, and sections end at
    3,000 words.
    """
    editor = _Editor(material)
    planned = {section.heading for section in plan.sections}
    sections: list[SectionDraft] = []
    questions: list[SectionDraft] = []
    introduction: tuple[Paragraph, ...] = ()
    closing: SectionDraft | None = None
    notes: list[str] = []
    for part in draft.parts:
        paragraphs = editor.edited(part.paragraphs, links_again=part.role == "closing")
        if not paragraphs:
            continue
        if part.role == "introduction":
            introduction = paragraphs
        elif part.role == "question":
            questions.append(_section(f"q{len(questions) + 1}", part, paragraphs, 3))
        elif part.role == "closing":
            closing = _section("closing", part, paragraphs, 2 if part.heading else 1)
        else:
            found = () if part.heading in planned else violations(part.heading)
            heading = "" if found else part.heading
            notes += [f"The heading “{part.heading}” was not used: {'; '.join(found)}."] if found else []
            level = 2 if heading else 1
            sections.append(
                _section(f"s{len(sections) + 1}", replace(part, heading=heading), paragraphs, level)
            )
    notes += _missing(plan, sections, questions, lambda each: _is_answered(each, draft, material.brief))
    if editor.is_full:
        notes.append(f"The article was cut: a post has {MOST_WORDS:,} words at most.")
    phrase = topic_stems(material.brief.primary_keyword, material.brief.language)
    description = _description(plan, introduction, sections, phrase, material.brief.language)
    return ArticleParts(
        tuple(sections), tuple(questions), Opening(introduction, description, closing), tuple(notes)
    )


def _section(name: str, part: Part, paragraphs: tuple[Paragraph, ...], level: int) -> SectionDraft:
    return SectionDraft(name, part.heading, (), paragraphs, (), level, "model")


def _missing(
    plan: PostPlan,
    sections: Iterable[SectionDraft],
    questions: Iterable[SectionDraft],
    is_answered: Callable[[PlannedQuestion], bool],
) -> list[str]:
    """Return notes on planned sections and questions that the article leaves out."""
    written = {section.heading for section in (*sections, *questions)}
    missing = [section.heading for section in plan.sections if section.heading not in written]
    left_out = [each for each in plan.questions if each.question not in written]
    missing += [each.question for each in left_out if not is_answered(each)]
    return [f"Planned, but not in the article: “{heading}”." for heading in missing]


def _is_answered(question: PlannedQuestion, draft: Draft, brief: Brief) -> bool:
    """Return whether a sentence says a third of a question's words, and rests on its evidence."""
    known = topic_stems(brief.primary_keyword, brief.language)
    asked = topic_stems(question.question, brief.language)
    asked = asked - known or asked
    for each in draft.statements:
        said = asked & set(content_stems(shown(each.sentence.text), brief.language))
        if len(said) >= _ANSWERED * len(asked) and {*each.sentence.source_ids} & {*question.evidence_ids}:
            return True
    return False


def _description(
    plan: PostPlan,
    introduction: Sequence[Paragraph],
    sections: Sequence[SectionDraft],
    phrase: frozenset[str],
    language: str,
) -> Sentence | None:
    """Return the planned description, else a sentence of that length, else the first one, cut.

    A sentence with the words of the keyphrase comes first.
    """
    low, high = DESCRIPTION_LENGTH
    if low <= width(plan.description) <= high:
        return Sentence(plan.description, (), "model")
    paragraphs = [*introduction, *(p for section in sections for p in section.paragraphs)]
    said = [s for paragraph in paragraphs if paragraph.kind == "p" for s in paragraph.sentences]
    if not said:
        return None
    fitting = [sentence for sentence in said if low <= width(sentence.text) <= high] or said[:1]
    named = (sentence for sentence in fitting if phrase <= topic_stems(sentence.text, language))
    chosen = next(named, fitting[0])
    return Sentence(cut(chosen.text, high), chosen.source_ids, "model", quote=chosen.quote)


def _one_listing(paragraph: Paragraph) -> Paragraph:
    """Return a listing whose lines are one text, as a reader copies it."""
    text = "\n".join(line.text for line in paragraph.sentences)
    ids = dict.fromkeys(each for line in paragraph.sentences for each in line.source_ids)
    return replace(paragraph, sentences=(Sentence(text, tuple(ids), "model", quote=text),) if text else ())


class _Editor:
    """Resolves links, removes repeated sentences, and stops at the maximum length of a post."""

    def __init__(self, material: Material) -> None:
        self._links_left = material.request.most_links
        self._speakers = {unit.id: unit.speaker for unit in material.index.units if unit.speaker}
        self._languages = {unit.id: unit.language for unit in material.index.units if unit.language}
        self._linked: set[int] = set()
        self._seen: set[str] = set()
        self._words_left = MOST_WORDS
        self.is_full = False

    def edited(self, paragraphs: Iterable[Paragraph], *, links_again: bool) -> tuple[Paragraph, ...]:
        """Return the paragraphs ready for assembly; ``links_again`` says whether they may repeat links."""
        if links_again:
            self._linked = set()
        return with_bodies([self._paragraph(paragraph) for paragraph in paragraphs])

    def _paragraph(self, paragraph: Paragraph) -> Paragraph:
        if paragraph.kind == "code":
            return replace(_one_listing(paragraph), language=self._first(self._languages, paragraph))
        if paragraph.kind == "heading":
            return replace(
                paragraph, sentences=tuple(replace(s, text=shown(s.text)) for s in paragraph.sentences[:1])
            )
        sentences = [self._linked_once(each) for each in paragraph.sentences if self._is_new(each)]
        words = sum(extent(each.text) for each in sentences)
        if words > self._words_left:
            self.is_full = True
            return replace(paragraph, sentences=())
        self._words_left -= words
        speaker = self._first(self._speakers, paragraph) if paragraph.kind == "quote" else ""
        return replace(paragraph, sentences=tuple(sentences), speaker=speaker)

    @staticmethod
    def _first(known: dict[str, str], paragraph: Paragraph) -> str:
        ids = (source for sentence in paragraph.sentences for source in sentence.source_ids)
        return next((known[each] for each in ids if each in known), "")

    def _is_new(self, sentence: Sentence) -> bool:
        mark = fold(shown(sentence.text)).lower()
        is_new = mark not in self._seen or extent(mark) < _SAID_TWICE
        self._seen.add(mark)
        return is_new

    def _linked_once(self, sentence: Sentence) -> Sentence:
        """Return the sentence with its first link to a page that is not linked yet."""
        text = shown(sentence.text)
        for page_id, anchor in links_in(sentence.text):
            if page_id not in self._linked and self._links_left > 0:
                self._linked.add(page_id)
                self._links_left -= 1
                return replace(sentence, text=text, link=SectionLink(page_id, anchor, "inline"))
        return replace(sentence, text=text)
