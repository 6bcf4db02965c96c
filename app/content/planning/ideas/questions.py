"""Questions that pages answer, and keywords, as candidates for title ideas. Pure."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from app.content.evidence.sections import PageSection, clean_heading, is_question
from app.content.planning.ideas.source import Candidate, IdeaKeyword, IdeaSource, Stems
from app.content.planning.spelling import spelled, spellings
from app.content.retrieval.bm25 import rarity
from app.language.languages import language_data
from app.language.stems import content_stems, topic_stems
from app.language.words import capitalised, fold, word_count, words

_ENOUGH: Final = 0.85
"""Share of a question's weight that a section which answers it says."""
_FEWEST_PAGES: Final = 2
_FEWEST_STEMS: Final = 2
_TRIED: Final = 300
_SHORTEST_ANSWER: Final = 30
"""Words of a section that alone answers a question."""


def question_candidates(source: IdeaSource) -> Iterator[Candidate]:
    """Yield the questions that two pages or more answer, those of the most pages first."""
    answers = _Answers(source)
    found = []
    for number, (stems, (title, asking)) in enumerate(questions_of(source).items()):
        page_ids = answers.pages_for(stems, asking)
        if len(page_ids) >= _FEWEST_PAGES:
            found.append((-len(page_ids), number, stems, title, page_ids))
    for count, _, stems, title, page_ids in sorted(found):
        shown = source.shown(page_ids[0])
        why = f"{shown} asks this, {-count} pages cover it, and none is about it alone."
        yield Candidate("question", title, title, stems, why, page_ids, question=title)


def questions_of(source: IdeaSource) -> Mapping[Stems, tuple[str, int]]:
    """Return up to 300 questions by their stems, each as it is asked and with the page that asks it.

    Left out are those that make no sense alone ("Which one?") or are asked of the company ("Do you …?").
    """
    headings = ((section.heading, section.page.page_id) for section in source.sections)
    terms = ((unit.lead_in, unit.page_id) for unit in source.units if unit.kind == "definition")
    found: dict[Stems, tuple[str, int]] = {}
    for text, page_id in chain(headings, terms):
        title = clean_heading(text)
        stems = topic_stems(title, source.language)
        if is_question(title, source.language) and _makes_sense_alone(title, stems, source):
            found.setdefault(stems, (title, page_id))
        if len(found) == _TRIED:
            break
    return found


def section_candidates(source: IdeaSource) -> Iterator[Candidate]:
    """Yield the headings that open like a question, with or without its mark, the longest answer first."""
    opening = tuple(f"{word} " for word in language_data(source.language).words.question_words)
    found = []
    for number, section in enumerate(source.sections):
        title = clean_heading(section.heading)
        length = sum(word_count(block.text) for block in section.blocks)
        stems = topic_stems(title, source.language)
        is_answer = length >= _SHORTEST_ANSWER and title.lower().startswith(opening)
        if is_answer and _makes_sense_alone(title, stems, source):
            found.append((-length, number, title, stems, section.page.page_id))
    for _, _, title, stems, page_id in sorted(found):
        why = f"A part of {source.shown(page_id)} answers this, and no page or post is about it alone."
        yield Candidate("question", title, title, stems, why, (page_id,))


def _makes_sense_alone(title: str, stems: Stems, source: IdeaSource) -> bool:
    """Return whether a question has a subject, and is not asked of the company."""
    table = language_data(source.language).idea_titles
    is_to_the_site = table is not None and title.lower().startswith(table.site_questions)
    return len(stems) >= _FEWEST_STEMS and not is_to_the_site and has_subject(title, source.language)


def keyword_candidates(
    source: IdeaSource, keywords: Sequence[tuple[IdeaKeyword, Stems]]
) -> Iterator[Candidate]:
    """Yield each keyword, the most searched first; one that the site asks has the question as its title."""
    asked = questions_of(source)
    typed = {word for keyword, _ in keywords for word in words(keyword.text)}
    known = spellings(source.sections, typed, source.language)
    for keyword, stems in sorted(keywords, key=lambda known: -(known[0].volume or 0)):
        question, _ = asked.get(stems, (None, 0))
        title = question or capitalised(spelled(fold(keyword.text), known))
        yield Candidate("keyword", title, keyword.text, stems, question=question, keyword=keyword)


def has_subject(text: str, language: str) -> bool:
    """Return whether a text names anything: not all of its words are stopwords or words of intent."""
    table = language_data(language).words
    return any(word.lower() not in table.stopwords | table.intent_words for word in words(text))


class _Answers:
    """An index of the sections by their stems."""

    def __init__(self, source: IdeaSource) -> None:
        self._sections = source.sections
        self._saying: defaultdict[str, list[int]] = defaultdict(list)
        for number, section in enumerate(source.sections):
            for stem in set(content_stems(_text_of(section), source.language)):
                self._saying[stem].append(number)

    def pages_for(self, stems: Stems, asking: int) -> tuple[int, ...]:
        """Return the pages with a section that says nearly all of a question, the asking one first."""
        said: defaultdict[int, float] = defaultdict(float)
        whole = 0.0
        for stem in sorted(stems):
            numbers = self._saying.get(stem, [])
            weight = rarity(len(numbers), len(self._sections))
            whole += weight
            for number in numbers:
                said[number] += weight
        enough = _ENOUGH * whole
        answering = {self._sections[at].page.page_id for at, weight in said.items() if weight >= enough}
        return (asking, *sorted(answering - {asking}))


def _text_of(section: PageSection) -> str:
    return "\n".join((*section.path, *(block.text for block in section.blocks)))
