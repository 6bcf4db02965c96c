"""The main sentences of the pages on a topic, each quotable alone, shown before the sections. Pure."""

import re
from collections.abc import Sequence
from typing import Final

from app.content.artefacts import Brief
from app.content.drafts import Sentence
from app.content.evidence.sections import PageSection
from app.content.retrieval.avoiding import without
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.passages import Library
from app.content.retrieval.selection import candidates
from app.language.stems import content_stems, topic_stems
from app.language.words import COLONS, QUESTION_MARKS, fold, word_count

MOST: Final = 4
FEWEST: Final = 2
_LENGTH: Final = (6, 35)


def defines(sentence: str, keyword: str) -> bool:
    """Return whether a sentence begins with the keyword, an article aside, and so describes the topic."""
    opening = rf"(?:\w{{1,4}} )?{re.escape(keyword)}\b"
    return not sentence.endswith(":") and bool(re.match(opening, sentence.lower()))


def names_topic(sentence: str, topic: str, language: str) -> bool:
    """Return whether a whole sentence says more than half of a topic's words."""
    stems = topic_stems(topic, language)
    said = stems & set(content_stems(sentence, language))
    return 2 * len(said) > len(stems) and not sentence.endswith((*COLONS, *QUESTION_MARKS))


def find_takeaways(
    library: Library, brief: Brief, budget: int, *, sections_left: int = 2
) -> tuple[Sentence, ...]:
    """Return two to four first sentences on the topic, those that define it first; none when there are fewer.

    What is left of the pages must still give ``sections_left`` sections.
    """
    keywords = (brief.primary_keyword, *brief.secondary)
    found = candidates(library, brief.topic, keywords, budget)
    firsts = [(each.section, sentence) for each in found if (sentence := _first(each, brief)) is not None]
    ranked = sorted(firsts, key=lambda each: not defines(each[1].text, brief.primary_keyword))
    for count in range(min(MOST, len(ranked)), FEWEST - 1, -1):
        chosen = _in_reading_order(ranked[:count])
        rest = without_sentences(library, chosen)
        if len(candidates(rest, brief.topic, keywords, budget)) >= sections_left:
            return chosen
    return ()


def _in_reading_order(chosen: Sequence[tuple[PageSection, Sentence]]) -> tuple[Sentence, ...]:
    """Return the sentences of the best page first, those of one page in its own order."""
    pages = list(dict.fromkeys(section.page.page_id for section, _ in chosen))
    ordered = sorted(chosen, key=lambda each: (pages.index(each[0].page.page_id), each[0].position))
    return tuple(sentence for _, sentence in ordered)


def without_sentences(library: Library, chosen: tuple[Sentence, ...]) -> Library:
    """Return a library from which the sentences cannot be quoted again."""
    texts = {fold(sentence.text).lower() for sentence in chosen}
    return without(library, lambda text: fold(text).lower() in texts) if texts else library


def _first(candidate: Candidate, brief: Brief) -> Sentence | None:
    """Return the first sentence of a section, if it names the topic."""
    opening = candidate.excerpt.paragraphs[0]
    sentence = opening.sentences[0]
    stems = topic_stems(brief.primary_keyword, brief.language)
    fits = (
        not candidate.question
        and opening.kind == "p"
        and not sentence.text.endswith((*COLONS, *QUESTION_MARKS))
        and _LENGTH[0] <= word_count(sentence.text) <= _LENGTH[1]
        and stems & set(content_stems(sentence.text, brief.language))
    )
    return sentence if fits else None
