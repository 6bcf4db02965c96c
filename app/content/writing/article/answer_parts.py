"""The parts of a model's answers: their readers reject every other shape and clean the texts. Pure.

A clean text is one line without markup, addresses and links, except placeholders of known pages.
"""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Final, TypeVar

from app.content.drafts import Paragraph, ParagraphKind, Sentence
from app.content.writing.article.schemas import BLOCK_KINDS
from app.content.writing.llm.cleaning import cleaned, cleaned_code, code_in, plain, plain_cell
from app.content.writing.llm.questions import WrongShape
from app.pages.extraction.blocks import CELL_SEPARATOR

_MOST_ITEMS: Final = 120
_LONGEST_TEXT: Final = 4_000
_LONGEST_ID: Final = 80
_LONGEST_LINE: Final = 200
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


def block(linkable: Collection[int]) -> Callable[[Any], Paragraph]:
    """Return the reader of a block of an article; links go to ``linkable`` pages."""

    def read(data: Any) -> Paragraph:
        found = members(data, "kind", "sentences", "header", "rows")
        if found["kind"] not in BLOCK_KINDS:
            raise WrongShape
        kind = _KINDS[found["kind"]]
        if kind == "table":
            header = items(found["header"], lambda cell: plain_cell(text(cell)))
            rows = items(found["rows"], _row(len(header)))
            return Paragraph("table", rows if header else (), header=header)
        if kind == "code":
            return Paragraph("code", items(found["sentences"], code_line))
        sentences = items(found["sentences"], sentence(linkable))
        return Paragraph(kind, tuple(each for each in sentences if each.text))

    return read


def _row(columns: int) -> Callable[[Any], Sentence]:
    def read(data: Any) -> Sentence:
        found = members(data, "cells", "evidence")
        cells = items(found["cells"], lambda cell: plain_cell(text(cell)))
        code = code_in(CELL_SEPARATOR.join(found["cells"]))
        if len(cells) != columns:
            raise WrongShape
        ids = evidence_ids(found["evidence"])
        return Sentence(CELL_SEPARATOR.join(cells), ids, "model", cells=cells, code=code)

    return read


def code_line(data: Any) -> Sentence:
    """Return a line of code with its evidence, as it was written."""
    found = members(data, "text", "evidence")
    return Sentence(cleaned_code(text(found["text"])), evidence_ids(found["evidence"]), "model")


def sentence(linkable: Collection[int]) -> Callable[[Any], Sentence]:
    """Return the reader of a sentence with its evidence; links go to ``linkable`` pages."""

    def read(data: Any) -> Sentence:
        found = members(data, "text", "evidence")
        ids = evidence_ids(found["evidence"])
        written = text(found["text"])
        return Sentence(cleaned(written, linkable), ids, "model", code=code_in(written))

    return read


def members(data: Any, *names: str) -> Mapping[str, Any]:
    """Return an object with exactly these members."""
    if not isinstance(data, dict) or set(data) != set(names):
        raise WrongShape
    return data


def items(data: Any, read: Callable[[Any], T]) -> tuple[T, ...]:
    """Return what a list contains, each item read."""
    if not isinstance(data, list) or len(data) > _MOST_ITEMS:
        raise WrongShape
    return tuple(read(each) for each in data)


def lines(data: Any) -> tuple[str, ...]:
    """Return the lines of a list that are not empty."""
    return tuple(filter(None, items(data, plain_text)))


def text(data: Any) -> str:
    """Return a text as it was written."""
    if not isinstance(data, str) or len(data) > _LONGEST_TEXT:
        raise WrongShape
    return data


def reading(data: Any) -> str:
    """Return what was read in a text: words, or a number as such; "" for nothing."""
    if isinstance(data, int | float) and not isinstance(data, bool):
        return str(data)
    return "" if data is None else text(data)


def plain_text(data: Any) -> str:
    """Return a line without markup and links."""
    return plain(text(data))


def evidence_id(data: Any) -> str:
    """Return an id, without the brackets that prompts put around it."""
    return text(data).strip().strip("[]")[:_LONGEST_ID]


def evidence_ids(data: Any) -> tuple[str, ...]:
    """Return the ids of evidence, each once."""
    return tuple(dict.fromkeys(items(data, evidence_id)))


def line(data: Any) -> str:
    """Return a heading or question. Raises WrongShape if it is empty."""
    found = plain_text(data).lstrip("# ")[:_LONGEST_LINE]
    if not found:
        raise WrongShape
    return found
