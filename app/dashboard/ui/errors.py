"""Error pages. Errors of the API are JSON instead (api/http/errors)."""

from typing import Final

from flask import Flask, current_app, g, jsonify, render_template, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException, InternalServerError

from app.dashboard.ui.addresses import local_path, path_here
from app.dashboard.ui.failures import with_wait
from app.failures import ServiceFailure
from app.infra.db_engine import DATABASE_UNAVAILABLE

WORDS: Final = {
    400: ("The form has expired", "Go back to its page and send it again."),
    404: ("Nothing here", "There is no page at this address, or it is not yours."),
    405: ("Not possible this way", "This address belongs to a button. Open its page and press it there."),
    408: ("Too slow", "The request did not arrive in time. Try again over a faster connection."),
    413: ("Too large", "A form has at most 1 MB, a picture at most 5 MB, a file to import at most 10 MB."),
    429: ("Too many attempts", "Wait a moment, then try again."),
    431: ("Too much in the request", "Delete the cookies of this site, then try again."),
    500: ("Something went wrong", "The error is on our side and was logged. Try again in a moment."),
    503: ("Temporarily unavailable", "The service cannot reach its database. Try again in a few seconds."),
}

PASSING: Final = frozenset({408, 429, 500, 503})
"""Errors that may be gone when the same page is asked for again."""

_OTHER: Final = ("Not possible", "The service refused this request.")
_START: Final = ("Go to the start page", "/")


def init_app(app: Flask) -> None:
    app.register_error_handler(HTTPException, show_error)


def show_error(error: HTTPException) -> ResponseReturnValue:
    """Return the page of an HTTP error, with its own headers such as Allow."""
    code = error.code or 500
    if code < 400:
        return error.get_response()
    if isinstance(error, InternalServerError) and isinstance(error.original_exception, DATABASE_UNAVAILABLE):
        code = 503
    headers = {key: value for key, value in error.get_headers() if key.lower() == "allow"}
    title, words = WORDS.get(code, _OTHER)
    return _page(code, title, words), code, headers


def show_failure(error: ServiceFailure) -> ResponseReturnValue:
    """Return the page of a failure that belongs to no form: message, hints and next actions."""
    status = error.failure.kind.http or 500
    if status == 404:
        return _page(404, *WORDS[404]), 404
    page = render_template("errors/failure.html", failure=with_wait(error).to_dict(), back=_sender())
    return page, status, {k: v for k, v in error.headers.items() if k == "Retry-After"}


def json_refusal(error: ServiceFailure) -> ResponseReturnValue:
    """Return a failure for a script of a page: the message to show, and the code."""
    return jsonify(message=error.first_message, code=error.failure.code), error.failure.kind.http or 500


def _page(code: int, title: str, words: str) -> str:
    # Not render_template: it loads the signed-in account, and the database may be unavailable.
    template = current_app.jinja_env.get_template("errors/error.html")
    way, address = _way_on(code)
    return template.render(
        code=code, title=title, words=words, way=way, address=address, request_id=g.get("request_id")
    )


def _way_on(code: int) -> tuple[str, str]:
    if request.method == "GET" and code in PASSING:
        again = local_path(request.full_path.removesuffix("?"))
        return ("Try again", again) if again else _START
    sender = _sender()
    return ("Back to the page", sender) if sender else _START


def _sender() -> str | None:
    return local_path(path_here(request.referrer)) if request.method == "POST" else None
