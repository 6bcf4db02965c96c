"""How often a text is to say its keyphrase, as search tools count it. Pure."""

from math import ceil
from typing import Final

from app.language.stems import topic_stems
from app.language.words import is_unspaced

DENSITY: Final = (0.005, 0.03)
"""The share of a keyphrase, by its weight, in the words of an article."""
WORDS_A_PHRASE: Final = 200
"""Words of an article for which saying the keyphrase once is enough."""
FEWEST: Final = 2
_WEIGHT_OF_NONE: Final = 0.7
_WEIGHT_OF_A_WORD: Final = 0.33


def planned_times(phrase: str, language: str, of: int) -> tuple[int, int]:
    """Return how often at least and at most a text of ``of`` words is to say a keyphrase."""
    weight = 1.0 if is_unspaced(phrase) else weight_of(len(topic_stems(phrase, language)))
    most = max(FEWEST, ceil(of / WORDS_A_PHRASE))
    return min(most, max(1, ceil(DENSITY[0] * of / weight))), most


def weight_of(count: int) -> float:
    """Return the weight of one occurrence of a keyphrase of this length in words, as in SEO tools."""
    return _WEIGHT_OF_NONE + count * _WEIGHT_OF_A_WORD
