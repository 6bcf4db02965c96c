"""Turns every error under the API's paths into the error envelope."""

import logging
from collections.abc import Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final

from flask import Flask, Response, g, jsonify, request
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import HTTPException

from app.api.http.schemas import envelope
from app.edge.refusal import REFUSED
from app.failures import CATALOGUE, ServiceFailure
from app.infra.db_engine import DATABASE_UNAVAILABLE
from app.infra.logs import cause_of

_BY_STATUS: Final = {
    400: "MALFORMED_REQUEST",
    404: "NOT_FOUND",
    405: "METHOD_NOT_ALLOWED",
    408: "REQUEST_TIMEOUT",
    413: "PAYLOAD_TOO_LARGE",
    415: "UNSUPPORTED_MEDIA_TYPE",
    429: "RATE_LIMITED",
    431: "HEADERS_TOO_LARGE",
    501: "NOT_IMPLEMENTED",
    503: "SERVICE_UNAVAILABLE",
}
_RETRY_AFTER: Final = "5"
_KEPT_HEADERS: Final = ("Allow", "WWW-Authenticate", "Retry-After")
_REFERENCE: Final = "/api/docs"

_log = logging.getLogger(__name__)


def owns(path: str) -> bool:
    """Return whether a path belongs to the API, so that its responses are JSON. Its reference is a page."""
    if path == _REFERENCE:
        return False
    return path in ("/public-api", "/api") or path.startswith(("/public-api/", "/api/"))


def init_app(app: Flask) -> None:
    """Return the API's errors as JSON.

    Flask's error handlers apply to the whole application. Registering them would also handle the dashboard's
    errors, so the handler of all exceptions is wrapped and chooses by path.
    """
    otherwise = app.handle_user_exception

    def handle(error: Exception) -> ResponseReturnValue:
        return answer(error) if owns(request.path) else otherwise(error)

    app.handle_user_exception = handle  # type: ignore[method-assign,assignment]


def answer(error: Exception) -> ResponseReturnValue:
    """Return the envelope of an error. Redirects pass unchanged."""
    if isinstance(error, HTTPException) and (error.code is None or error.code < 400):
        return error
    found = _as_failure(error)
    response = respond(found.failure.to_dict(), found.errors, found.headers)
    if isinstance(error, HTTPException):
        kept = dict(error.get_headers())
        for name in _KEPT_HEADERS:
            if name in kept:
                response.headers[name] = kept[name]
    return response


def respond(
    failure: Mapping[str, Any],
    errors: Sequence[Mapping[str, str]] = (),
    headers: Mapping[str, str] | None = None,
) -> Response:
    """Return the envelope of a failure object; one that only jobs have is 502 Bad Gateway."""
    response = jsonify(envelope(failure, errors, g.get("request_id", "")))
    response.status_code = CATALOGUE[failure["code"]].http or HTTPStatus.BAD_GATEWAY
    response.headers.extend(dict(headers or {}))
    if response.status_code == HTTPStatus.UNAUTHORIZED:
        response.headers["WWW-Authenticate"] = (
            "Session"
            if failure["code"] == "UNAUTHENTICATED"
            else 'ApiKey realm="Public API", header="X-API-Key"'
        )
    if response.status_code in (429, 503):
        response.headers.setdefault("Retry-After", _RETRY_AFTER)
    return response


def _as_failure(error: Exception) -> ServiceFailure:
    if isinstance(error, ServiceFailure):
        return error
    if isinstance(error, DATABASE_UNAVAILABLE):
        _log.error("The database is unavailable: %s", cause_of(error))
        return ServiceFailure("SERVICE_UNAVAILABLE")
    if request.environ.get(REFUSED) == HTTPStatus.BAD_REQUEST:
        return ServiceFailure("MALFORMED_REQUEST", "The request is not well-formed HTTP.", hints=())
    if isinstance(error, HTTPException) and error.code in _BY_STATUS:
        return ServiceFailure(_BY_STATUS[error.code])
    if isinstance(error, HTTPException) and error.code is not None and error.code < 500:
        return ServiceFailure("MALFORMED_REQUEST", error.name)
    _log.error("A response could not be made", exc_info=error)
    return ServiceFailure("INTERNAL_ERROR")
