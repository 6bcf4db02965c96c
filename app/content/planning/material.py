"""Whether the pages say enough: the one rule by which a generation ends without a draft. Pure."""

from typing import Any, Final

from app.content.artefacts import Brief, DraftKind
from app.content.request import GenerationRequest
from app.failures import ServiceFailure

SECTIONS_NEEDED: Final = 2

_KINDS: Final[tuple[DraftKind, ...]] = ("outline", "extractive", "full")
_NAMES: Final = {"outline": "an outline", "extractive": "a draft of excerpts", "full": "a full draft"}


def require_kind(request: GenerationRequest, brief: Brief, kind: DraftKind) -> None:
    """Refuse a draft of a ``kind`` that is less than the caller's minimum.

    Raises INSUFFICIENT_SOURCE_MATERIAL; its details list what was found, its hints what would help.
    """
    least = request.minimum_kind
    if _KINDS.index(kind) >= _KINDS.index(least):
        return
    message = (
        f"The material on “{brief.topic}” is enough for {_NAMES[kind]}, but {_NAMES[least]} was requested."
    )
    raise ServiceFailure(
        "INSUFFICIENT_SOURCE_MATERIAL", message, details=_found(brief, kind, least), hints=_hints(brief, kind)
    )


def _found(brief: Brief, kind: DraftKind, least: DraftKind) -> dict[str, Any]:
    return {
        "topic": brief.topic,
        "minimum_kind": least,
        "possible_kind": kind,
        "coverage": brief.coverage,
        "coverage_share": brief.coverage_share,
        "missing_words": list(brief.missing_words),
        "sections_needed": SECTIONS_NEEDED,
        "keyword_support": dict(brief.keyword_support),
        "gaps": list(brief.gaps),
        "pages": [{"id": each.id, "url": each.url} for each in brief.link_candidates],
    }


def _hints(brief: Brief, kind: DraftKind) -> list[str]:
    hints = []
    if brief.coverage == "absent":
        hints.append(f"Add a page that is about “{brief.topic}”: no page of the project is.")
    elif kind == "outline":
        hints.append(f"Add pages with more than one section on “{brief.topic}”.")
    else:
        hints.append("A full draft needs a text provider; without one a draft is made of excerpts.")
    hints.append("Choose a topic that the pages say more about.")
    hints.append(f"Set minimum_kind to {kind} to take what there is.")
    return hints
