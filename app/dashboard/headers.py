"""Response headers that keep a page to itself."""

from __future__ import annotations

from typing import Final

from flask import Flask, Response

from app.config import Settings

POLICY: Final = (
    "default-src 'self'; img-src {images}; object-src 'none'; base-uri 'self'; form-action 'self'; "
    "frame-ancestors 'none'"
)
PAGE_POLICY: Final = POLICY.format(images="'self' data:")
PREVIEW_POLICY: Final = POLICY.format(images="'self' data: https:")
"""A post's preview shows the post's pictures, wherever they are."""


def init_app(app: Flask, settings: Settings) -> None:
    """Send the headers with every answer; the content policy with every page."""

    @app.after_request
    def _add(response: Response) -> Response:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        if response.mimetype == "text/html":
            response.headers.setdefault("Content-Security-Policy", PAGE_POLICY)
            if "Cache-Control" not in response.headers:
                response.cache_control.private = True
                response.cache_control.no_cache = True
        if settings.production:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
        return response
