"""The JSON Schemas of answers, in the strict form of structured output."""

from collections.abc import Mapping
from typing import Any, Final

from app.content.plan import SECTION_FORMATS

_TEXT: Final = {"type": "string"}
_TEXTS: Final = {"type": "array", "items": _TEXT}
_NUMBER: Final = {"type": "integer"}

BLOCK_KINDS: Final = ("p", "ul", "ol", "table", "quote", "code", "h3")
VERDICTS: Final = ("supported", "contradicted", "unsupported", "no_claim")


def _object(**members: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


def _one_of(words: tuple[str, ...]) -> dict[str, Any]:
    return {"type": "string", "enum": list(words)}


_SENTENCE: Final = _object(text=_TEXT, evidence=_TEXTS)
_BLOCK: Final = _object(
    kind=_one_of(BLOCK_KINDS),
    sentences=_list(_SENTENCE),
    header=_TEXTS,
    rows=_list(_object(cells=_TEXTS, evidence=_TEXTS)),
)

PLAN: Final = _object(
    not_covered={"type": "boolean"},
    missing=_TEXTS,
    reader_question=_TEXT,
    angle=_TEXT,
    keyphrase=_TEXT,
    title=_TEXT,
    meta_title=_TEXT,
    description=_TEXT,
    sections=_list(
        _object(
            heading=_TEXT,
            purpose=_TEXT,
            key_points=_TEXTS,
            evidence=_TEXTS,
            words=_NUMBER,
            format=_one_of(SECTION_FORMATS),
        )
    ),
    highlights=_TEXTS,
    questions=_list(_object(question=_TEXT, evidence=_TEXTS)),
    closing=_object(heading=_TEXT, purpose=_TEXT),
    links=_list(_object(page=_NUMBER, section=_TEXT)),
    gaps=_TEXTS,
)
IDEAS: Final = _object(ideas=_list(_object(title=_TEXT, question=_TEXT, why=_TEXT, evidence=_TEXTS)))
DRAFT: Final = _object(
    introduction=_list(_BLOCK),
    sections=_list(_object(heading=_TEXT, blocks=_list(_BLOCK))),
    questions=_list(_object(question=_TEXT, sentences=_list(_SENTENCE))),
    closing=_list(_BLOCK),
)
VERIFICATION: Final = _object(
    verdicts=_list(_object(n=_NUMBER, blanks=_TEXTS, verdict=_one_of(VERDICTS), words=_TEXT))
)
REVISION: Final = _object(sentences=_list(_object(n=_NUMBER, text=_TEXT, evidence=_TEXTS)))
EDIT: Final = _object(
    changes=_list(_object(id=_TEXT, text=_TEXT, evidence=_TEXTS, blocks=_list(_BLOCK))),
)
