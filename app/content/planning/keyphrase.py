"""How often a text says its keyphrase, as search tools count it: word for word, by sentences. Pure."""

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import ceil
from typing import Final

from app.language.languages import in_all_languages, language_data
from app.language.stems import topic_stems
from app.language.words import is_unspaced, words

MOST: Final = 0.022
LEAST: Final = 0.007
DENSITY: Final = (0.005, 0.03)
"""The share of a keyphrase, by its weight, in the words of an article."""
WORDS_A_PHRASE: Final = 150
"""Words of an article for which saying the keyphrase once is enough."""
FEWEST: Final = 2
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


def planned_times(phrase: str, language: str, of: int) -> tuple[int, int]:
    """Return how often at least and at most a text of ``of`` words is to say a keyphrase."""
    weight = 1.0 if is_unspaced(phrase) else weight_of(len(topic_stems(phrase, language)))
    most = max(FEWEST, ceil(of / WORDS_A_PHRASE))
    return min(most, max(1, ceil(DENSITY[0] * of / weight))), most


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
