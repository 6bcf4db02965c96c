"""What a digest is made of: its answer, its sections and its questions, out of what can be quoted. Pure."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from app.content.artefacts import Brief
from app.content.retrieval.candidates import Candidate
from app.content.retrieval.passages import Library, TopicTerms
from app.content.writing.digest.answering import begun_with_answer
from app.content.writing.digest.focus import on_focus
from app.content.writing.digest.headings import is_step
from app.content.writing.digest.questions import Questions
from app.language.money import has_amount
from app.language.stems import content_stems
from app.language.synonyms import price_stems
from app.language.words import CAPITALS, words

LEAST_SECTIONS: Final = 2
MOST_SECTIONS: Final = 12
MOST_QUESTIONS: Final = 3
_FILLED_WORDS: Final = 200
"""The length up to which sections that say little on the topic fill up a post."""

_CARRIES: Final = 60
"""Words of a main page that is enough for a post on its own."""

_MAIN_SHARE: Final = 0.75
_NAME: Final = re.compile(rf"[{CAPITALS}][\w’']*(?:-[{CAPITALS}][\w’']*)+")


@dataclass(frozen=True)
class Choice:
    """What a digest is made of: the section that answers its topic, its sections, and its questions.

    ``first`` is the one of its sections that says the topic.
    """

    answer: Candidate | None
    sections: tuple[Candidate, ...]
    asked: tuple[Candidate, ...]
    first: Candidate | None = None


def choose(
    brief: Brief,
    library: Library,
    ranked: Sequence[Candidate],
    most: int | None,
    required: Sequence[Candidate],
) -> Choice:
    """Return what a digest quotes of the ``ranked`` sections, with the ``required`` ones.

    It asks at most ``most`` questions; None keeps them among the sections. Those that stand aside fill up a
    short post on a part of its main page.
    """
    aside = [each for each in ranked if each.aside]
    ranked = [each for each in ranked if not each.aside]
    questions = Questions(library, brief.main_page)
    answer = questions.answer(brief.subject, ranked)
    rest = [each for each in ranked if each is not answer]
    if answer:
        rest = questions.on_the_same(brief.subject, rest)
    elif brief.intent == "buy":
        rest = _priced(rest, brief, library)
    asked = [each for each in rest if most is not None and questions.is_asked_apart(each)]
    kept = [each for each in rest if each not in asked]
    asked = [each for each in asked if not each.weak]
    # Further questions only fill up a short post.
    kept += [replace(each, weak=True) for each in asked[most:] if most]
    asked = asked[:most]
    if len(kept) + len(asked) + (answer is not None) < LEAST_SECTIONS or not (answer or kept):
        answer, asked, kept = None, [], list(ranked)
    apart = [*([answer] if answer else []), *asked]
    focused = on_focus(brief, library, kept, answer)
    is_part = len(focused) < len(kept)
    main, others = _of_main_page(focused, brief)
    first, main = (None, main) if answer else begun_with_answer(brief, library, main)
    fewest = LEAST_SECTIONS - len(main) - (answer is not None)
    others = _naming(brief.subject, main, others)
    others = [
        *_beside(main, others, library.topic_terms(brief.subject), library),
        *(aside if is_part else ()),
    ]
    enough = until_enough(others, brief.target_words, fewest, _words([*apart, *main]))
    return Choice(answer, tuple(_with_required([*main, *enough], apart, required)), tuple(asked), first)


def related_pages(brief: Brief, library: Library) -> tuple[int, ...]:
    """Return the pages to read on: those about the topic whose name has its rarest word, the best first."""
    terms = library.topic_terms(brief.subject)
    names = {section.page.page_id: section.page_name for section in library.sections}
    named = {
        page_id: terms.matched(content_stems(names.get(page_id, ""), library.language))
        for page_id in brief.about_pages
    }
    return tuple(page_id for page_id, said in named.items() if library.rarest(terms) in said)


def _priced(ranked: Sequence[Candidate], brief: Brief, library: Library) -> list[Candidate]:
    """Return the sections of the main page, and those with an amount that name what the price is asked of.

    That is the rarest word. Of the project itself they need not: its page of prices says what its parts cost.
    """
    language, terms = library.language, library.topic_terms(brief.subject)
    subject = terms.stems - price_stems(language) - library.own_stems
    said = [each for each in sorted(subject) if library.index.containing(terms.forms(each))]
    asked_of = max(said, key=lambda each: terms.weights[each], default="")
    return [
        each
        for each in ranked
        if _is_main(each, brief)
        or (
            has_amount(each.excerpt.text)
            and asked_of in terms.matched(content_stems(f"{each.heading} {each.excerpt.text}", language))
        )
    ]


def _is_main(candidate: Candidate, brief: Brief) -> bool:
    return candidate.section.page.page_id == brief.main_page


def _of_main_page(candidates: Sequence[Candidate], brief: Brief) -> tuple[list[Candidate], list[Candidate]]:
    """Return the sections of the main page, in its order, and the others.

    Those of the main page make up most of the post. If they are too long, the least relevant are left out,
    but never the first, the most relevant, or a step of a procedure.
    """
    own = [each for each in candidates if _is_main(each, brief)]
    main = sorted(own, key=lambda candidate: candidate.section.position)
    enough = brief.target_words * _MAIN_SHARE
    by_relevance = sorted(main[1:], key=lambda candidate: (candidate.score, -candidate.section.position))
    for each in by_relevance[:-1]:
        is_over = len(main) > LEAST_SECTIONS and _words(main) - each.excerpt.words >= enough
        if is_over and not is_step(each.section):
            main.remove(each)
    return main, [each for each in candidates if each not in own]


def _naming(topic: str, main: Sequence[Candidate], others: Sequence[Candidate]) -> list[Candidate]:
    """Return the others without those that have half of a name with a hyphen: "measuring" is no "Measure-Up".

    It is a name where both of its parts have a capital, in the topic and on the ``main`` page.
    """
    names = [
        each for each in words(topic) if _NAME.fullmatch(each) and any(each in _text(own) for own in main)
    ]
    return [each for each in others if not names or any(name in _text(each) for name in names)]


def _text(candidate: Candidate) -> str:
    return f"{candidate.section.page_name} {candidate.heading} {candidate.excerpt.text}"


def _beside(
    main: Sequence[Candidate], others: Sequence[Candidate], terms: TopicTerms, library: Library
) -> list[Candidate]:
    """Return the sections of other pages that go beside a main page that carries a post.

    They have the rarest word of the topic in a heading, or twice, or say more of it than any section of that
    page: what mentions the topic fills up only a post without such a page. The caller's own choice need not.
    """
    if len(main) < LEAST_SECTIONS or _words(main) < _CARRIES:
        return list(others)
    rarest = library.rarest(terms)
    most = max(each.score for each in main)

    def says(text: str) -> int:
        return sum(rarest in terms.matched([each]) for each in content_stems(text, library.language))

    named = (each for each in others if not each.weak)
    return [
        each
        for each in named
        if each.section.page.page_id in library.chosen
        or each.score > most
        or says(" ".join((each.section.page_name, *each.section.path)))
        or says(each.excerpt.text) > 1
    ]


def until_enough(
    ranked: Sequence[Candidate], count: int, fewest: int = LEAST_SECTIONS, there: int = 0
) -> list[Candidate]:
    """Return the best sections for a post of about ``count`` words that has ``there``, at least ``fewest``.

    Sections that say far less on the topic than others only fill up a post of fewer than 200 words.
    """
    chosen: list[Candidate] = []
    for candidate in ranked:
        wanted = min(count, _FILLED_WORDS) if candidate.weak else count
        is_full = there + _words(chosen) >= wanted or len(chosen) == MOST_SECTIONS
        if len(chosen) >= fewest and is_full:
            break
        chosen.append(candidate)
    return chosen


def _words(chosen: Sequence[Candidate]) -> int:
    return sum(each.excerpt.words for each in chosen)


def _with_required(
    chosen: list[Candidate], asked: Sequence[Candidate], required: Sequence[Candidate]
) -> list[Candidate]:
    """Return the chosen sections with those of required pages that are not among them."""
    there = {candidate.section.page.page_id for candidate in (*chosen, *asked)}
    known = {mark for candidate in (*chosen, *asked) for mark in candidate.excerpt.marks}
    headings = {candidate.heading.lower() for candidate in (*chosen, *asked)}
    missing = [
        candidate
        for candidate in required
        if candidate.section.page.page_id not in there
        and not candidate.excerpt.marks & known
        and candidate.heading.lower() not in headings
    ]
    return [*chosen[: max(LEAST_SECTIONS, MOST_SECTIONS - len(missing))], *missing]
