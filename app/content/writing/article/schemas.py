"""The shapes that answers have to have, as JSON Schema in the strict form of structured output."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

_TEXT: Final = {"type": "string"}
_IDS: Final = {"type": "array", "items": _TEXT}


def _object(**members: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": members,
        "required": list(members),
        "additionalProperties": False,
    }


def _list(items: Mapping[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}


SENTENCE: Final = _object(text=_TEXT, evidence=_IDS)
SECTION: Final = _object(
    paragraphs=_list(
        _object(kind={"type": "string", "enum": ["p", "ul", "ol"]}, sentences=_list(SENTENCE)),
    )
)
OUTLINE: Final = _object(
    title=_TEXT,
    sections=_list(_object(heading=_TEXT, purpose=_TEXT, key_points=_list(_TEXT), evidence=_IDS)),
    questions=_list(_object(question=_TEXT, evidence=_IDS)),
)
FAQ: Final = _object(answers=_list(_object(question=_TEXT, sentences=_list(SENTENCE))))
OPENING: Final = _object(introduction=_list(SENTENCE), meta_title=_TEXT, description=SENTENCE)
