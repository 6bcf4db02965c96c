"""The chapters of a long page, and which of them are about a topic. Pure.

A reference has a chapter for each of its subjects. A post on one of them quotes that chapter, as it would a
page on it, and not what other chapters say with the same words.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from statistics import mean
from typing import Final

from app.content.evidence.sections import PageSection
from app.content.retrieval.page_stems import opening_paragraph, topic_words_on
from app.content.retrieval.passages import Library, remembered
from app.content.retrieval.topic_words import TopicWords, roots
from app.language.words import extent

_LONG_PAGE: Final = 2000
"""Words from which a page is about more than a post can be."""
_REFERENCE: Final = 1000
_CHAPTERS: Final = 4
"""Words of a page whose chapters have parts, and chapters, from which it is divided by subjects."""
_IS_TOPIC: Final = 0.5
"""The share of the topic that the beginning of a page says whose chapters are all on it."""
_BELOW_NAME: Final = 2
"""The length of the path of a section that has a heading below the name of its page."""
_LEAST: Final = 0.35
_NEAR: Final = 0.65
"""How much a chapter about a topic is about it, and what part of the best one's relevance others have."""
_ENOUGH: Final = 200
_SECTIONS: Final = 2
"""Words and sections of chapters that can carry a post."""

Chapter = tuple[str, ...]


def chapter_of(section: PageSection) -> Chapter:
    """Return the headings that a section shares with the others of its chapter: the first below the name."""
    return section.path[: 2 if section.path[:1] == (section.page_name,) else 1]


@remembered
def is_long(library: Library, page_id: int) -> bool:
    """Return whether a page is about more than a post can be."""
    return sum(map(_words, _of_page(library, page_id))) > _LONG_PAGE


@remembered
def chapters_about(library: Library, topic: str, page_id: int) -> frozenset[Chapter]:
    """Return the chapters of a page that are about a topic; none where they cannot carry a post.

    The chapters of a page are all on it if its name is, and those of a guide if its description or the
    paragraph it opens with is.
    """
    chapters = _chapters(library, page_id)
    if not chapters:
        return frozenset()
    words = topic_words_on(topic, library.page_stems, library.language, library.own_stems)
    if not words.ways or words.share(_beginning(chapters, library, page_id)) >= _IS_TOPIC:
        return frozenset()
    usual = mean(sum(map(_words, own)) for own in chapters.values()) or 1.0
    relevance = {key: _relevance(words, own, usual, library) for key, own in chapters.items()}
    best = max(relevance.values())
    found = frozenset(key for key, each in relevance.items() if each >= max(_LEAST, _NEAR * best))
    own = [section for key in found for section in chapters[key]]
    is_enough = len(own) >= _SECTIONS and sum(map(_words, own)) >= _ENOUGH
    return found if is_enough else frozenset()


def _chapters(library: Library, page_id: int) -> Mapping[Chapter, Sequence[PageSection]]:
    """Return the sections of a page by chapters, none if it is not divided by subjects.

    A guide of middle length has steps without parts, a reference chapters with parts.
    """
    sections = _of_page(library, page_id)
    chapters: defaultdict[Chapter, list[PageSection]] = defaultdict(list)
    for section in sections:
        chapters[chapter_of(section)].append(section)
    have_parts = 2 * sum(len(own) > 1 for own in chapters.values()) >= len(chapters)
    is_reference = have_parts and sum(map(_words, sections)) >= _REFERENCE
    return chapters if len(chapters) >= _CHAPTERS and (is_reference or is_long(library, page_id)) else {}


def _beginning(
    chapters: Mapping[Chapter, Sequence[PageSection]], library: Library, page_id: int
) -> frozenset[str]:
    first = next(iter(chapters.values()))[0]
    said = [first.page_name]
    if not is_long(library, page_id):
        opens = len(first.path) < _BELOW_NAME
        said += [first.page.description or "", opening_paragraph(first.blocks) if opens else ""]
    return frozenset(roots(" ".join(said), library.language))


def _relevance(words: TopicWords, sections: Sequence[PageSection], usual: float, library: Library) -> float:
    """Return how much a chapter is about a topic, as ``coverage`` has it for pages.

    It is the mean of three shares: of the text, of the first heading, and of the headings of one section.
    """
    language = library.language
    texts = [each for section in sections for block in section.blocks for each in roots(block.text, language)]
    below = [roots(section.below_name, language) for section in sections]
    counts = Counter([*texts, *(each for heading in below for each in heading)])
    if not words.says_one(frozenset(counts)):
        return 0.0
    said = words.share_by_counts(counts, sum(map(_words, sections)) / usual)
    named = words.share(frozenset(below[0]))
    prominent = max(words.share(frozenset(each)) for each in below)
    return (said + named + prominent) / 3


def _of_page(library: Library, page_id: int) -> list[PageSection]:
    return [section for section in library.sections if section.page.page_id == page_id]


def _words(section: PageSection) -> int:
    return sum(extent(block.text) for block in section.blocks)
