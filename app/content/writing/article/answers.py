"""Readers of a model's answers: they reject every other shape and clean the texts. Pure.

A clean text is one line without markup, addresses and links, except placeholders of known pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from app.content.drafts import Paragraph, ParagraphKind, Sentence
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
from app.content.writing.article.schemas import BLOCK_KINDS, PLAN, VERDICTS
from app.content.writing.llm.cleaning import cleaned, cleaned_code, code_in, plain, plain_cell
from app.content.writing.llm.questions import WrongShape
from app.pages.extraction.blocks import CELL_SEPARATOR

_MOST_ITEMS: Final = 120
_LONGEST_TEXT: Final = 4_000
_LONGEST_ID: Final = 80
_KINDS: Final[Mapping[str, ParagraphKind]] = {
    "p": "p",
    "ul": "ul",
    "ol": "ol",
    "table": "table",
    "quote": "quote",
    "code": "code",
    "h3": "heading",
}

T = TypeVar("T")


@dataclass(frozen=True)
class NotCovered:
    """The model's answer that the evidence does not cover the topic, and what is missing."""

    missing: tuple[str, ...]


@dataclass(frozen=True)
class WrittenPart:
    """The text of a model: an introduction, sections with their headings, answers, a closing."""

    introduction: tuple[Paragraph, ...]
    sections: tuple[tuple[str, tuple[Paragraph, ...]], ...]
    questions: tuple[tuple[str, tuple[Sentence, ...]], ...]
    closing: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Verdict:
    """The verdict on a sentence, and the deciding words of the evidence."""

    verdict: str
    words: str


def read_plan(headings: tuple[str, ...] = ()) -> Callable[[Any], PostPlan | NotCovered]:
    """Return the reader of a plan of 2 to 12 sections; it raises WrongShape.

    With ``headings`` the plan has exactly these sections, in the caller's words.
    """

    def read(data: Any) -> PostPlan | NotCovered:
        members = _members(data, *PLAN["required"])
        if members["not_covered"] is True:
            return NotCovered(_lines(members["missing"]))
        sections = _list(members["sections"], _section)
        if headings and len(sections) != len(headings):
            raise WrongShape
        if not headings and not 2 <= len(sections) <= MOST_SECTIONS:
            raise WrongShape
        closing = _members(members["closing"], "heading", "purpose")
        return PostPlan(
            title=_plain(members["title"]),
            meta_title=_plain(members["meta_title"]),
            description=_plain(members["description"]),
            keyphrase=_plain(members["keyphrase"]).lower(),
            reader_question=_plain(members["reader_question"]),
            angle=_plain(members["angle"]),
            sections=tuple(
                replace(section, heading=heading) for section, heading in _paired(sections, headings)
            ),
            highlights=_list(members["highlights"], _id),
            questions=_list(members["questions"], _question)[:MOST_QUESTIONS],
            closing=PlannedClosing(_plain(closing["heading"]), _plain(closing["purpose"])),
            links=_list(members["links"], _planned_link),
            gaps=_lines(members["gaps"]),
        )

    return read


def read_draft(linkable: Collection[int]) -> Callable[[Any], WrittenPart]:
    """Return the reader of a draft; it raises WrongShape. Links go to ``linkable`` pages."""

    def section(data: Any) -> tuple[str, tuple[Paragraph, ...]]:
        members = _members(data, "heading", "blocks")
        return _line(members["heading"]), blocks(members["blocks"])

    def answer(data: Any) -> tuple[str, tuple[Sentence, ...]]:
        members = _members(data, "question", "sentences")
        return _line(members["question"]), _list(members["sentences"], _sentence(linkable))

    def blocks(data: Any) -> tuple[Paragraph, ...]:
        read = _list(data, _block(linkable))
        return tuple(paragraph for paragraph in read if paragraph.sentences)

    def read(data: Any) -> WrittenPart:
        members = _members(data, "introduction", "sections", "questions", "closing")
        written = _list(members["sections"], section)
        if not written:
            raise WrongShape
        return WrittenPart(
            blocks(members["introduction"]),
            written,
            _list(members["questions"], answer)[:MOST_QUESTIONS],
            blocks(members["closing"]),
        )

    return read


def read_verdicts(numbers: Collection[int]) -> Callable[[Any], Mapping[int, Verdict]]:
    """Return the reader of verdicts on the sentences of these ``numbers``; it raises WrongShape."""

    def verdict(data: Any) -> tuple[int, Verdict]:
        members = _members(data, "n", "verdict", "words")
        if type(members["n"]) is not int or members["verdict"] not in VERDICTS:
            raise WrongShape
        return members["n"], Verdict(members["verdict"], _text(members["words"]))

    def read(data: Any) -> Mapping[int, Verdict]:
        found = dict(_list(_members(data, "verdicts")["verdicts"], verdict))
        if not found.keys() >= set(numbers):
            raise WrongShape
        return {number: found[number] for number in numbers}

    return read


