"""The claim gate: what a sentence states has to stand in the evidence it cites. Pure.

Numbers with their units, prices, names, quotes and addresses are compared as written; a sentence that shares
hardly a word with its evidence is not held by it. What the caller
and the project said counts for every sentence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from app.content.artefacts import Sentence
from app.content.language.lexicon import lexicon
from app.content.language.phrases import phrases
from app.content.language.references import backward
from app.content.language.text import content_stems, fold, stem, words
from app.content.quality.blocking import PLACEHOLDER
from app.content.rendering.page_links import shown
from app.content.retrieval.avoiding import avoided_pattern
from app.content.writing.article.evidence import Proof
from app.content.writing.article.figures import counted, figures
from app.content.writing.article.names import bare, is_title_case, joined_names, names, title_names
from app.content.writing.article.number_words import number_words

_QUOTES: Final = re.compile(
    r"[“„«‹‟]([^“”„«»‹›‟]+)[”“»›]|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\""
    r"|(?<!\w)['‘]([^'‘’]+ [^'‘’]+)['’](?!\w)"
)
_ADDRESS: Final = re.compile(
    r"(?:https?|ftp|javascript|data|vbscript|mailto|file)\s?:\S*|\bwww\.\S+|[\w.+-]+@[\w-]+\.\w+"
    r"|\b(?:[a-z0-9-]+\.)+(?:com|net|org|io|dev|app|info|biz|example|test|co|ai|me|de|fr|es|it|nl|pt|eu|uk|ru|cn|xyz)\b"
    r"(?:/\S*)?",
    re.IGNORECASE,
)
_LEAST_SHARED: Final = 2
_SHORT: Final = 3
_SHORTEST_MADE: Final = 6
_SHORTEST_BEGINNING: Final = 4
_LONGEST_ENDING: Final = 2


@dataclass(frozen=True)
class Ground:
    """What the sentences of one call may rest on; ``given`` needs no citing, ``avoid`` must not be said.

    ``usual`` are the stems of words that the project writes small: they are no names.
    """

    proofs: Mapping[str, Proof]
    given: str
    language: str
    avoid: tuple[str, ...] = ()
    usual: frozenset[str] = frozenset()

    def cited(self, ids: Sequence[str]) -> str:
        """Return the words of the evidence with these ids."""
        return "\n".join(self.proofs[each].words for each in ids if each in self.proofs)

    @cached_property
    def all(self) -> str:
        """The words of all the evidence."""
        return self.cited(tuple(self.proofs))

    @cached_property
    def ordinary(self) -> frozenset[str]:
        """The stems of words that are no names: the language's own, the project's, what the evidence says."""
        table = lexicon(self.language)
        told = (word for phrase in (*backward(self.language), *table.generic) for word in phrase.split())
        listed = {*table.common, *table.stopwords, *table.intent_words, *table.question_words, *told}
        stems = {stem(word, self.language) for word in listed}
        return self.usual | listed | stems | usual_in(self.all, self.language)

    def is_ordinary(self, word: str) -> bool:
        """Tell whether a word with a capital is no name; without a list of common words, nearly each."""
        table = lexicon(self.language)
        if not table.common:
            return not any(letter.isupper() for letter in word[1:])
        lowered = word.lower().replace("’", "'")
        parts = filter(None, re.split(r"[-.'&+]", lowered))
        return lowered in table.common or all(self._is_ordinary(part, table.common_endings) for part in parts)

    def _is_ordinary(self, part: str, endings: tuple[str, ...]) -> bool:
        forms = {part, stem(part, self.language)} | {
            part.removesuffix(each) for each in ("s", "ed", "er", "est")
        }
        forms |= {part.removesuffix(each) for each in ("d", "r", "st") if part.endswith(f"e{each}")}
        forms |= {
            part.removesuffix(each) + "y" for each in ("ies", "ied", "ier", "iest") if part.endswith(each)
        }
        known = part.isdigit() or part == "s" or not forms.isdisjoint(self.ordinary)
        return known or (len(part) >= _SHORTEST_MADE and part.endswith(endings))


def usual_in(text: str, language: str) -> frozenset[str]:
    """Return the stems of the words that a text writes in small letters."""
    return frozenset(stem(word, language) for word in words(text) if word[0].islower() and word.islower())


def findings(sentence: Sentence, ground: Ground) -> tuple[str, ...]:
    """Return what is wrong with a sentence, in words for a model and an editor; () when nothing is."""
    text = shown(sentence.text)
    unknown = [each for each in sentence.source_ids if each not in ground.proofs]
    found = [f"it cites “{each}”, which it was not given" for each in unknown]
    if not sentence.source_ids:
        found.append("it cites no evidence")
    elif not words(text):
        found.append("it says nothing")
    evidence = ground.cited(sentence.source_ids)
    found += _unsupported(text, evidence, ground)
    found += [
        f"the name “{name}” stands in no evidence it cites" for name in _strange_names(text, evidence, ground)
    ]
    if not found and not _shares_words(text, evidence, ground.language):
        found.append("its evidence does not speak of this")
    return tuple(found)


def heading_findings(text: str, ground: Ground) -> tuple[str, ...]:
    """Return what is wrong with a heading, title or question, judged against all evidence of the call."""
    found = list(_unsupported(text, ground.all, ground))
    if is_title_case(text):
        known = _known(ground.all, ground)
        found += [
            f"the name “{name}” stands in no evidence"
            for name in title_names(text, ground.is_ordinary)
            if not _is_known(name, known)
        ]
    else:
        found += [
            f"the name “{name}” stands in no evidence" for name in _strange_names(text, ground.all, ground)
        ]
    return tuple(found)


def _unsupported(text: str, evidence: str, ground: Ground) -> Iterator[str]:
    said = fold(f"{evidence}\n{ground.given}")
    yield from _strange_figures(text, said, ground.language)
    for quote in _quotes(text):
        if fold(quote).strip(" .,;:!?").lower() not in said.lower():
            yield f"the quote “{quote}” does not stand so in the evidence it cites"
    for address in _ADDRESS.findall(text):
        if address.rstrip(".,;:!?)") not in said:
            yield f"the address {address!r} must not be written"
    if PLACEHOLDER.search(text):
        yield "it holds a placeholder"
    for phrase in dict.fromkeys(avoided_pattern(ground.avoid).findall(text)):
        yield f"“{phrase}” is to be avoided"


def _strange_figures(text: str, said: str, language: str) -> Iterator[str]:
    known = figures(said)
    numbers = {figure.number for figure in known}
    for figure in figures(text):
        if figure.number not in numbers or (figure.unit and figure not in known):
            shown_unit = f" ({figure.unit})" if figure.unit else ""
            yield f"the number {figure.number}{shown_unit} does not stand so in the evidence it cites"
    measured = numbers - {figure.number for figure in known if not figure.unit}
    for number, thing in counted(text, language):
        if number in measured:
            yield f"the number {number} is not one of “{thing}” in the evidence it cites"
    spelled = {word for word, _ in number_words(said, language)}
    spelled_numbers = {number for _, number in number_words(said, language)}
    for word, number in number_words(text, language):
        if word not in spelled and number not in numbers | spelled_numbers:
            yield f"the number “{word}” does not stand in the evidence it cites"


def _quotes(text: str) -> Iterator[str]:
    for match in _QUOTES.finditer(text):
        yield next(group for group in match.groups() if group)


def _strange_names(text: str, evidence: str, ground: Ground) -> list[str]:
    known = _known(evidence, ground)
    strange = [
        name for name in names(text, ground.language, ground.is_ordinary) if not _is_known(name, known)
    ]
    if phrases(ground.language) is None:
        return [name for name in strange if not _is_form_of(name.lower(), known)]
    return strange + _joined_anew(text, evidence, ground)


def _joined_anew(text: str, evidence: str, ground: Ground) -> list[str]:
    """Return the names of two words that the evidence writes small alone, and never side by side."""
    said = [bare(word) for word in words(f"{evidence}\n{ground.given}")]
    capitals = {word for word in said if word[0].isupper()}
    small = " ".join(said).lower().replace("-", " ")
    return [
        f"{first} {second}"
        for first, second in joined_names(text, ground.language)
        if capitals.isdisjoint((first, second)) and f"{first} {second}".lower().replace("-", " ") not in small
    ]


def _is_form_of(name: str, known: frozenset[str]) -> bool:
    """Tell whether a name differs from a known word by its ending alone, for languages without a table."""
    beginning = name[: max(_SHORTEST_BEGINNING, len(name) - _LONGEST_ENDING)]
    return any(word.startswith(beginning) and abs(len(word) - len(name)) <= _LONGEST_ENDING for word in known)


def _known(evidence: str, ground: Ground) -> frozenset[str]:
    """Return the words that were shown and given, in small letters, with the parts of joined ones."""
    said = words(f"{evidence}\n{ground.given}")
    parts = {part for word in said for part in re.split(r"[-.'’_]", word) if part}
    return frozenset(word.lower().removesuffix("'s").removesuffix("’s") for word in {*said, *parts})


def _is_known(name: str, known: frozenset[str]) -> bool:
    lowered = name.lower().rstrip(".")
    forms = {lowered, lowered.removesuffix("s"), f"{lowered}s", lowered.removesuffix("es")}
    if forms & known:
        return True
    parts = [part for part in re.split(r"[-.'’&+]", lowered) if part]
    return len(parts) > 1 and all(part in known for part in parts)


def _shares_words(text: str, evidence: str, language: str) -> bool:
    stems = set(content_stems(text, language))
    held = set(content_stems(evidence, language))
    least = _LEAST_SHARED if len(stems) > _SHORT else 1
    return not stems or len(stems & held) >= least
