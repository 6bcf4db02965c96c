"""How often a text says its keyphrase, as search tools count it: word for word, by sentences. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from app.content.language.lexicon import lexicon
from app.content.language.lexicon_table import word_set
from app.content.language.text import is_unspaced, word_count, words
from app.content.retrieval.passages import Library

MOST: Final = 0.022
LEAST: Final = 0.007
_ENOUGH: Final = 4
_ENOUGH_OF_A_LONG_ONE: Final = 1
_LONG: Final = 3
_SHORTEST: Final = 6
_LIGHT: Final = word_set(
    "use using used make making made get getting need know work works working set best top better good "
    "new old way ways everything"
)
_PARTICLES: Final = frozenset({"up", "out", "off", "down"})
_WEIGHT_OF_NONE: Final = 0.7
_WEIGHT_OF_A_WORD: Final = 0.33


@dataclass(frozen=True)
class Keyphrase:
    """The words of a keyphrase, lower case, without small words.

    ``core`` are those that every tool counts: of "use worktrees" the second. What is too rare is measured by
    all words, what is too much by the core.
    """

    words: frozenset[str]
    core: frozenset[str]

    def names(self, heading: str) -> bool:
        """Tell whether a heading says more than half of the phrase."""
        return 2 * len(self.words & set(words(heading.lower()))) > len(self.words)

    def fault(self, whole: int, core: int, of: int) -> float:
        """Return how far a text is from saying the phrase in measure: 0 when it neither lacks nor stuffs it.

        ``whole`` and ``core`` tell how often a text of ``of`` words says them. A long phrase weighs more.
        """
        weight = (_WEIGHT_OF_NONE + len(self.core) * _WEIGHT_OF_A_WORD) / max(1, of)
        return max(0.0, LEAST - whole * weight, core * weight - MOST) if self.words else 0.0


def keyphrase(text: str, language: str) -> Keyphrase:
    """Return the keyphrase of a text; one of small words alone has all of them."""
    table, told = lexicon(language), words(text.lower())
    said = frozenset(told)
    carrying = said - table.stopwords or said
    joined = {first for first, second in pairwise(told) if second in _PARTICLES}  # the "back" of "back up"
    return Keyphrase(carrying, carrying - _LIGHT - joined or carrying)


def times(phrase: frozenset[str], sentence: str) -> int:
    """Return how often a sentence says a phrase: as often as all of its words stand in it."""
    told = words(sentence.lower())
    return min((told.count(word) for word in phrase), default=0)


def spoken_keyphrase(text: str, library: Library) -> str:
    """Return a keyphrase in words that the pages use: its longest part that enough passages say.

    One passage is enough for three words, four for fewer. It holds the rarest word that the pages have, for
    that one names the subject; where none is said so often, or small words join the phrase, it is the whole.
    """
    said, table = text.split(), lexicon(library.language)
    idle = table.stopwords | table.intent_words
    known = [word for word in said if library.strong_passages(word)]
    if is_unspaced(text) or not known or any(word in idle for word in said):
        return text
    rarest = max(known, key=lambda word: sum(library.wanted(word).weights.values()))
    for length in range(len(said), 0, -1):
        parts = [said[start : start + length] for start in range(len(said) - length + 1)]
        spoken = [" ".join(part) for part in parts if rarest in part and _is_spoken(part, library)]
        if spoken:
            return max(spoken, key=lambda part: sum(library.wanted(part).weights.values()))
    return text


def _is_spoken(part: Sequence[str], library: Library) -> bool:
    if len(part) == 1 and len(part[0]) < _SHORTEST:
        return False  # a short word alone names too little
    told = library.strong_passages(" ".join(part))
    enough = _ENOUGH if len(part) < _LONG else _ENOUGH_OF_A_LONG_ONE
    return sum(times(frozenset(part), passage.block.text) > 0 for passage in told) >= enough


def told_apart(text: str, library: Library, project: str) -> str:
    """Return a keyphrase with the project's name before it where it is too common on the site to stand alone.

    No tool counts the small words of a phrase: of "back up a database" that leaves the database, which every
    second sentence of a database's own pages names.
    """
    phrase = keyphrase(text, library.language)
    if phrase.core == phrase.words or not phrase.core.isdisjoint(words(project.lower())):
        return text
    told = [passage.block.text for passage in library.strong_passages(text)]
    said = sum(times(phrase.core, each) for each in told)
    is_common = phrase.fault(said, said, sum(map(word_count, told))) > 0 and said > 0
    return f"{project.lower()} {text}" if is_common else text
