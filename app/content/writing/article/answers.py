"""Reads the answers of a model strictly: what has not the shape that was asked for is no answer.

Texts are cleaned on the way in: one line, no markup, no address, no link but the placeholders of known pages.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from app.content.artefacts import Paragraph, Sentence
from app.content.writing.article.cleaning import cleaned, plain
from app.content.writing.article.questions import WrongShape

MOST_SECTIONS: Final = 12
MOST_QUESTIONS: Final = 5
_MOST_ITEMS: Final = 60
_LONGEST_TEXT: Final = 2_000
_LONGEST_ID: Final = 80

T = TypeVar("T")


@dataclass(frozen=True)
class PlannedSection:
    """A section as a model plans it."""

    heading: str
    purpose: str
    key_points: tuple[str, ...]
    evidence: tuple[str, ...]


@dataclass(frozen=True)
class Plan:
    """The plan of a post as a model answers it; ``questions`` are those of the FAQ with their evidence."""

    title: str
    sections: tuple[PlannedSection, ...]
    questions: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True)
class Beginning:
    """The introduction and the search entry as a model answers them."""

    introduction: tuple[Sentence, ...]
    meta_title: str
    description: Sentence


def read_plan(data: Any) -> Plan:
    """Return a plan of 2 to 12 sections. Raises WrongShape."""
    members = _members(data, "title", "sections", "questions")
    sections = _list(members["sections"], _planned)
    if not 2 <= len(sections) <= MOST_SECTIONS:
        raise WrongShape
    questions = _list(members["questions"], _question)
    return Plan(_line(members["title"]), sections, questions[:MOST_QUESTIONS])


def read_section(linkable: Collection[int]) -> Callable[[Any], tuple[Paragraph, ...]]:
    """Return the reader of one section's paragraphs; it raises WrongShape. Links go to ``linkable`` pages."""

    def paragraph(data: Any) -> Paragraph:
        members = _members(data, "kind", "sentences")
        if members["kind"] not in {"p", "ul", "ol"}:
            raise WrongShape
        return Paragraph(members["kind"], _some(_list(members["sentences"], _sentence(linkable))))

    return lambda data: _some(_list(_members(data, "paragraphs")["paragraphs"], paragraph))


def read_faq(data: Any) -> tuple[tuple[str, tuple[Sentence, ...]], ...]:
    """Return questions with the sentences of their answers. Raises WrongShape."""

    def answer(each: Any) -> tuple[str, tuple[Sentence, ...]]:
        members = _members(each, "question", "sentences")
        return _line(members["question"]), _list(members["sentences"], _sentence(()))

    return _list(_members(data, "answers")["answers"], answer)[:MOST_QUESTIONS]


def read_beginning(data: Any) -> Beginning:
    """Return introduction, search title and description. Raises WrongShape."""
    members = _members(data, "introduction", "meta_title", "description")
    sentence = _sentence(())
    return Beginning(
        _some(_list(members["introduction"], sentence)),
        _line(members["meta_title"]),
        sentence(members["description"]),
    )


def _planned(data: Any) -> PlannedSection:
    members = _members(data, "heading", "purpose", "key_points", "evidence")
    return PlannedSection(
        _line(members["heading"]).rstrip(".:"),
        plain(_text(members["purpose"])),
        tuple(filter(None, _list(members["key_points"], lambda point: plain(_text(point))))),
        _list(members["evidence"], _id),
    )


def _question(data: Any) -> tuple[str, tuple[str, ...]]:
    members = _members(data, "question", "evidence")
    return _line(members["question"]), _list(members["evidence"], _id)


def _sentence(linkable: Collection[int]) -> Callable[[Any], Sentence]:
    def read(data: Any) -> Sentence:
        members = _members(data, "text", "evidence")
        ids = tuple(dict.fromkeys(_list(members["evidence"], _id)))
        return Sentence(cleaned(_text(members["text"]), linkable), ids, "model")

    return read


def _members(data: Any, *names: str) -> Mapping[str, Any]:
    """Return an object that has these members and no others."""
    if not isinstance(data, dict) or set(data) != set(names):
        raise WrongShape
    return data


def _list(data: Any, read: Callable[[Any], T]) -> tuple[T, ...]:
    if not isinstance(data, list) or len(data) > _MOST_ITEMS:
        raise WrongShape
    return tuple(read(each) for each in data)


def _some(read: tuple[T, ...]) -> tuple[T, ...]:
    if not read:
        raise WrongShape
    return read


def _text(data: Any) -> str:
    if not isinstance(data, str) or len(data) > _LONGEST_TEXT:
        raise WrongShape
    return data


def _id(data: Any) -> str:
    return _text(data).strip()[:_LONGEST_ID]


def _line(data: Any) -> str:
    """Return a heading, title or question; an empty one is no answer."""
    line = plain(_text(data)).lstrip("# ")[:200]
    if not line:
        raise WrongShape
    return line
