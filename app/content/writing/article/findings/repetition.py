"""What a draft says twice: headings, sentences, questions, the keyphrase. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil, log
from typing import Final

from app.content.planning.keyphrase import planned_times
from app.content.rendering.markdown import shown
from app.content.writing.article.draft import WHOLE, Draft, Place, Statement
from app.content.writing.article.findings.finding import Finding
from app.language.stems import content_stems, topic_stems
from app.language.words import extent, is_unspaced, words

_COMPARED: Final = frozenset({"p", "ul"})
_LISTS: Final = frozenset({"ul", "ol"})
_ECHOED, _ECHOED_APART = 0.6, 0.8
"""The share of a heading's words that a sentence repeats, two of them together, or all apart."""
_RARE: Final = 2
"""The sentences of an article in which a rare word stands."""
_ECHOED_RUN: Final = 4
_RUN: Final = 6
_COPIED: Final = 0.5
"""The share of a sentence that stands in another word for word."""
_DIGITS: Final = re.compile(r"\d+")
_LEAST_STEMS: Final = 5
_LEAST_WEIGHT: Final = 0.3
"""What a word weighs that every sentence has."""
_REPEATED_SHARE: Final = 0.6
"""The share of the shorter sentence that is in the other, by weight."""
_EQUALS: Final = " = "
_ALIKE: Final = 0.37
_MOST_ALIKE: Final = 0.5
"""The share of two sentences together that is in both, by weight; more for an answer in short."""
_SHORT_ANSWER: Final = 15
_REPEATED: Final = 0.5
_LEAST_ADDED: Final = 6
"""Words that an answer adds to its question."""
_FEWEST_WORDS: Final = 2
"""Words of a keyphrase that is counted; one word alone may stand anywhere."""
_PHRASED_HEADINGS: Final = 2
_SHOWN: Final = 60


def echoed_headings(draft: Draft, phrase: str, language: str) -> Iterator[Finding]:
    """Yield the sentences that repeat most of the heading right above them; a keyphrase may be in both.

    One that answers it with a figure may.
    """
    known = topic_stems(phrase, language)
    texts = [frozenset(content_stems(shown(each.sentence.text), language)) for each in draft.statements]
    counts = Counter(each for stems in texts for each in stems)
    rare = {each for each, count in counts.items() if count <= _RARE}
    for number, part in enumerate(draft.parts):
        first = next((each for each in draft.statements if each.place.part == number), None)
        if first is None or part.role == "question" or first.kind != "p" or is_unspaced(part.heading):
            continue
        text = shown(first.sentence.text)
        said = [each for each in content_stems(text, language) if each not in known]
        headings = [_without(known, content_stems(each, language)) for each in _parts_of(part.heading)]
        copied = _runs(words(part.heading.lower()), _ECHOED_RUN) & _runs(words(text.lower()), _ECHOED_RUN)
        adds_figure = bool({*_DIGITS.findall(text)} - {*_DIGITS.findall(part.heading)})
        is_echoed = not adds_figure and any(_is_echoed(heading, said, rare) for heading in headings)
        if copied or is_echoed:
            yield _of(first, f"repeats the heading above it, “{part.heading}”")


def _parts_of(heading: str) -> tuple[str, ...]:
    """Return a heading, and what stands in it before a colon."""
    before, colon, _ = heading.partition(":")
    return (heading, before) if colon else (heading,)


def _without(known: Set[str], stems: Sequence[str]) -> list[str]:
    return [each for each in stems if each not in known]


def _is_echoed(heading: Sequence[str], said: Sequence[str], rare: Set[str]) -> bool:
    """Return whether a sentence has most words of a heading: two together, or nearly all; one is rare."""
    shared = {*heading} & {*said}
    together = {*map(frozenset, pairwise(heading))} & {*map(frozenset, pairwise(said))}
    least, fewest = (_ECHOED, 2) if together else (_ECHOED_APART, 3)
    return len(shared) >= max(fewest, least * len({*heading})) and bool(shared & rare)


