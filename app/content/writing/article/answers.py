"""Readers of a model's answers: they reject every other shape. Pure."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from app.content.drafts import Paragraph, Sentence, Usage
from app.content.plan import (
    MOST_QUESTIONS,
    MOST_SECTIONS,
    SECTION_FORMATS,
    PlannedClosing,
    PlannedLink,
    PlannedQuestion,
    PlannedSection,
    PostPlan,
)
from app.content.writing.article import answer_parts as parts
from app.content.writing.article.schemas import PLAN, VERDICTS
from app.content.writing.llm.questions import WrongShape

_MOST_BLOCKS: Final = 4
"""Blocks in place of one."""
_LEAST_UNREAD: Final = 3
"""Sentences with blanks for which a verifier that has checked them has read something."""


@dataclass(frozen=True)
class NotCovered:
    """The reason for no article: the topic is absent, or the model found that the evidence does not cover it.

    ``missing`` is what the evidence does not say, ``page_ids`` are pages that may say it, by their names.
    """

    missing: tuple[str, ...]
    usage: Usage = field(default_factory=Usage)
    page_ids: tuple[int, ...] = ()

    @property
    def was_asked(self) -> bool:
        """Whether the model was asked."""
        return self.usage.calls > 0


@dataclass(frozen=True)
class WrittenPart:
    """The text of a model: an introduction, sections with their headings, answers, a closing."""

    introduction: tuple[Paragraph, ...]
    sections: tuple[tuple[str, tuple[Paragraph, ...]], ...]
    questions: tuple[tuple[str, tuple[Sentence, ...]], ...]
    closing: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Verdict:
    """The verdict on a sentence, the deciding words of the evidence, and what it says in the blanks."""

    verdict: str
    words: str
    blanks: tuple[str, ...] = ()


@dataclass(frozen=True)
class Change:
    """A change of what ``id`` names: the sentence or heading, or blocks in a block's place."""

    id: str
    sentence: Sentence
    blocks: tuple[Paragraph, ...]


def read_plan(headings: tuple[str, ...] = ()) -> Callable[[Any], PostPlan | NotCovered]:
    """Return the reader of a plan of 2 to 12 sections; it raises WrongShape.

    With ``headings`` the plan has exactly these sections, in the caller's words.
    """

    def read(data: Any) -> PostPlan | NotCovered:
        members = parts.members(data, *PLAN["required"])
        if members["not_covered"] is True:
            pages = parts.items(members["links"], _planned_link)
            return NotCovered(parts.lines(members["missing"]), page_ids=tuple(page.page_id for page in pages))
        sections = parts.items(members["sections"], _section)
        if headings and len(sections) != len(headings):
            raise WrongShape
        if not headings and not 2 <= len(sections) <= MOST_SECTIONS:
            raise WrongShape
        if headings:
            named = zip(sections, headings, strict=True)
            sections = tuple(replace(section, heading=heading) for section, heading in named)
        closing = parts.members(members["closing"], "heading", "purpose")
        return PostPlan(
            title=parts.plain_text(members["title"]),
            meta_title=parts.plain_text(members["meta_title"]),
            description=parts.plain_text(members["description"]),
            keyphrase=parts.plain_text(members["keyphrase"]).lower(),
            reader_question=parts.plain_text(members["reader_question"]),
            angle=parts.plain_text(members["angle"]),
            sections=sections,
            highlights=parts.items(members["highlights"], parts.evidence_id),
            questions=parts.items(members["questions"], _question)[:MOST_QUESTIONS],
            closing=PlannedClosing(
                parts.plain_text(closing["heading"]), parts.plain_text(closing["purpose"])
            ),
            links=parts.items(members["links"], _planned_link),
            gaps=parts.lines(members["gaps"]),
        )

    return read


def read_draft(linkable: Collection[int]) -> Callable[[Any], WrittenPart]:
    """Return the reader of a draft; it raises WrongShape. Links go to ``linkable`` pages."""

    def section(data: Any) -> tuple[str, tuple[Paragraph, ...]]:
        members = parts.members(data, "heading", "blocks")
        return parts.line(members["heading"]), blocks(members["blocks"])

    def answer(data: Any) -> tuple[str, tuple[Sentence, ...]]:
        members = parts.members(data, "question", "sentences")
        return parts.line(members["question"]), parts.items(members["sentences"], parts.sentence(linkable))

    def blocks(data: Any) -> tuple[Paragraph, ...]:
        read = parts.items(data, parts.block(linkable))
        return tuple(paragraph for paragraph in read if paragraph.sentences)

    def read(data: Any) -> WrittenPart:
        members = parts.members(data, "introduction", "sections", "questions", "closing")
        written = parts.items(members["sections"], section)
        if not written:
            raise WrongShape
        return WrittenPart(
            blocks(members["introduction"]),
            written,
            parts.items(members["questions"], answer)[:MOST_QUESTIONS],
            blocks(members["closing"]),
        )

    return read


