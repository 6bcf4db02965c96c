"""The proper names of a text, as far as capitals show them. Pure.

Looked at are words with a capital inside a sentence, words that mix their letters (GitHub), words after a
title or before what people say and do. Scripts without capitals show none. German writes every noun with one:
there only words count that follow each other with capitals, follow a title or mix their letters.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from functools import cache, lru_cache
from itertools import pairwise, zip_longest
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.writing.veto.figures import is_unit
from app.language.languages import language_data, merged, month_numbers
from app.language.schema_claims import Names
from app.language.stems import stem
from app.language.words import CJK, words

_BEFORE: Final = rf"(?<![^\W{CJK}])"
"""No letter or digit stands before a word, unless it is of a script without spaces: "はLINEで"."""
_WORD: Final = re.compile(
    rf"{_BEFORE}[^\W\d_{CJK}](?:[^\W{CJK}]|[’'.&+-])*(?:[^\W{CJK}]|\+)|{_BEFORE}[^\W\d_{CJK}]"
)
_START: Final = re.compile(r"(?:^|[.!?:;…]\s*|[\n(“„«\"‘|¿¡]|\s[–—-]\s)\s*$")
_MOST_ROLE_WORDS: Final = 4
_NEVER: Final = frozenset(
    {"I", "I'm", "I’m", "I'd", "I’d", "I'll", "I’ll", "I've", "I’ve", "OK", "A", "FAQ", "ID", "IDs"}
)
_SHORT: Final = 3
_SHORTEST_BEGINNING: Final = 4
_LONGEST_ENDING: Final = 2
_LONGEST_INITIAL: Final = 2
_OF_PLACE: Final = "er"
"""The ending of adjectives that are made from places and keep the capital, where nouns have capitals."""
_ADDED: Final = re.compile(r"-[a-z]+$")
_NAME_WITHIN: Final = re.compile(r"[A-Z]+\d+(?=[a-z])|[A-Z]{2,}(?=[A-Z][a-z]{2})")
"""A name in a word: "MD5sum" says "MD5", and "CAFile" says "CA"."""
_SHORTEST_HEAD: Final = 5
_SHORTEST_PREFIX: Final = 3
"""Letters of the last part of a compound, and of what stands before it."""


@cache
def _beside_names() -> Names:
    return merged(lambda language: language.names)


def courtesy_titles() -> frozenset[str]:
    """Return the titles before names that say no more than the name does: "mrs"."""
    return _beside_names().titles


def initials(name: str) -> str:
    """Return the first letters of a name of three words or more with a capital, else "": "NUT"."""
    found = "".join(word[0] for word in words(name) if word[0].isupper())
    return found if len(found) >= _SHORT else ""


def is_short_for(short: str, word: str) -> bool:
    """Return whether a text is how people write a day or month in short: "Sat" or "Sat." for "Saturday"."""
    bare, lowered = short.lower().rstrip("."), word.lower()
    is_day = lowered in _beside_names().calendar or lowered in month_numbers()
    return is_day and len(bare) >= _SHORT and lowered.startswith(bare)


def unsupported_names(text: str, said: str, language: str, nouns: Collection[str] = frozenset()) -> list[str]:
    """Return the names of a text that ``said`` does not have, in any form of the word; ``nouns`` are none."""
    known = _known(said, language)
    common = {*nouns, *_nouns_of_places(text, known, language)}
    found = [name for name in names(text, language) if name.lower() not in common]
    unknown = [name for name in found if not _is_known(name, known, language)]
    # "Founder Jane Doe": before a known name the first word is no part of it.
    return [
        name
        for name, after in zip_longest(found, found[1:], fillvalue="")
        if name in unknown and not (after and after not in unknown and _begins(text, name))
    ]


def names(text: str, language: str) -> list[str]:
    """Return the words of a text that look like names, each once."""
    found = [match for match in _WORD.finditer(text) if len(match[0]) == 1 or not is_unit(match[0])]
    chosen = (
        _bare(match[0])
        for n, match in enumerate(found)
        if not _is_ordinary(match[0], language) and _is_name(text, found, n, language)
    )
    return list(dict.fromkeys(chosen))


def recurring_names(units: Iterable[EvidenceUnit]) -> dict[int, frozenset[str]]:
    """Return for each page the words with a capital that two of its units have."""
    counts: dict[int, Counter[str]] = defaultdict(Counter)
    for unit in units:
        counts[unit.page_id].update({word for word in words(unit.text) if word[0].isupper()})
    return {
        page_id: frozenset(word for word, count in found.items() if count > 1)
        for page_id, found in counts.items()
    }


def nouns_of(text: str, language: str) -> frozenset[str]:
    """Return the words behind an article, in small letters, where nouns have capitals."""
    table = language_data(language).words
    found = (match[0] for match in _WORD.finditer(text)) if table.capital_nouns else ()
    pairs = pairwise(found)
    return frozenset(word.lower() for before, word in pairs if before in table.articles and word[0].isupper())


def _nouns_of_places(text: str, known: Collection[str], language: str) -> Iterator[str]:
    """Yield what belongs to a known place: of "Kölner Werkstatt", where "Köln" is known, the second word."""
    if not language_data(language).words.capital_nouns:
        return
    for before, word in pairwise(match[0] for match in _WORD.finditer(text)):
        place = before.lower()
        if place.endswith(_OF_PLACE) and place not in known and place.removesuffix(_OF_PLACE) in known:
            yield word.lower()


def speakers_named(text: str) -> list[str]:
    """Return the people who say something in a text: "says the officer Jane Doe", "Jane Doe says".

    "Says a GitHub user" names nobody.
    """
    found = list(_WORD.finditer(text))
    runs = (
        run
        for n, match in enumerate(found)
        if match[0].lower() in _beside_names().saying or text[: match.end()].lower().endswith("according to")
        for run in (_run_before(text, found, n), _run_after(text, found, n))
    )
    return [" ".join(run) for run in runs if run and run[0].lower() not in _beside_names().no_speakers]


def _run_before(text: str, found: list[re.Match[str]], n: int) -> list[str]:
    first = n
    while first and found[first - 1][0][0].isupper() and _adjacent(text, found[first - 1], found[first]):
        first -= 1
    return [match[0] for match in found[first:n]]


def _run_after(text: str, found: list[re.Match[str]], n: int) -> list[str]:
    first = n + 1
    while first < len(found) and first - n <= _MOST_ROLE_WORDS and found[first][0][0].islower():
        first += 1
    end = first
    while end < len(found) and found[end][0][0].isupper() and _adjacent(text, found[end - 1], found[end]):
        end += 1
    goes_on = end < len(found) and _adjacent(text, found[end - 1], found[end])
    if goes_on and found[end][0].lower() not in _beside_names().origins:
        return []
    return [match[0] for match in found[first:end]]


def _begins(text: str, name: str) -> bool:
    """Return whether a name is the first word of a sentence, where any word has a capital."""
    return any(_START.search(text[: match.start()]) for match in re.finditer(re.escape(name), text))


def is_title_case(text: str) -> bool:
    """Return whether nearly every longer word begins with a capital, as in the headings of some sites."""
    longer = [match[0] for match in _WORD.finditer(text) if len(match[0]) > _SHORT]
    return len(longer) > 1 and sum(word[0].isupper() for word in longer) >= len(longer) - 1


def _is_ordinary(word: str, language: str) -> bool:
    """Return whether a word with a capital is no name: a day, a month, "Sie", "Mrs"."""
    lowered = word.lower()
    if word.istitle() and lowered.rstrip(".") in courtesy_titles():
        return True
    is_small = lowered in language_data(language).words.stopwords and not _is_mixed(word)
    is_day = lowered in _beside_names().calendar or lowered.removesuffix("s") in _beside_names().calendar
    is_tax = word in language_data(language).names.abbreviations
    return word in _NEVER or is_day or is_small or is_tax


def _is_title(word: str) -> bool:
    lowered = word.lower().rstrip(".")
    return lowered in courtesy_titles() or lowered in _beside_names().degrees


def _is_name(text: str, found: list[re.Match[str]], n: int, language: str) -> bool:
    word, capital_nouns = found[n][0], language_data(language).words.capital_nouns
    if _is_mixed(word):
        return True
    if not word[0].isupper():
        return False
    before = found[n - 1] if n else None
    after = found[n + 1] if n + 1 < len(found) else None
    if before is not None and _is_title(before[0]):
        return True
    says = after is not None and after[0].lower() in _beside_names().saying
    starts = _START.search(text[: found[n].start()]) is not None
    is_noun = _is_noun_after(before, language)
    is_announced = before is not None and before[0] in language_data(language).words.articles
    is_common = capital_nouns and word.lower() in _beside_names().common_nouns
    joined = (
        after is not None
        and not is_common
        and not (is_noun and (is_announced or after[0].lower() in _beside_names().common_nouns))
        and after[0][0].isupper()
        and after[0].lower() not in _beside_names().calendar
        and not (capital_nouns and _is_ordinary(after[0], "de"))
        and _adjacent(text, found[n], after)
    )
    if starts:
        person = says and word.lower() not in _beside_names().no_speakers and not word.endswith("s")
        return person or (joined and not capital_nouns)
    if not capital_nouns:
        return True
    follows = (
        before is not None
        and not is_common
        and before[0][0].isupper()
        and not _is_ordinary(before[0], "de")  # "Ihr Bestand"
        and _adjacent(text, before, found[n])
    )
    inside = before is not None and not _START.search(text[: before.start()])
    return says or joined or (follows and inside)


def _is_noun_after(before: re.Match[str] | None, language: str) -> bool:
    """Return whether an article or adjective makes the word after it a noun, where nouns have capitals."""
    endings = language_data(language).words.adjective_endings
    return bool(endings) and before is not None and before[0][0].islower() and before[0].endswith(endings)


@lru_cache(maxsize=4)  # headings, one after the other, are judged against all the evidence
def _known(said: str, language: str) -> frozenset[str]:
    """Return the words of a text and the parts of joined ones, in small letters, and their stems."""
    spoken = words(said)
    parts = {part for word in spoken for part in re.split(r"[-.'’_/]", word) if part}
    parts |= {name for word in spoken for name in _NAME_WITHIN.findall(word)}
    lowered = {_bare(word).lower() for word in {*spoken, *parts}}
    return frozenset(lowered | {stem(word, language) for word in lowered})


def _is_known(name: str, known: frozenset[str], language: str) -> bool:
    lowered = name.lower().rstrip("._")
    if {lowered, stem(lowered, language), lowered.removesuffix("s"), f"{lowered}s"} & known:
        return True
    table = language_data(language).words
    # What a hyphen adds in small letters is no name: "GnuTLS-based".
    own = lowered if table.capital_nouns else _ADDED.sub("", name).lower().rstrip("._")
    parts = [part for part in re.split(r"[-.'’&+/]", own) if part]
    is_joined = len(parts) > 1 or own != lowered
    if is_joined and all(part in known or stem(part, language) in known for part in parts):
        return True
    if table.capital_nouns and _ends_compound(lowered, known):
        return True
    return not table.fixed_names and _is_form_of(lowered, known)


def _ends_compound(noun: str, known: frozenset[str]) -> bool:
    """Return whether a known compound is such a thing: a “Warnzeichen” is a “Zeichen”."""
    least = len(noun) + _SHORTEST_PREFIX
    return len(noun) >= _SHORTEST_HEAD and any(len(word) >= least and word.endswith(noun) for word in known)


def _is_form_of(name: str, known: frozenset[str]) -> bool:
    """Return whether a name differs from a known word only by its ending, as names do in many languages."""
    beginning = name[: max(_SHORTEST_BEGINNING, len(name) - _LONGEST_ENDING)]
    return any(word.startswith(beginning) and abs(len(word) - len(name)) <= _LONGEST_ENDING for word in known)


def _bare(word: str) -> str:
    """Return a word without the possessive ending."""
    return word.removesuffix("'s").removesuffix("’s")


def _is_mixed(word: str) -> bool:
    """Return whether a word has a capital after its first letter: GitHub, iPhone, NASA."""
    return any(letter.isupper() for part in word.split("-") for letter in part[1:])


def _adjacent(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    between = text[first.end() : second.start()]
    return between in {" ", "-"} or (between == ". " and len(first[0]) <= _LONGEST_INITIAL)
