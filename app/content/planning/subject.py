"""What a post quotes pages on: the topic, or a part of it that says the same. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.planning.main_page import pages_about
from app.content.planning.topics import intent_of
from app.content.retrieval.answers import answering_section
from app.content.retrieval.coverage import TopicCoverage, coverage_of, pages_saying, with_chosen
from app.content.retrieval.passages import Library
from app.content.retrieval.topic_words import parts_of
from app.language.languages import language_data
from app.language.stems import topic_stems
from app.language.words import words

_LEAST_OF_A_PART: Final = 2


@dataclass(frozen=True)
class Subject:
    """A topic or a part of it, the pages about it, the best first, and the one that a post can follow."""

    text: str
    about_pages: tuple[int, ...]
    main_page: int | None


def subject_of(text: str, coverage: TopicCoverage, chosen: Sequence[int], library: Library) -> Subject:
    """Return a topic, or a part of one, as a subject; ``chosen`` pages are about it as the caller says so."""
    about, main = pages_about(text, intent_of(text), coverage, library)
    return Subject(text, about, main or next(iter(chosen), None))


def subjects_of(
    whole: Subject, coverage: TopicCoverage, chosen: Sequence[int], library: Library
) -> Iterator[Subject]:
    """Yield a topic as the subject ``whole`` and its parts, the most promising first.

    Titles often say a thing twice: "Print your key: paper backups for the worst day". A part that a heading
    asks or says comes before the topic; the others follow it, but only those about the best page on the topic
    if there is one, else about a page that says half of the topic: "Racing rules: who gives way at the mark"
    is not about the rules of a club. If the pages say too little on the topic as a whole, its parts are no
    subjects.
    """
    parts = _parts(whole.text, library) if coverage.level != "absent" else ()
    is_answered = not parts or answering_section(whole.text, library) is not None
    answered = [part for part in parts if not is_answered and answering_section(part, library)]
    yield from (_subject_of_part(part, chosen, library) for part in answered)
    yield whole
    best = whole.about_pages[:1]
    for part in (each for each in parts if each not in answered):
        subject = _subject_of_part(part, chosen, library)
        first = subject.about_pages[:1]
        if first == best or (not best and _say_half(first, whole.text, library)):
            yield subject


def _say_half(page_ids: Sequence[int], topic: str, library: Library) -> bool:
    saying = pages_saying(topic, library.page_stems, library.language, library.own_stems)
    return saying.issuperset(page_ids)


def _parts(topic: str, library: Library) -> tuple[str, ...]:
    """Return the parts of a topic with two words at least and all its figures: "1.1 to 1.2: a checklist".

    "Without opening a hive, how do you count mites?" has none: a part might say the opposite. Of "Rope:
    what it costs" the second says nothing alone.
    """
    table = language_data(library.language)
    if not table.words.denying.isdisjoint(map(str.lower, words(topic))):
        return ()
    figures = _figures(topic)
    return tuple(
        part
        for part in parts_of(topic)
        if len(topic_stems(part, library.language) - library.own_stems) >= _LEAST_OF_A_PART
        and _figures(part) == figures
        and not _asks_of_another(part, library.language)
    )


def _asks_of_another(part: str, language: str) -> bool:
    """Return whether a part asks something of what another part names: "how they work"."""
    table = language_data(language)
    pronouns = table.references.pronouns if table.references else ()
    asking, *others = [word.lower() for word in words(part)]
    return asking in table.words.question_words and bool(others) and others[0] in pronouns


def _figures(text: str) -> frozenset[str]:
    return frozenset(word for word in words(text) if any(map(str.isdigit, word)))


def _subject_of_part(part: str, chosen: Sequence[int], library: Library) -> Subject:
    found = coverage_of(part, library.page_stems, library.language, library.own_stems)
    return subject_of(part, with_chosen(found, chosen), chosen, library)
