"""Answers that are no page of their own: redirects, files, error pages and pages without text. Pure."""

import re
from functools import cache
from typing import Final
from urllib.parse import urlsplit

from app.failures import Failure, failure
from app.infra.urls import bare_authority_of
from app.language.languages import merged
from app.pages.extraction.blocks import Extracted

_TEXT: Final = ("text/html", "application/xhtml", "text/plain")
_PDF: Final = b"%PDF-"
_FILES: Final = {
    "application/pdf": "a PDF document",
    "image/": "an image",
    "video/": "a video",
    "audio/": "a sound",
}
_MOST_WORDS: Final = 150
"""A page with more words may be about pages that are not found."""
_PARTS: Final = re.compile(r"\s+[|–—·•-]+\s+|:\s+")
_PUNCTUATION: Final = " .!?…"


def is_spelling_of(target: str, url: str) -> bool:
    """Return whether a redirect leads to the same page at another spelling of its address.

    The scheme, ``www.``, a slash at the end and an added query may differ. Both are normalised URLs.
    """
    new, old = urlsplit(target), urlsplit(url)
    return (
        bare_authority_of(target) == bare_authority_of(url)
        and new.path.rstrip("/") == old.path.rstrip("/")
        and old.query in ("", new.query)
    )


def redirect(target: str) -> Failure:
    """Return the failure of an address that leads to another page."""
    return failure("PAGE_REDIRECTS", f"The address leads to another page: {target}", details={"to": target})


def why_no_page(content_type: str, body: bytes = b"") -> Failure | None:
    """Return the failure of an answer that is a file by its Content-Type or its first bytes."""
    kind = "application/pdf" if body.startswith(_PDF) else content_type.partition(";")[0].strip().lower()
    if kind.startswith(_TEXT):
        return None
    name = next((name for start, name in _FILES.items() if kind.startswith(start)), f"a file ({kind})")
    return failure("PAGE_NOT_HTML", f"It is {name}, no web page.", details={"content_type": kind[:100]})


def why_no_source(content: Extracted, url: str) -> Failure | None:
    """Return why what was read at ``url`` is no text of its own, None if it is."""
    if content.refresh_url is not None and not is_spelling_of(content.refresh_url, url):
        return redirect(content.refresh_url)
    if _says_not_found(content):
        return failure("PAGE_MISSING")
    return None if content.word_count else failure("PAGE_EMPTY")


def _says_not_found(content: Extracted) -> bool:
    """Return whether a short page says it was not found, although its server reports no error ("soft 404").

    A part of its title, or its first heading, says only that.
    """
    if content.word_count > _MOST_WORDS:
        return False
    texts = (content.title, *content.headings[:1])
    parts = (part.strip(_PUNCTUATION) for text in texts for part in (text, *_PARTS.split(text)))
    return any(_pattern().fullmatch(part) for part in parts)


@cache
def _pattern() -> re.Pattern[str]:
    sentences = "|".join(merged(lambda language: language.pages).not_found)
    return re.compile(rf"(?:(?:http )?(?:error )?404(?: error)?)|(?:404[:,]? )?(?:{sentences})", re.I)
