"""The keyphrase of a topic in the words of the pages: the longest part of it that they say. Pure."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from app.content.planning.titles import is_asked
from app.content.planning.topics import intent_of
from app.content.retrieval.passages import Library
from app.language.languages import language_data
from app.language.stems import content_stems, light_stems, stem, topic_stems
from app.language.words import QUESTION_MARKS, is_unspaced, word_count, words

_ENOUGH: Final = 2
_ENOUGH_OF_A_LONG_ONE: Final = 1
_LONG: Final = 3
_LONGEST_WINDOW: Final = 5
_OFTEN: Final = 3
"""Times from which a phrase is no better for being written more often."""
_LONG_TOPIC: Final = 8


def keyphrase_on_pages(text: str, library: Library, topic: str = "") -> str:
    """Return a keyphrase in the pages' words; one that they write nowhere gives way to one that they do.

    That has words that the topic has side by side, too, among them the rarest one that the pages say. What
    asks for a price is no phrase of pages and stays, as does one with a word that no page says.
    """
    phrase = _part_on_pages(text, library, topic)
    is_own = is_unspaced(phrase) or "-" in phrase or intent_of(topic) == "buy"
    if is_own or _is_used(phrase, library) or not _is_known(phrase, library):
        return phrase
    language, terms = library.language, library.topic_terms(topic)
    weights, rarest, light = terms.weights, library.rarest(terms), light_stems(topic, language)
    runs = [stem(word, language) for word in words(topic) if not _is_small(word, language)]

    def weight(written: str, count: int) -> float:
        own = [stem(word, language) for word in words(written) if not _is_small(word, language)]
        is_run = any(runs[n : n + len(own)] == own for n in range(len(runs)))
        if not is_run or rarest not in own or not _is_whole(words(written), language):
            return 0.0
        if light.intersection((own[0], own[-1])):
            return 0.0
        return round(sum(weights.get(each, 0.0) for each in own) ** 2 * min(count, _OFTEN), 6)

    found = {each: weight(each, count) for each, count in _windows(topic, library).items()}
    best = min(found, key=lambda each: (-found[each], len(each), each), default=phrase)
    return best if found.get(best) else phrase


def _is_small(word: str, language: str) -> bool:
    return word.lower() in language_data(language).words.stopwords


def _is_used(phrase: str, library: Library) -> bool:
    """Return whether the pages write all meaningful words of a phrase close together."""
    stems = topic_stems(phrase, library.language)
    if len(stems) < _ENOUGH:
        return any(stems.issubset(each.stems) for each in library.index.entries)
    return any(stems == topic_stems(each, library.language) for each in _windows(phrase, library))


def _is_known(phrase: str, library: Library) -> bool:
    return all(library.index.containing([each]) for each in topic_stems(phrase, library.language))


def _part_on_pages(text: str, library: Library, topic: str) -> str:
    """Return a keyphrase in the pages' words: its longest part that enough passages say, else the whole.

    A part is one or more runs of meaningful words with the small words between them, two meaningful words at
    least: of "bike service for beginners" it may be "bike service", never "service". It begins the phrase or
    contains the rarest word that the pages have, which names the subject. Three words need one passage, two
    words need two. Of a ``topic`` that asks it is the words that the pages write side by side.
    """
    said = text.split()
    known = [word for word in said if library.strong_passages(word)]
    if is_unspaced(text) or not known:
        return text
    if is_asked(topic, library.language):
        return _side_by_side(text, topic, library)
    rarest = max(known, key=lambda word: sum(library.topic_terms(word).weights.values()))
    parts = [
        part
        for part in _parts(said, library.language)
        if (rarest in part or part[0] == said[0]) and _is_spoken(part, library)
    ]
    longest = max((len(part) for part in parts), default=len(said))
    return " ".join(next((part for part in parts if len(part) == longest), said))


def _side_by_side(text: str, topic: str, library: Library) -> str:
    """Return the keyphrase of a question: the whole text, or the part of it that the pages write.

    Of a long question it is any part, else the beginning, unless the rest asks for a price. A single word
    takes along another of the question that the pages write beside it.
    """
    said, language = text.split(), library.language
    if sum(not _is_idle(word, language) for word in said) == 1:
        return _with_another(text, topic, library)
    written: list[list[str]] = [
        part
        for start in range(len(said))
        for end in range(len(said), start + 1, -1)
        if _is_whole(part := said[start:end], language) and _is_written(part, library)
    ]
    is_long = word_count(topic) > _LONG_TOPIC
    asks_price = intent_of(text) == "buy"
    usable = [part for part in written if is_long or (part[0] == said[0] and not asks_price)]
    if said in written or not usable:
        return text
    weights = library.topic_terms(text).weights

    def weight(part: list[str]) -> float:
        return round(sum(weights.get(stem(word, language), 0.0) for word in part), 6)

    best = max(usable, key=lambda part: weight(part))
    return " ".join(best)


def _is_idle(word: str, language: str) -> bool:
    table = language_data(language).words
    return word in table.stopwords | table.intent_words


def _is_whole(part: Sequence[str], language: str) -> bool:
    """Return whether a part begins and ends with a meaningful word."""
    return not (_is_idle(part[0], language) or _is_idle(part[-1], language))


def _is_written(part: Sequence[str], library: Library) -> bool:
    """Return whether a passage or a heading above it has the words of a part side by side.

    A question is no phrase, so its heading does not count.
    """
    run = f" {' '.join(part)} "
    containing = library.index.containing(content_stems(part[0], library.language))
    sections = (library.index.entries[at] for at in sorted(containing))
    texts = (
        text
        for passage in sections
        for text in (passage.block.text, passage.section.page_name, *passage.section.path)
        if not text.endswith(QUESTION_MARKS)
    )
    return any(run in f" {' '.join(words(text.lower()))} " for text in texts)


def _with_another(text: str, topic: str, library: Library) -> str:
    """Return a phrase of the pages with a word and another of the topic, the word alone if there is none."""
    wanted = stem(text.split()[-1], library.language)
    written = {
        phrase: count
        for phrase, count in _windows(topic, library).items()
        if wanted in (stem(word, library.language) for word in words(phrase))
    }
    return min(written, key=lambda phrase: (-written[phrase], len(phrase), phrase), default=text)


def _windows(topic: str, library: Library) -> Counter[str]:
    """Return the phrases of the pages that have two words of a topic or more, with how often they occur."""
    stems = topic_stems(topic, library.language)
    found: Counter[str] = Counter()
    if len(stems) < _ENOUGH:
        return found
    for passage in library.index.entries:
        if len(stems.intersection(passage.stems)) >= _ENOUGH:
            found.update(_phrases_in(passage.block.text, stems, library.language))
    for section in library.sections:
        found.update(_phrases_in(section.heading, stems, library.language))
    return found


def _phrases_in(text: str, stems: frozenset[str], language: str) -> Iterator[str]:
    """Yield the longest phrases of a text that begin and end with words of a topic, small words between."""
    table = language_data(language).words
    between = table.joining_words - table.negations
    for part in re.split(r"[,;:.!?،؛؟()\"“”]", text.lower()):
        said = words(part)
        on = [stem(word, language) in stems for word in said]
        end = 0
        for start in range(len(said)):
            if not on[start] or start < end:
                continue
            last, kinds = start, {stem(said[start], language)}
            for at in range(start + 1, min(len(said), start + _LONGEST_WINDOW)):
                if on[at]:
                    last = at
                    kinds.add(stem(said[at], language))
                elif said[at] not in between:
                    break
            end = last + 1
            if len(kinds) >= _ENOUGH:
                yield " ".join(said[start:end])


def _parts(said: list[str], language: str) -> list[list[str]]:
    """Return the parts of a phrase that begin and end with whole runs of meaningful words."""
    table = language_data(language).words
    idle = [word in (table.stopwords | table.intent_words) - table.negations for word in said]
    starts = [n for n in range(len(said)) if not idle[n] and (n == 0 or idle[n - 1])]
    ends = [n + 1 for n in range(len(said)) if not idle[n] and (n + 1 == len(said) or idle[n + 1])]
    # The particle of a verb belongs to it.
    ends = [end + (end < len(said) and said[end] in table.particles) for end in ends]
    spans = [(start, end) for start in starts for end in ends if end > start]
    return [said[start:end] for start, end in spans if sum(not each for each in idle[start:end]) > 1]


def _is_spoken(part: Sequence[str], library: Library) -> bool:
    """Return whether enough passages say all meaningful words of a part, in any order."""
    said = frozenset(part)
    meaningful = said - language_data(library.language).words.stopwords or said
    passages = library.strong_passages(" ".join(part))
    enough = _ENOUGH if len(meaningful) < _LONG else _ENOUGH_OF_A_LONG_ONE
    texts = (words(passage.block.text.lower()) for passage in passages)
    return sum(meaningful.issubset(text) for text in texts) >= enough
