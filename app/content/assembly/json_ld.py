"""schema.org data of a draft; ``datePublished`` and ``mainEntityOfPage`` are set when it is published.

It is plain data: code that writes it into HTML must escape each ``<``, or a text could end its element.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from app.content.artefacts import SourceSnapshot
from app.content.drafts import FaqEntry, PostSource
from app.content.rendering.blocks import blocks_of

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
        **_text_members(title, description, keywords, word_count),
        "inLanguage": language,
        "author": organisation,
        "publisher": organisation,
    }
    if sources:
        posting["isBasedOn"] = [source.url for source in sources]
    return (posting, _faq_page(faq)) if faq else (posting,)


def faq_left(faq: Iterable[FaqEntry], markdown: str) -> tuple[FaqEntry, ...]:
    """Return the questions that are still headings of a changed text and whose answers it still contains."""
    blocks = blocks_of(markdown)
    headings = {_solid(block.text) for block in blocks if block.kind == "heading"}
    text = "".join(_solid(block.text) for block in blocks)
    return tuple(e for e in faq if _solid(e.question) in headings and _solid(e.answer) in text)


def refreshed(
    data: Iterable[Mapping[str, Any]],
    *,
    title: str,
    description: str,
    keywords: Sequence[str],
    word_count: int,
    faq: Sequence[FaqEntry],
) -> list[dict[str, Any]]:
    """Return a post's data for its changed text, without a FAQPage if there are no questions."""
    members = _text_members(title, description, keywords, word_count)
    kinds: dict[str | None, Any] = {"BlogPosting": members, "FAQPage": _faq_page(faq)}
    return [
        {**entry, **kinds.get(entry.get("@type"), {})}
        for entry in data
        if faq or entry.get("@type") != "FAQPage"
    ]


def with_image(
    data: Iterable[Mapping[str, Any]], *, alt: str, width: int, height: int, media_type: str
) -> list[dict[str, Any]]:
    """Return a post's data with its cover as the posting's image, whose address the site adds."""
    size = {"width": width, "height": height}
    image = {"@type": "ImageObject", "caption": alt, **size, "encodingFormat": media_type}
    return [{**each, "image": image} if each.get("@type") == "BlogPosting" else dict(each) for each in data]


def _text_members(title: str, description: str, keywords: Sequence[str], word_count: int) -> dict[str, Any]:
    """Return the members of a BlogPosting that change with the text."""
    return {
        "headline": title[:_HEADLINE],
        "description": description,
        "keywords": list(keywords),
        "wordCount": word_count,
    }


def _solid(text: str) -> str:
    """Return a text without white space, which differs between blocks and answers."""
    return "".join(text.split())


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
