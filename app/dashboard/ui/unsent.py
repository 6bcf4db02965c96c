"""A text that was sent after the session had ended: it is shown again, to be sent once more."""

from typing import Final

from flask import render_template, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.dashboard.ui.addresses import path_here

_VIEWS: Final = frozenset({"posts.edit", "writing.add_picture"})
"""The forms in which somebody writes for long. Other forms may hold secrets, which are never shown again."""

_NOT_TYPED: Final = frozenset({"csrf_token", "do"})


def holds_text() -> bool:
    """Return whether the request sends a text that must not be lost, from a page of this site."""
    sender = request.headers.get("Origin") or request.referrer
    return request.method == "POST" and request.endpoint in _VIEWS and path_here(sender) is not None


def page() -> ResponseReturnValue:
    """Return the page that shows what was sent and sends it again. Nothing was saved."""
    fields = [(name, text) for name, text in request.form.items() if name not in _NOT_TYPED]
    signed_in = current_user.is_authenticated
    shown = render_template("errors/unsent.html", signed_in=signed_in, fields=fields)
    return shown, 400 if signed_in else 401
