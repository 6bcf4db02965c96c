"""The parts of a post that can be written anew: which of its sentences are in a section."""

from collections.abc import Mapping
from typing import Any, Final

from app.content.drafts import PresentText
from app.content.model import WrittenText
from app.content.rendering.replacing import contains
from app.content.rendering.sections import text_under

_WRITTEN: Final = frozenset({"model", "source"})


def present_text(post: WrittenText) -> PresentText:
    """Return what a refresh has to know of a post."""
    return PresentText(post.content, post.description, tuple(post.trace))


def sentences_of(present: PresentText, heading: str | None = None, sentence: str | None = None) -> list[int]:
    """Return the positions in the trace of the sentences of a part that are still in the text.

    The part is the section under a heading, or one sentence. Headings and fixed lines are left out.
    """
    text = present.markdown if heading is None else text_under(present.markdown, heading)
    if text is None:
        return []
    return [n for n, entry in enumerate(present.trace) if _is_of(entry, text, sentence)]


def _is_of(entry: Mapping[str, Any], text: str, sentence: str | None) -> bool:
    if entry["origin"] not in _WRITTEN or (sentence is not None and entry["sentence"] != sentence):
        return False
    return contains(text, entry["sentence"])
