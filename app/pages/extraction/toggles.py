"""Elements that open an answer when a reader clicks on the question: accordions. Pure."""

from typing import Final

from bs4 import Tag

from app.language.words import QUESTION_MARKS
from app.pages.extraction.inline import InlineText

_SIGNS: Final = "+-–−▸▾▼►›» "
"""Drawn before a question, to show that it opens something."""


def question_of(tag: Tag, text: InlineText) -> str:
    """Return the question on an element that opens or closes another, "" if it is none of these."""
    if tag.get("aria-expanded") is None or tag.get("role") != "button":
        return ""
    asked = text.squeezed(tag).lstrip(_SIGNS)
    return asked if asked.endswith(QUESTION_MARKS) else ""
