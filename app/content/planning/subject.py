"""What a post quotes pages on: the topic, or a part of it that says the same. Pure."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.planning.main_page import pages_about
from app.content.planning.topics import intent_of
from app.content.retrieval.coverage import TopicCoverage, coverage_of, with_chosen
from app.content.retrieval.passages import Library
from app.content.retrieval.topic_words import parts_of
from app.language.stems import topic_stems

_LEAST_OF_A_PART: Final = 2


@dataclass(frozen=True)
class Subject:
    """A topic or a part of it, the pages about it, the best first, and the one that a post can follow."""

    text: str
    about_pages: tuple[int, ...]
    main_page: int | None


def subjects_of(
    topic: str, coverage: TopicCoverage, chosen: Sequence[int], library: Library
) -> Iterator[Subject]:
    """Yield the topic as a subject, then its parts, unless the pages say too little on the topic as a whole.

    Titles often say a thing twice: "Print your key: paper backups for the worst day". A part of one word,
    such as "Backups: …", is no subject. ``chosen`` pages are about the topic because the caller says so.
    """
    yield _subject(topic, coverage, chosen, library)
    if coverage.level == "absent":
        return
    for part in parts_of(topic):
        if len(topic_stems(part, library.language) - library.own_stems) >= _LEAST_OF_A_PART:
            found = coverage_of(part, library.page_stems, library.language, library.own_stems)
            yield _subject(part, with_chosen(found, chosen), chosen, library)


def _subject(text: str, coverage: TopicCoverage, chosen: Sequence[int], library: Library) -> Subject:
    about, main = pages_about(text, intent_of(text), coverage, library)
    return Subject(text, about, main or next(iter(chosen), None))
