"""Numbers that are written as words. Pure."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final, NamedTuple

from app.language.languages import in_all_languages, language_data, languages
from app.language.numerals import JoinedWords, han_numbers, sum_of_parts
from app.language.schema_claims import Numbers
from app.language.tags import language_code
from app.language.words import VOWEL_SIGNS, alternatives, without_vowel_signs

_WORD: Final = re.compile(rf"[^\W\d_]+(?:[\u0300-\u036f{VOWEL_SIGNS}]+[^\W\d_]*)*")
_SCALES: Final = frozenset({"100", "1000", "1000000", "1000000000"})
_ONE: Final = re.compile(r"\b(?:an?|one)[ -]\Z", re.IGNORECASE)
_NO_SHARE: Final = re.compile(r"\b(?:the|this|that|other|another|which|each)(?: [^\W\d_]+)? $", re.IGNORECASE)
_BEFORE: Final = 60
"""Characters before a number in which the words that belong to it stand."""
_SHARE: Final = re.compile(r" (?:of|an?|the)\b", re.IGNORECASE)


@dataclass(frozen=True)
class _Words:
    """The number words of all languages that share theirs, and the numbers that they say."""

    numbers: Mapping[str, str]
    ambiguous: frozenset[str]
    counts_of_parts: Mapping[str, str]
    parts: Mapping[str, str]
    any_fraction: re.Pattern[str]
    fraction: re.Pattern[str]
    idiom_of_half: re.Pattern[str]

    def fraction_of(self, count: str, part: str) -> str:
        """Return the fraction that two words say: 2/3 for "two" and "thirds"."""
        return f"{self.counts_of_parts[count.lower()]}/{self.parts[part.lower()]}"


@cache
def _words() -> _Words:
    wholes = in_all_languages(lambda language: language.numbers.before_wholes)
    endings = in_all_languages(lambda language: language.numbers.endings_of_wholes)
    idioms = in_all_languages(lambda language: language.numbers.idioms_of_half)
    counts = _by_word(language.numbers.counts_of_parts for language in languages())
    parts = _by_word(language.numbers.parts for language in languages())
    several = [word for word, number in counts.items() if number != "1"]
    return _Words(
        numbers=_by_word(each.numbers.words for each in languages() if not each.numbers.alone),
        ambiguous=frozenset(in_all_languages(lambda language: language.numbers.ambiguous)),
        counts_of_parts=counts,
        parts=parts,
        any_fraction=re.compile(rf"\b({'|'.join(counts)})[ -]({'|'.join(parts)})\b", re.IGNORECASE),
        # "A third of", not "a third party": what follows decides. Of several parts, nothing need follow.
        fraction=re.compile(
            rf"\b({'|'.join(counts)})[ -]({'|'.join(parts)})"
            rf"(?= (?:{'|'.join(wholes)})\b| d['’]| \w+(?:{'|'.join(endings)})\b)"
            rf"|\b({'|'.join(several)})[ -]({'|'.join(parts)})(?=[.;!?]|$)",
            re.IGNORECASE,
        ),
        idiom_of_half=re.compile(rf"(?: [^\W\d_]+){{1,2}} (?:{alternatives(idioms)})\b", re.IGNORECASE),
    )


def _by_word(tables: Iterable[Mapping[str, Iterable[str]]]) -> dict[str, str]:
    return {word: number for table in tables for number, words in table.items() for word in words}


@dataclass(frozen=True)
class _OwnWords:
    """The number words of one language; ``phrases`` finds those of several words."""

    table: Numbers
    numbers: Mapping[str, str]
    phrases: re.Pattern[str]
    between: re.Pattern[str]
    links: re.Pattern[str]
    ones: re.Pattern[str]
    joined: JoinedWords | None

    def number_of(self, word: str) -> str | None:
        """Return the number that a word in small letters says, None if it says none."""
        known = _words()
        if word in self.numbers:
            return self.numbers[word]
        if word in self.table.last_one:
            return "1"
        if word in known.numbers and word not in known.ambiguous:
            return known.numbers[word]
        joined = self.joined.number(word) if self.joined else None
        return None if joined is None else str(joined)


@lru_cache
def _own_words(code: str) -> _OwnWords:
    table = language_data(code).numbers
    numbers = _by_word([table.words])
    phrases = [word for word in numbers if not word.isalpha()]
    links = alternatives(table.links) if table.links else "(?!)"
    inside = {**dict.fromkeys(table.last_one, "1"), **_by_word([table.joined])}
    return _OwnWords(
        table,
        numbers,
        re.compile(rf"(?<!\w)(?:{alternatives(phrases)})(?!\w)" if phrases else "(?!)", re.IGNORECASE),
        re.compile(rf"[ -]|,? and | (?:{links}) |-(?:{links})-", re.IGNORECASE),
        re.compile(rf"[ -]|[ -](?:{links})[ -]", re.IGNORECASE),
        re.compile(rf"(?<!\w)(?:{alternatives(table.one)})(?!\w)" if table.one else "(?!)", re.IGNORECASE),
        JoinedWords({**numbers, **inside}, table.links) if table.one_word else None,
    )


class NumberWord(NamedTuple):
    """Words that say a number, the number in digits (the words if it is not known), and their place."""

    words: str
    number: str
    start: int
    is_joined: bool = False
    """Whether a particle is the beginning of the word, as in the Arabic word for "and twenty"."""

    @property
    def end(self) -> int:
        """Where the words end."""
        return self.start + len(self.words)


def number_words(text: str, language: str) -> Iterator[NumberWord]:
    """Yield the numbers that a text says in words: "two thousand" is one number.

    Fractions are ``1/2``, whether a word or one character says so. Collectives have the number that names
    them: dozens are 12.
    """
    known, own = _words(), _own_words(language_code(language))
    parts = [
        NumberWord(part[0], known.fraction_of(part[1] or part[3], part[2] or part[4]), part.start())
        for part in known.fraction.finditer(text)
    ]
    yield from parts
    yield from _composed(text, _outside(parts, _single_words(text, own)), own)
    for at, character in enumerate(text):
        if unicodedata.category(character) in {"No", "Nl"} and not character.isdigit():
            number = unicodedata.normalize("NFKC", character).replace("\N{FRACTION SLASH}", "/")
            yield NumberWord(character, number, at)
    yield from (NumberWord(*each) for each in han_numbers(text))


def possible_fractions(text: str) -> Iterator[NumberWord]:
    """Yield what may be a fraction, whatever follows: "about a third were", and "a third party" too."""
    for part in _words().any_fraction.finditer(text):
        yield NumberWord(part[0], _words().fraction_of(part[1], part[2]), part.start())


def one_words(text: str, language: str) -> Iterator[re.Match[str]]:
    """Yield the words for one that are no article; whether one counts there, what follows decides."""
    ones = _own_words(language_code(language)).ones
    yield from ones.finditer(text)


def _outside(taken: Iterable[NumberWord], words: Iterable[NumberWord]) -> Iterator[NumberWord]:
    places = [(each.start, each.end) for each in taken]
    return (word for word in words if not any(start <= word.start < end for start, end in places))


def _single_words(text: str, own: _OwnWords) -> list[NumberWord]:
    phrases = [
        NumberWord(match[0], own.numbers[match[0].lower()], match.start())
        for match in own.phrases.finditer(text)
    ]
    single = [word for match in _WORD.finditer(text) for word in _said_by(text, match, own)]
    return sorted([*phrases, *_outside(phrases, single)], key=lambda word: word.start)


def _said_by(text: str, match: re.Match[str], own: _OwnWords) -> Iterator[NumberWord]:
    word = without_vowel_signs(match[0].lower())
    number, is_joined = own.number_of(word), False
    if number is None and word[:1] in own.table.joined_beginnings:
        number, is_joined = own.number_of(word[1:]), True
    if number is not None and (number != "1/2" or _is_share(text, match)):
        yield NumberWord(match[0], number, match.start(), is_joined)


def _is_share(text: str, half: re.Match[str]) -> bool:
    """Return whether a half is a share: "the harder half" has a name, "half of the answer" is an idiom."""
    if _words().idiom_of_half.match(text, half.end()):
        return False
    before = text[max(0, half.start() - _BEFORE) : half.start()]
    return bool(_SHARE.match(text, half.end())) or not _NO_SHARE.search(before)


def _composed(text: str, found: Iterable[NumberWord], own: _OwnWords) -> Iterator[NumberWord]:
    """Yield neighbouring words that say one number together: one hundred and twenty."""
    run: list[NumberWord] = []
    for word in found:
        if run and not _continues(text, run[-1], word, own):
            yield _joined(text, run)
            run = []
        if run or word.number != "1":  # a one alone is mostly an article
            run.append(word)
    if run:
        yield _joined(text, run)


def _continues(text: str, before: NumberWord, word: NumberWord, own: _OwnWords) -> bool:
    between = text[before.end : word.start]
    if not (own.between.fullmatch(between) and before.number.isdigit() and word.number.isdigit()):
        return False
    if word.number in _SCALES:
        return len(between) == 1 and before.number not in {"12"}
    if before.number in _SCALES:
        return True
    if not own.links.fullmatch(between):
        return False
    last, size = int(before.number), int(word.number)
    if word.is_joined and last < 10:
        return 20 <= size < 100 and size % 10 == 0
    is_hundreds = last % 100 == 0 and last < 1000
    is_tens = last % 10 == 0 and 20 <= last < 100
    # "Soixante-douze" has a number up to nineteen behind the tens.
    most = 19 if between == "-" and last in {60, 80} else 9
    return (is_hundreds and size < 100) or (is_tens and size <= most)


def _joined(text: str, run: list[NumberWord]) -> NumberWord:
    first = run[0].start
    one = _ONE.search(text[max(0, first - _BEFORE) : first]) if run[0].number in _SCALES else None
    start = first - len(one[0]) if one else first
    words = text[start : run[-1].end]
    if len(run) == 1:
        return NumberWord(words, run[0].number, start)
    return NumberWord(words, str(sum_of_parts([int(each.number) for each in run])), start)
