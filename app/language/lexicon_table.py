"""What a language's word lists are, and how they are written down."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lexicon:
    """Word lists of one language, all lower case.

    ``stopwords`` and ``intent_words`` carry no topic, ``light_words`` little of it: what kind of thing
    somebody looks for, and verbs that go with anything. ``boilerplate`` phrases stand in banners and footers.
    ``speakers`` are words of one person speaking, as they are written. ``question_words`` begin a question.
    ``generic`` headings name no subject. ``beginnings`` are cut before stemming, longest first.
    ``stems`` are those of words that the stemmer takes for another word: "business" for "busy".
    ``derivations`` end words that are derived from another word or put together with one, longest first:
    "tradesmen", "mileage".
    """

    stopwords: frozenset[str] = frozenset()
    intent_words: frozenset[str] = frozenset()
    light_words: frozenset[str] = frozenset()
    boilerplate: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    question_words: tuple[str, ...] = ()
    generic: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    stems: Mapping[str, str] = field(default_factory=dict)
    derivations: tuple[str, ...] = ()


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def phrase_list(text: str) -> tuple[str, ...]:
    """Return the phrases of a text, which commas part."""
    return tuple(phrase.strip() for phrase in text.split(","))


def stems_of(text: str) -> dict[str, str]:
    """Return the stem of each word of a text; commas part the words of one stem, which begin with it."""
    return {word: group.split()[0] for group in text.split(",") for word in group.split()}


def endings_of(text: str) -> tuple[str, ...]:
    """Return the endings of a text, longest first."""
    return tuple(sorted(text.split(), key=lambda ending: (-len(ending), ending)))
