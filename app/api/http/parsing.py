"""Strict parsing of requests: JSON bodies, query parameters, Idempotency-Key and Prefer."""

import json
import math
import re
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from flask import g, request
from marshmallow import Schema
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import ClientDisconnected, HTTPException

from app.executions.idempotency import check_key
from app.failures import ServiceFailure, invalid_field
from app.infra.inputs import escape_pointer, load

MAX_DEPTH: Final = 32
MAX_WAIT: Final = 25

_WAIT: Final = re.compile(r"wait\s*=\s*\"?([0-9]{1,9})\"?", re.ASCII | re.IGNORECASE)


class _Malformed(ValueError):
    pass


def receive() -> None:
    """Read the request's body before the first query, so that a slow client keeps no transaction open.

    ``document`` reports what is wrong with the body.
    """
    try:
        g.received = _received()
    except HTTPException as error:
        g.received = error


def document(*, optional: bool = False) -> Any:
    """Return the JSON document of the request's body; ``{}`` for an absent body that is ``optional``.

    Raises UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST and PAYLOAD_TOO_LARGE (as HTTP 413).
    """
    data = received()
    if optional and not data:
        return {}  # whatever the media type
    if request.mimetype not in ("", "application/json"):
        raise ServiceFailure("UNSUPPORTED_MEDIA_TYPE")
    if not data:
        raise ServiceFailure("MALFORMED_REQUEST", "The request body is missing.")
    if not request.mimetype:
        raise ServiceFailure("UNSUPPORTED_MEDIA_TYPE")
    return parse(data)


def received() -> bytes:
    """Return the raw body of the request. Raises MALFORMED_REQUEST and PAYLOAD_TOO_LARGE as HTTP errors."""
    data: bytes | HTTPException = g.received
    if isinstance(data, HTTPException):
        raise data
    return data


def parse(data: bytes) -> Any:
    try:
        found = json.loads(
            data.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite
        )
        _check(found)
    except (ValueError, RecursionError):
        raise ServiceFailure("MALFORMED_REQUEST") from None
    return found


def query(schema: type[Schema]) -> dict[str, Any]:
    """Return the query as ``schema`` loads it. Raises INVALID_REQUEST, also for repeated parameters."""
    args: MultiDict[str, str] = request.args
    if not args:
        return dict(_without_query(schema))
    if repeated := [name for name in args if len(args.getlist(name)) > 1]:
        fields = [f"/{escape_pointer(name)}" for name in repeated]
        errors = [{"location": "query", "field": field, "message": "Given twice."} for field in fields]
        raise ServiceFailure("INVALID_REQUEST", errors=errors)
    if any(_unstorable(value) for value in args.values()):
        raise invalid_field("", "Contains a NUL or broken character.", "query")
    return load(schema, args.to_dict(), location="query")


@cache
def _without_query(schema: type[Schema]) -> dict[str, Any]:
    return load(schema, {}, location="query")


def idempotency_key(*, required: bool) -> str | None:
    """Return the Idempotency-Key, or its alias. Raises MISSING_ and INVALID_IDEMPOTENCY_KEY."""
    given = request.headers.get("Idempotency-Key", request.headers.get("X-Idempotency-Key"))
    if given is None and not required:
        return None
    return check_key(given)


def preferred_wait() -> int:
    """Return the seconds of ``Prefer: wait=N``, at most 25; 0 without it (RFC 7240)."""
    for preference in request.headers.get("Prefer", "").split(","):
        match = _WAIT.fullmatch(preference.split(";")[0].strip())
        if match:
            return min(MAX_WAIT, int(match.group(1)))
    return 0


def _received() -> bytes:
    try:
        data = request.get_data()
        # A chunked body is read up to the limit; one more byte shows whether it is longer.
        request.stream.read(1)
    except HTTPException:
        raise
    except Exception as error:  # every server has its own errors for a broken body
        raise ClientDisconnected from error
    if request.content_length is not None and len(data) != request.content_length:
        raise ClientDisconnected
    return data


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise _Malformed("a repeated member")
    return made


def _constant(name: str) -> Any:
    raise _Malformed(name)


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise _Malformed("a number out of range")
    return number


def _check(found: Any) -> None:
    """Reject characters that cannot be stored (NUL, lone surrogates) and deep nesting."""
    level = [found]
    for _ in range(MAX_DEPTH):
        _check_texts(level)
        level = [inner for item in level for inner in _inside(item)]
        if not level:
            return
    if any(isinstance(item, dict | list) for item in level):
        raise _Malformed("too deep")
    _check_texts(level)


def _check_texts(level: list[Any]) -> None:
    if any(isinstance(item, str) and _unstorable(item) for item in level):
        raise _Malformed("a character that cannot be stored")


def _inside(item: Any) -> Iterator[Any]:
    if isinstance(item, dict):
        yield from item.keys()
        yield from item.values()
    elif isinstance(item, list):
        yield from item


def _unstorable(text: str) -> bool:
    return "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text)
