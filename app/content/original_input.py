"""With what input a post is written anew: its first one, or what the post itself still tells of it. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.content.model import WrittenText

FEWEST_WORDS: Final = 200
MOST_WORDS: Final = 3000
MOST_KEYWORDS: Final = 10
_SUBJECT: Final = ("topic", "title", "keywords")


def original_input(
    post: WrittenText, payload: Mapping[str, Any], artefacts: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the input for writing a post again, from the payload and artefacts of the job that wrote it.

    The brief, while it is kept, says what an open input was resolved to. Without it a payload that names its
    subject is taken as it is; else topic and keywords come from the post: left open, they could be resolved
    to another subject by now.
    """
    options = {name: value for name, value in payload.items() if name not in ("keyword_ids", "slug")}
    brief = artefacts.get("brief")
    if brief:
        keywords = [brief["primary_keyword"], *brief["secondary"]]
        return {**options, "topic": brief["topic"], "keywords": keywords}
    if any(options.get(name) for name in _SUBJECT):
        return {**payload, "slug": None}
    return {
        "target_words": max(FEWEST_WORDS, min(MOST_WORDS, post.word_count)),
        "language": post.language,
        **options,
        "topic": post.primary_keyword or post.title,
        "title": post.title,
        "keywords": list(post.keywords[:MOST_KEYWORDS]),
    }
