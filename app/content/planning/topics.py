"""What a post is about when the caller leaves it open, and which words carry it."""

from __future__ import annotations

import re
from itertools import groupby
from typing import Final, Literal

from app.content.artefacts import Intent, SourceSnapshot
from app.content.evidence.sections import names_the_site, page_name
from app.content.language.lexicon import lexicon
from app.content.language.text import extent, fold, is_unspaced, topic_stems, words
from app.content.request import GenerationRequest
from app.content.retrieval.duplicates import posts_on
from app.content.retrieval.passages import Library

TopicOrigin = Literal["topic", "title", "keyword", "page", "project"]
_PART_END: Final = re.compile(r"[,;:.!?()/|–—]+(?:\s|$)|\s[–—|/-]\s")
_PASSAGE_WORDS: Final = 80
_SHORT_NAME: Final = 6
_LONGEST_SPAN: Final = 5
_INTENTS: Final[tuple[tuple[Intent, frozenset[str]], ...]] = (
    (
        "compare",
        frozenset({"vs", "versus", "compare", "comparison", "alternative", "alternatives", "vergleich"}),
    ),
    (
        "buy",
        frozenset(
            {"price", "prices", "pricing", "cost", "costs", "buy", "preis", "kosten", "prix", "precio"}
        ),
    ),
    ("list", frozenset({"best", "top", "tips", "list", "examples", "beste", "besten", "tipps"})),
    (
        "how",
        frozenset({"how", "guide", "tutorial", "wie", "anleitung", "comment", "cómo", "come", "como", "hoe"}),
    ),
)


def resolve_topic(
    request: GenerationRequest, snapshot: SourceSnapshot, library: Library
) -> tuple[str, TopicOrigin]:
    """Return the topic and where it is from: the caller's topic, title or first keyword, else the page topic
    the site covers best, else the project's name."""
    given: tuple[tuple[str | None, TopicOrigin], ...] = (
        (request.topic, "topic"),
        (request.title, "title"),
        (next(iter(request.keywords), None), "keyword"),
    )
    for text, origin in given:
        if text and words(text):
            return fold(text), origin
    covered = best_covered_topic(snapshot, library)
    return (covered, "page") if covered else (fold(snapshot.project_name), "project")


def best_covered_topic(snapshot: SourceSnapshot, library: Library) -> str | None:
    """Return the name of the page that says most about what its name promises.

    Pages no post is about yet come first, then always-use pages, then short names. A passage counts when it
    holds the name's stems, one of them in its own words; at most 80 words of it, so that no small print wins.
    """
    covered = _words_on_own_name(snapshot, library)
    ranking = [
        (
            bool(posts_on(name, name, snapshot.existing_posts, library.language)),
            not page.always_use,
            extent(name) > _SHORT_NAME,
            -covered[page.page_id],
            page.page_id,
            name,
        )
        for page in snapshot.pages
        if covered.get(page.page_id)
        and not names_the_site(name := page_name(page), library.own_stems, library.language)
    ]
    return min(ranking)[-1] if ranking else None


def _words_on_own_name(snapshot: SourceSnapshot, library: Library) -> dict[int, int]:
    stems = {page.page_id: topic_stems(page_name(page), library.language) for page in snapshot.pages}
    covered: dict[int, int] = {}
    for passage in library.index.entries:
        page_id = passage.section.page.page_id
        named = stems[page_id]
        if passage.block.kind == "p" and passage.is_strong(named) and named & set(passage.stems):
            words_told = min(_PASSAGE_WORDS, extent(passage.block.text))
            covered[page_id] = covered.get(page_id, 0) + words_told
    return covered


def keyphrase_of(topic: str, language: str) -> str:
    """Return what carries a topic, lower case: its longest run without stop and intent words.

    Where that is one word, it is what stands between the first and the last carrying word ("back up a
    database"), and a single word takes along the one it is used with ("use sqlite").
    """
    if is_unspaced(topic):
        return fold(topic).rstrip("？?。.！!：:").lower()
    table = lexicon(language)
    idle = table.stopwords | table.intent_words
    said = [[word.lower() for word in words(part)] for part in _PART_END.split(topic)]
    runs = [run for part in said for run in _runs(part, idle)]
    longest = max(runs, key=lambda run: (len(run), sum(map(len, run))), default=[])
    if len(longest) > 1 or not longest:
        return " ".join(longest) or topic.lower()
    part = next(part for part in said if longest[0] in part)
    carrying = [number for number, word in enumerate(part) if word not in idle]
    first, last = carrying[0], carrying[-1]
    if first == last and first and part[first - 1] in table.intent_words:
        first -= 1
    return " ".join(part[first : last + 1] if last - first < _LONGEST_SPAN else longest)


def _runs(said: list[str], idle: frozenset[str]) -> list[list[str]]:
    return [list(run) for carries, run in groupby(said, key=lambda word: word not in idle) if carries]


def intent_of(topic: str) -> Intent:
    """Return what a reader wants: to compare, to buy, a list, to do it, or to know what it is."""
    said = {word.lower() for word in words(topic)}
    return next((intent for intent, markers in _INTENTS if said & markers), "what")
