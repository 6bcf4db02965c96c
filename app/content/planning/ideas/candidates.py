"""Where title ideas come from: candidates of four origins, each with its evidence, the best first. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from app.content.artefacts import SourceSnapshot
from app.content.evidence.sections import clean_heading, is_generic, is_question, page_name
from app.content.language.text import capitalised, fold, topic_stems, word_count
from app.content.planning.titles import cut
from app.content.retrieval.passages import Library

Origin = Literal["keyword", "question", "page", "gap"]
Stems = frozenset[str]

ENOUGH: Final = 3
"""Strong passages that a post needs; as many are full support."""

_TITLE_LENGTH: Final = (3, 150)
_SHORT_NAME: Final = 6
_NAME_SHOWN: Final = 60


@dataclass(frozen=True)
class IdeaKeyword:
    """A keyword of the project; ``volume`` is how often it is searched for, when that is known."""

    id: int
    text: str
    volume: int | None = None


@dataclass(frozen=True)
class Candidate:
    """What could become an idea; ``passages`` are those that hold all of its stems."""

    origin: Origin
    title: str
    topic: str
    stems: Stems
    passages: int
    why: str
    keyword: IdeaKeyword | None = None


class Finder:
    """Finds candidates of each origin, the best first."""

    def __init__(
        self, snapshot: SourceSnapshot, library: Library, keywords: Sequence[tuple[IdeaKeyword, Stems]]
    ) -> None:
        self._snapshot = snapshot
        self._library = library
        self._keywords = keywords
        self._language = library.language
        self._holders = _holders(library)
        self._said = [frozenset(passage.stems) for passage in library.index.entries]
        self._questions = self._asked()

    def lines(self) -> list[Iterator[Candidate]]:
        """Return the candidates of each origin."""
        keyword_ideas = sorted(self._of_keywords(), key=lambda each: -_volume(each))
        return [
            (each for each in keyword_ideas if each.origin == "keyword"),
            iter(sorted(self._of_questions(), key=_rank_of_question)),
            self._of_pages(),
            (each for each in keyword_ideas if each.origin == "gap"),
        ]

    def _of_keywords(self) -> Iterator[Candidate]:
        for keyword, stems in self._keywords:
            passages = self._passages(stems)
            title = self._questions.get(stems) or capitalised(fold(keyword.text))
            origin: Origin = "keyword" if passages >= ENOUGH else "gap"
            if _fits(title):
                yield Candidate(origin, title, keyword.text, stems, passages, _why(passages), keyword)

    def _of_questions(self) -> Iterator[Candidate]:
        for section in self._library.sections:
            title = clean_heading(section.heading)
            if not is_question(section.heading, self._language) or not _fits(title):
                continue
            stems = topic_stems(title, self._language)
            name = cut(page_name(section.page), _NAME_SHOWN)
            who = "A page" if name == title else f"“{name}”"
            why = f"{who} asks this, and no post answers it yet."
            yield Candidate("question", title, title, stems, self._passages(stems), why)

    def _of_pages(self) -> Iterator[Candidate]:
        site = topic_stems(self._snapshot.project_name, self._language)
        ranked = []
        for page in self._snapshot.pages:
            name = page_name(page)
            stems = topic_stems(name, self._language)
            passages = self._passages(stems, said=True)
            if passages < ENOUGH or stems <= site or is_generic(name, self._language) or not _fits(name):
                continue
            length = word_count(name)
            rank = (not page.always_use, not 1 < length <= _SHORT_NAME, -passages, page.page_id)
            ranked.append((rank, name, stems, passages))
        for _, name, stems, passages in sorted(ranked, key=lambda each: each[0]):
            why = f"{passages} passages of the pages speak of this, and no post does yet."
            yield Candidate("page", name, name, stems, passages, why)

    def _asked(self) -> Mapping[Stems, str]:
        """Return the site's questions by their stems: a keyword that is asked gets the question as title."""
        found: dict[Stems, str] = {}
        for section in self._library.sections:
            if is_question(section.heading, self._language):
                title = clean_heading(section.heading)
                found.setdefault(topic_stems(title, self._language), title)
        return found

    def _passages(self, stems: Stems, *, said: bool = False) -> int:
        """Return how many strong passages hold all of the stems, as ``Library.strong_passages`` does.

        ``said`` leaves out those that hold them in the headings above alone.
        """
        if not stems:
            return 0
        rarest, *others = sorted((self._holders.get(stem, set()) for stem in stems), key=len)
        found = rarest.intersection(*others)
        return sum(not stems.isdisjoint(self._said[number]) for number in found) if said else len(found)


def _holders(library: Library) -> Mapping[str, set[int]]:
    """Return which passages of 8 words or more hold a stem, in their text or in the headings above."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, passage in enumerate(library.index.entries):
        if passage.is_strong(frozenset()):
            for stem in {*passage.stems, *passage.heading_stems}:
                found[stem].add(number)
    return found


def support_of(passages: int) -> float:
    """Return the share of the evidence that a post needs, 0 to 1."""
    return round(min(1.0, passages / ENOUGH), 2)


def _rank_of_question(candidate: Candidate) -> tuple[float, bool]:
    """Return what puts the best supported first, and last of those the ones of a single word."""
    return -support_of(candidate.passages), len(candidate.stems) < 2


def _volume(candidate: Candidate) -> int:
    return (candidate.keyword.volume or 0) if candidate.keyword else 0


def _fits(title: str) -> bool:
    return _TITLE_LENGTH[0] <= len(title) <= _TITLE_LENGTH[1]


def _why(passages: int) -> str:
    if passages >= ENOUGH:
        return "The pages say enough about this keyword for a post, and no post is about it yet."
    if passages:
        told = (
            "Only one passage of the pages is"
            if passages == 1
            else f"Only {passages} passages of the pages are"
        )
        return f"{told} about this keyword, too few for a whole post."
    return "No passage of the pages is about this keyword yet, so a draft would be an outline."
