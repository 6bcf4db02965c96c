"""What a job is about, from its input and its result (pure). Lists of jobs are searched by it."""

from collections.abc import Mapping
from typing import Any, Final

MOST_CHARACTERS: Final = 200
_MOST_OF_EACH: Final = 99


def subject_of(payload: Mapping[str, Any], result: Mapping[str, Any] | None = None) -> str:
    """Return the titles and the topic that a job names as ``searchable``, each on a line."""
    named = ((result or {}).get("title"), payload.get("title"), payload.get("topic"))
    lines = dict.fromkeys(str(name)[:_MOST_OF_EACH] for name in named if name)
    return searchable("\n".join(lines))


def searchable(text: str) -> str:
    """Return a text in lower case, cut to MOST_CHARACTERS: databases compare it as it is, which is fast."""
    return text.lower()[:MOST_CHARACTERS]


def post_of(payload: Mapping[str, Any], result: Mapping[str, Any] | None = None) -> int | None:
    """Return the id of the post that a job made or is about, None without one."""
    named = ((result or {}).get("blog_post_id"), payload.get("blog_post_id"))
    return next((post_id for post_id in named if isinstance(post_id, int)), None)
