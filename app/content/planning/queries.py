"""What people type into a search box, as a title says it. Pure.

"late suppliers how to deal with them" → "late suppliers: how to deal with them"
"rent a bike near me price"            → "rent a bike: price"
"""

from collections.abc import Sequence
from typing import Final

from app.language.languages import language_data
from app.language.schema import Words
from app.language.stems import stem
from app.language.synonyms import price_stems
from app.language.words import COLONS, QUESTION_MARKS, capitalised

_SUBJECT_WORDS: Final = 2
_BEFORE_THE_VERB: Final = 4
_BEFORE_A_PRICE: Final = 2
_VERB_AND_OBJECT: Final = 2

Said = Sequence[str]


def in_parts(topic: str, language: str) -> str:
    """Return a topic as people write it: a colon between its subject and what is typed behind that.

    That is a question, a word for price, or a question before what it is asked for. "Near me" is left out,
    since no page knows where its reader is.
    """
    table = language_data(language).words
    said = topic.split()
    lowered = [word.lower() for word in said]
    start, end = _nearby(lowered, table)
    if start and end < len(said):
        return _joined(said[:start], said[end:], table)
    said, lowered = said[: start or len(said)], lowered[: start or len(said)]
    if not said or any(word.endswith((*COLONS, *QUESTION_MARKS)) for word in said):
        return " ".join(said)
    at = _question_behind(lowered, language) or _price_behind(lowered, language)
    if at:
        return _joined(said[:at], said[at:], table)
    if at := _purpose(lowered, table):
        return _joined(said[at:], said[: at - 1], table)
    return " ".join(said)


def ended(topic: str, language: str) -> str:
    """Return a topic whose last word alone says where or for whom, with its preposition: "in the UK"."""
    table = language_data(language).words
    said = topic.split()
    if len(said) <= _SUBJECT_WORDS or said[-2].lower() in table.joining_words:
        return topic
    last, lowered = said[-1].lower(), [word.lower() for word in said]
    # "New South Wales", "Canada Ireland"
    is_name = topic[1:] != topic[1:].lower() or lowered[-2] in table.places
    if last in table.places and not is_name:
        return " ".join([*said[:-1], table.places[last]])
    takes_it = table.for_whom in lowered or lowered[0] in table.stopwords
    return (
        " ".join([*said[:-1], table.for_whom, said[-1]]) if last in table.readers and not takes_it else topic
    )


def asks_behind(topic: str, language: str) -> bool:
    """Return whether a topic in parts ends with a question: "how to …" is none."""
    table = language_data(language).words
    asked = [word.lower() for word in topic.rpartition(": ")[2].split()]
    return len(asked) > 1 and asked[0] in table.asked_behind and asked[1] not in table.after_question_words


def is_verb_of_question(said: Said, at: int, table: Words) -> bool:
    """Return whether a word behind a question word is the verb: "wie stelle ich", but "wie Sensen mit"."""
    if not table.verb_follows or not 0 < at < len(said) - 1 or said[at - 1] in table.before_nouns:
        return False
    pronouns = (table.stopwords - table.joining_words) | table.articles
    return said[at - 1] in table.question_words and said[at + 1] in pronouns


def _joined(first: Said, second: Said, table: Words) -> str:
    behind = " ".join(second)
    return f"{' '.join(first)}: {capitalised(behind) if table.capital_nouns else behind}"


def _nearby(said: Said, table: Words) -> tuple[int, int]:
    """Return where words for the reader's own place begin and end, 0 without them or without a subject."""
    for phrase in (each.split() for each in table.near_me):
        for at in range(1, len(said) - len(phrase) + 1):
            if list(said[at : at + len(phrase)]) == phrase:
                return at, at + len(phrase)
    return 0, 0


def _question_behind(said: Said, language: str) -> int:
    """Return where a question begins that is typed behind its subject, 0 without one.

    A preposition before the question belongs to both, and so does a verb that takes one: "tips on how to deal
    with them" and "show customers how to deal with them" stay.
    """
    table = language_data(language).words
    for at in range(_SUBJECT_WORDS, len(said)):
        subject, rest = said[:at], said[at + 1 :]
        takes_it = subject[-1] in table.stopwords or not table.asking_verbs.isdisjoint(subject)
        begins = table.asking_verbs and subject[-1][-1].isalnum() and not takes_it
        if begins and said[at] in table.question_words and _asks(said[at], rest, subject, language):
            return at
    return 0


def _asks(word: str, rest: Said, subject: Said, language: str) -> bool:
    """Return whether a question word behind a subject asks, and begins no clause on it."""
    data = language_data(language)
    table = data.words
    if len(rest) > 1 and rest[0] in table.after_question_words:
        return True
    if word not in table.asked_behind or subject[0] in table.question_words:
        return False
    if word in table.before_nouns:
        return bool(rest)
    choices = {*data.intents.compare, data.idea_titles.last_of_several.strip() if data.idea_titles else ""}
    if word in table.relative_words and choices.isdisjoint(subject):
        return False
    opens = [each for each in rest[:1] if each in table.question_words]
    by_degree = rest[:1] and rest[0] in table.degrees
    if by_degree and (len(rest) == 1 or not table.auxiliaries):
        return True
    if by_degree and not table.auxiliaries.isdisjoint(rest[1:_BEFORE_THE_VERB]):
        return True
    two = len(rest) > 1 and rest[0] in table.stopwords and rest[1] in table.asked_behind
    return bool(opens) or two or is_verb_of_question([word, *rest], 1, table)


def _price_behind(said: Said, language: str) -> int:
    """Return where a word for price stands behind what it is asked of, 0 where they may be one phrase.

    Where nouns are joined, a noun alone is no part of the words before it.
    """
    table = language_data(language).words
    if len(said) <= _BEFORE_A_PRICE or said[0] in table.question_words:
        return 0
    apart = table.joins_nouns and table.joining_words.isdisjoint(said[-1 - _BEFORE_A_PRICE : -1])
    return len(said) - 1 if apart and stem(said[-1], language) in price_stems(language) else 0


def _purpose(said: Said, table: Words) -> int:
    """Return where a thing and a verb begin for which a question asks, 0 without them.

    "Welcher Stein zum Sense wetzen" would join the last two words; "Sense wetzen: Welcher Stein" need not.
    """
    at = next((at for at, word in enumerate(said) if at > 1 and word in table.before_infinitives), 0)
    asked = table.asked_behind and said[0] in table.asked_behind
    is_long = len(said) - at > _VERB_AND_OBJECT
    return at + 1 if at and asked and is_long and said[-1].endswith(table.infinitive_endings) else 0
