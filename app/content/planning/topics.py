"""What the readers of a topic want. Pure."""

from collections.abc import Sequence
from functools import cache
from typing import Final

from app.content.artefacts import Intent
from app.language.languages import in_all_languages, merged
from app.language.schema import Intents
from app.language.words import words

_INTENTS: Final[tuple[Intent, ...]] = ("compare", "buy", "list", "how")


def intent_of(topic: str) -> Intent:
    """Return what a reader wants: to compare, to buy, a list, to do it, or to know what it is.

    "How to set prices" asks how something is done, "How much is it" for the price.
    """
    said = [word.lower() for word in words(topic)]
    shown = [intent for intent in _INTENTS if not getattr(_intent_words(), intent).isdisjoint(said)]
    if "buy" in shown and _asks_how(said):
        shown.remove("buy")
    return next(iter(shown), "what")


def _asks_how(said: Sequence[str]) -> bool:
    """Return whether a topic begins with "how", and no word of degree follows."""
    asks, degrees = _question_words()
    return said[0] in _intent_words().how & asks and said[1] not in degrees


@cache
def _question_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that begin questions, and those of degree behind "how", of all languages."""
    return (
        frozenset(in_all_languages(lambda language: language.words.question_words)),
        frozenset(in_all_languages(lambda language: language.words.degrees)),
    )


@cache
def _intent_words() -> Intents:
    return merged(lambda language: language.intents)
