"""Which sections of the main page are on the topic of a post. Pure.

A page that is about the topic as a whole is followed as it is: its steps and its order say more than its
words. Of a page on more than that, a part of which is headed by the topic, what never speaks of it stays out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from app.content.artefacts import Brief
from app.content.evidence.sections import PageSection
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.chapters import chapter_of, chapters_about
from app.content.retrieval.page_stems import topic_words_on
from app.content.retrieval.passages import Library
from app.content.retrieval.topic_words import TopicWords, roots
from app.content.writing.digest.headings import is_numbered
from app.language.money import has_amount
from app.language.synonyms import price_stems

_MOST: Final = 0.5
"""The share of the topic that the name of a page on it says, or the section at the heart of another page."""
_LEAST_HEAVY: Final = 2
"""Words of the topic that such a section says: one alone is often the subject of the whole site."""
_ENOUGH: Final = 100
"""Words on the topic that are enough for a post, on the main page and in the best sections of others."""


@dataclass(frozen=True)
class _Said:
    """What a section says, and what its headings below the name of the page say, as roots."""

    section: PageSection
    text: frozenset[str]
    headings: frozenset[str]


def on_focus(
    brief: Brief, library: Library, candidates: Sequence[Candidate], answer: Candidate | None = None
) -> list[Candidate]:
    """Return the candidates without those of the main page that are on something else.

    The ``answer``, which opens the post, is none of them.

    Of a long page the chapters about the topic stay. Of another, what never speaks of it goes only where one
    of its sections says most of the topic, under a heading that says more of it than the page's name does,
    and where enough is left. The page's opening stays, and so does what is above a section that stays, and
    what is numbered like it.
    """
    if brief.main_page is None or brief.main_page in library.chosen:
        return list(candidates)
    if chapters := chapters_about(library, brief.subject, brief.main_page):
        return [
            each
            for each in candidates
            if each.section.page.page_id != brief.main_page or chapter_of(each.section) in chapters
        ]
    words = topic_words_on(brief.subject, library.page_stems, library.language, library.own_stems)
    said = [_said(each, brief, library) for each in library.sections if each.page.page_id == brief.main_page]
    distinctive = _distinctive(words, said, library.language)
    if not any(_is_heart(each, words, distinctive) for each in said):
        return list(candidates)
    headings = _rare_on_page(words, said)
    positions = _staying(said, [each.section for each in said if _speaks(each, words, distinctive, headings)])

    def stays(each: Candidate) -> bool:
        is_own = each.section.page.page_id == brief.main_page
        return not is_own or each.section.position in {0, *positions}

    strong = [each for each in candidates if not each.weak and stays(each)]
    enough = sum(each.excerpt.words for each in (*strong, *([answer] if answer else []))) >= _ENOUGH
    return list(filter(stays, candidates)) if enough else list(candidates)


def _staying(said: Sequence[_Said], speaking: Sequence[PageSection]) -> frozenset[int]:
    """Return the positions of the sections that speak, of those above them, and of all steps beside them."""
    above = {each.path[:end] for each in speaking for end in range(2, len(each.path))}
    steps = {each.path[:-1] for each in speaking if is_numbered(each)}
    positions = {each.position for each in speaking}
    return frozenset(
        each.section.position
        for each in said
        if each.section.position in positions
        or each.section.path in above
        or (each.section.path[:-1] in steps and is_numbered(each.section))
    )


def _said(section: PageSection, brief: Brief, library: Library) -> _Said:
    """Return what a section says; one with an amount says what words for price do."""
    language = library.language
    text = " ".join(block.text for block in section.blocks)
    headings = frozenset(roots(section.below_name, language))
    own = headings.union(*(roots(block.text, language) for block in section.blocks))
    priced = brief.intent == "buy" and has_amount(text)
    return _Said(section, own | (price_stems(language) if priced else frozenset()), headings)


def _distinctive(words: TopicWords, said: Sequence[_Said], language: str) -> frozenset[str]:
    """Return the words that set sections of a page apart: none where its name says most of the topic."""
    name = frozenset(roots(said[0].section.page_name, language)) if said else frozenset[str]()
    if not words.ways or words.share(name) >= _MOST:
        return frozenset()
    return frozenset(word for word in words.distinctive if not words.mentions(word, name))


def _is_heart(said: _Said, words: TopicWords, distinctive: frozenset[str]) -> bool:
    """Return whether a section says most of the topic, under a heading that sets it apart."""
    heavy = sum(words.says(word, said.text) for word in words.heavy)
    is_headed = any(words.mentions(word, said.headings) for word in distinctive)
    return is_headed and heavy >= _LEAST_HEAVY and words.share(said.text) >= _MOST


def _rare_on_page(words: TopicWords, page: Sequence[_Said]) -> frozenset[str]:
    """Return the words of the topic that less than half of a page's sections say."""
    return frozenset(
        word for word in words.ways if 2 * sum(words.says(word, each.text) for each in page) < len(page)
    )


def _speaks(said: _Said, words: TopicWords, distinctive: frozenset[str], rare: frozenset[str]) -> bool:
    """Return whether a section speaks of the topic, or is headed by a word of it that is rare on the page."""
    if any(words.mentions(word, said.text) for word in distinctive):
        return True
    return any(words.says(word, said.headings) for word in rare)
