"""How often a text says its keyphrase, as search tools count it: word for word, by sentences. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

from app.content.retrieval.passages import Library
from app.language.languages import in_all_languages, language_data
from app.language.words import is_unspaced, word_count, words

MOST: Final = 0.022
LEAST: Final = 0.007
_ENOUGH: Final = 2
_ENOUGH_OF_A_LONG_ONE: Final = 1
_LONG: Final = 3
_WEIGHT_OF_NONE: Final = 0.7
_WEIGHT_OF_A_WORD: Final = 0.33


@dataclass(frozen=True)
class Keyphrase:
    """The words of a keyphrase, lower case, without small words.

    ``core`` are those that every tool counts: of "use worktrees" the second. Whether a text uses the phrase
    too rarely is measured by all words, whether too often by the core.
    """

    words: frozenset[str]
    core: frozenset[str]

    def fault(self, whole: int, core: int, of: int) -> float:
        """Return how far a text is from using the phrase neither too rarely nor too often; 0 if it does.

        ``whole`` and ``core`` count how often a text of ``of`` words says them. A long phrase weighs more.
        """
        weight = weight_of(len(self.core)) / max(1, of)
        return max(0.0, LEAST - whole * weight, core * weight - MOST) if self.words else 0.0


def weight_of(count: int) -> float:
    """Return the weight of one occurrence of a keyphrase of this length in words, as in SEO tools."""
    return _WEIGHT_OF_NONE + count * _WEIGHT_OF_A_WORD


@cache
def _uncounted_words() -> tuple[frozenset[str], frozenset[str]]:
    """Return the words that search tools do not count, and the particles of verbs, of all languages."""
    light = in_all_languages(lambda language: language.words.keyphrase_light_words)
    return frozenset(light), frozenset(in_all_languages(lambda language: language.words.particles))


def keyphrase(text: str, language: str) -> Keyphrase:
    """Return the keyphrase of a text; one of small words alone has all of them."""
    table, written = language_data(language).words, words(text.lower())
    said = frozenset(written)
    meaningful = said - table.stopwords or said
    light, particles = _uncounted_words()
    joined = {first for first, second in pairwise(written) if second in particles}  # the "back" of "back up"
    return Keyphrase(meaningful, meaningful - light - joined or meaningful)


def times(phrase: frozenset[str], sentence: str) -> int:
    """Return how often a sentence says a phrase: as often as it has all of its words."""
    written = words(sentence.lower())
    return min((written.count(word) for word in phrase), default=0)


def keyphrase_on_pages(text: str, library: Library) -> str:
    """Return a keyphrase in the pages' words: its longest part that enough passages say, else the whole.

    A part is one or more runs of meaningful words with the small words between them, two meaningful words at
    least: of "bike service for beginners" it may be "bike service", never "service". It begins the phrase or
    contains the rarest word that the pages have, which names the subject. Three words need one passage, two
    words need two.
    """
    said = text.split()
    known = [word for word in said if library.strong_passages(word)]
    if is_unspaced(text) or not known:
        return text
    rarest = max(known, key=lambda word: sum(library.topic_terms(word).weights.values()))
    parts = [
        part
        for part in _parts(said, library.language)
        if (rarest in part or part[0] == said[0]) and _is_spoken(part, library)
    ]
    longest = max((len(part) for part in parts), default=len(said))
    return " ".join(next((part for part in parts if len(part) == longest), said))


def _parts(said: list[str], language: str) -> list[list[str]]:
    """Return the parts of a phrase that begin and end with whole runs of meaningful words."""
    table = language_data(language).words
    idle = [word in table.stopwords | table.intent_words for word in said]
    starts = [n for n in range(len(said)) if not idle[n] and (n == 0 or idle[n - 1])]
    ends = [n + 1 for n in range(len(said)) if not idle[n] and (n + 1 == len(said) or idle[n + 1])]
    spans = [(start, end) for start in starts for end in ends if end > start]
    return [said[start:end] for start, end in spans if sum(not each for each in idle[start:end]) > 1]


def _is_spoken(part: Sequence[str], library: Library) -> bool:
    meaningful = keyphrase(" ".join(part), library.language).words
    passages = library.strong_passages(" ".join(part))
    enough = _ENOUGH if len(meaningful) < _LONG else _ENOUGH_OF_A_LONG_ONE
    return sum(times(meaningful, passage.block.text) > 0 for passage in passages) >= enough


def with_project_name(text: str, library: Library, project: str) -> str:
    """Return a keyphrase with the project's name before it where it alone is too common on the site.

    No tool counts the small words of a phrase: "back up a database" leaves only "database", which is in every
    second sentence of a database's own pages.
    """
    phrase = keyphrase(text, library.language)
    if phrase.core == phrase.words or not phrase.core.isdisjoint(words(project.lower())):
        return text
    texts = [passage.block.text for passage in library.strong_passages(text)]
    said = sum(times(phrase.core, each) for each in texts)
    is_common = phrase.fault(said, said, sum(map(word_count, texts))) > 0 and said > 0
    return f"{project.lower()} {text}" if is_common else text
