"""Title ideas for a project: what a next post could be about, found in its keywords and pages. Pure.

keywords + pages + posts → candidates of four origins → no duplicates → taken in turn

A title is a keyword, a question or a page's name as they stand: nothing is invented. The same input gives the
same ideas in the same order.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from app.content.artefacts import Artefact, ExistingPost, SourceSnapshot
from app.content.retrieval import Library
from app.content.sections import clean_heading, is_generic, is_question, page_name
from app.content.text import capitalised, fold, topic_stems, word_count
from app.content.titles import cut

Origin = Literal["keyword", "question", "page", "gap"]

ENOUGH: Final = 3
"""Strong passages that a post needs; as many are full support."""

_SAME: Final = 0.8
_SIMILAR: Final = 0.5
_MOST_SIMILAR: Final = 5
_MOST_KEYWORDS: Final = 3
_TITLE_LENGTH: Final = (3, 150)
_SHORT_NAME: Final = 6
_NAME_SHOWN: Final = 60

Stems = frozenset[str]


@dataclass(frozen=True)
class IdeaKeyword:
    """A keyword of the project; ``volume`` is how often it is searched for, when that is known."""

    id: int
    text: str
    volume: int | None = None


@dataclass(frozen=True)
class TitleIdea(Artefact):
    """A post that could be written.

    ``support`` is the share of the evidence that a post needs, 0 to 1. ``existing_post_ids`` are posts on
    something similar, the nearest first.
    """

    title: str
    topic: str
    origin: Origin
    support: float
    why: str
    keyword: str | None
    keyword_ids: tuple[int, ...]
    existing_post_ids: tuple[int, ...]


@dataclass(frozen=True)
class _Candidate:
    origin: Origin
    title: str
    topic: str
    stems: Stems
    passages: int
    why: str
    keyword: IdeaKeyword | None = None


def suggest_titles(
    snapshot: SourceSnapshot,
    library: Library,
    keywords: Sequence[IdeaKeyword],
    count: int,
    *,
    only_these: bool = False,
) -> tuple[TitleIdea, ...]:
    """Return up to ``count`` ideas, the origins taking turns: keyword, question, page, gap.

    ``only_these`` leaves out what is not about one of the keywords. No idea is about what a post or another
    idea is about: the stems of two topics overlap by at most 80 %.
    """
    known = [(keyword, topic_stems(keyword.text, library.language)) for keyword in keywords]
    posts = _Posts(snapshot.existing_posts, snapshot.project_name, library.language)
    judge = _Judge(posts, known, only_these=only_these)
    lines = _Finder(snapshot, library, known).lines()
    return tuple(islice(_in_turn([judge.accepted(line) for line in lines]), count))


def _in_turn(lines: list[Iterator[TitleIdea]]) -> Iterator[TitleIdea]:
    while lines:
        for line in list(lines):
            idea = next(line, None)
            if idea is None:
                lines.remove(line)
            else:
                yield idea


class _Judge:
    """Takes candidates that are about nothing that a post or another idea is about."""

    def __init__(
        self, posts: _Posts, keywords: Sequence[tuple[IdeaKeyword, Stems]], *, only_these: bool
    ) -> None:
        self._posts = posts
        self._keywords = keywords
        self._only_these = only_these
        self._taken: list[Stems] = []
        self._spent: set[IdeaKeyword] = set()

    def accepted(self, candidates: Iterable[_Candidate]) -> Iterator[TitleIdea]:
        """Yield the ideas that candidates make, each judged when it is asked for."""
        for candidate in candidates:
            held = [keyword for keyword, stems in self._keywords if stems <= candidate.stems]
            if (self._only_these and not held) or self._posts.cover(candidate):
                continue
            if any(_overlap(candidate.stems, other) > _SAME for other in self._taken):
                continue
            self._taken.append(candidate.stems)
            yield self._idea(candidate, self._named(candidate, held))

    def _named(self, candidate: _Candidate, held: Sequence[IdeaKeyword]) -> list[IdeaKeyword]:
        own = [candidate.keyword] if candidate.keyword else []
        # Two posts with one primary keyword would stand in each other's way, unless they were asked for.
        free = [each for each in held if self._only_these or each not in self._spent]
        named = list(dict.fromkeys([*own, *free]))[:_MOST_KEYWORDS]
        self._spent.update(named)
        return named

    def _idea(self, candidate: _Candidate, named: Sequence[IdeaKeyword]) -> TitleIdea:
        return TitleIdea(
            title=candidate.title,
            topic=candidate.topic,
            origin=candidate.origin,
            support=_support(candidate.passages),
            why=candidate.why,
            keyword=named[0].text if named else None,
            keyword_ids=tuple(keyword.id for keyword in named),
            existing_post_ids=self._posts.similar_to(candidate.stems),
        )


class _Finder:
    """Finds candidates of each origin, the best first."""

    def __init__(
        self, snapshot: SourceSnapshot, library: Library, keywords: Sequence[tuple[IdeaKeyword, Stems]]
    ) -> None:
        self._snapshot = snapshot
        self._library = library
        self._keywords = keywords
        self._language = library.language
        self._holders = _holders(library)
        self._questions = self._asked()

    def lines(self) -> list[Iterator[_Candidate]]:
        """Return the candidates of each origin."""
        keyword_ideas = sorted(self._of_keywords(), key=lambda each: -_volume(each))
        return [
            (each for each in keyword_ideas if each.origin == "keyword"),
            iter(sorted(self._of_questions(), key=lambda each: -_support(each.passages))),
            self._of_pages(),
            (each for each in keyword_ideas if each.origin == "gap"),
        ]

    def _of_keywords(self) -> Iterator[_Candidate]:
        for keyword, stems in self._keywords:
            passages = self._passages(stems)
            title = self._questions.get(stems) or capitalised(fold(keyword.text))
            origin: Origin = "keyword" if passages >= ENOUGH else "gap"
            if _fits(title):
                yield _Candidate(origin, title, keyword.text, stems, passages, _why(passages), keyword)

    def _of_questions(self) -> Iterator[_Candidate]:
        for section in self._library.sections:
            title = clean_heading(section.heading)
            if not is_question(section.heading, self._language) or not _fits(title):
                continue
            stems = topic_stems(title, self._language)
            why = f"“{cut(page_name(section.page), _NAME_SHOWN)}” asks this, and no post answers it yet."
            yield _Candidate("question", title, title, stems, self._passages(stems), why)

    def _of_pages(self) -> Iterator[_Candidate]:
        site = topic_stems(self._snapshot.project_name, self._language)
        ranked = []
        for page in self._snapshot.pages:
            name = page_name(page)
            stems = topic_stems(name, self._language)
            passages = self._passages(stems)
            if passages < ENOUGH or stems <= site or is_generic(name, self._language) or not _fits(name):
                continue
            rank = (not page.always_use, word_count(name) > _SHORT_NAME, -passages, page.page_id)
            ranked.append((rank, name, stems, passages))
        for _, name, stems, passages in sorted(ranked, key=lambda each: each[0]):
            why = f"{passages} passages of the pages are about this, and no post is yet."
            yield _Candidate("page", capitalised(name), name, stems, passages, why)

    def _asked(self) -> Mapping[Stems, str]:
        """Return the site's questions by their stems: a keyword that is asked gets the question as title."""
        found: dict[Stems, str] = {}
        for section in self._library.sections:
            if is_question(section.heading, self._language):
                title = clean_heading(section.heading)
                found.setdefault(topic_stems(title, self._language), title)
        return found

    def _passages(self, stems: Stems) -> int:
        """Return how many strong passages hold all of the stems, as ``Library.strong_passages`` does."""
        if not stems:
            return 0
        rarest, *others = sorted((self._holders.get(stem, set()) for stem in stems), key=len)
        return len(rarest.intersection(*others))


