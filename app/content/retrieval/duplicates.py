"""Which posts a project has on a topic already. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from app.content.artefacts import ExistingPost
from app.content.language.text import fold, topic_stems

_SAME_TOPIC: Final = 0.8


def posts_on(
    topic: str, keyword: str, posts: tuple[ExistingPost, ...], language: str
) -> tuple[ExistingPost, ...]:
    """Return the posts with the same primary keyword or over 80 % of the topic's stems in the title."""
    stems = topic_stems(topic, language)

    def same(post: ExistingPost) -> bool:
        other, primary = _marks(post.title, post.primary_keyword or "", language)
        overlap = len(stems & other) / max(1, len(stems | other))
        return overlap > _SAME_TOPIC or primary == keyword.lower()

    return tuple(post for post in posts if same(post))


def names_like(topic: str, names: Iterable[str], language: str) -> tuple[str, ...]:
    """Return the names that share over 80 % of their stems with a topic: pages that a post competes with."""
    stems = topic_stems(topic, language)
    marked = ((name, _marks(name, "", language)[0]) for name in dict.fromkeys(names))
    return tuple(
        name for name, other in marked if len(stems & other) / max(1, len(stems | other)) > _SAME_TOPIC
    )


@lru_cache(maxsize=8192)
def _marks(title: str, primary_keyword: str, language: str) -> tuple[frozenset[str], str]:
    """Return what a post is known by; thousands of posts are compared with each of fifty names."""
    return topic_stems(title, language), fold(primary_keyword).lower()
