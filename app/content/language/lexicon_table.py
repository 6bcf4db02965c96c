"""What a language's word lists are, and how they are written down."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Lexicon:
    """Word lists of one language, all lower case.

    ``stopwords`` and ``intent_words`` carry no topic. ``boilerplate`` phrases stand in banners and footers.
    ``speakers`` are words of one person speaking, as they are written. ``question_words`` begin a question.
    ``generic`` headings name no subject. ``beginnings`` are cut before stemming, longest first.
    ``derivations`` end words that are derived from another word or put together with one, longest first:
    "tradesmen", "mileage".
    ``synonyms`` are groups of words that a topic and a page may use for one thing.
    """

    stopwords: frozenset[str] = frozenset()
    intent_words: frozenset[str] = frozenset()
    boilerplate: tuple[str, ...] = ()
    speakers: tuple[str, ...] = ()
    question_words: tuple[str, ...] = ()
    generic: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    derivations: tuple[str, ...] = ()
    synonyms: tuple[frozenset[str], ...] = ()


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text."""
    return frozenset(text.split())


def phrase_list(text: str) -> tuple[str, ...]:
    """Return the phrases of a text, which commas part."""
    return tuple(phrase.strip() for phrase in text.split(","))


def synonym_groups(text: str) -> tuple[frozenset[str], ...]:
    """Return the groups of a text, which commas part."""
    return tuple(word_set(group) for group in text.split(","))


def endings_of(text: str) -> tuple[str, ...]:
    """Return the endings of a text, longest first."""
    return tuple(sorted(text.split(), key=lambda ending: (-len(ending), ending)))
