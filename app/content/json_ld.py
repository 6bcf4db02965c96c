"""schema.org data of a draft; ``datePublished`` and ``mainEntityOfPage`` are set when it is published."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from app.content.artefacts import FaqEntry, PostSource, SourceSnapshot

_HEADLINE: Final = 110


def json_ld(
    snapshot: SourceSnapshot,
    *,
    title: str,
    description: str,
    language: str,
    keywords: Sequence[str],
    word_count: int,
    sources: Sequence[PostSource],
    faq: Sequence[FaqEntry],
) -> tuple[dict[str, Any], ...]:
    """Return a BlogPosting and, when questions are visible in the text, a FAQPage."""
    organisation = {"@type": "Organization", "name": snapshot.project_name, "url": snapshot.project_url}
    posting: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "BlogPosting",
        "headline": title[:_HEADLINE],
        "description": description,
        "inLanguage": language,
        "keywords": list(keywords),
        "wordCount": word_count,
        "author": organisation,
        "publisher": organisation,
    }
    if sources:
        posting["isBasedOn"] = [source.url for source in sources]
    found = (posting, _faq_page(faq)) if faq else (posting,)
    return tuple(_inert(entry) for entry in found)


def _inert(value: Any) -> Any:
    """Return the data with no text that could end the script element which will hold it."""
    if isinstance(value, str):
        return value.replace("<", "&lt;")
    if isinstance(value, dict):
        return {name: _inert(held) for name, held in value.items()}
    return [_inert(held) for held in value] if isinstance(value, list) else value


def _faq_page(faq: Sequence[FaqEntry]) -> dict[str, Any]:
    return {
        "@context": "https://schema.org",
        "@type": "FAQPage",
        "mainEntity": [
            {
                "@type": "Question",
                "name": entry.question,
                "acceptedAnswer": {"@type": "Answer", "text": entry.answer},
            }
            for entry in faq
        ],
    }
