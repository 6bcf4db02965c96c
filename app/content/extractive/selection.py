"""Which sections of the pages a post quotes: ranked by the topic, each able to stand alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from app.content.extractive.excerpts import Excerpt, excerpt
from app.content.language.text import content_stems, fold, topic_stems
from app.content.retrieval.passages import Library, Wanted
from app.content.retrieval.sections import PageSection, is_dated, is_generic, is_question

_KEYWORD_WEIGHT: Final = 0.4
_FURTHER_PASSAGE_WEIGHT: Final = 0.2
_PAGE_WEIGHT: Final = 1.5
_ALWAYS_USE_BONUS: Final = 1.25
_DATED_PAGE: Final = 0.4
ABOUT: Final = 0.7
_CANDIDATES: Final = 30
_LOOKED_AT: Final = 300
_OF_ONE_PAGE: Final = 12
_OF_ANOTHER_PAGE: Final = 3


@dataclass(frozen=True)
class Candidate:
    """A quotable section, the heading it goes under, and its score for the topic.

    ``on_topic`` tells that the whole page is about the topic, by its name.
    """

    excerpt: Excerpt
    heading: str
    score: float
    question: bool
    on_topic: bool

    @property
    def section(self) -> PageSection:
        """The section quoted."""
        return self.excerpt.section


def query_of(topic: str, keywords: tuple[str, ...], language: str) -> dict[str, float]:
    """Return the weighted stems to search for: the topic's in full, the keywords' for less."""
    query = {stem: _KEYWORD_WEIGHT for keyword in keywords for stem in sorted(topic_stems(keyword, language))}
    return query | dict.fromkeys(sorted(topic_stems(topic, language)), 1.0)


def candidates(library: Library, topic: str, keywords: tuple[str, ...], budget: int) -> tuple[Candidate, ...]:
    """Return up to 30 quotable sections about a topic, best first; no heading and no text twice.

    A section counts when its words and heading hold most of the topic, or when its whole page is about it;
    a question, when the topic is what it asks about. A page gives three sections, one on the topic twelve.
    """
    language, wanted = library.language, library.wanted(topic)
    found: list[Candidate] = []
    seen: set[str] = set()
    taken: Counter[int] = Counter()
    for section, score in _ranked(library, topic, keywords, wanted)[:_LOOKED_AT]:
        heading = heading_for(section, language)
        question = is_question(heading, language)
        run = excerpt(section, budget, language, answers=question)
        on_topic = is_on_topic(section, wanted, language)
        most = _OF_ONE_PAGE if on_topic else _OF_ANOTHER_PAGE
        if not heading or run is None or taken[section.page.page_id] >= most:
            continue
        about = _answers if question else _tells
        if not (about(run, heading, wanted, language) or (on_topic and not question)):
            continue
        # "Plan a rota" on a page of links is the teaser of "How to plan a rota".
        marks = marks_of(run, heading) | {" ".join(sorted(content_stems(heading, language))) or heading}
        if marks & seen:
            continue
        seen |= marks
        taken[section.page.page_id] += not question
        found.append(Candidate(run, heading, score, question, on_topic))
        if len(found) == _CANDIDATES:
            break
    return tuple(found)


def marks_of(run: Excerpt, heading: str) -> set[str]:
    """Return the texts of a quoted section that no other section may repeat."""
    return {heading.lower(), *(fold(s.text) for paragraph in run.paragraphs for s in paragraph.sentences)}


def is_on_topic(section: PageSection, wanted: Wanted, language: str) -> bool:
    """Tell whether a section's page is about the topic, by its name."""
    return wanted.share(content_stems(section.page_name, language)) >= ABOUT


def nearness(section: PageSection, wanted: Wanted, language: str) -> float:
    """Return how much of a page's name is the topic, 0 to 1: all of "Logging", half of "Logging handlers"."""
    named = set(content_stems(section.page_name, language))
    return len(wanted.held(named)) / len(named) if named else 0.0


def heading_for(section: PageSection, language: str) -> str:
    """Return the nearest heading above a section that names a subject, or an empty string."""
    names = dict.fromkeys((section.page_name, *section.path))
    return next((each for each in reversed(names) if not is_generic(each, language)), "")


def _answers(run: Excerpt, heading: str, wanted: Wanted, language: str) -> bool:
    """Tell whether a question is about the topic."""
    named = content_stems(heading, language)
    told = wanted.share([*named, *content_stems(run.text, language)])
    return told >= ABOUT and bool(wanted.held(named))


def _tells(run: Excerpt, heading: str, wanted: Wanted, language: str) -> bool:
    """Tell whether an excerpt is about the topic: the headings above it and its first sentence say so.

    The second sentence may say it where the headings name some of it. What is mentioned later is an example
    or an aside.
    """
    named = content_stems(" ".join(dict.fromkeys((heading, *run.section.path))), language)
    first, *later = (content_stems(sentence.text, language) for sentence in run.sentences[:2])
    if wanted.share([*named, *first]) >= ABOUT:
        return True
    return bool(wanted.held(named)) and any(wanted.share(said) >= ABOUT for said in later)


def _ranked(
    library: Library, topic: str, keywords: tuple[str, ...], wanted: Wanted
) -> list[tuple[PageSection, float]]:
    """Return sections by best passage, a little of the further ones, and the topic's share in the names."""
    hits: dict[tuple[int, int], list[float]] = defaultdict(list)
    sections: dict[tuple[int, int], PageSection] = {}
    query = query_of(topic, keywords, library.language) | library.query(topic)
    for passage, score in library.index.search(query):
        key = (passage.section.page.page_id, passage.section.position)
        sections[key] = passage.section
        hits[key].append(score)
    scored = [(sections[key], _score(sections[key], scores, wanted, library)) for key, scores in hits.items()]
    return sorted(scored, key=lambda item: (-item[1], item[0].page.page_id, item[0].position))


def _score(section: PageSection, scores: list[float], wanted: Wanted, library: Library) -> float:
    def share(names: Iterable[str]) -> float:
        return wanted.share(content_stems(" ".join(names), library.language))

    score = scores[0] + _FURTHER_PASSAGE_WEIGHT * sum(scores[1:4])
    score *= 1 + share([section.heading])
    score *= 1 + _PAGE_WEIGHT * share([section.page_name]) * nearness(section, wanted, library.language)
    score *= _ALWAYS_USE_BONUS if section.page.always_use else 1.0
    return round(score * (_DATED_PAGE if is_dated(section.page, section.page_name) else 1.0), 6)