class _Posts:
    """The posts there are, their words taken apart once."""

    def __init__(self, posts: Sequence[ExistingPost], project: str, language: str) -> None:
        site = topic_stems(project, language)
        self._titles = {post.title.casefold() for post in posts}
        self._stems = [
            (
                post.id,
                topic_stems(post.title, language) - site,
                topic_stems(post.primary_keyword or "", language),
            )
            for post in posts
        ]

    def cover(self, candidate: _Candidate) -> bool:
        """Tell whether a post is about the same."""
        if candidate.title.casefold() in self._titles:
            return True
        return any(share > _SAME for _, share in self._shares(candidate.stems))

    def similar_to(self, stems: Stems) -> tuple[int, ...]:
        """Return the ids of the posts that share half of the words or more, the nearest first."""
        near = [(-share, post_id) for post_id, share in self._shares(stems) if share >= _SIMILAR]
        return tuple(post_id for _, post_id in sorted(near)[:_MOST_SIMILAR])

    def _shares(self, stems: Stems) -> Iterator[tuple[int, float]]:
        for post_id, title, keyword in self._stems:
            yield post_id, max(_overlap(stems, title), _overlap(stems, keyword))


def _holders(library: Library) -> Mapping[str, set[int]]:
    """Return which passages of 8 words or more hold a stem, in their text or in the headings above."""
    found: dict[str, set[int]] = defaultdict(set)
    for number, passage in enumerate(library.index.passages):
        if passage.is_strong(frozenset()):
            for stem in {*passage.stems, *passage.heading_stems}:
                found[stem].add(number)
    return found


def _overlap(one: Stems, other: Stems) -> float:
    return len(one & other) / max(1, len(one | other))


def _support(passages: int) -> float:
    return round(min(1.0, passages / ENOUGH), 2)


def _volume(candidate: _Candidate) -> int:
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
