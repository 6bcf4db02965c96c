"""What a draft says twice: headings, sentences, questions, the keyphrase. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from app.content.planning.keyphrase import planned_times
from app.content.rendering.markdown import shown
from app.content.writing.article.draft import WHOLE, Draft, Place, Statement
from app.content.writing.article.findings.finding import Finding
from app.language.stems import content_stems, topic_stems
from app.language.words import extent, is_unspaced, words

_SAID: Final = frozenset({"p", "ul", "ol"})
_ECHOED: Final = 3
"""Words of a heading in the sentence under it, wherever they stand."""
_ECHOED_RUN: Final = 4
_RUN: Final = 6
_LEAST_STEMS: Final = 5
_ALIKE: Final = 0.6
_SHORT_ANSWER: Final = 15
_REPEATED: Final = 0.5
_LEAST_ADDED: Final = 6
"""Words that an answer adds to its question."""
_FEWEST_WORDS: Final = 2
"""Words of a keyphrase that is counted; one word alone may stand anywhere."""
_PHRASED_HEADINGS: Final = 2
_SHOWN: Final = 60


def echoed_headings(draft: Draft, phrase: str, language: str) -> Iterator[Finding]:
    """Yield the sentences that repeat the heading right above them; a keyphrase may be in both."""
    known = topic_stems(phrase, language)
    for number, part in enumerate(draft.parts):
        first = next((each for each in draft.statements if each.place.part == number), None)
        if first is None or part.role == "question" or first.kind != "p" or is_unspaced(part.heading):
            continue
        text = shown(first.sentence.text)
        heading = [each for each in content_stems(part.heading, language) if each not in known]
        said = [each for each in content_stems(text, language) if each not in known]
        in_a_row = set(pairwise(heading)) & set(pairwise(said))
        word_for_word = _runs(words(part.heading.lower()), _ECHOED_RUN) & _runs(
            words(text.lower()), _ECHOED_RUN
        )
        if in_a_row or word_for_word or len(set(heading) & set(said)) >= _ECHOED:
            yield _of(first, f"repeats the heading above it, “{part.heading}”")


def said_twice(draft: Draft, language: str) -> Iterator[Finding]:
    """Yield the sentences that say again what one before them says."""
    before: list[tuple[Statement, frozenset[str], frozenset[tuple[str, ...]]]] = []
    for each in draft.statements:
        text = shown(each.sentence.text)
        if each.kind not in _SAID or is_unspaced(text):
            continue
        stems, runs = frozenset(content_stems(text, language)), _runs(words(text.lower()), _RUN)
        first = next((one for one, s, r in before if runs & r or _are_alike(stems, s)), None)
        if first is not None:
            yield _of(each, f"says again what stands in “{_beginning(shown(first.sentence.text))}”")
        before.append((each, stems, runs))


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


def _are_alike(stems: frozenset[str], others: frozenset[str]) -> bool:
    fewest = min(len(stems), len(others))
    return fewest >= _LEAST_STEMS and len(stems & others) > _ALIKE * fewest


def _occurrences(said: Sequence[str], phrase: Sequence[str]) -> int:
    length = len(phrase)
    return sum(said[n : n + length] == phrase for n in range(len(said) - length + 1))


def _beginning(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1].rstrip()}…"


def _of(each: Statement, advice: str) -> Finding:
    return Finding(each.place, shown(each.sentence.text), advice)
