"""Which posts and pages a project has on a topic already. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from app.content.artefacts import ExistingPost
from app.language.stems import topic_stems
from app.language.words import fold

SAME_TOPIC: Final = 0.8


@dataclass(frozen=True)
class NamedPage:
    """A page and what it is called: by its main heading, and by its title without the site's name."""

    id: int
    names: tuple[str, ...]


@dataclass(frozen=True)
class Similar:
    """Posts and pages about the same, as they were given."""

    posts: tuple[ExistingPost, ...]
    pages: tuple[NamedPage, ...]


def posts_on(
    topic: str, keyword: str, posts: tuple[ExistingPost, ...], language: str
) -> tuple[ExistingPost, ...]:
    """Return the posts with the same primary keyword or over 80 % of the topic's stems in the title."""
    stems, primary = topic_stems(topic, language), keyword.lower()
    return tuple(
        post
        for post in posts
        if _is_like(stems, post.title, language) or fold(post.primary_keyword or "").lower() == primary
    )


def pages_on(topic: str, pages: Iterable[NamedPage], language: str) -> tuple[NamedPage, ...]:
    """Return the pages with a name that shares over 80 % of its stems with the topic."""
    stems = topic_stems(topic, language)
    return tuple(page for page in pages if any(_is_like(stems, name, language) for name in page.names))


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


def overlap(one: frozenset[str], other: frozenset[str]) -> float:
    """Return the share of the stems of two topics that both have, 0 to 1."""
    return len(one & other) / max(1, len(one | other))


def names_like(topic: str, names: Iterable[str], language: str) -> tuple[str, ...]:
    """Return the names that share over 80 % of their stems with a topic: pages that a post competes with."""
    stems = topic_stems(topic, language)
    return tuple(name for name in dict.fromkeys(names) if _is_like(stems, name, language))


def _is_like(stems: frozenset[str], name: str, language: str) -> bool:
    return overlap(stems, _stems(name, language)) > SAME_TOPIC


@lru_cache(maxsize=32_768)
def _stems(name: str, language: str) -> frozenset[str]:
    """Return the stems of a name; thousands of posts are compared with each of fifty topics."""
    return topic_stems(name, language)
