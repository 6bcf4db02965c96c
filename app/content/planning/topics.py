"""What a post is about when the caller leaves it open, and its keyphrase and intent."""

from __future__ import annotations

import re
from functools import cache
from itertools import groupby
from typing import Final

from app.content.artefacts import Intent, SourceSnapshot
from app.content.planning.open_topics import open_topic
from app.content.request import GenerationRequest
from app.content.retrieval.passages import Library
from app.language.languages import language_data, merged
from app.language.schema import Intents
from app.language.words import fold, is_unspaced, words

_PART_END: Final = re.compile(r"[,;:.!?()/|–—]+(?:\s|$)|\s[–—|/-]\s")
_LONGEST_SPAN: Final = 6
_INTENTS: Final[tuple[Intent, ...]] = ("compare", "buy", "list", "how")


def resolve_topic(request: GenerationRequest, snapshot: SourceSnapshot, library: Library) -> str:
    """Return the topic: the caller's topic, title or first keyword, else one that the pages cover together,
    else the project's name."""
    given = (request.topic, request.title, *request.keywords[:1])
    named = next((fold(text) for text in given if text and words(text)), None)
    return named or open_topic(snapshot, library) or fold(snapshot.project_name)


def keyphrase_of(topic: str, language: str) -> str:
    """Return the keyphrase of a topic, lower case: all from its first meaningful word to its last.

    Of a topic in parts ("Bees: a guide") it is the part with the longest run without stop and intent words,
    of a long one that run. A single word takes along the one it is used with ("use sqlite").
    """
    if is_unspaced(topic):
        return fold(topic).rstrip("？?。.！!：:").lower()
    table = language_data(language).words
    idle = table.stopwords | table.intent_words
    said = [[word.lower() for word in words(part)] for part in _PART_END.split(topic)]
    runs = [run for part in said for run in _runs(part, idle)]
    longest = max(runs, key=len, default=[])
    if not longest:
        return topic.lower()
    part = next(part for part in said if longest[0] in part)
    meaningful = [number for number, word in enumerate(part) if word not in idle]
    first, last = meaningful[0], meaningful[-1]
    if first == last and first and part[first - 1] in table.intent_words:
        first -= 1
    return " ".join(part[first : last + 1] if last - first < _LONGEST_SPAN else longest)


def _runs(said: list[str], idle: frozenset[str]) -> list[list[str]]:
    return [list(run) for carries, run in groupby(said, key=lambda word: word not in idle) if carries]


def intent_of(topic: str) -> Intent:
    """Return what a reader wants: to compare, to buy, a list, to do it, or to know what it is."""
    said = {word.lower() for word in words(topic)}
    return next((intent for intent in _INTENTS if said & getattr(_intent_words(), intent)), "what")


@cache
def _intent_words() -> Intents:
    return merged(lambda language: language.intents)
