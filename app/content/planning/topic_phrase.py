"""The keyphrase of a topic: what people would type to find a post on it. Pure.

topic → segments without question words, auxiliaries and pronouns → the phrase that the pages write, too

A phrase may have prepositions and articles inside ("shifts for new people"), but nothing that only a whole
question has: a run of words cut out of one ("shifts should new people") is nothing that anybody types.
"""

import re
from itertools import groupby
from typing import Final

from app.content.planning.queries import in_parts
from app.content.planning.titles import is_asked
from app.language.languages import language_data
from app.language.schema import Words
from app.language.words import fold, is_unspaced, words

_PART_END: Final = re.compile(r"[,;:.!?،؛؟()/|–—]+(?:\s|$)|\s[–—|/-]\s")
_COLON: Final = re.compile(r"\s?:\s")
_LONGEST_SPAN: Final = 6
_SUBJECT_AND_VERB: Final = 2
_LONGEST_READER: Final = 3
"""Words that name for whom something is."""

Segment = list[str]


def keyphrase_of(topic: str, language: str) -> str:
    """Return the keyphrase of a topic, lower case: all from its first meaningful word to its last.

    Before a colon behind which a small word goes on it is the subject ("Hives: from A to B"). Of a topic in
    other parts it is the part with the longest run without stop and intent words, of a long one that run. A
    single word takes along the one it is used with ("use sqlite"). Of a question it is what stands between
    its auxiliaries and pronouns.
    """
    if is_unspaced(topic):
        return fold(topic).rstrip("？?。.！!：:").lower()
    table = language_data(language).words
    topic = _subject_of(topic, table)
    parts = [words(part) for part in _PART_END.split(in_parts(topic, language))]
    said = [_without_remnant([word.lower() for word in part], table) for part in parts]
    if table.joining_words and is_asked(topic, language):
        said = [segment for part in parts if part for segment in _asked_for(part, table)]
    idle = table.stopwords | table.intent_words
    runs = [(part, run) for part in said for run in _runs(part, idle)]
    if not runs:
        return topic.lower()
    # Of runs that are as long, the one among more meaningful words: "a swarm of bees", and not "call".
    part, longest = max(
        runs,
        key=lambda each: (
            len(each[1]),
            any(word not in table.light_words for word in each[1]),
            sum(word not in idle for word in each[0]),
        ),
    )
    return " ".join(_span(part, longest, table))


def _subject_of(topic: str, table: Words) -> str:
    """Return what stands before the colon of a topic, if a small word goes on behind it: "Hives: from A".

    A label such as "Case study:" stands before a subject, and one such as "Ask us:" before a question.
    """
    subject, *rest = _COLON.split(topic, maxsplit=1)
    said = [word.lower() for word in words(subject)]
    behind = [word.lower() for text in rest for word in words(text)][:1]
    small = table.joining_words - table.articles - set(table.question_words)
    goes_on = not small.isdisjoint(behind)
    idle = table.stopwords | table.intent_words | table.light_words
    is_subject = goes_on and 0 < len(said) <= _LONGEST_SPAN and not idle.issuperset(said)
    return subject if is_subject else topic


def _without_remnant(part: Segment, table: Words) -> Segment:
    """Return words without the beginning of a question that goes on with a small word: "how often to"."""
    if not part or part[0] not in table.question_words:
        return part
    end = next((n for n, word in enumerate(part[1:], 1) if word not in table.degrees), len(part))
    return part[end:] if 1 < end < len(part) and part[end] in table.stopwords else part


def _asked_for(written: Segment, table: Words) -> list[Segment]:
    """Return what a question is about: what it asks for, with whom it is for where both are said.

    "Which shifts should new people avoid" asks for shifts for new people; "What happens when" asks for no
    thing.
    """
    part = _without_degree(written, table)
    cut = _segments(part, table)
    asks = part[0] in table.question_words and part[0] not in table.auxiliaries
    has_thing = asks and bool(cut) and part[1] == cut[0][0] and part[1] not in table.light_words
    joined = _joined(cut, table) if has_thing else None
    return [joined] if joined else [_without_verb(segment, table) for segment in cut]


def _segments(part: Segment, table: Words) -> list[Segment]:
    """Return the runs of words between question words, auxiliaries and pronouns."""
    breaking = table.stopwords - table.joining_words - table.particles
    runs = [list(run) for breaks, run in groupby(part, key=lambda word: word in breaking) if not breaks]
    return [run for run in runs if any(word not in table.stopwords for word in run)]


def _joined(cut: list[Segment], table: Words) -> Segment | None:
    """Return what is asked for and the segment after it: "waiters per shift", "shifts for new people"."""
    if len(cut) != 2:
        return None
    thing, rest = cut
    after_verb = rest[1:] if rest[0] in table.intent_words | table.light_words else rest
    if after_verb and after_verb[0] in table.joining_words - table.articles:
        return [*thing, *after_verb]
    *reader, _verb = rest[:-1] if rest[-1] in table.particles else rest
    named = [word for word in reader if word not in table.articles]
    is_reader = 0 < len(named) <= _LONGEST_READER and not table.joining_words & set(named)
    return [*thing, table.for_whom, *reader] if table.for_whom and is_reader else None


def _without_degree(written: Segment, table: Words) -> Segment:
    """Return a question without the words of degree behind "how", and without a verb there, in lower case.

    "How far ahead should …" and "What makes a rota fair" are about neither "far" nor "makes".
    """
    part = [word.lower() for word in written]
    if part[0] not in table.question_words:
        return part
    end = next((n for n, word in enumerate(part[1:], 1) if word not in table.degrees), len(part))
    rest = part[end:]
    # A noun with a capital is no verb, nor is what "welche" asks for: "welche Schichten".
    may_follow = end == 1 and rest and part[0] not in table.before_nouns
    follows = may_follow and rest[0] not in table.stopwords and written[1].islower()
    is_verb = follows and (table.verb_follows or (len(rest) > 1 and rest[1] in table.articles))
    return [part[0], *(rest[1:] if is_verb else rest)]


def _without_verb(segment: Segment, table: Words) -> Segment:
    """Return a subject without its verb: of "does a stocktake take" the stocktake, but "a stocktake cost"."""
    own = [word for word in segment if word not in table.articles]
    is_verb = len(own) == _SUBJECT_AND_VERB and own[1] in table.light_words
    return own[:1] if is_verb else segment


def _runs(said: Segment, idle: frozenset[str]) -> list[Segment]:
    return [list(run) for carries, run in groupby(said, key=lambda word: word not in idle) if carries]


def _span(part: Segment, longest: Segment, table: Words) -> Segment:
    """Return a part from its first meaningful word to its last, or a run of it where that is too long.

    A long one is first cut before those for whom it is: "click and collect for a small shop".
    """
    idle = table.stopwords | table.intent_words
    meaningful = [number for number, word in enumerate(part) if word not in idle]
    first, last = meaningful[0], meaningful[-1]
    reader = part.index(table.for_whom) if table.for_whom in part[first + 1 : last] else 0
    if last - first >= _LONGEST_SPAN and reader > first:
        last = max(number for number in meaningful if number < reader)
    if last - first >= _LONGEST_SPAN:
        first = next(n for n in meaningful if part[n : n + len(longest)] == longest)
        last = first + len(longest) - 1
    if first == last and first and part[first - 1] in table.intent_words:
        first -= 1
    if first and part[first - 1] in table.negations:
        first -= 1
    if last + 1 < len(part) and part[last + 1] in table.particles:
        last += 1
    return part[first : last + 1]
