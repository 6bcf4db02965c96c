"""How often a text is to say its keyphrase, as search tools count it. Pure."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import ceil
from typing import Final

from app.language.stems import content_stems, topic_stems
from app.language.words import is_unspaced

DENSITY: Final = (0.005, 0.03)
"""The share of a keyphrase, by its weight, in the words of an article."""
WORDS_A_PHRASE: Final = 200
"""Words of an article for which saying the keyphrase once is enough."""
FEWEST: Final = 2
_WEIGHT_OF_NONE: Final = 0.7
_WEIGHT_OF_A_WORD: Final = 0.33
_HYPHEN: Final = re.compile(r"(?<=[^\W\d_])[-‐‑](?=[^\W\d_])")


def planned_times(phrase: str, language: str, of: int) -> tuple[int, int]:
    """Return how often at least and at most a text of ``of`` words is to say a keyphrase."""
    weight = 1.0 if is_unspaced(phrase) else weight_of(len(topic_stems(phrase, language)))
    most = max(FEWEST, ceil(of / WORDS_A_PHRASE))
    return min(most, max(1, ceil(DENSITY[0] * of / weight))), most


def weight_of(count: int) -> float:
    """Return the weight of one occurrence of a keyphrase of this length in words, as in SEO tools."""
    return _WEIGHT_OF_NONE + count * _WEIGHT_OF_A_WORD


def times_said(phrase: str, texts: Iterable[str], language: str) -> int:
    """Return how often sentences and headings say all words of a keyphrase, in any form and order."""
    texts = list(texts)
    if is_unspaced(phrase):
        return sum(text.lower().count(phrase.lower()) for text in texts)
    return max(times for times, _ in _times_of_forms(phrase, texts, language))


def weight_said(phrase: str, texts: Iterable[str], language: str) -> float:
    """Return the same by the weight of the form that says most, for scripts with spaces."""
    found = _times_of_forms(phrase, list(texts), language)
    return max(times * weight_of(words) for times, words in found)


def _times_of_forms(phrase: str, texts: Sequence[str], language: str) -> Iterator[tuple[int, int]]:
    """Yield how often texts say each form of a phrase, and of how many words it is."""
    counts = [_counted_stems(text, language) for text in texts]
    for form in forms_of(phrase):
        stems = topic_stems(form, language)
        yield sum(min((count[each] for each in stems), default=0) for count in counts), len(stems)


def forms_of(text: str) -> list[str]:
    """Return a text as written and without the hyphens inside its words: "Wi-Fi" is "wifi", too."""
    return list(dict.fromkeys((text, _HYPHEN.sub("", text))))


def _counted_stems(text: str, language: str) -> Counter[str]:
    """Return how often a text has each stem, in whichever form has it more often."""
    written, *joined = (Counter(content_stems(form, language)) for form in forms_of(text))
    return written | joined[0] if joined else written