def said_twice(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield the sentences that say again what one before them says; the steps of a procedure may.

    A section may say what the introduction answers in short, and an example repeats steps above it.
    """
    compared = [_Compared.of(each, language) for each in draft.statements if _is_compared(each)]
    counts = Counter(each for one in compared for each in one.stems)
    weights = {each: _LEAST_WEIGHT + log(len(compared) / count) for each, count in counts.items()}
    firsts = _first_sentences(draft)
    for n, each in enumerate(compared):
        place = each.statement.place
        for before in compared[:n]:
            above = before.statement
            role, is_same_part = draft.parts[above.place.part].role, above.place.part == place.part
            if is_same_part and above.kind in _LISTS and each.statement.kind == "p":
                continue
            is_answer = role == "introduction" and not is_same_part
            if is_answer and place in firsts and each.statement.kind in _LISTS:
                continue
            if each.repeats(before, weights, _MOST_ALIKE if is_answer else _ALIKE):
                yield _of(
                    each.statement, f"says again what stands in “{_beginning(shown(above.sentence.text))}”"
                )
                break


def _is_compared(each: Statement) -> bool:
    """Return whether a sentence may say something again; a sum has to repeat its figures."""
    text = each.sentence.text
    return each.kind in _COMPARED and not is_unspaced(text) and _EQUALS not in text


def _first_sentences(draft: Draft) -> frozenset[Place]:
    """Return the places of the first sentence of each part, and of the first item of each list."""
    found: set[Place] = set()
    for number, part in enumerate(draft.parts):
        found.add(Place(number, 0, 0))
        found |= {Place(number, n, 0) for n, each in enumerate(part.paragraphs) if each.kind in _LISTS}
    return frozenset(found)


@dataclass(frozen=True)
class _Compared:
    """A statement with its words in order and its stems."""

    statement: Statement
    words: tuple[str, ...]
    stems: frozenset[str]

    @staticmethod
    def of(statement: Statement, language: str) -> _Compared:
        """Return what a statement says."""
        text = shown(statement.sentence.text)
        return _Compared(statement, tuple(words(text.lower())), frozenset(content_stems(text, language)))

    @cached_property
    def _code(self) -> frozenset[str]:
        return frozenset(run for run, _ in self.statement.sentence.code)

    @cached_property
    def _shown(self) -> frozenset[str]:
        """Its code and figures."""
        return self._code.union(word for word in self.words if any(map(str.isdigit, word)))

    def repeats(self, other: _Compared, weights: Mapping[str, float], least: float) -> bool:
        """Return whether half of the shorter one is in the other word for word, or most of its words are.

        Rare ones weigh more: words of the subject are in any two sentences. Two that show different code or
        figures are about different things, as are two of which each has code that the other has not.
        """
        if self._shown and other._shown and self._shown.isdisjoint(other._shown):
            return False
        if self._code - other._code and other._code - self._code:
            return False
        fewest = min(len(self.words), len(other.words))
        run = max(_RUN, ceil(_COPIED * fewest))
        if _runs(self.words, run) & _runs(other.words, run):
            return True
        if min(len(self.stems), len(other.stems)) < _LEAST_STEMS:
            return False

        def weight(stems: frozenset[str]) -> float:
            return sum(weights[each] for each in stems)

        shared = weight(self.stems & other.stems)
        is_most = shared >= _REPEATED_SHARE * min(weight(self.stems), weight(other.stems))
        return is_most and shared >= least * weight(self.stems | other.stems)


def empty_answers(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield the answers that repeat their question and add little, or are one short sentence."""
    for number, part in enumerate(draft.parts):
        texts = [shown(s.text) for p in part.paragraphs for s in p.sentences]
        if part.role != "question" or not texts:
            continue
        place = Place(number, WHOLE, WHOLE)
        if len(texts) == 1 and extent(texts[0]) <= _SHORT_ANSWER:
            yield Finding(place, part.heading, "has an answer of one short sentence")
            continue
        asked = frozenset(content_stems(part.heading, language))
        said = frozenset(content_stems(" ".join(texts), language))
        if len(asked & said) > _REPEATED * len(asked) and len(said - asked) < _LEAST_ADDED:
            yield Finding(place, part.heading, "has an answer that repeats it and adds little")


def crammed_phrase(draft: Draft, phrase: str, language: str) -> Iterator[Finding]:
    """Yield a finding if a keyphrase of several words stands too often, or in too many headings."""
    stems = topic_stems(phrase, language)
    if len(stems) < _FEWEST_WORDS or is_unspaced(phrase):
        return
    texts = [shown(each.sentence.text) for each in draft.statements if each.kind != "code"]
    headings = [part.heading for part in draft.parts if part.heading]
    _, enough = planned_times(phrase, language, sum(map(extent, texts)))
    said = sum(_occurrences(words(text.lower()), words(phrase.lower())) for text in (*texts, *headings))
    if said > enough:
        yield Finding(None, phrase, f"stands {said} times in the article; {enough} are enough")
    naming = [heading for heading in headings if stems <= topic_stems(heading, language)]
    if len(naming) > _PHRASED_HEADINGS:
        yield Finding(None, phrase, f"is in {len(naming)} headings; one or two are enough")


def _runs(said: Sequence[str], length: int) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(said[n : n + length]) for n in range(len(said) - length + 1))


def _occurrences(said: Sequence[str], phrase: Sequence[str]) -> int:
    length = len(phrase)
    return sum(said[n : n + length] == phrase for n in range(len(said) - length + 1))


def _beginning(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"


def _of(each: Statement, advice: str) -> Finding:
    return Finding(each.place, shown(each.sentence.text), advice)
