"""The questions of the pages in a digest: which one it answers, and which are asked at its end. Pure."""

from collections.abc import Iterable
from itertools import takewhile
from typing import Final

from app.content.evidence.sections import PageSection, is_question
from app.content.planning.titles import is_asked
from app.content.retrieval.answers import answering_section
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.passages import Library
from app.content.retrieval.quotable import may_open
from app.language.stems import content_stems

_ENOUGH: Final = 0.6
"""The share of a topic's weight, here with its verbs and adjectives."""


class Questions:
    """The questions among the sections of the pages.

    Those of the main page stay where they are, unless the page ends with several.
    """

    def __init__(self, library: Library, main_page: int | None) -> None:
        self._library = library
        own = [section for section in library.sections if section.page.page_id == main_page]
        self._main_page = main_page
        last = list(takewhile(self._asks, reversed(own)))
        self._within = own[: len(own) - len(last)] if len(last) > 1 else own

    def answer(self, topic: str, ranked: Iterable[Candidate]) -> Candidate | None:
        """Return the section that answers a topic, if it can open a post whose title is the topic."""
        section = answering_section(topic, self._library)
        found = next((each for each in ranked if each.section == section), None)
        if found is None or found.excerpt.paragraphs[0].kind != "p":
            return None
        language = self._library.language
        first = found.excerpt.sentences[0].text
        can_open = is_asked(topic, language) or may_open(first, language, topic)
        return found if can_open else None

    def on_the_same(self, topic: str, ranked: Iterable[Candidate]) -> list[Candidate]:
        """Return the sections of the main page, and the others that say most words of an answered topic.

        Such a topic is narrow: what else the site says of its words is about something else.
        """
        language = self._library.language
        asked = frozenset(content_stems(topic, language))
        weights = {each: self._library.index.rarity([each]) for each in sorted(asked)}
        enough = _ENOUGH * sum(weights.values())
        return [
            each
            for each in ranked
            if each.section.page.page_id == self._main_page
            or sum(weights[stem] for stem in sorted(asked & _stems_of(each, language))) >= enough
        ]

    def is_asked_apart(self, candidate: Candidate) -> bool:
        """Return whether a section is a question that belongs to the questions at the end of a post."""
        return candidate.question and candidate.section not in self._within

    def _asks(self, section: PageSection) -> bool:
        return is_question(section.heading, self._library.language)


def _stems_of(candidate: Candidate, language: str) -> frozenset[str]:
    return frozenset(content_stems(f"{candidate.heading} {candidate.excerpt.text}", language))
