"""How a site spells the words of a topic that was typed in small letters. Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence, Set
from typing import Final

from app.content.evidence.sections import PageSection
from app.content.planning.queries import is_verb_of_question
from app.language.languages import language_data
from app.language.schema import Words
from app.language.words import capitalised

_PROSE: Final = frozenset({"p", "li", "quote"})
_WORD: Final = re.compile(r"[^\W_][\w-]*(?:/[^\W_]\w*)*")
_WITHIN: Final = re.compile(
    rf"(?:(?<=[^\W_][ ])|(?<=,[ ]))(?<!\b[zZ]um )(?<!\b[bB]eim )(?<!\b[dD]as ){_WORD.pattern}"
)
"""A word within a sentence. At its beginning every word has a capital, and so has a verb after "zum"."""
_BEFORE: Final = re.compile(r"([^\W_][\w-]*) $")
_AFTER: Final = re.compile(r" ([^\W_][\w-]*)")
_LONGEST_WORD: Final = 40
_OFTEN: Final = 2
_USUALLY: Final = 5
"""How many times as often as the small word a name has its capital: "Docker" is a command, too."""
_FIRST_PART: Final = 3
_LAST_PART: Final = 4


def as_spelled(topic: str, sections: Iterable[PageSection], language: str) -> str:
    """Return a topic in small letters as the site writes its words: "sip für geigen" as "SIP für Geigen".

    A topic with a capital is somebody's own spelling.
    """
    if topic != topic.lower():
        return topic
    table = language_data(language).words
    said = topic.split(" ")
    known = spellings(sections, set(_WORD.findall(topic)), language)

    def shown(word: str, at: int) -> str:
        if is_verb_of_question(said, at, table):
            return word
        return capitalised(word) if _is_verb_as_noun(said, at, table) else spelled(word, known)

    return " ".join(shown(word, at) for at, word in enumerate(said))


def spelled(text: str, known: Mapping[str, str]) -> str:
    """Return a text with the words spelled that are known."""
    return _WORD.sub(lambda found: known.get(found[0], found[0]), text)


def spellings(sections: Iterable[PageSection], asked: Set[str], language: str) -> dict[str, str]:
    """Return those of the words asked for that the site writes with capitals within a sentence.

    A hyphen makes no other word: who asks for "wifi" means "Wi-Fi". A noun is also known from its compounds:
    who writes "Körpergröße" would write "Größe".
    """
    table = language_data(language).words
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    nouns: set[str] = set()
    joins = table.capital_nouns and table.joins_nouns
    for text in _texts(sections):
        if not joins and not _has_any(text, asked):
            continue
        for match in _WITHIN.finditer(text):
            lowered = match[0].lower()
            meant = lowered if lowered in asked else lowered.replace("-", "")
            if meant in asked and not _is_in_name(match, asked, table):
                found[meant][match[0]] += 1
            if joins and match[0][0].isupper():
                nouns.update(asked & _ends_of(lowered))
    known = {word: max(sorted(counts), key=counts.__getitem__) for word, counts in found.items()}
    own = {word: form for word, form in known.items() if _is_usual(word, form, found[word], table)}
    unknown = (word for word in nouns - found.keys() if not word.endswith(table.infinitive_endings))
    return own | {word: capitalised(word) for word in unknown}


def _has_any(text: str, asked: Set[str]) -> bool:
    """Return whether a text may have one of the words, whatever its hyphens; most texts have none."""
    squeezed = text.lower().replace("-", "")
    return any(word.replace("-", "") in squeezed for word in asked)


def _is_usual(word: str, form: str, counts: Counter[str], table: Words) -> bool:
    """Return whether a word has its capitals on the site: a form like "PDF" more often than none.

    A capital alone may be that of a button, or of a noun that is a verb elsewhere, and written once another
    word may be meant: "die Mieten" is no "mieten".
    """
    if form == word or (counts.total() < _OFTEN and word.endswith(table.infinitive_endings)):
        return False
    if form == form.lower() and counts[form] <= _OFTEN:
        return False  # Once "back-up" is no spelling of its own.
    least = _USUALLY if form == capitalised(word) else 1
    return counts[form] >= least * counts[word]


def _ends_of(compound: str) -> set[str]:
    """Return what may be the last noun of a compound."""
    return {compound[at:] for at in range(_FIRST_PART, len(compound) - _LAST_PART + 1)}


def _is_verb_as_noun(said: Sequence[str], at: int, table: Words) -> bool:
    """Return whether a verb is a noun: "zum Wetzen", but "zum schnellen Wetzen"."""
    if not at or said[at - 1] not in table.before_infinitives:
        return False
    ends = at + 1 == len(said) or said[at + 1] in table.stopwords
    return ends and said[at].endswith(table.infinitive_endings)


def _is_in_name(match: re.Match[str], asked: Collection[str], table: Words) -> bool:
    """Return whether a word is of a name with more words than were asked for: "Key" of "Key Stage"."""
    word, text = match[0], match.string
    if table.capital_nouns or word == word.lower() or word != capitalised(word.lower()):
        return False
    before = _BEFORE.search(text, max(0, match.start() - _LONGEST_WORD), match.start())
    beside = [found[1] for found in (before, _AFTER.match(text, match.end())) if found]
    of_name = [each.lower() for each in beside if each[0].isupper()]
    return any(each not in table.stopwords and each not in asked for each in of_name)


def _texts(sections: Iterable[PageSection]) -> Iterator[str]:
    """Yield the sentences of the sections, and the descriptions of their pages."""
    described: dict[int, str] = {}
    for section in sections:
        described[section.page.page_id] = section.page.description or ""
        yield from (block.text for block in section.blocks if block.kind in _PROSE)
    yield from described.values()
