"""The words that each page says, and where: in its name, its headings, at its beginning. Pure."""

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain, groupby
from typing import Final
from urllib.parse import urlsplit

from app.content.evidence.sections import (
    PageSection,
    is_question,
    is_service_page,
    is_story,
    names_the_site,
    page_names,
)
from app.content.retrieval.topic_words import TopicWords, roots, topic_words
from app.language.languages import language_data
from app.language.money import has_amount
from app.language.sentences import sentences
from app.language.words import extent
from app.pages.extraction.blocks import Block

_OPENING_SENTENCES: Final = 2
_TEASERS: Final = 2
_QUESTIONS: Final = 3
_NAMES_OF_SITE: Final = 3
_SHARE_OF_SITE: Final = 3
_HOME: Final = re.compile(r"^/?(?:(?:index|home)(?:\.\w+)?/?)?$")


@dataclass(frozen=True)
class PageStems:
    """The roots that a page says anywhere, with how often, and those of its name and headings.

    ``beginning`` are those of its name, description and first sentences, ``sections`` those of each section's
    headings, the page's name among them, and ``places`` those of each whole section with it. ``title`` are
    the roots of its name and title. A hub leads to other pages of the site: the home page, a list of
    articles. A page that ``is_service`` serves the business itself, as terms do, one that ``is_story`` is
    about one customer, one that ``asks`` is a collection of questions. One that ``has_price_table`` has a
    table with an amount in most rows.
    """

    page_id: int
    said: frozenset[str]
    named: frozenset[str]
    counts: Mapping[str, int] = field(default_factory=dict)
    beginning: frozenset[str] = frozenset()
    sections: tuple[frozenset[str], ...] = ()
    places: tuple[frozenset[str], ...] = ()
    title: frozenset[str] = frozenset()
    is_home: bool = False
    is_hub: bool = False
    is_service: bool = False
    is_story: bool = False
    asks: bool = False
    has_price_cards: bool = False
    has_price_table: bool = False

    @property
    def length(self) -> int:
        """How many words with a meaning it has."""
        return sum(self.counts.values())


def page_stems(
    sections: Iterable[PageSection], language: str, own_stems: Collection[str] = ()
) -> tuple[PageStems, ...]:
    """Return what each page says, by its sections; ``own_stems`` are those of the project's name."""
    grouped = [list(own) for _, own in groupby(sections, key=lambda section: section.page.page_id)]
    names = {own[0].page_name.lower() for own in grouped}
    return tuple(_of_page(own, names, language, own_stems) for own in grouped)


def _of_page(
    sections: Sequence[PageSection], names: Collection[str], language: str, own_stems: Collection[str]
) -> PageStems:
    page, name = sections[0].page, sections[0].page_name
    titled = roots(f"{name} {page.title or ''} {_slug_words(page.url, language)}", language)
    headings = [roots(" ".join(section.path), language) for section in sections]
    texts = [[each for block in own.blocks for each in roots(block.text, language)] for own in sections]
    counts = Counter(each for text in texts for each in text)
    own_headings = (roots(section.heading, language) for section in sections)
    described = roots(page.description or "", language)
    counts.update(each for stems in (*own_headings, titled, described) for each in stems)
    first = sentences(opening_paragraph(block for own in sections for block in own.blocks))
    beginning = {*titled, *described, *roots(" ".join(first[:_OPENING_SENTENCES]), language)}
    return PageStems(
        page_id=page.page_id,
        said=frozenset(counts),
        named=frozenset(titled).union(*headings),
        counts=counts,
        beginning=frozenset(beginning),
        sections=tuple(frozenset(titled).union(each) for each in headings),
        places=tuple(frozenset(chain(titled, *both)) for both in zip(headings, texts, strict=True)),
        title=frozenset(titled),
        is_home=is_home(page.url),
        is_hub=_is_hub(sections, names, language, own_stems),
        is_service=is_service_page(page),
        is_story=is_story(page),
        asks=_asks(sections, language),
        has_price_cards=any(block.kind == "price" for section in sections for block in section.blocks),
        has_price_table=any(_lists_prices(section.blocks) for section in sections),
    )


def topic_words_on(
    topic: str, pages: Sequence[PageStems], language: str, own_stems: Collection[str] = ()
) -> TopicWords:
    """Return the words of a topic, weighed by the pages; what all of them are about weighs little."""
    return topic_words(topic, [page.said for page in pages], language, own_stems, _of_site(pages))


def _of_site(pages: Sequence[PageStems]) -> frozenset[str]:
    """Return the roots of the home page's name that are in several other names and on a third of the pages.

    A service that the home page only lists has one page of its own: "boiler repair, drain unblocking".
    """
    home = frozenset[str]().union(*(page.title for page in pages if page.is_home))
    others = [page for page in pages if not page.is_home]
    return frozenset(
        each
        for each in home
        if sum(each in page.title for page in others) >= _NAMES_OF_SITE
        and sum(each in page.said for page in others) * _SHARE_OF_SITE >= len(others)
    )


def opening_paragraph(blocks: Iterable[Block]) -> str:
    """Return the text of the paragraph that a page begins with, "" when it has none."""
    return next((block.text for block in blocks if block.kind == "p"), "")


def _lists_prices(blocks: Iterable[Block]) -> bool:
    """Return whether the blocks have a table with an amount in most rows."""
    rows = [has_amount(block.text) for block in blocks if block.kind == "table"]
    return len(rows) > 1 and 2 * sum(rows) > len(rows)


def _slug_words(url: str, language: str) -> str:
    """Return the words of an address, which its author chose as a name: "/kinder-mitnehmen.html".

    Letters that an address spells otherwise are there in both ways: "baeckerei bäckerei".
    """
    last = urlsplit(url).path.rstrip("/").rpartition("/")[2]
    said = re.sub(r"[-_+]|%20|\.\w{2,5}$", " ", last)
    spelled = said
    for letter, letters in language_data(language).words.spelled.items():
        spelled = spelled.replace(letters, letter)
    return said if spelled == said else f"{said} {spelled}"


def _is_hub(
    sections: Sequence[PageSection], names: Collection[str], language: str, own_stems: Collection[str]
) -> bool:
    """Return whether a page leads to others; one of questions says something itself, whatever its name."""
    page = sections[0].page
    teasers = {section.heading.lower() for section in sections if is_teaser(section, names)}
    if is_home(page.url) or len(teasers) >= _TEASERS:
        return True
    asks = any(is_question(section.heading, language) for section in sections)
    return not asks and all(names_the_site(each, own_stems, language) for each in page_names(page))


def _asks(sections: Sequence[PageSection], language: str) -> bool:
    """Return whether most of a page answers questions, which need not have to do with each other."""
    asking = [section for section in sections if is_question(section.heading, language)]
    said = {False: 0, True: 0}
    for section in sections:
        said[section in asking] += sum(extent(block.text) for block in section.blocks)
    return len(asking) >= _QUESTIONS and said[True] > 2 * said[False]


def is_home(url: str) -> bool:
    """Return whether an address is that of a site's first page."""
    return _HOME.search(urlsplit(url).path) is not None


def is_teaser(section: PageSection, names: Collection[str]) -> bool:
    """Return whether a section leads to another page, whose name it has; ``names`` are in lower case."""
    heading = section.heading.lower()
    return heading != section.page_name.lower() and heading in names
