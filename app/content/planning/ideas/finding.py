"""Title ideas for a project: what a next post could be about, found in its keywords and pages. Pure.

keywords + pages + posts → candidates of four origins → no duplicates → taken in turn

A title is a keyword, a question or a page's name as they stand: nothing is invented. The same input gives the
same ideas in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final

from app.content.artefacts import Artefact, ExistingPost, SourceSnapshot
from app.content.language.text import topic_stems
from app.content.planning.ideas.candidates import Candidate, Finder, IdeaKeyword, Origin, Stems, support_of
from app.content.retrieval.passages import Library

_SAME: Final = 0.8
_SIMILAR: Final = 0.5
_MOST_SIMILAR: Final = 5
_MOST_KEYWORDS: Final = 3


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
    lines = Finder(snapshot, library, known).lines()
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

    def accepted(self, candidates: Iterable[Candidate]) -> Iterator[TitleIdea]:
        """Yield the ideas that candidates make, each judged when it is asked for."""
        for candidate in candidates:
            held = [keyword for keyword, stems in self._keywords if stems <= candidate.stems]
            if (self._only_these and not held) or self._posts.cover(candidate):
                continue
            if any(_overlap(candidate.stems, other) > _SAME for other in self._taken):
                continue
            self._taken.append(candidate.stems)
            yield self._idea(candidate, self._named(candidate, held))

    def _named(self, candidate: Candidate, held: Sequence[IdeaKeyword]) -> list[IdeaKeyword]:
        own = [candidate.keyword] if candidate.keyword else []
        # Two posts with one primary keyword would stand in each other's way, unless they were asked for.
        free = [each for each in held if self._only_these or each not in self._spent]
        named = list(dict.fromkeys([*own, *free]))[:_MOST_KEYWORDS]
        self._spent.update(named)
        return named

    def _idea(self, candidate: Candidate, named: Sequence[IdeaKeyword]) -> TitleIdea:
        return TitleIdea(
            title=candidate.title,
            topic=candidate.topic,
            origin=candidate.origin,
            support=support_of(candidate.passages),
            why=candidate.why,
            keyword=named[0].text if named else None,
            keyword_ids=tuple(keyword.id for keyword in named),
            existing_post_ids=self._posts.similar_to(candidate.stems),
        )


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

    def cover(self, candidate: Candidate) -> bool:
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


def _overlap(one: Stems, other: Stems) -> float:
    return len(one & other) / max(1, len(one | other))
