"""The proper names of a text, as far as capitals show them. Pure.

Looked at are words with a capital inside a sentence, words that mix their letters (GitHub), words after a
title or before what people say and do. Scripts without capitals show none. German writes every noun with one:
there only words count that stand together with capitals, follow a title or mix their letters.
"""

from __future__ import annotations

import re
from typing import Final

from app.content.language.lexicon import lexicon, primary_subtag
from app.content.language.text import stem, words
from app.content.writing.article.figures import is_unit


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD: Final = re.compile(r"[^\W\d_][\w’'.&+-]*[\w+]|[^\W\d_]")
_START: Final = re.compile(r"(?:^|[.!?:;…]\s*|[\n(“„«\"‘|]|\s[–—-]\s)\s*$")
_TITLES: Final = _set(
    "dr prof mr mrs ms herr frau sir madame monsieur señor señora signor signora senhor senhora"
)
_SAYS: Final = _set(
    "says said claims claimed states stated notes noted recommends recommended reports reported announced "
    "explains explained writes wrote told believes argues founded invented sagt sagte empfiehlt berichtet "
    "erklärt meint dit affirme recommande explique dice afirma recomienda explica afferma consiglia spiega "
    "diz recomenda zegt stelt raadt"
)
_NO_SPEAKERS: Final = _set(
    "it this that he she who nobody everybody someone one they we you i es er sie wer niemand jeder man wir"
)
_CALENDAR: Final = _set(
    "monday tuesday wednesday thursday friday saturday sunday january february march april may june july "
    "august september october november december christmas easter"
)
_NEVER: Final = frozenset({"I", "I'm", "I’m", "I'd", "I’d", "I'll", "I’ll", "I've", "I’ve", "OK", "A", "FAQ"})
_SHORT: Final = 3
_SHORTEST_BEGINNING: Final = 4
_LONGEST_ENDING: Final = 2


def strange_names(text: str, said: str, language: str) -> list[str]:
    """Return the names of a text that ``said`` does not have, in any form of the word.

    The first word of a sentence before a name may be any word: "Choose Starter". It is part of the name where
    ``said`` never has the second word without another name before it: "Otto Kern" for "Anna Kern".
    """
    known = _known(said, language)
    found = list(_WORD.finditer(text))
    chosen = (
        _bare(match[0])
        for n, match in enumerate(found)
        if not _is_ordinary(match[0], language) and _is_name(text, found, n, said, language)
    )
    return [name for name in dict.fromkeys(chosen) if not _is_known(name, known, language)]


def is_title_case(text: str) -> bool:
    """Tell whether nearly every longer word begins with a capital, as in the headings of some sites."""
    longer = [match[0] for match in _WORD.finditer(text) if len(match[0]) > _SHORT]
    return len(longer) > 1 and sum(word[0].isupper() for word in longer) >= len(longer) - 1


def _is_ordinary(word: str, language: str) -> bool:
    """Tell whether a word is written with a capital and yet no name: a day, a month, a unit, "When"."""
    lowered = word.lower()
    is_day = lowered in _CALENDAR or lowered.removesuffix("s") in _CALENDAR
    is_small = lowered in lexicon(language).stopwords and not _is_mixed(word)
    return word in _NEVER or is_day or is_small or is_unit(word)


def _is_name(text: str, found: list[re.Match[str]], n: int, said: str, language: str) -> bool:
    word = found[n][0]
    german = primary_subtag(language) == "de"
    if _is_mixed(word):
        return True
    if not word[0].isupper():
        return False
    before = found[n - 1] if n else None
    after = found[n + 1] if n + 1 < len(found) else None
    if before is not None and before[0].lower().rstrip(".") in _TITLES:
        return True
    says = after is not None and after[0].lower() in _SAYS
    starts = _START.search(text[: found[n].start()]) is not None
    joined = after is not None and after[0][0].isupper() and _adjacent(text, found[n], after)
    if starts:
        person = says and word.lower() not in _NO_SPEAKERS and not word.endswith("s")
        return person or (
            joined
            and after is not None
            and not german
            and not _is_ordinary(after[0], language)
            and not _stands_alone(after[0], said, language)
        )
    if not german:
        return True
    follows = before is not None and before[0][0].isupper() and _adjacent(text, before, found[n])
    inside = before is not None and not _START.search(text[: before.start()])
    return says or joined or (follows and inside)


def _known(said: str, language: str) -> frozenset[str]:
    """Return the words of a text and the parts of joined ones, in small letters, and their stems."""
    told = words(said)
    parts = {part for word in told for part in re.split(r"[-.'’_/]", word) if part}
    lowered = {_bare(word).lower() for word in {*told, *parts}}
    return frozenset(lowered | {stem(word, language) for word in lowered})


def _is_known(name: str, known: frozenset[str], language: str) -> bool:
    lowered = name.lower().rstrip(".")
    if {lowered, stem(lowered, language), lowered.removesuffix("s"), f"{lowered}s"} & known:
        return True
    parts = [part for part in re.split(r"[-.'’&+/]", lowered) if part]
    if len(parts) > 1 and all(part in known or stem(part, language) in known for part in parts):
        return True
    return _is_form_of(lowered, known) if primary_subtag(language) not in {"en", "de"} else False


def _is_form_of(name: str, known: frozenset[str]) -> bool:
    """Tell whether a name differs from a known word by its ending alone, as names do in many languages."""
    beginning = name[: max(_SHORTEST_BEGINNING, len(name) - _LONGEST_ENDING)]
    return any(word.startswith(beginning) and abs(len(word) - len(name)) <= _LONGEST_ENDING for word in known)


def _stands_alone(name: str, said: str, language: str) -> bool:
    """Tell whether a text has a name somewhere without another one right before it."""
    found = list(_WORD.finditer(said))

    def is_second(n: int) -> bool:
        before = found[n - 1]
        is_name = before[0][0].isupper() and not _is_ordinary(before[0], language)
        return n > 0 and is_name and _adjacent(said, before, found[n])

    return any(_bare(match[0]) == _bare(name) and not is_second(n) for n, match in enumerate(found))


def _bare(word: str) -> str:
    """Return a word without the mark of what it owns."""
    return word.removesuffix("'s").removesuffix("’s")


def _is_mixed(word: str) -> bool:
    """Tell whether a word has a capital after its first letter: GitHub, iPhone, NASA."""
    return any(letter.isupper() for part in word.split("-") for letter in part[1:])


def _adjacent(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    return text[first.end() : second.start()] in {" ", "-", ". "}
