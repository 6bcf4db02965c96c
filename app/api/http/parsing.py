"""Reads what a request brings, strictly: JSON bodies, query parameters, the Idempotency-Key and Prefer."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from flask import g, request
from marshmallow import Schema, ValidationError
from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import ClientDisconnected, HTTPException

from app.executions.idempotency import check_key
from app.failures import ServiceFailure

MAX_DEPTH: Final = 32
MAX_WAIT: Final = 25

_WAIT: Final = re.compile(r"wait\s*=\s*\"?([0-9]{1,9})\"?", re.ASCII | re.IGNORECASE)


class _Malformed(ValueError):
    pass


def receive() -> None:
    """Take in the request's body before the database is asked for anything.

    A sender that is slow must not hold a transaction. What is wrong with the body is told by ``document``.
    """
    try:
        g.received = _received()
    except HTTPException as error:
        g.received = error


def body(schema: type[Schema], *, optional: bool = False) -> dict[str, Any]:
    """Return the request's body as ``schema`` loads it; an ``optional`` body may be absent for ``{}``.

    Raises UNSUPPORTED_MEDIA_TYPE, MALFORMED_REQUEST, PAYLOAD_TOO_LARGE (as HTTP 413), INVALID_REQUEST.
    """
    return load(schema, document(optional=optional))


def document(*, optional: bool = False) -> Any:
    """Return the request's JSON document. Raises as ``body`` does, INVALID_REQUEST aside."""
    data = received()
    if optional and not data:
        return {}  # whatever a client says that nothing is
    if request.mimetype not in ("", "application/json"):
        raise ServiceFailure("UNSUPPORTED_MEDIA_TYPE")
    if not data:
        raise ServiceFailure("MALFORMED_REQUEST", "The request body is missing.")
    if not request.mimetype:
        raise ServiceFailure("UNSUPPORTED_MEDIA_TYPE")
    return parse(data)


def received() -> bytes:
    """Return the request's body as it came. Raises MALFORMED_REQUEST, PAYLOAD_TOO_LARGE (as HTTP errors)."""
    data: bytes | HTTPException = g.received
    if isinstance(data, HTTPException):
        raise data
    return data


def parse(data: bytes) -> Any:
    """Return the JSON document in ``data``. Raises MALFORMED_REQUEST."""
    try:
        found = json.loads(
            data.decode("utf-8"), object_pairs_hook=_object, parse_constant=_constant, parse_float=_finite
        )
        _check(found)
    except (ValueError, RecursionError):
        raise ServiceFailure("MALFORMED_REQUEST") from None
    return found


def load(
    schema: type[Schema], data: Any, *, location: str = "body", at: str = "", partial: bool = False
) -> dict[str, Any]:
    """Return ``data`` as ``schema`` loads it; ``at`` is the JSON pointer of ``data`` in the request.

    Raises INVALID_REQUEST with one error for each wrong field.
    """
    if not isinstance(data, Mapping):
        raise invalid([{"location": location, "field": at, "message": "Must be an object."}])
    try:
        loaded: dict[str, Any] = schema().load(data, partial=partial)
    except ValidationError as error:
        found = _flatten(error.messages_dict, at)
        raise invalid([{"location": location, **each} for each in found]) from None
    return loaded


def query(schema: type[Schema]) -> dict[str, Any]:
    """Return the query parameters as ``schema`` loads them. Raises INVALID_REQUEST, for repeated ones too."""
    args: MultiDict[str, str] = request.args
    unusable = [name for name in args if len(args.getlist(name)) > 1]
    if unusable:
        raise invalid(
            [
                {"location": "query", "field": f"/{_escape(name)}", "message": "Given twice."}
                for name in unusable
            ]
        )
    if any(_unstorable(value) for value in args.values()):
        raise invalid([{"location": "query", "field": "", "message": "Holds a NUL or broken character."}])
    return load(schema, args.to_dict(), location="query")


def invalid(errors: Sequence[Mapping[str, str]]) -> ServiceFailure:
    """Return INVALID_REQUEST about fields."""
    return ServiceFailure("INVALID_REQUEST", errors=errors)


def idempotency_key(*, required: bool) -> str | None:
    """Return the Idempotency-Key, or that of its alias. Raises MISSING_ and INVALID_IDEMPOTENCY_KEY."""
    given = request.headers.get("Idempotency-Key", request.headers.get("X-Idempotency-Key"))
    if given is None and not required:
        return None
    return check_key(given)


def preferred_wait() -> int:
    """Return the seconds of ``Prefer: wait=N``, at most 25; 0 when nothing is preferred (RFC 7240)."""
    for preference in request.headers.get("Prefer", "").split(","):
        match = _WAIT.fullmatch(preference.split(";")[0].strip())
        if match:
            return min(MAX_WAIT, int(match.group(1)))
    return 0


def _received() -> bytes:
    try:
        data = request.get_data()
        # Of a body in chunks only as much as may be read is read; asking for more tells that there is more.
        request.stream.read(1)
    except HTTPException:
        raise
    except Exception as error:  # each server has errors of its own for a body that is broken
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
    """Refuse what no database stores (NUL, lone surrogates) and what is nested too deep."""
    level = [found]
    for _ in range(MAX_DEPTH + 1):
        if any(isinstance(item, str) and _unstorable(item) for item in level):
            raise _Malformed("a character that cannot be stored")
        level = [inner for item in level for inner in _inside(item)]
        if not level:
            return
    raise _Malformed("too deep")


def _inside(item: Any) -> Iterator[Any]:
    if isinstance(item, dict):
        yield from item.keys()
        yield from item.values()
    elif isinstance(item, list):
        yield from item


def _unstorable(text: str) -> bool:
    return "\x00" in text or any("\ud800" <= character <= "\udfff" for character in text)


def _flatten(messages: Mapping[Any, Any], at: str) -> Iterator[dict[str, str]]:
    for name, inner in messages.items():
        field = at if name == "_schema" else f"{at}/{_escape(str(name))}"
        if isinstance(inner, Mapping):
            yield from _flatten(inner, field)
            continue
        for message in inner if isinstance(inner, list) else [inner]:
            yield {"field": field, "message": str(message)}


def _escape(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")
