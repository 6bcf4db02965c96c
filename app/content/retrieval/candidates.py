"""Candidates: the sections that a post may quote, each with its heading in the post. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from app.content.evidence.sections import PageSection
from app.content.retrieval.excerpt_parts import LEAST_WORDS
from app.content.retrieval.excerpts import Excerpt


@dataclass(frozen=True)
class Candidate:
    """A quotable section, the heading it gets in the post, and its score for the topic.

    ``on_topic``: the whole page is about the topic, as its name shows. ``weak``: it says far less on the
    topic than the best sections do. ``aside``: it lacks words of the topic, but scores nearly as high as the
    best section.
    """

    excerpt: Excerpt
    heading: str
    score: float
    question: bool
    on_topic: bool
    weak: bool = False
    aside: bool = False

    @property
    def section(self) -> PageSection:
        """The section quoted."""
        return self.excerpt.section


def with_own_headings(ranked: Sequence[Candidate]) -> list[Candidate]:
    """Return the sections, of which only the first on the topic is headed by the name of its page.

    The others behind it have their own headings again: "Options", "Examples".
    """
    firsts: dict[int, int] = {}
    for each in sorted(ranked, key=lambda each: -each.section.position):
        if _is_named_by_page(each) and each.excerpt.words >= LEAST_WORDS:
            firsts[each.section.page.page_id] = each.section.position

    def headed(each: Candidate) -> Candidate:
        first = firsts.get(each.section.page.page_id, each.section.position)
        is_further = _is_named_by_page(each) and each.section.position > first
        return replace(each, heading=each.section.heading) if is_further else each

    return [headed(each) for each in ranked]


def _is_named_by_page(candidate: Candidate) -> bool:
    section = candidate.section
    has_own = bool(section.heading) and section.heading != section.page_name
    return candidate.on_topic and has_own and candidate.heading == section.page_name
