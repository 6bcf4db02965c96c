"""Finds the section that answers a topic: its heading asks or says the same. Pure."""

import re
from typing import Final

from app.content.evidence.sections import PageSection, is_question
from app.content.retrieval.page_stems import is_home, is_teaser
from app.content.retrieval.passages import Library
from app.language.languages import language_data
from app.language.stems import content_stems, light_stems, topic_stems
from app.language.synonyms import price_stems
from app.language.words import QUESTION_MARKS, alternatives, words

_SAYS: Final = 0.9
"""The share of the topic that a name or heading says."""
_SAYS_LITTLE_ELSE: Final = 0.6
"""The share of the heading's words that are words of the topic."""
_ASKS_THE_SAME: Final = 0.7
_PAIR: Final = 2


def answering_section(topic: str, library: Library) -> PageSection | None:
    """Return the section whose heading asks the topic, else the one that says it and little else.

    A question between the same two things asks it, if it adds no more than a number: "We are six. A or B?".
    No story of a customer does. A page that is named after the topic answers it as a whole: then only a
    question counts.
    """
    language = library.language
    terms = library.topic_terms(topic)
    asked = frozenset(content_stems(topic, language))
    names = {section.page_name for section in library.sections}
    is_named = any(terms.share(content_stems(name, language)) >= _SAYS for name in names)
    stories = {page.page_id for page in library.page_stems if page.is_story}
    lowered = {name.lower() for name in names}
    choices = _choices(topic, language)
    found: list[tuple[float, int, int, PageSection]] = []
    for section in library.sections:
        heading = section.heading
        is_aside = is_home(section.page.url) or section.page.page_id in stories
        if not heading or heading == section.page_name or is_aside:
            continue
        said = frozenset(content_stems(heading, language))
        is_choice = heading.endswith(QUESTION_MARKS) and not choices.isdisjoint(_choices(heading, language))
        chooses = is_choice and said - light_stems(heading, language) <= asked
        says_it = chooses or terms.share(said) >= _SAYS
        if not said or not says_it or is_teaser(section, lowered):
            continue
        alike = len(asked & said) / len(asked | said)
        asks = chooses or (is_question(heading, language) and alike >= _ASKS_THE_SAME)
        own = topic_stems(heading, language)
        says = not is_named and len(terms.matched(own)) >= _SAYS_LITTLE_ELSE * len(own)
        if asks or says:
            found.append((-alike, section.page.page_id, section.position, section))
    return min(found, key=lambda each: each[:3])[3] if found else None


def offers_choice(topic: str, language: str) -> bool:
    """Return whether a topic begins with two things to choose from: "Card or transfer for yearly fees".

    "How much does Crew or Depot cost?" asks for prices, and so does "Prices of Crew or Depot".
    """
    table = language_data(language).words
    if not _choices(topic, language):
        return False
    before = re.split(rf"\b(?:{alternatives(table.choosing)})\b", topic.lower())[0]
    has_price = not price_stems(language).isdisjoint(content_stems(before, language))
    return not (has_price or before.startswith(table.question_words))


def _choices(text: str, language: str) -> frozenset[frozenset[str]]:
    """Return the pairs of words, as stems, between which a text lets one choose: "Crew or Depot"."""
    choosing = language_data(language).words.choosing
    said = words(text)
    found = (
        frozenset(content_stems(f"{before} {after}", language))
        for before, word, after in zip(said, said[1:], said[2:], strict=False)
        if word.lower() in choosing
    )
    return frozenset(pair for pair in found if len(pair) == _PAIR)
