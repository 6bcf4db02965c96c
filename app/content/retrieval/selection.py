"""Selects the sections of the pages that a post quotes: ranked by topic, each quotable on its own."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from statistics import mean
from typing import Final

from app.content.evidence.sections import (
    PageSection,
    is_dated,
    is_generic,
    is_imprint,
    is_question,
)
from app.content.retrieval.candidates import Candidate, with_own_headings
from app.content.retrieval.main_sections import is_main_section, quoted_beside
from app.content.retrieval.page_stems import is_home, is_teaser
from app.content.retrieval.passages import Library, TopicTerms, remembered
from app.content.retrieval.topic_words import mentions_most
from app.language.stems import content_stems, topic_stems

_KEYWORD_WEIGHT: Final = 0.4
_FURTHER_PASSAGE_WEIGHT: Final = 0.2
_PAGE_WEIGHT: Final = 1.5
_ALWAYS_USE_BONUS: Final = 1.25
_DATED_PAGE: Final = 0.4
ABOUT: Final = 0.7
_PAGE_ABOUT: Final = 0.6
_CANDIDATES: Final = 30
_LOOKED_AT: Final = 300
_OF_ONE_PAGE: Final = 12
_OF_ANOTHER_PAGE: Final = 3
_OF_THE_BEST: Final = 3
_WEAK: Final = 0.25
_WEAK_MENTION: Final = 0.5
_NEARLY: Final = 0.7


def query_of(topic: str, keywords: tuple[str, ...], language: str) -> dict[str, float]:
    """Return the stems to search for with their weights: those of the topic weigh more than the keywords'."""
    query = {stem: _KEYWORD_WEIGHT for keyword in keywords for stem in sorted(topic_stems(keyword, language))}
    return query | dict.fromkeys(sorted(topic_stems(topic, language)), 1.0)


def candidates(
    library: Library,
    topic: str,
    keywords: tuple[str, ...],
    budget: int,
    about: tuple[int, ...] = (),
    main: int | None = None,
    *,
    aside: bool = False,
) -> tuple[Candidate, ...]:
    """Return up to 30 quotable sections about a topic, best first; no heading and no text occurs twice.

    Sections that are about the topic from their first words come first, then those that mention it, and last
    those that say far less on it. ``about`` are the pages about the topic, best first. All of the ``main``
    page can be quoted, and of the others the sections that say most of the topic. A page gives up to three
    sections, or up to twelve if it is about the topic. Those that stand ``aside`` come last, if asked for.
    """
    ranked = _candidates(library, topic, keywords, budget, about, main)
    return tuple(each for each in ranked if aside or not each.aside)


@remembered
def _candidates(
    library: Library,
    topic: str,
    keywords: tuple[str, ...],
    budget: int,
    about: tuple[int, ...],
    main: int | None,
) -> tuple[Candidate, ...]:
    terms = library.topic_terms(topic)
    ranked = _ranked(library, topic, keywords, terms)[:_LOOKED_AT]
    ranked += _unranked(library, ranked, about)
    names = {section.page_name.lower() for section in library.sections}
    own = [(section, score) for section, score in ranked if not is_teaser(section, names)]
    quoted = (_quoted(section, score, topic, terms, library, budget, main) for section, score in own)
    quotable = [each for each in quoted if each]
    rarest = library.rarest(terms)
    focused = [
        each
        for each in quotable
        if _is_about(each, terms, library.language)
        or (
            _is_of(each.section, about)
            and (
                rarest in terms.matched(content_stems(each.heading, library.language))
                or mentions_most(topic, _text_of(each), rarest, library.language)
            )
        )
    ]
    others = [each for each in quotable if each not in focused]
    mentioning = [each for each in others if _mentions(each, terms, library.language)]
    aside: list[Candidate] = []
    if about:
        hubs = {page.page_id for page in library.page_stems if page.is_hub or page.is_service} - {main}
        fit = [each for each in quotable if each.section.page.page_id not in hubs]
        aside = _aside(fit, (*mentioning, *focused))
        # There is a page about the topic, so sections that only mention it are fillers.
        mentioning = [replace(each, weak=True) for each in mentioning]
        focused = [
            replace(each, weak=each.section.page.page_id in hubs, on_topic=False)
            if each.section.page.page_id in hubs
            else each
            for each in focused
        ]
    found = (*_weak_last(focused, mentioning), *aside)
    return _without_repeats(with_own_headings(found), library.language)


