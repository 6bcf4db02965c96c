"""How long the parts of a post may grow: a model is asked for a number of words and may not keep to it. Pure.

No limit of tokens is sent with a question: OpenAI's newer models refuse ``max_tokens``, and other servers
refuse ``max_completion_tokens``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate
from typing import Final, TypeVar

from app.content.artefacts import Paragraph, Sentence
from app.content.language.text import extent
from app.content.rendering.page_links import shown

SMALL_PART: Final = 60
"""The words that an introduction and an answer are meant to have."""

_LONGER: Final = 2

T = TypeVar("T")


def within(text: Sequence[Paragraph], wanted: int, room: int | None = None) -> tuple[Paragraph, ...]:
    """Return the first paragraphs of a text: at most twice the words ``wanted``, and no more than ``room``.

    Of a first paragraph that is longer its first sentences are kept.
    """
    most = _LONGER * wanted if room is None else min(_LONGER * wanted, room)
    kept = _first(text, most, _words_of)
    if kept or not text:
        return kept
    sentences = _first(text[0].sentences, most, _words_in)
    return (replace(text[0], sentences=sentences),) if sentences else ()


def words_of(text: Sequence[Paragraph]) -> int:
    """Return how long a text is, in words as limits of length count them."""
    return sum(map(_words_of, text))


def _words_of(paragraph: Paragraph) -> int:
    return sum(map(_words_in, paragraph.sentences))


def _words_in(sentence: Sentence) -> int:
    return extent(shown(sentence.text))


def _first(parts: Sequence[T], most: int, length: Callable[[T], int]) -> tuple[T, ...]:
    ends = accumulate(map(length, parts))
    return tuple(part for part, end in zip(parts, ends, strict=True) if end <= most)
