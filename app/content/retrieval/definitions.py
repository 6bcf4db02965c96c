"""The units that explain the words which other units use often: "the thick line … is the hog line". Pure."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import log
from typing import Final

from app.content.evidence.units import EvidenceUnit
from app.content.retrieval.indexed_units import IndexedUnit
from app.language.languages import language_data
from app.language.sentences import sentences
from app.language.stems import content_stems, stem
from app.language.words import is_unspaced, tokens_in, words

Term = tuple[str, ...]

_MOST: Final = 3
_LONGEST: Final = 180
"""Tokens of a unit that is shown for a definition."""
_OFTEN: Final = {1: 3, 2: 2}
"""The sentences in which a term of so many words is used often."""
_LEAST_EXPLAINED: Final = 3
_SHORTEST: Final = 3
"""Letters of a word that needs explaining."""
_WORD: Final = re.compile(r"[^\W_](?:[\w'’-]*[^\W_])?")
_GLOSS: Final = re.compile(r"\s*\((\w+ [^()\d]{4,80})\)")
_APPOSITION: Final = re.compile(r",\s+((?:[\w'’-]+\s+){3,12}[\w'’-]+)[,;)]")
_ENDS: Final = re.compile(r"\s*(?:[.,;:!)]|$)")
_LABEL: Final = re.compile(r"(?:- |\d+\. )?([^:–—]{3,40}?)(?::|\s[–—])\s+(.+)")


@dataclass(frozen=True)
class _Sentence:
    unit: EvidenceUnit
    text: str
    words: tuple[str, ...]
    stems: tuple[str, ...]
    ends: tuple[int, ...]
    """Where each word ends in the text."""


class Definitions:
    """Finds the units that define terms, among the units of one language.

    Only those that have a term are read sentence by sentence: a manual has ten thousand units.
    """

    def __init__(self, units: Iterable[IndexedUnit], language: str) -> None:
        self._language = language
        table = language_data(language)
        self._articles, self._being, self._naming = (
            table.words.articles,
            table.words.being,
            table.words.naming,
        )
        self._listing = table.figures.listing
        self._pointing = frozenset(table.references.pronouns) | frozenset(table.references.these)
        self._empty = table.words.stopwords | table.words.light_words | table.words.intent_words
        self._units_with: dict[str, list[EvidenceUnit]] = defaultdict(list)
        self._labels: dict[Term, EvidenceUnit] = {}
        self._read: dict[str, tuple[_Sentence, ...]] = {}
        self._count = 0
        for each in units:
            if not is_unspaced(each.unit.text):
                self._add(each)

    def explaining(self, units: Sequence[EvidenceUnit]) -> tuple[EvidenceUnit, ...]:
        """Return up to three units that define what ``units`` use often, and do not explain themselves."""
        shown = {unit.id for unit in units}
        found: dict[str, EvidenceUnit] = {}
        for term in self._frequent(units):
            if len(found) == _MOST:
                break
            defining = list(self._defining(term))
            if any(unit.id in shown for unit in defining):
                continue
            short = [unit for unit in defining if tokens_in(unit.text) <= _LONGEST]
            if short:
                found.setdefault(short[0].id, short[0])
        return tuple(found.values())

    def _add(self, each: IndexedUnit) -> None:
        self._count += 1
        for stemmed in set(each.stems):
            self._units_with[stemmed].append(each.unit)
        if each.unit.kind == "definition" and each.unit.items:
            self._label(each.unit, each.unit.lead_in, each.unit.items[0])
        if each.unit.kind == "list":
            for label in filter(None, map(_LABEL.match, each.unit.text.split("\n"))):
                self._label(each.unit, label[1], label[2])

    def _sentences_of(self, unit: EvidenceUnit) -> tuple[_Sentence, ...]:
        if unit.id not in self._read:
            lines = unit.text.split("\n") if unit.kind != "table" else ()
            self._read[unit.id] = tuple(
                self._sentence(unit, text) for line in lines for text in sentences(line)
            )
        return self._read[unit.id]

    def _label(self, unit: EvidenceUnit, label: str, explained: str) -> None:
        """Keep a term with what explains it, "Hamme: the bent end …"; figures and names explain nothing."""
        term = tuple(content_stems(label, self._language))
        said = words(explained.lower())
        if len(term) in _OFTEN and len(said) > _LEAST_EXPLAINED and said[0] in self._articles:
            self._labels.setdefault(term, unit)

    def _sentence(self, unit: EvidenceUnit, text: str) -> _Sentence:
        found = list(_WORD.finditer(text))
        said = tuple(each[0] for each in found)
        stems = tuple(stem(word, self._language) for word in said)
        return _Sentence(unit, text, tuple(map(str.lower, said)), stems, tuple(each.end() for each in found))

    def _frequent(self, units: Sequence[EvidenceUnit]) -> list[Term]:
        """Return the terms that units use often, the most specific ones first."""
        used: Counter[Term] = Counter()
        for unit in units:
            for text in sentences(unit.text):
                used.update(set(self._terms(text)))
        often = [term for term, count in used.items() if count >= _OFTEN[len(term)]]

        def weight(term: Term) -> float:
            rarest = min(len(self._units_with.get(each, ())) for each in term)
            return len(term) * used[term] * log(1 + self._count / max(1, rarest))

        return sorted(often, key=lambda term: (-weight(term), term))

    def _terms(self, text: str) -> Iterator[Term]:
        before: Term = ()
        for word in _WORD.findall(text):
            is_meaningful = (
                len(word) >= _SHORTEST and word.lower() not in self._empty and not any(map(str.isdigit, word))
            )
            term = (stem(word, self._language),) if is_meaningful else ()
            if term:
                yield term
                if before:
                    yield (*before, *term)
            before = term

    def _defining(self, term: Term) -> Iterator[EvidenceUnit]:
        """Yield the units that define a term; a list of definitions and "X is a …" come first."""
        if term in self._labels:
            yield self._labels[term]
        asides: list[EvidenceUnit] = []
        for sentence in self._naming_it(term):
            for at in range(len(sentence.stems) - len(term) + 1):
                is_named = sentence.words[at] not in self._empty and sentence.words[at] not in self._pointing
                if sentence.stems[at : at + len(term)] != term or not is_named:
                    continue
                if self._is_said_to_be(sentence, at, at + len(term)):
                    yield sentence.unit
                elif self._is_glossed(sentence, at, at + len(term)):
                    asides.append(sentence.unit)
        yield from asides

    def _naming_it(self, term: Term) -> Iterator[_Sentence]:
        """Yield the sentences with the first word of a term; a hyphenated one is found by its last part."""
        for unit in self._units_with.get(term[0].split("-")[-1], ()):
            yield from (each for each in self._sentences_of(unit) if term[0] in each.stems)

    def _is_said_to_be(self, sentence: _Sentence, at: int, end: int) -> bool:
        """Return whether a sentence says "X is a …", "… is the X." or "… called X."."""
        said, after = sentence.words, sentence.words[end:]
        is_subject = set(said[:at]) <= self._articles and at <= 1
        if is_subject and len(after) > _LEAST_EXPLAINED and after[0] in self._being:
            return after[1] in self._articles
        if not _ENDS.match(sentence.text[sentence.ends[end - 1] :]) or at < _LEAST_EXPLAINED:
            return False
        begin = at - 1 if said[at - 1] in self._articles else at
        if said[begin - 1] in self._naming:
            return True
        has_subject = begin > _LEAST_EXPLAINED and said[0] not in self._pointing
        return begin < at and said[begin - 1] in self._being and has_subject

    def _is_glossed(self, sentence: _Sentence, at: int, end: int) -> bool:
        """Return whether "X (…)" or "the X, the …," explains a term."""
        rest = sentence.text[sentence.ends[end - 1] :]
        found = _GLOSS.match(rest) or (_APPOSITION.match(rest) if at else None)
        if not found or (rest[0] == "," and sentence.words[at - 1] not in self._articles):
            return False
        beside = [word.lower() for word in words(found[1])]
        return beside[0] in self._articles and not self._listing & set(beside)
