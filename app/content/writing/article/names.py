"""The proper names of a text, as far as capitals tell them. Pure.

Scripts without capitals show none, and German writes every noun with one: there, only words count that stand
together with capitals, follow a title or mix their letters. Where any word has a capital, at the start of a
sentence and in Title Case, a word is a name if it is no ordinary one; the language needs a table of those.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from app.content.language.lexicon import lexicon, primary_subtag


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD: Final = re.compile(r"[^\W\d_][\w’'.&+-]*[\w+]|[^\W\d_]")
_START: Final = re.compile(r"(?:^|[.!?:;…]\s*|[\n(“„«\"‘]|\s[–—-]\s)$")
_TITLES: Final = _set(
    "dr prof mr mrs ms herr frau sir madame monsieur señor señora signor signora senhor senhora"
)
_SAYS: Final = _set(
    "says said claims claimed states stated notes noted recommends recommended reports reported announced "
    "explains explained writes wrote told believes argues founded invented sagt sagte empfiehlt berichtet "
    "erklärt meint dit affirme recommande explique dice afirma recomienda explica afferma consiglia spiega "
    "diz recomenda zegt stelt raadt"
)
_VERB: Final = re.compile(
    r"is|was|has|had|can|will|may|must|should|did|does|also|made|built|sold|[a-z]{2,}ed|[a-z]+(?<!a)(?<![siu])s"
)
_NO_VERBS: Final = _set(
    "its this his us yes as always sometimes perhaps besides towards afterwards these those"
)
_NEVER: Final = frozenset({"I", "I'm", "I’m", "I'd", "I’d", "I'll", "I’ll", "I've", "I’ve", "OK"})


def names(text: str, language: str, is_ordinary: Callable[[str], bool]) -> list[str]:
    """Return the words that are written as names: capitals inside a sentence, inside a word, or in a row.

    A sentence's first word is one when it is not ordinary and a verb or a plural follows it.
    """
    found = list(_WORD.finditer(text))
    german = primary_subtag(language) == "de"
    return list(
        dict.fromkeys(
            bare(match[0])
            for n, match in enumerate(found)
            if match[0] not in _NEVER and _is_name(text, found, n, german, is_ordinary)
        )
    )


def joined_names(text: str, language: str) -> list[tuple[str, str]]:
    """Return each two words that stand side by side with capitals inside a sentence, as in a long name.

    Words of capitals alone and stopwords are none, and in German any two nouns may stand so.
    """
    if primary_subtag(language) == "de":
        return []
    stopwords = lexicon(language).stopwords

    def is_part(word: re.Match[str]) -> bool:
        return word[0][0].isupper() and not word[0].isupper() and word[0].lower() not in stopwords

    return [
        (bare(first[0]), bare(second[0]))
        for first, second in pairwise(_WORD.finditer(text))
        if is_part(first) and is_part(second) and _adjacent(text, first, second)
        if not _START.search(text[: first.start()])
    ]


def is_title_case(text: str) -> bool:
    """Tell whether nearly every longer word begins with a capital, as in headings of some houses."""
    longer = [match[0] for match in _WORD.finditer(text) if len(match[0]) > 3]
    return len(longer) > 1 and sum(word[0].isupper() for word in longer) >= len(longer) - 1


def title_names(text: str, is_ordinary: Callable[[str], bool]) -> list[str]:
    """Return the names of a text in Title Case: words with capitals inside, and what is not ordinary."""
    found = [match[0] for match in _WORD.finditer(text) if match[0] not in _NEVER]
    return [
        word
        for word in found
        if any(map(_is_mixed, word.split("-"))) or (word[0].isupper() and not is_ordinary(word))
    ]


def _is_name(
    text: str, found: list[re.Match[str]], n: int, german: bool, is_ordinary: Callable[[str], bool]
) -> bool:
    word = found[n][0]
    if _is_mixed(word):
        return True
    if not word[0].isupper():
        return False
    before = found[n - 1] if n else None
    after = found[n + 1] if n + 1 < len(found) else None
    titled = before is not None and before[0].lower().rstrip(".") in _TITLES
    says = after is not None and after[0].lower() in _SAYS
    if titled or says:
        return True
    if _START.search(text[: found[n].start()]):
        acts = word.endswith(("'s", "’s")) or (after is not None and _is_verb(after[0]))
        return acts and not is_ordinary(word)
    if not german:
        return True
    joined = after is not None and after[0][0].isupper() and _adjacent(text, found[n], after)
    follows = before is not None and before[0][0].isupper() and _adjacent(text, before, found[n])
    inside = before is not None and not _START.search(text[: before.start()])
    return joined or (follows and inside)


def bare(word: str) -> str:
    """Return a word without the mark of what it owns."""
    return word.removesuffix("'s").removesuffix("’s")


def _is_verb(word: str) -> bool:
    """Tell whether a word may be the verb of a name before it: builds, made; a plural counts too."""
    return word not in _NO_VERBS and _VERB.fullmatch(word) is not None


def _is_mixed(word: str) -> bool:
    """Tell whether a word has a capital after its first letter: GitHub, iPhone, NASA."""
    return any(letter.isupper() for letter in word[1:])


def _adjacent(text: str, first: re.Match[str], second: re.Match[str]) -> bool:
    return text[first.end() : second.start()] in {" ", "-", ". "}
