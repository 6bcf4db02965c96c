"""References of a text to other parts of itself: what leans on them cannot be quoted elsewhere. Pure.

Rules, not phrases: an adverb of place beside a verb of showing ("shown below") or behind a part of the
document ("the table above"), a part that is numbered or next ("step 3", "the previous chapter"), a
demonstrative before one ("this page"), an invitation to look elsewhere, a sentence that opens with what only
the one before explains ("They …"). The words of each language stand in ``reference_words``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.language.lexicon import lexicon
from app.language.lexicon_table import phrase_list
from app.language.reference_words import TABLES, ReferenceWords
from app.language.stems import stem, topic_stems
from app.language.tags import language_code
from app.language.words import is_unspaced

_COLONS: Final = (":", "：")
_QUESTIONS: Final = ("?", "？", "؟")
_OPENING_MARKS: Final = "\"'“„‘«»(「『¿¡"
_NEVER: Final = re.compile(r"(?!)")
_NUMBER: Final = r"(?:\d|[A-HJ-Z](?![\w.]))"
_END: Final = r"(?=\W*$|\s*[,;:.!?)]|\s+[\"”’»)])"
# "The list price is below the average" and "the image above the desk" are no references.
_NO_MEASURE: Final = (
    r"(?!\s+(?:the|an?|zero|our|your|my|its|their|der|die|das|den|dem|le|la|les|el|los|las|il|lo|gli|de|het"
    r"|o|os|as|\d|[%£$€]))"
)


@dataclass(frozen=True)
class _Rules:
    points: re.Pattern[str]
    leans_back: re.Pattern[str]
    demonstrative: re.Pattern[str]
    times: frozenset[str]
    ahead: re.Pattern[str]
    counts_up: re.Pattern[str]


def points_elsewhere(text: str, language: str) -> bool:
    """Tell whether a text points at another part of its document, or at what a link or a picture shows.

    Before a colon that something follows means no more than what comes next.
    """
    rules = _rules(language_code(language))
    if text.endswith(_COLONS):
        return rules.points.search(rules.ahead.sub(" ", text)) is not None
    return rules.points.search(text) is not None or rules.ahead.search(text) is not None


def leans_back(sentence: str, language: str, known: str = "") -> bool:
    """Tell whether the first sentence of a quotation needs the one before it.

    It opens with what only that one explains, or says "this" of something that neither ``known`` text, as the
    heading above, nor its own beginning names.
    """
    rules = _rules(language_code(language))
    if rules.leans_back.match(sentence.lstrip(_OPENING_MARKS)):
        return True
    if sentence.endswith(_COLONS):
        return False  # "with this command:" names what comes next
    for found in rules.demonstrative.finditer(sentence):
        noun = found["noun"].lower()
        said = topic_stems(f"{known} {sentence[: found.start()]}", language)
        if noun not in rules.times | lexicon(language).stopwords and stem(noun, language) not in said:
            return True
    return False


def leads_on(sentence: str, language: str) -> bool:
    """Tell whether a sentence promises more: it ends in a colon or asks, or counts up or shows what comes."""
    if sentence.endswith((*_COLONS, *_QUESTIONS)):
        return True
    return _rules(language_code(language)).counts_up.match(sentence.lstrip(_OPENING_MARKS)) is not None


@lru_cache
def _rules(language: str) -> _Rules:
    words = TABLES.get(language)
    if words is None:
        return _Rules(_NEVER, _NEVER, _NEVER, frozenset(), _NEVER, _NEVER)
    return _Rules(
        points=_any(_pointing(words)),
        leans_back=_any([_phrases(words.backward), *_clauses(words), *_articles(words)]),
        demonstrative=_any([rf"{_word(words.these)}\s+(?P<noun>\w+)"] if words.these else []),
        times=frozenset(words.times.split()),
        ahead=_any([_phrases(words.ahead)] if words.ahead else []),
        counts_up=_any([f"(?:{'|'.join(words.counting.split(','))}){_boundary(words.counting)}"]),
    )


def _pointing(words: ReferenceWords) -> list[str]:
    """Return the patterns of one language for what points elsewhere."""
    found = [_phrases(words.always)]
    if not words.parts:
        return found
    if words.telling:
        found.append(rf"{_word(words.telling)}\s+{_word(words.within)}\s+(?!\d|detail)")
    deictic, showing, parts = _word(words.deictic), _word(words.showing), _word(words.parts)
    things = _word(f"{words.parts} {words.numbered}")
    beside, these = _word(words.beside), _word(words.these)
    return [
        *found,
        rf"{deictic}\W+(?:\w+\W+)?{showing}",
        rf"{showing}\W+(?:\w+\W+){{0,3}}?{deictic}{_NO_MEASURE}",
        rf"{things}\W+(?:\w+\W+)?{_word(_places(words.deictic))}{_NO_MEASURE}",
        rf"{_word(_places(words.deictic))}\W+{things}",
        rf"[\"”’»]\s+{_word(_places(words.deictic))}{_NO_MEASURE}",
        rf"{beside}\s+(?:\w+\s+)?{things}",
        rf"{things}\s+{beside}",
        rf"{these}\s+(?:\w+\s+)?{parts}",
        rf"{things}\s+(?-i:{_NUMBER})",
        rf"{_word(words.alike)}\W+(?:\w+\W+){{0,3}}?{showing}",
        rf"(?:^|\(\s*){_word(words.see)}[\s.]",
        rf"{_word(words.see)}\s+(?:\w+\s+){{1,4}}?{parts}",
        rf"{_word(words.here)}{_END}",
        rf"{_word(words.here)}\s+{showing}",
        rf"{showing}\s+{_word(words.here)}",
    ]


def _clauses(words: ReferenceWords) -> list[str]:
    if not words.joining:
        return []
    # With a capital it is another word: "wenn Sie" says "if you".
    return [rf"{_word(words.joining)}\s+(?-i:{_word(words.pronouns)})(?!\s+{_word(words.times)})"]


def _articles(words: ReferenceWords) -> list[str]:
    """Return the patterns of articles that stand alone: "Das hilft", but not "Das Gesetz"."""
    return [rf"{_word(words.articles)}(?!\s+(?-i:[A-ZÄÖÜ]))"] if words.articles else []


def _places(deictic: str) -> str:
    """Return the adverbs that may stand alone beside a part: of English the first two."""
    return " ".join(deictic.split()[:2])


def _word(words: str) -> str:
    ends = "|".join(
        re.escape(word[:-1]) + r"\w*" if word.endswith("~") else re.escape(word) for word in words.split()
    )
    return rf"(?<!\w)(?:{ends})(?!\w)"


def _phrases(phrases: str) -> str:
    ends = "|".join(
        re.escape(phrase[:-1]) + r"\w*" if phrase.endswith("~") else re.escape(phrase)
        for phrase in sorted(phrase_list(phrases), key=len, reverse=True)
    )
    start = "" if is_unspaced(phrases) else r"(?<!\w)"
    return f"{start}(?:{ends}){_boundary(phrases)}"


def _boundary(phrases: str) -> str:
    return "" if is_unspaced(phrases) else r"(?!\w)"


def _any(patterns: list[str]) -> re.Pattern[str]:
    return (
        re.compile("|".join(f"(?:{pattern})" for pattern in patterns), re.IGNORECASE) if patterns else _NEVER
    )
