"""Which posts and pages are about the same as a topic. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.content.artefacts import ExistingPost
from app.content.retrieval.duplicates import NamedPage, pages_on, posts_on


@dataclass(frozen=True)
class Similar:
    """Posts and pages about the same, as they were given."""

    posts: tuple[ExistingPost, ...]
    pages: tuple[NamedPage, ...]


def similar_to(
    topic: str,
    keywords: Sequence[str],
    posts: tuple[ExistingPost, ...],
    pages: Iterable[NamedPage],
    language: str,
) -> Similar:
    """Return what has the topic, or its first keyword, as its name; a post also as its primary keyword."""
    primary = next(iter(keywords), topic)
    about = dict.fromkeys((topic, primary))
    known = tuple(pages)
    named = (page for each in about for page in pages_on(each, known, language))
    return Similar(posts_on(topic, primary, posts, language), tuple(dict.fromkeys(named)))
