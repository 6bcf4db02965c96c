"""A text that was sent after the session had ended: it is shown again, to be sent once more."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import render_template, request
from flask.typing import ResponseReturnValue

_VIEWS: Final = frozenset({"posts.edit", "writing.add_picture"})
"""The forms in which somebody writes for long. Other forms may hold secrets, which are never shown again."""

_NOT_TYPED: Final = frozenset({"csrf_token", "do"})


def holds_text() -> bool:
    """Return whether the request sends a text that must not be lost, from a page of this site."""
    sender = request.headers.get("Origin") or request.referrer or ""
    from_here = urlsplit(sender).netloc == request.host
    return request.method == "POST" and request.endpoint in _VIEWS and from_here


def page(*, signed_in: bool) -> ResponseReturnValue:
    """Return the page that shows what was sent and sends it again. Nothing was saved."""
    fields = [(name, text) for name, text in request.form.items() if name not in _NOT_TYPED]
    return render_template(
        "errors/unsent.html", signed_in=signed_in, fields=fields
    ), 400 if signed_in else 401
