"""What a post was planned from, in words."""

from collections.abc import Mapping
from typing import Any, Final

from app.dashboard.ui.presentation import KIND_WORDS, number


def brief_in_words(brief: Mapping[str, Any], request: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the stored brief of a post and what its request added, each with a label; nothing empty."""
    kind, pages = brief.get("draft_kind", ""), len(brief.get("covering_page_ids") or ())
    facts = [
        ("Topic", brief.get("topic")),
        ("Keyword", brief.get("primary_keyword")),
        ("More keywords", _listed(brief.get("secondary"))),
        ("Kind", KIND_WORDS.get(kind, kind)),
        ("Length", f"{number(brief.get('target_words', 0))} words"),
        ("Language", brief.get("language")),
        ("Tone", brief.get("tone")),
        ("Readers", brief.get("audience")),
        ("Instructions", request.get("instructions")),
        ("Words to avoid", _listed(request.get("avoid"))),
        ("Closing line", (request.get("call_to_action") or {}).get("text")),
        ("From the project", _listed(request.get("from_project")).replace("_", " ")),
        ("Coverage", brief.get("coverage")),
        ("Pages about it", number(pages)),
        ("Hardly covered", _listed(brief.get("gaps"))),
        ("Questions", " ".join(brief.get("questions") or ())),
    ]
    return [(label, value) for label, value in facts if value]


def _listed(words: list[str] | None) -> str:
    return ", ".join(words or ())


GLOBALS: Final = (brief_in_words,)
