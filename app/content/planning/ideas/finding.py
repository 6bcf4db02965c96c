"""Title ideas for a project: angles on what its pages say that no page and no post is about yet. Pure.

keywords + pages + posts → candidates → filtered → taken in turn, what no page covers last

Without a model nothing is invented: a title is put together from keywords, questions, headings and names,
unchanged. The same input gives the same ideas in the same order.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from app.content.artefacts import Artefact, Coverage, ExistingPost, PageRef
from app.content.planning.ideas.angles import comparison_candidates, price_candidates, procedure_candidates
from app.content.planning.ideas.questions import (
    keyword_candidates,
    question_candidates,
    section_candidates,
)
from app.content.planning.ideas.source import Candidate, IdeaKeyword, IdeaSource, Origin, Stems
from app.content.rendering.markdown import looks_active
from app.content.retrieval.coverage import TopicCoverage, coverage_of
from app.content.retrieval.coverage_words import coverage_sentence, missing_words
from app.content.retrieval.duplicates import SAME_TOPIC, overlap, pages_on
from app.language.languages import language_data
from app.language.stems import topic_stems

_SIMILAR: Final = 0.5
_MOST_SIMILAR: Final = 5
_MOST_KEYWORDS: Final = 3
_MOST_PAGES: Final = 5
_TITLE_LENGTH: Final = range(3, 151)


@dataclass(frozen=True)
class TitleIdea(Artefact):
    """A post that could be written.

    ``question`` is what a reader asks, where that is known. ``coverage`` says whether the pages cover the
    topic, ``coverage_share`` how much of it the best page says (0 to 1); ``pages`` are up to five that would
    support it, none where no page covers it. ``existing_post_ids`` are posts on something similar, the
    nearest first.
    """

    title: str
    topic: str
    origin: Origin
    question: str | None
    why: str
    coverage: Coverage
    coverage_share: float
    pages: tuple[PageRef, ...]
    keyword: str | None
    keyword_ids: tuple[int, ...]
    existing_post_ids: tuple[int, ...]


def suggest_titles(
    source: IdeaSource,
    keywords: Sequence[IdeaKeyword],
    count: int,
    *,
    first: Sequence[Candidate] = (),
    only_these: bool = False,
) -> tuple[TitleIdea, ...]:
    """Return up to ``count`` ideas: those of ``first``, then keywords and each kind of angle in turn.

    Where pages cover none of these, the questions that a single section answers are taken. What no page
    covers comes last. ``only_these`` leaves out what is not about one of the keywords. No
    idea is about what a page, a post or another idea is about: the stems of two topics overlap by at most
    80 %.
    """
    known = [(keyword, topic_stems(keyword.text, source.language)) for keyword in keywords]
    selection = _Selection(source, known, only_these=only_these)
    lines = [selection.accepted(line) for line in _lines(source, known)]
    found: list[TitleIdea] = []
    absent: list[TitleIdea] = []
    for idea in (*selection.accepted(first), *_in_turn(lines)):
        (absent if idea.coverage == "absent" else found).append(idea)
        if len(found) == count:
            break
    if not found:
        answered = selection.accepted(section_candidates(source))
        found = [idea for idea in answered if idea.coverage != "absent"][:count]
    return (*found, *absent)[:count]


def _lines(source: IdeaSource, keywords: Sequence[tuple[IdeaKeyword, Stems]]) -> list[Iterator[Candidate]]:
    """Return the candidates of each kind, the best of a kind first."""
    lines = [keyword_candidates(source, keywords), question_candidates(source)]
    table = language_data(source.language).idea_titles
    if table is not None:
        makers = (comparison_candidates, procedure_candidates, price_candidates)
        lines += [make(source, table) for make in makers]
    return lines


def _in_turn(lines: list[Iterator[TitleIdea]]) -> Iterator[TitleIdea]:
    while lines:
        for line in list(lines):
            idea = next(line, None)
            if idea is None:
                lines.remove(line)
            else:
                yield idea


class _Selection:
    """Accepts candidates that no page, post or other idea is about."""

    def __init__(
        self, source: IdeaSource, keywords: Sequence[tuple[IdeaKeyword, Stems]], *, only_these: bool
    ) -> None:
        self._source = source
        self._posts = _Posts(source.posts, source.project_name, source.language)
        self._keywords = keywords
        self._only_these = only_these
        self._taken: list[Stems] = []
        self._spent: set[IdeaKeyword] = set()

    def accepted(self, candidates: Iterable[Candidate]) -> Iterator[TitleIdea]:
        """Yield the ideas that candidates make, each checked when it is asked for."""
        for candidate in candidates:
            named = [keyword for keyword, stems in self._keywords if stems <= candidate.stems]
            if (self._only_these and not named) or self._is_taken(candidate):
                continue
            self._taken.append(candidate.stems)
            yield self._idea(candidate, self._chosen(candidate, named))

    def _is_taken(self, candidate: Candidate) -> bool:
        """Return whether the title fits no post, or a page, a post or an idea is about the same.

        Text of a page that could act is no title.
        """
        about = {candidate.title, candidate.topic}
        return (
            len(candidate.title) not in _TITLE_LENGTH
            or looks_active(candidate.title)
            or any(pages_on(each, self._source.named, self._source.language) for each in about)
            or self._posts.cover(candidate)
            or any(overlap(candidate.stems, other) > SAME_TOPIC for other in self._taken)
        )

    def _chosen(self, candidate: Candidate, named: Sequence[IdeaKeyword]) -> list[IdeaKeyword]:
        own = [candidate.keyword] if candidate.keyword else []
        # Two posts with one primary keyword would compete, unless they were asked for.
        free = [each for each in named if self._only_these or each not in self._spent]
        chosen = list(dict.fromkeys([*own, *free]))[:_MOST_KEYWORDS]
        self._spent.update(chosen)
        return chosen

    def _idea(self, candidate: Candidate, named: Sequence[IdeaKeyword]) -> TitleIdea:
        coverage = coverage_of(candidate.topic, self._source.page_stems, self._source.language)
        return TitleIdea(
            title=candidate.title,
            topic=candidate.topic,
            origin=candidate.origin,
            question=candidate.question,
            why=candidate.why or self._why(candidate.topic, coverage),
            coverage=coverage.level,
            coverage_share=coverage.share,
            pages=self._pages((*candidate.page_ids, *coverage.page_ids)),
            keyword=named[0].text if named else None,
            keyword_ids=tuple(keyword.id for keyword in named),
            existing_post_ids=self._posts.similar_to(candidate.stems),
        )

    def _why(self, topic: str, coverage: TopicCoverage) -> str:
        missing = missing_words(topic, coverage.missing, self._source.language)
        summary = coverage_sentence(topic, coverage.level, len(coverage.page_ids), missing)
        return {
            "covered": f"{summary} No page or post is named after it yet.",
            "perhaps": f"{summary} A draft may be short.",
            "absent": f"{summary} A draft would be an outline.",
        }[coverage.level]

    def _pages(self, page_ids: Iterable[int]) -> tuple[PageRef, ...]:
        chosen = list(dict.fromkeys(page_ids))[:_MOST_PAGES]
        return tuple(self._source.pages[page_id] for page_id in chosen)


class _Posts:
    """The existing posts, with their stems computed once."""

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
        """Return whether a post is about the same."""
        if candidate.title.casefold() in self._titles:
            return True
        return any(share > SAME_TOPIC for _, share in self._shares(candidate.stems))

    def similar_to(self, stems: Stems) -> tuple[int, ...]:
        """Return the ids of the posts that share half of the words or more, the nearest first."""
        near = [(-share, post_id) for post_id, share in self._shares(stems) if share >= _SIMILAR]
        return tuple(post_id for _, post_id in sorted(near)[:_MOST_SIMILAR])

    def _shares(self, stems: Stems) -> Iterator[tuple[int, float]]:
        for post_id, title, keyword in self._stems:
            yield post_id, max(overlap(stems, title), overlap(stems, keyword))
