"""References of a text to other parts of itself: a sentence that needs them cannot be quoted. Pure.

The rules find an adverb of place beside a verb of showing ("shown below") or after a part of the document
("the table above"), a part that is numbered or next ("step 3", "the previous chapter"), a demonstrative
before one ("this page"), an invitation to look elsewhere, and a beginning that only the sentence before
explains ("They"). The words are in the table ``references`` of each language file.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.language.languages import language_data
from app.language.number_words import number_words
from app.language.schema_references import References
from app.language.stems import stem, topic_stems
from app.language.tags import language_code
from app.language.words import COLONS, QUESTION_MARKS, is_unspaced, words

_OPENING_MARKS: Final = "\"'“„‘«»(「『¿¡"
_NOTHING: Final = "(?!)"
_LONGEST_POINTER: Final = 10
_NUMBER: Final = r"(?:\d|[A-HJ-Z](?![\w.]))"
_NO_END: Final = r"(?![.!?]\s)"
"""The sentence does not end here."""
_END: Final = r"(?=\W*$|\s*[,;:.!?)]|\s+[\"”’»)])"
# "The list price is below the average" and "the image above the desk" are no references.
_NO_MEASURE: Final = (
    r"(?!\s+(?:the|an?|zero|our|your|my|its|their|der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|de|het"
    r"|o|os|as|they|you|we|he|she|\d|[%£$€]))"
)


@dataclass(frozen=True)
class _Rules:
    points: re.Pattern[str]
    backward: re.Pattern[str]
    demonstrative: re.Pattern[str]
    ends_on: re.Pattern[str]
    times: frozenset[str]
    ahead: re.Pattern[str]
    counts_up: re.Pattern[str]


def points_elsewhere(text: str, language: str) -> bool:
    """Return whether a text points at another part of its document, or at what a link or a picture shows.

    "The following:" does not, since what it announces comes next.
    """
    rules = _rules(language_code(language))
    if text.endswith(COLONS):
        return rules.points.search(rules.ahead.sub(" ", text)) is not None
    return rules.points.search(text) is not None or rules.ahead.search(text) is not None


def points_ahead(text: str, language: str) -> bool:
    """Return whether a text points at what comes next, and at nothing else: "for the following examples"."""
    rules = _rules(language_code(language))
    return rules.ahead.search(text) is not None and rules.points.search(rules.ahead.sub(" ", text)) is None


def is_bare_pointer(sentence: str, language: str) -> bool:
    """Return whether a short sentence says no more than where else to look: "See the table below."."""
    references = language_data(language).references
    said = words(sentence)
    begins = references is not None and said[:1] and said[0].lower() in references.see
    return bool(begins) and len(said) <= _LONGEST_POINTER and points_elsewhere(sentence, language)


def depends_on_previous(sentence: str, language: str, known: str = "") -> bool:
    """Return whether a sentence cannot be understood without the one before it.

    It then begins with a word that only that one explains or ends on one ("made for that"), or says "this" of
    a thing that neither its own beginning nor the ``known`` text, such as the heading above, names.
    """
    rules = _rules(language_code(language))
    if rules.backward.match(sentence.lstrip(_OPENING_MARKS)):
        return True
    if sentence.endswith(COLONS):
        return False  # "with this command:" and "looks like this:" name what comes next
    if rules.ends_on.search(sentence):
        return True
    stopwords = language_data(language).words.stopwords
    for found in rules.demonstrative.finditer(sentence):
        noun = found["noun"].lower()
        said = topic_stems(f"{known} {sentence[: found.start()]}", language)
        if noun not in rules.times | stopwords and stem(noun, language) not in said:
            return True
    return False


def begins_with_pronoun(sentence: str, language: str) -> bool:
    """Return whether a sentence begins with a word such as "they", which the heading above may explain."""
    first = re.split(r"[\s'’]", sentence.lstrip(_OPENING_MARKS), maxsplit=1)[0].lower()
    references = language_data(language).references
    return references is not None and first in references.pronouns


def counts_items(sentence: str, language: str) -> bool:
    """Return whether a sentence counts and says the first of what it counts: "Two examples: a hive …"."""
    lead, _, first = sentence.partition(": ")
    if not first:
        return False
    numbers = (each for each in number_words(lead, language) if each.number.isdecimal())
    said = next((each for each in numbers if not words(lead[: each.start])), None)
    return int(said.number) > 1 if said else re.match(r"\W*\d", lead) is not None


def announces_more(sentence: str, language: str) -> bool:
    """Return whether a sentence announces more: it ends in a colon, asks, or counts what follows."""
    if sentence.endswith((*COLONS, *QUESTION_MARKS)):
        return True
    return _rules(language_code(language)).counts_up.match(sentence.lstrip(_OPENING_MARKS)) is not None


@lru_cache
def _rules(language: str) -> _Rules:
    words = language_data(language).references
    return _Rules(
        points=_any(_pointing_patterns(words)),
        backward=_any(_dependence_patterns(words)),
        demonstrative=_any([rf"{_word(words.these)}\s+(?P<noun>\w+)"]),
        ends_on=_any([rf"{_word(words.ends_on)}\W*$"]),
        times=frozenset(words.times),
        ahead=_any([_phrases(words.ahead)]),
        counts_up=_any([f"(?:{'|'.join(words.counting) or _NOTHING}){_boundary(words.counting)}"]),
    )


def _pointing_patterns(words: References) -> list[str]:
    """Return the patterns of one language for what points elsewhere."""
    deictic, showing, parts = _word(words.deictic), _word(words.showing), _word(words.parts)
    things = _word(words.parts + words.numbered)
    viewpoint = rf"(?!\s+{_word(words.viewpoints)}\s+(?!(?:\w+\s+){{0,2}}?{things}))"
    places, beside, these = _word(words.deictic[:2]), _word(words.beside), _word(words.these)
    return [
        _phrases(words.always),
        rf"{_word(words.telling)}\s+{_word(words.within)}\s+(?!\d|detail)",
        rf"{deictic}{_NO_END}\W+(?:\w+\W+)?{showing}",
        rf"{showing}{_NO_END}\W+(?:\w+\W+){{0,3}}?{deictic}{_NO_MEASURE}",
        rf"{things}\W+(?:\w+\W+)?{places}{_NO_MEASURE}",
        rf"{places}\W+{things}",
        rf"[\"”’»]\s+{places}{_NO_MEASURE}",
        rf"{beside}\s+(?:\w+\s+)?{things}",
        rf"{things}\s+{beside}",
        rf"{these}\s+(?:\w+\s+)?{parts}",
        rf"{things}\s+(?-i:{_NUMBER})",
        rf"{_word(words.alike)}\W+(?:\w+\W+){{0,3}}?{showing}{viewpoint}",
        rf"(?:^|\(\s*){_word(words.see)}[\s.]",
        rf"{_word(words.see)}\s+(?:\w+\s+){{1,4}}?{parts}",
        rf"{_word(words.here)}{_END}",
        rf"{_word(words.here)}\s+{showing}",
        rf"{showing}\s+{_word(words.here)}",
    ]


def _dependence_patterns(words: References) -> list[str]:
    """Return the patterns of one language for beginnings that the sentence before explains."""
    return [
        _phrases(words.backward),
        # With a capital it is another word: "wenn Sie" says "if you".
        rf"{_word(words.joining)}\s+(?-i:{_word(words.pronouns)})(?!\s+{_word(words.times)})",
        # An article that stands alone: "Das hilft", but not "Das Gesetz".
        rf"{_word(words.articles)}(?!\s+(?-i:[A-ZÄÖÜ]))",
    ]


def _word(words: Sequence[str]) -> str:
    return rf"(?<!\w)(?:{_alternatives(words)})(?!\w)"


def _phrases(phrases: Sequence[str]) -> str:
    start = "" if is_unspaced("".join(phrases)) else r"(?<!\w)"
    ends = _alternatives(sorted(phrases, key=len, reverse=True))
    return f"{start}(?:{ends}){_boundary(phrases)}"


def _alternatives(words: Sequence[str]) -> str:
    ends = (re.escape(word[:-1]) + r"\w*" if word.endswith("~") else re.escape(word) for word in words)
    return "|".join(ends) or _NOTHING


def _boundary(phrases: Sequence[str]) -> str:
    return "" if is_unspaced("".join(phrases)) else r"(?!\w)"


def _any(patterns: list[str]) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE)
