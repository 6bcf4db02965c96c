"""Elements that open an answer when a reader clicks on the question: accordions. Pure."""

from typing import Final

from bs4 import Tag

from app.pages.extraction.inline import InlineText

_QUESTION_MARKS: Final = ("?", "？", "؟")
_SIGNS: Final = "+-–−▸▾▼►›» "
"""Drawn before a question, to show that it opens something."""


def is_question(text: str) -> bool:
    """Return whether a text ends like a question."""
    return text.endswith(_QUESTION_MARKS)


def question_of(tag: Tag, text: InlineText) -> str:
    """Return the question on an element that opens or closes another, "" if it is none of these."""
    if tag.get("aria-expanded") is None or tag.get("role") != "button":
        return ""
    asked = text.squeezed(tag).lstrip(_SIGNS)
    return asked if is_question(asked) else ""
