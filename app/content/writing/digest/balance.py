"""Which of the sections on a topic make a post: the best ones, as far as they make a readable whole. Pure.

A section is exchanged for another nearly as much on the topic where the post then says its keyphrase neither
too rarely nor too often and, with less weight, where it leads to another site, its headings name the
keyphrase and its sentences are easy to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.planning.keyphrase import Keyphrase, times
from app.content.retrieval.selection import Candidate
from app.language.sentences import begin_alike
from app.language.words import extent

MOST_SECTIONS: Final = 12
LEAST_SECTIONS: Final = 2
_WHOLE_POST: Final = 400
_JUDGED: Final = 300
_MARGIN: Final = 0.002
_NAMING: Final = (0.3, 0.75)
_LONG_SENTENCE: Final = 20
_LONG_SHARE: Final = 0.22
_ROUNDS: Final = 12
_FOR_DENSITY: Final = 0.2
_FOR_EASE: Final = 0.7

Faults = tuple[float, ...]


@dataclass(frozen=True)
class Measure:
    """What there is to count in a section.

    ``whole`` and ``core`` are how often it says these words of the keyphrase, ``monotonous`` tells that three
    sentences in a row begin alike, the heading for one, ``leads_out`` that its page links one of its blocks
    to another site.
    """

    words: int
    whole: int
    core: int
    named: bool
    sentences: int
    long: int
    monotonous: bool
    leads_out: bool


def balanced(
    ranked: Sequence[Candidate],
    count: int,
    phrase: Keyphrase,
    beside: Sequence[Candidate] = (),
    fewest: int = LEAST_SECTIONS,
) -> list[Candidate]:
    """Return sections of ``ranked`` of about ``count`` words together, best first, at least ``fewest``.

    Those that say far less on the topic than others only fill up what 300 words miss.
    ``beside`` stands in the post in any case. A post of under 300 words has too few sentences to weigh.
    """
    told = [_measure(each, phrase) for each in ranked]
    always = [_measure(each, phrase) for each in beside]

    def density(choice: Sequence[int]) -> Faults:
        return (_density_fault([told[n] for n in choice] + always, phrase),)

    def all_faults(choice: Sequence[int]) -> Faults:
        return *density(choice), *_further_faults([told[n] for n in choice] + always)

    chosen = _until_enough(ranked, count, fewest)
    if count < _JUDGED:
        return [ranked[n] for n in chosen]
    chosen = _improved(chosen, ranked, density, _FOR_DENSITY, count)
    shorter = _improved(chosen, ranked, density, _FOR_DENSITY, min(count, _WHOLE_POST))
    chosen = shorter if max(density(shorter)) <= _MARGIN else chosen
    chosen = _improved(chosen, ranked, all_faults, _FOR_EASE, count)
    return [ranked[n] for n in chosen]


def _improved(
    chosen: list[int],
    ranked: Sequence[Candidate],
    faults_of: Callable[[Sequence[int]], Faults],
    nearly: float,
    least: int,
) -> list[int]:
    """Return the choice after the exchanges that help most; the best sections stay where they may."""
    faults = faults_of(chosen)
    for _ in range(_ROUNDS):
        if not any(faults):
            break
        tried = ((faults_of(each), sum(each), each) for each in _exchanges(chosen, ranked, nearly, least))
        best = min(tried, default=(faults, 0, chosen))
        if best[0] >= faults:
            break
        faults, _, chosen = best
    return chosen


def _exchanges(
    chosen: Sequence[int], ranked: Sequence[Candidate], nearly: float, least: int
) -> Iterator[list[int]]:
    """Yield the choice with one section for another nearly as good, or without one where enough is left."""
    others = [n for n in range(len(ranked)) if n not in chosen and not ranked[n].weak]
    for out in chosen:
        kept = [n for n in chosen if n != out]
        for other in others:
            if ranked[other].score >= nearly * ranked[out].score:
                yield sorted([*kept, other])
        if len(kept) >= LEAST_SECTIONS and sum(ranked[n].excerpt.words for n in kept) >= least:
            yield kept


def _density_fault(measures: Sequence[Measure], phrase: Keyphrase) -> float:
    whole, core = sum(each.whole for each in measures), sum(each.core for each in measures)
    return round(phrase.fault(whole, core, sum(each.words for each in measures)), 5)


def _further_faults(told: Sequence[Measure]) -> Faults:
    """Return what else is missing for a post to lead on and to be easy to take in, what weighs most first."""
    named = sum(each.named for each in told) / max(1, len(told))
    long = sum(each.long for each in told) / max(1, sum(each.sentences for each in told))
    return (
        float(not any(each.leads_out for each in told)),
        round(max(0.0, _NAMING[0] - named, named - _NAMING[1]), 5),
        sum(each.monotonous for each in told),
        round(max(0.0, long - _LONG_SHARE), 5),
    )


def _measure(candidate: Candidate, phrase: Keyphrase) -> Measure:
    prose = [p for p in candidate.excerpt.paragraphs if p.kind != "code"]
    told = [sentence.text for paragraph in prose for sentence in paragraph.sentences]
    quoted = {each.partition(":")[2] for each in candidate.excerpt.block_ids}
    said = [*told, candidate.heading, candidate.section.page_name]  # which the line on the source names
    read = [candidate.heading, *told]
    return Measure(
        words=candidate.excerpt.words,
        whole=sum(times(phrase.words, text) for text in said),
        core=sum(times(phrase.core, text) for text in said),
        named=phrase.names(candidate.heading),
        sentences=len(told),
        long=sum(extent(text) > _LONG_SENTENCE for text in told),
        monotonous=any(begin_alike(read[n : n + 3]) for n in range(len(read) - 2)),
        leads_out=any(block.links and block.id in quoted for block in candidate.section.blocks),
    )


def _until_enough(ranked: Sequence[Candidate], count: int, fewest: int) -> list[int]:
    chosen: list[int] = []
    for n in range(len(ranked)):
        wanted = min(count, _JUDGED) if ranked[n].weak else count
        enough = sum(ranked[each].excerpt.words for each in chosen) >= wanted
        if len(chosen) >= fewest and (enough or len(chosen) == MOST_SECTIONS):
            break
        chosen.append(n)
    return chosen