def _aside(quotable: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """Return the sections but ``others`` that say nearly as much on the topic as the one that says most."""
    least = _NEARLY * max((each.score for each in quotable), default=0.0)
    return [
        replace(each, weak=True, aside=True)
        for each in quotable
        if each.score >= least and not each.question and each not in others
    ]


def _without_repeats(ranked: Iterable[Candidate], language: str) -> tuple[Candidate, ...]:
    """Return the first 30 sections, without repeated headings and texts, and not too many of one page."""
    found: list[Candidate] = []
    seen: set[str] = set()
    taken: Counter[int] = Counter()
    for each in ranked:
        page_id, heading = each.section.page.page_id, each.heading
        # "Plan a rota" on a page of links is the teaser of "How to plan a rota".
        named = " ".join(sorted(content_stems(heading, language))) or heading
        marks = {heading.lower(), named, *each.excerpt.marks}
        if marks & seen or taken[page_id] >= (_OF_ONE_PAGE if each.on_topic else _OF_ANOTHER_PAGE):
            continue
        seen |= marks
        taken[page_id] += not each.question
        found.append(each)
    return tuple(found[:_CANDIDATES])


def _is_of(section: PageSection, pages: Sequence[int]) -> bool:
    return section.page.page_id in pages


def _text_of(candidate: Candidate) -> str:
    return f"{candidate.heading} {candidate.excerpt.text}"


def _unranked(
    library: Library, ranked: Sequence[tuple[PageSection, float]], about: Sequence[int]
) -> list[tuple[PageSection, float]]:
    """Return the sections of pages about the topic that have none of its words: they continue others."""
    known = {(section.page.page_id, section.position) for section, _ in ranked}
    return [
        (section, 0.0)
        for section in library.sections
        if _is_of(section, about) and (section.page.page_id, section.position) not in known
    ]


def _weak_last(focused: Sequence[Candidate], mentioning: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return the sections; those that score far below the three best are marked as weak and come last.

    A section of a page about the topic is never weak.
    """
    best = sorted((each.score for each in (*focused, *mentioning)), reverse=True)[:_OF_THE_BEST]
    level = mean(best or [0.0])
    judged = [(each, each.weak or (not each.on_topic and each.score < _WEAK * level)) for each in focused]
    judged += [(each, each.weak or each.score < _WEAK_MENTION * level) for each in mentioning]
    strong = (each for each, is_weak in judged if not is_weak)
    return (*strong, *(replace(each, weak=True) for each, is_weak in judged if is_weak))


def _quoted(
    section: PageSection,
    score: float,
    topic: str,
    terms: TopicTerms,
    library: Library,
    budget: int,
    main: int | None,
) -> Candidate | None:
    """Return a section as it would be quoted, None if it has nothing to quote or no usable heading."""
    if is_imprint(section.heading):
        return None
    heading = heading_for(section, library.language)
    question = is_question(heading, library.language)
    if question and is_home(section.page.url):
        return None  # "What can we do for you?"
    run = quoted_beside(section, budget, library.language, main, answers=question)
    if not heading or run is None:
        return None
    opening = f"{heading} {run.sentences[0].text}"
    on_topic = is_main_section(section, topic, terms, main, library) or _is_on_topic(
        section, opening, terms, library.language
    )
    return Candidate(run, heading, score, question, on_topic)


def _is_on_topic(section: PageSection, opening: str, terms: TopicTerms, language: str) -> bool:
    """Return whether a section's page is about the topic: its name has most of the topic's words.

    The section's headings or its first sentence must have the rest: no section of "Power management" is about
    "package management".
    """
    named = content_stems(section.page_name, language)
    opening_stems = [*named, *content_stems(" ".join((*section.path, opening)), language)]
    return terms.share(named) >= _PAGE_ABOUT and terms.share(opening_stems) >= ABOUT


def nearness(section: PageSection, terms: TopicTerms, language: str) -> float:
    """Return the share of a page's name that is the topic: 1 for "Logging", 0.5 for "Logging handlers"."""
    named = set(content_stems(section.page_name, language))
    return len(terms.matched(named)) / len(named) if named else 0.0


def heading_for(section: PageSection, language: str) -> str:
    """Return the nearest heading above a section that names a subject, or an empty string."""
    names = dict.fromkeys((section.page_name, *section.path))
    return next((each for each in reversed(names) if not is_generic(each, language)), "")


def _is_about(candidate: Candidate, terms: TopicTerms, language: str) -> bool:
    """Return whether a section is about the topic: its page is, or its headings and first sentence show it.

    If the headings have a part of the topic, the second sentence may show it instead. A question must itself
    name a part of the topic.
    """
    if candidate.question and not candidate.on_topic:
        asked = content_stems(candidate.heading, language)
        share = terms.share([*asked, *content_stems(candidate.excerpt.text, language)])
        return share >= ABOUT and bool(terms.matched(asked))
    named = _headings(candidate, language)
    first, *later = (content_stems(sentence.text, language) for sentence in candidate.excerpt.sentences[:2])
    if candidate.on_topic or terms.share([*named, *first]) >= ABOUT:
        return True
    return bool(terms.matched(named)) and any(terms.share(said) >= ABOUT for said in later)


def _mentions(candidate: Candidate, terms: TopicTerms, language: str) -> bool:
    """Return whether a section mentions the topic in more than one sentence, or in its heading too."""
    named = _headings(candidate, language)
    sentences = [content_stems(sentence.text, language) for sentence in candidate.excerpt.sentences]
    mentions = sum(bool(terms.matched(said)) for said in sentences) + bool(terms.matched(named))
    everything = [*named, *(each for said in sentences for each in said)]
    return not candidate.question and mentions > 1 and terms.share(everything) >= ABOUT


def _headings(candidate: Candidate, language: str) -> list[str]:
    return content_stems(" ".join(dict.fromkeys((candidate.heading, *candidate.section.path))), language)


def _ranked(
    library: Library, topic: str, keywords: tuple[str, ...], terms: TopicTerms
) -> list[tuple[PageSection, float]]:
    """Return the sections with their scores, best first.

    A score counts the best passage, a little of further passages, and the topic's share in the headings.
    """
    hits: dict[tuple[int, int], list[float]] = defaultdict(list)
    sections: dict[tuple[int, int], PageSection] = {}
    query = query_of(topic, keywords, library.language)
    # A synonym or a compound counts like a word of the topic.
    query |= dict.fromkeys(sorted(terms.stems | terms.variants.keys()), 1.0)
    for passage, score in library.index.search(query):
        key = (passage.section.page.page_id, passage.section.position)
        sections[key] = passage.section
        hits[key].append(score)
    scored = [(sections[key], _score(sections[key], scores, terms, library)) for key, scores in hits.items()]
    return sorted(scored, key=lambda item: (-item[1], item[0].page.page_id, item[0].position))


def _score(section: PageSection, scores: list[float], terms: TopicTerms, library: Library) -> float:
    def share(names: Iterable[str]) -> float:
        return terms.share(content_stems(" ".join(names), library.language))

    score = scores[0] + _FURTHER_PASSAGE_WEIGHT * sum(scores[1:4])
    score *= 1 + share([section.heading])
    score *= 1 + _PAGE_WEIGHT * share([section.page_name]) * nearness(section, terms, library.language)
    score *= _ALWAYS_USE_BONUS if section.page.always_use else 1.0
    return round(score * (_DATED_PAGE if is_dated(section.page, section.page_name) else 1.0), 6)