def read_verdicts(
    numbers: Collection[int], with_blanks: Collection[int] = ()
) -> Callable[[Any], Mapping[int, Verdict]]:
    """Return the reader of verdicts on the sentences of these ``numbers``; it raises WrongShape.

    So it does if nothing was read for those ``with_blanks`` that are said to be supported: a verifier that
    leaves them all empty has not checked them.
    """

    def verdict(data: Any) -> tuple[int, Verdict]:
        # A model without structured output may leave out what is empty.
        known = {"blanks": [], **data} if isinstance(data, dict) else data
        members = parts.members(known, "n", "blanks", "verdict", "words")
        if type(members["n"]) is not int or members["verdict"] not in VERDICTS:
            raise WrongShape
        blanks = members["blanks"]
        read = parts.items(list(blanks.values()) if isinstance(blanks, dict) else blanks, parts.reading)
        return members["n"], Verdict(members["verdict"], parts.text(members["words"]), read)

    def read(data: Any) -> Mapping[int, Verdict]:
        found = dict(parts.items(parts.members(data, "verdicts")["verdicts"], verdict))
        if not found.keys() >= set(numbers):
            raise WrongShape
        agreed = [found[number] for number in with_blanks if found[number].verdict == "supported"]
        if len(agreed) >= _LEAST_UNREAD and not any(any(each.blanks) for each in agreed):
            raise WrongShape
        return {number: found[number] for number in numbers}

    return read


def read_revision(
    linkable: Collection[int], lines: Collection[int] = ()
) -> Callable[[Any], Mapping[int, Sentence]]:
    """Return the reader of revised sentences by their numbers; an empty text drops a sentence.

    ``lines`` are the numbers of those that are lines of code, which keep their signs.
    """

    def one(data: Any) -> tuple[int, Sentence]:
        members = parts.members(data, "n", "text", "evidence")
        if type(members["n"]) is not int:
            raise WrongShape
        read = parts.code_line if members["n"] in lines else parts.sentence(linkable)
        return members["n"], read({"text": members["text"], "evidence": members["evidence"]})

    return lambda data: dict(parts.items(parts.members(data, "sentences")["sentences"], one))


def read_edit(linkable: Collection[int]) -> Callable[[Any], tuple[Change, ...]]:
    """Return the reader of an editor's changes; it raises WrongShape. Links go to ``linkable`` pages."""

    def change(data: Any) -> Change:
        members = parts.members(data, "id", "text", "evidence", "blocks")
        blocks = parts.items(members["blocks"], parts.block(linkable))
        if len(blocks) > _MOST_BLOCKS:
            raise WrongShape
        said = parts.sentence(linkable)({"text": members["text"], "evidence": members["evidence"]})
        return Change(parts.evidence_id(members["id"]).lower(), said, blocks)

    return lambda data: parts.items(parts.members(data, "changes")["changes"], change)


def _section(data: Any) -> PlannedSection:
    members = parts.members(data, "heading", "purpose", "key_points", "evidence", "words", "format")
    if type(members["words"]) is not int or members["format"] not in SECTION_FORMATS:
        raise WrongShape
    return PlannedSection(
        parts.line(members["heading"]).rstrip(".:"),
        parts.plain_text(members["purpose"]),
        parts.lines(members["key_points"]),
        parts.evidence_ids(members["evidence"]),
        max(0, members["words"]),
        members["format"],
    )


def _question(data: Any) -> PlannedQuestion:
    members = parts.members(data, "question", "evidence")
    return PlannedQuestion(parts.line(members["question"]), parts.evidence_ids(members["evidence"]))


def _planned_link(data: Any) -> PlannedLink:
    members = parts.members(data, "page", "section")
    if type(members["page"]) is not int:
        raise WrongShape
    return PlannedLink(members["page"], parts.plain_text(members["section"]))