def read_revision(linkable: Collection[int]) -> Callable[[Any], Mapping[int, Sentence]]:
    """Return the reader of revised sentences by their numbers; an empty text drops a sentence."""

    def one(data: Any) -> tuple[int, Sentence]:
        members = _members(data, "n", "text", "evidence")
        if type(members["n"]) is not int:
            raise WrongShape
        sentence = _sentence(linkable)({"text": members["text"], "evidence": members["evidence"]})
        return members["n"], sentence

    return lambda data: dict(_list(_members(data, "sentences")["sentences"], one))


def _block(linkable: Collection[int]) -> Callable[[Any], Paragraph]:
    def read(data: Any) -> Paragraph:
        members = _members(data, "kind", "sentences", "header", "rows")
        if members["kind"] not in BLOCK_KINDS:
            raise WrongShape
        kind = _KINDS[members["kind"]]
        if kind == "table":
            header = _list(members["header"], lambda cell: plain_cell(_text(cell)))
            rows = _list(members["rows"], _row(len(header)))
            return Paragraph("table", rows if header else (), header=header)
        if kind == "code":
            return Paragraph("code", _list(members["sentences"], _code))
        sentences = _list(members["sentences"], _sentence(linkable))
        return Paragraph(kind, tuple(each for each in sentences if each.text))

    return read


def _row(columns: int) -> Callable[[Any], Sentence]:
    def read(data: Any) -> Sentence:
        members = _members(data, "cells", "evidence")
        cells = _list(members["cells"], lambda cell: plain_cell(_text(cell)))
        code = code_in(CELL_SEPARATOR.join(members["cells"]))
        if len(cells) != columns:
            raise WrongShape
        ids = _ids(members["evidence"])
        return Sentence(CELL_SEPARATOR.join(cells), ids, "model", cells=cells, code=code)

    return read


def _code(data: Any) -> Sentence:
    members = _members(data, "text", "evidence")
    return Sentence(cleaned_code(_text(members["text"])), _ids(members["evidence"]), "model")


def _sentence(linkable: Collection[int]) -> Callable[[Any], Sentence]:
    def read(data: Any) -> Sentence:
        members = _members(data, "text", "evidence")
        ids = _ids(members["evidence"])
        text = _text(members["text"])
        return Sentence(cleaned(text, linkable), ids, "model", code=code_in(text))

    return read


def _section(data: Any) -> PlannedSection:
    members = _members(data, "heading", "purpose", "key_points", "evidence", "words", "format")
    if type(members["words"]) is not int or members["format"] not in SECTION_FORMATS:
        raise WrongShape
    return PlannedSection(
        _line(members["heading"]).rstrip(".:"),
        _plain(members["purpose"]),
        _lines(members["key_points"]),
        _ids(members["evidence"]),
        max(0, members["words"]),
        members["format"],
    )


def _paired(
    sections: tuple[PlannedSection, ...], headings: tuple[str, ...]
) -> list[tuple[PlannedSection, str]]:
    return list(zip(sections, headings or [section.heading for section in sections], strict=True))


def _question(data: Any) -> PlannedQuestion:
    members = _members(data, "question", "evidence")
    return PlannedQuestion(_line(members["question"]), _ids(members["evidence"]))


def _planned_link(data: Any) -> PlannedLink:
    members = _members(data, "page", "section")
    if type(members["page"]) is not int:
        raise WrongShape
    return PlannedLink(members["page"], _plain(members["section"]))


def _members(data: Any, *names: str) -> Mapping[str, Any]:
    """Return an object with exactly these members."""
    if not isinstance(data, dict) or set(data) != set(names):
        raise WrongShape
    return data


def _list(data: Any, read: Callable[[Any], T]) -> tuple[T, ...]:
    if not isinstance(data, list) or len(data) > _MOST_ITEMS:
        raise WrongShape
    return tuple(read(each) for each in data)


def _lines(data: Any) -> tuple[str, ...]:
    return tuple(filter(None, _list(data, _plain)))


def _text(data: Any) -> str:
    if not isinstance(data, str) or len(data) > _LONGEST_TEXT:
        raise WrongShape
    return data


def _plain(data: Any) -> str:
    return plain(_text(data))


def _id(data: Any) -> str:
    return _text(data).strip().strip("[]")[:_LONGEST_ID]


def _ids(data: Any) -> tuple[str, ...]:
    """Return the ids of evidence, each once."""
    return tuple(dict.fromkeys(_list(data, _id)))


def _line(data: Any) -> str:
    """Return a heading or question. Raises WrongShape if it is empty."""
    line = _plain(data).lstrip("# ")[:200]
    if not line:
        raise WrongShape
    return line
