"""The input for writing a post again: the first input, or what is known of it from the post. Pure."""

from collections.abc import Mapping
from typing import Any, Final

from app.content.model import WrittenText
from app.content.request import FEWEST_WORDS, MOST_KEYWORDS, MOST_WORDS

_SUBJECT: Final = ("topic", "title", "keywords")
_OPTIONS: Final = (
    *("target_words", "post_type", "audience", "tone", "instructions", "key_points", "avoid"),
    *("call_to_action", "outline", "include", "required_page_ids", "minimum_kind"),
)


def original_input(
    post: WrittenText, payload: Mapping[str, Any], artefacts: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the input for writing a post again, from the payload and artefacts of the job that wrote it.

    The stored brief has the topic and keywords that an open input was resolved to. Without a brief, a payload
    that names its subject is used unchanged; otherwise topic and keywords come from the post, because an open
    input could be resolved to another subject by now. If retention has removed the payload, the options are
    those of the post's request. The chosen pages are those of the present text, and the language is the
    post's. The engine is the one that wrote the post unless the first input names one: a post must not change
    from excerpts to prose, or the reverse, because the operator changed the provider. An outline is neither.
    """
    asked = payload.get("engine")
    engine = post.engine if asked in (None, "auto") and post.draft_kind != "outline" else asked
    first = _first_input(post, payload, artefacts)
    chosen = (post.request or {}).get("chosen_page_ids")
    return {**first, **({"page_ids": chosen} if chosen else {}), "engine": engine, "language": post.language}


def _first_input(
    post: WrittenText, payload: Mapping[str, Any], artefacts: Mapping[str, Any]
) -> dict[str, Any]:
    options = {name: value for name, value in payload.items() if name not in ("keyword_ids", "slug")}
    brief = artefacts.get("brief")
    if brief:
        keywords = [brief["primary_keyword"], *brief["secondary"]]
        return {**options, "topic": brief["topic"], "keywords": keywords}
    if any(options.get(name) for name in _SUBJECT):
        return {**payload, "slug": None}
    return {
        "target_words": max(FEWEST_WORDS, min(MOST_WORDS, post.word_count)),
        **(options or _asked(post.request or {})),
        "topic": post.primary_keyword or post.title,
        "title": post.title,
        "keywords": list(post.keywords[:MOST_KEYWORDS]),
    }


def _asked(request: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a request as a payload has them; the project fills again what it had filled."""
    filled = request.get("from_project") or ()
    asked = {name: request[name] for name in _OPTIONS if request.get(name) and name not in filled}
    if request.get("plan"):
        asked["outline"] = request["plan"]
    if "most_links" in request:
        asked["internal_links"] = {"min": request["fewest_links"], "max": request["most_links"]}
    return asked | dict.fromkeys(request.get("declined") or ())
