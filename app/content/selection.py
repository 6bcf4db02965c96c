"""Which sections of the pages a post quotes: ranked by the topic, each able to stand alone."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import Final

from app.content.excerpts import Excerpt, excerpt
from app.content.retrieval import Library
from app.content.sections import PageSection, is_generic, is_question, page_name
from app.content.text import content_stems, fold, topic_stems

_KEYWORD_WEIGHT: Final = 0.4
_FURTHER_PASSAGE_WEIGHT: Final = 0.2
_ALWAYS_USE_BONUS: Final = 1.25
_LEAST_COVER: Final = 0.6
_CANDIDATES: Final = 60


@dataclass(frozen=True)
class Candidate:
    """A quotable section, the heading it goes under, and its score for the topic."""

    excerpt: Excerpt
    heading: str
    score: float
    question: bool

    @property
    def section(self) -> PageSection:
        """The section quoted."""
        return self.excerpt.section


def query_of(topic: str, keywords: tuple[str, ...], language: str) -> dict[str, float]:
    """Return the weighted stems to search for: the topic's in full, the keywords' for less."""
    query = {stem: _KEYWORD_WEIGHT for keyword in keywords for stem in sorted(topic_stems(keyword, language))}
    return query | dict.fromkeys(sorted(topic_stems(topic, language)), 1.0)


def candidates(library: Library, topic: str, keywords: tuple[str, ...], budget: int) -> tuple[Candidate, ...]:
    """Return up to 60 quotable sections about a topic, best first; no heading and no text twice."""
    stems = topic_stems(topic, library.language)
    found: list[Candidate] = []
    seen: set[str] = set()
    for section, score in _ranked(library, topic, keywords):
        heading = heading_for(section, library.language)
        question = is_question(heading, library.language)
        run = excerpt(section, budget, library.language, answers=question)
        if not heading or run is None or _cover(run, stems, library.language) < _LEAST_COVER:
            continue
        marks = {
            heading.lower(),
            *(fold(s.text) for paragraph in run.paragraphs for s in paragraph.sentences),
        }
        if marks & seen:
            continue
        seen |= marks
        found.append(Candidate(run, heading, score, question))
        if len(found) == _CANDIDATES:
            break
    return tuple(found)


def heading_for(section: PageSection, language: str) -> str:
    """Return the nearest heading above a section that names a subject, or an empty string."""
    for heading in reversed(section.path or (page_name(section.page),)):
        if not is_generic(heading, language):
            return heading
    return ""


def _ranked(library: Library, topic: str, keywords: tuple[str, ...]) -> list[tuple[PageSection, float]]:
    """Return sections by best passage, a little of the further ones, and the heading's share in the topic."""
    stems = topic_stems(topic, library.language)
    hits: dict[tuple[int, int], list[float]] = defaultdict(list)
    sections: dict[tuple[int, int], PageSection] = {}
    for passage, score in library.index.search(query_of(topic, keywords, library.language)):
        key = (passage.section.page.page_id, passage.section.position)
        sections[key] = passage.section
        hits[key].append(score)
    scored = []
    for key, scores in hits.items():
        section = sections[key]
        own = set(content_stems(section.heading, library.language))
        score = scores[0] + _FURTHER_PASSAGE_WEIGHT * sum(scores[1:4])
        score *= 1 + len(stems & own) / len(stems)
        score *= _ALWAYS_USE_BONUS if section.page.always_use else 1.0
        scored.append((section, round(score, 6)))
    return sorted(scored, key=lambda item: (-item[1], item[0].page.page_id, item[0].position))


def _cover(run: Excerpt, stems: frozenset[str], language: str) -> float:
    """Return the share of the topic's stems that excerpt and headings hold."""
    held = set(content_stems(" ".join([run.text, *run.section.path]), language))
    return len(stems & held) / len(stems)
