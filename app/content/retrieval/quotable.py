"""Which sentences, items and rows of a page can be quoted in another text. Pure."""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from app.content.rendering.markdown import looks_active
from app.language.languages import language_data
from app.language.references import begins_with_pronoun, depends_on_previous, points_elsewhere
from app.language.sentences import ends_like_a_sentence
from app.language.words import CAPITALS, COLONS, extent

_LONGEST_SENTENCE: Final = 60
_LEAST_OPENING: Final = 3
_TO_ONE_POINTER: Final = 4
_LEAST_WORDS: Final = 4
_LABEL_WORDS: Final = 8
_UNFIT: Final = re.compile(
    r"\[\d+\]|\[citation needed\]|^\W*$|https?://\S+$|\w@\w[\w-]*\.\w|\{\{|\[\[page:|lorem ipsum"
    r"|\[(?:insert|todo|tbd)\b|\w[¹²³⁴⁵⁶⁷⁸⁹⁰]|\w[*†‡](?=[\s.,]|$)|\.\.\.$"
    r"|(?-i:\(see [A-Z][\w/ -]*\))",
    re.IGNORECASE,
)
"""Footnote marks, addresses, placeholders: none of it can be quoted elsewhere."""
_AREA_OR_VOLUME: Final = re.compile(
    r"(?<![a-z])(?:[ckdm]?m|ft|in|yd|mi|[^\W\d_a-z]{1,3}|\d+)[²³]", re.IGNORECASE
)
"""Signs of units that a footnote mark looks like, in other scripts any short word."""
_ALONE: Final = re.compile(r"(?<![\w/.-])[^\W\d_]+(?![\w/-])")
_NAMED: Final = re.compile(rf"(?<=[^\W\d_] )[{CAPITALS}][^\W\d_]+(?= [{CAPITALS}])")
"""A word inside a sentence that begins a name: "open My Account"."""
_SHORT_QUOTE: Final = re.compile(r"[“„«][^“”„«»]{1,40}[”“»]")
_SPEECH: Final = re.compile(r"[\"“„«»][^\"“”„«»]+[\"”“«»]")
_SAID: Final = re.compile(r"[\"“„«»][^\"“”„«»]+(?:[,!?]|[…–—-])[\"”“«»],?\s*[^\W\d_]")
"""Words in quotation marks, alone and with somebody who says them."""
_LONGEST_FORMULA: Final = 40
_FORMULA: Final = re.compile(r"(?=.* [÷×+−–*/·-] )[^={}<>;]*\w[)%]?(?: = [^={}<>;]+)+")
_VERSION_NOTE: Final = re.compile(
    r"(?:changed|new|added|deprecated|removed) (?:in|since) version [\w.]+", re.IGNORECASE
)


def may_open(sentence: str, language: str, known: str, *, may_say_i: bool = False) -> bool:
    """Return whether a quotation may begin with a sentence; ``known`` is the heading above."""
    return (
        stands_alone(sentence, language, may_say_i=may_say_i)
        and extent(sentence) >= _LEAST_OPENING
        and not depends_on_previous(sentence, language, known)
    )


def stands_alone(sentence: str, language: str, *, may_say_i: bool = False) -> bool:
    """Return whether a whole sentence may be quoted.

    ``may_say_i`` allows the first person, as in a rule that an author gives.
    """
    return _is_whole(sentence, language) and (may_say_i or not is_first_person(sentence, language))


@lru_cache(maxsize=8192)
def _is_whole(sentence: str, language: str) -> bool:
    """Return whether a sentence makes sense without another place; asked several times for a post."""
    if is_unfit(sentence, language) or extent(sentence) > _LONGEST_SENTENCE:
        return False
    return ends_like_a_sentence(sentence) or sentence.endswith(COLONS)


def is_unfit(text: str, language: str) -> bool:
    """Return whether a text points elsewhere, acts where nothing escapes it, or is no reading matter."""
    return points_elsewhere(text, language) or _is_unreadable(text, language)


def are_unfit(texts: Sequence[Sequence[str]], language: str) -> bool:
    """Return whether items or rows that belong together cannot be quoted, given the texts of each.

    Of four, one may point elsewhere ("Signed rules, see below"): without it, all would be lost.
    """
    if any(_is_unreadable(text, language) for each in texts for text in each):
        return True
    pointing = sum(any(points_elsewhere(text, language) for text in each) for each in texts)
    return pointing * _TO_ONE_POINTER > len(texts)


def _is_unreadable(text: str, language: str) -> bool:
    if _UNFIT.search(_AREA_OR_VOLUME.sub("", text)) or looks_active(text):
        return True
    lowered = text.lower()
    return any(phrase in lowered for phrase in language_data(language).words.boilerplate)


@lru_cache(maxsize=8192)
def is_first_person(sentence: str, language: str) -> bool:
    """Return whether a sentence is in the first person: a comment, a testimonial, a story.

    A few words of somebody else inside a sentence do not make it one: most “I'm sure I'd paid” talks.
    """
    own = language_data(language).words.speakers
    return not set(own).isdisjoint(_ALONE.findall(_NAMED.sub("", _without_short_quotes(sentence))))


def goes_on_speaking(sentence: str, before: str) -> bool:
    """Return whether a sentence in quotation marks goes on from a quoted one that names its speaker."""
    return _SPEECH.fullmatch(sentence) is not None and _SAID.match(before) is not None


def _without_short_quotes(sentence: str) -> str:
    """Return a sentence without a few words between curly marks in it, if it says more than these."""
    rest = _SHORT_QUOTE.sub(" ", sentence)
    return rest if 2 * extent(rest) > extent(sentence) else sentence


def is_label(texts: list[str]) -> bool:
    """Return whether a paragraph is a line of data ("Source code: Lib/abc.py") or a button, no sentence."""
    alone = len(texts) == 1 and not (ends_like_a_sentence(texts[0]) or texts[0].endswith(COLONS))
    return alone and extent(texts[0]) <= _LABEL_WORDS


def is_fragment(text: str) -> bool:
    """Return whether a text of few words says nothing without what follows it: "Location."."""
    return extent(text) < _LEAST_WORDS and not text.endswith(COLONS) and ends_like_a_sentence(text)


def goes_on_from_heading(sentence: str, language: str, heading: str) -> bool:
    """Return whether a sentence right below its own heading needs nothing else before it.

    It speaks of the heading with a pronoun, or has a few words that stand alone. "No booking." does, which is
    no answer to a question.
    """
    if begins_with_pronoun(sentence, language):
        return True
    first, _, rest = sentence.partition(" ")
    denies = bool(rest) and first.lower() in language_data(language).words.refusals
    return is_fragment(sentence) and (denies or not depends_on_previous(sentence, language, heading))


def is_formula(text: str) -> bool:
    """Return whether a text is a formula in words or figures: "price = pieces × rate"."""
    is_short = extent(text) <= _LONGEST_FORMULA and not ends_like_a_sentence(text)
    return is_short and _FORMULA.fullmatch(text) is not None and not looks_active(text)


def is_version_note(text: str) -> bool:
    """Return whether a paragraph says since when something is so: "Changed in version 3.6."."""
    return _VERSION_NOTE.match(text) is not None
