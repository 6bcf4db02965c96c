"""One way to state an endpoint: address, what it takes, what it gives, what it refuses.

``operation`` documents the endpoint and judges its requests in the order of the contract: key (401, before),
scope 403, project or job 404, Idempotency-Key 400, query and body 4xx; then the view does the rest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, Literal

from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema

from app.api.http import parsing
from app.api.http.auth import SAFE, caller, check_scope
from app.api.http.fields import In
from app.api.http.schemas import EnvelopeOut
from app.executions.idempotency import USABLE
from app.executions.queries import get_job
from app.failures import CATALOGUE
from app.projects.service import get_project

View = Callable[..., ResponseReturnValue]

_OWNERS: Final[Mapping[str, tuple[str, Callable[[int, int], Any]]]] = {
    "project_id": ("project", get_project),
    "job_id": ("job", get_job),
}
_ABSENT: Final = {
    "project_id": "PROJECT_NOT_FOUND",
    "job_id": "JOB_NOT_FOUND",
    "page_id": "PAGE_NOT_FOUND",
    "keyword_id": "KEYWORD_NOT_FOUND",
    "blog_post_id": "BLOG_POST_NOT_FOUND",
}
_ALWAYS: Final = (
    "MISSING_API_KEY", "INVALID_API_KEY", "ACCOUNT_INACTIVE", "INVALID_REQUEST", "RATE_LIMITED",
    "INTERNAL_ERROR", "SERVICE_UNAVAILABLE",
)  # fmt: skip
_OF_BODIES: Final = ("MALFORMED_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
_OF_KEYS: Final = ("INVALID_IDEMPOTENCY_KEY", "IDEMPOTENCY_KEY_CONFLICT")


class Nothing(In):
    """No member at all."""


@dataclass(frozen=True)
class Takes:
    """A request body: its schema, an example that works, and whether it may be absent."""

    schema: type[Schema]
    example: Mapping[str, Any] | None = None
    optional: bool = False
    described_by: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TakesFile:
    """A request body that is a file of one of these media types, of ``most_bytes`` at most."""

    media_types: tuple[str, ...]
    most_bytes: int


NO_BODY: Final = Takes(Nothing, optional=True)


def operation(
    blueprint: Blueprint,
    method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
    rule: str,
    name: str,
    *,
    gives: Mapping[int, type[Schema] | str],
    takes: Takes | TakesFile = NO_BODY,
    query: type[Schema] = Nothing,
    key: Literal["required", "optional"] | None = None,
    refuses: Iterable[str] = (),
    headers: Iterable[Mapping[str, Any]] = (),
) -> Callable[[View], View]:
    """Register a view as the operation ``name``.

    The view gets the ``project`` or ``job`` of its address, the other ids as they are, and, where there is
    one, ``body`` (the bytes of a file), ``query`` and ``key``. ``gives`` has the schema of the answer, or the
    media type of a file, for each success status.
    """

    def decorate(view: View) -> View:
        @wraps(view)
        def judged(**ids: Any) -> ResponseReturnValue:
            check_scope()
            arguments = _owned(ids)
            if key is not None:
                arguments["key"] = parsing.idempotency_key(required=key == "required")
            asked = parsing.query(query)
            if query is not Nothing:
                arguments["query"] = asked
            if isinstance(takes, TakesFile):
                arguments["body"] = parsing.received()
            elif method != "GET":
                body = parsing.body(takes.schema, optional=takes.optional)
                if takes.schema is not Nothing:
                    arguments["body"] = body
            return view(**arguments)

        codes = [*_ALWAYS, *_implied(rule, blueprint, method, key), *refuses]
        documented: Any = blueprint.doc(
            operationId=name, **_request(takes), parameters=_parameters(query, key, headers)
        )(judged)
        documented = _document_successes(blueprint, documented, method, gives)
        documented = _document_refusals(blueprint, documented, codes)
        blueprint.route(rule, methods=[method], endpoint=name)(documented)
        if isinstance(takes, TakesFile):
            _BODY_LIMITS[f"{blueprint.name}.{name}"] = takes.most_bytes
        return view

    return decorate


def body_limit(endpoint: str | None) -> int | None:
    """Return how many bytes an endpoint that takes a file may be sent, None for all others."""
    return _BODY_LIMITS.get(endpoint or "")


def success(
    members: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a success; what was read carries an ETag and answers If-None-Match with 304."""
    response = jsonify({"status": "success", **members})
    response.status_code = status
    response.headers.extend(dict(headers or {}))
    if request.method in SAFE:
        response.add_etag()
        response.make_conditional(request)
    return response


def _owned(ids: dict[str, Any]) -> dict[str, Any]:
    """Return the ids of an address with the caller's project or job in place of its id."""
    found = {}
    for name, value in ids.items():
        member, get = _OWNERS.get(name, (name, None))
        found[member] = value if get is None else get(caller().account_id, value)
    return found


def _implied(rule: str, blueprint: Blueprint, method: str, key: str | None) -> Iterable[str]:
    path = f"{blueprint.url_prefix}{rule}"
    yield from (code for name, code in _ABSENT.items() if f":{name}>" in path)
    if method != "GET":
        yield "INSUFFICIENT_SCOPE"
        yield from _OF_BODIES
    if key == "required":
        yield "MISSING_IDEMPOTENCY_KEY"
    if key is not None:
        yield from _OF_KEYS


_NOT_MODIFIED: Final = "If-None-Match holds the present ETag: nothing changed, and nothing is sent."

_SENT: Final = {
    (method, status): {
        "Location": {"schema": {"type": "string"}, "description": "The address of what was made."}
    }
    for method, status in (("POST", 201), ("POST", 202))
} | {("GET", 200): {"ETag": {"schema": {"type": "string"}, "description": "For If-None-Match."}}}


_BODY_LIMITS: Final[dict[str, int]] = {}
_FILE: Final = {"type": "string", "format": "binary"}


def _request(takes: Takes | TakesFile) -> dict[str, Any]:
    if isinstance(takes, TakesFile):
        content = {media_type: {"schema": _FILE} for media_type in takes.media_types}
        return {"requestBody": {"required": True, "content": content}}
    if takes.schema is Nothing:
        return {}
    media: dict[str, Any] = {"schema": takes.described_by or takes.schema}
    if takes.example is not None:
        media["example"] = dict(takes.example)
    return {"requestBody": {"required": not takes.optional, "content": {"application/json": media}}}


def _parameters(
    query: type[Schema], key: str | None, headers: Iterable[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    parameters: list[dict[str, Any]] = [{"in": "query", "schema": query}] if query is not Nothing else []
    if key is not None:
        parameters.append(
            {
                "in": "header", "name": "Idempotency-Key", "required": key == "required",
                "description": "Unique to this operation; the same key gives the same job.",
                "schema": {"type": "string", "pattern": f"^{USABLE}$"},
                "example": "6f1c1ab0-6f3c-4d8e-9d1b-0a4c6c1f2b3d",
            }
        )  # fmt: skip
    return [*parameters, *(dict(header) for header in headers)]


def _document_successes(
    blueprint: Blueprint, view: Any, method: str, gives: Mapping[int, type[Schema] | str]
) -> Any:
    for status, given in gives.items():
        kind = {"schema": _FILE, "content_type": given} if isinstance(given, str) else {"schema": given}
        headers = _SENT.get((method, status))
        view = blueprint.alt_response(status, **kind, headers=headers, success=True)(view)
    if method != "GET":
        return view
    return blueprint.alt_response(304, description=_NOT_MODIFIED, success=True)(view)


def _document_refusals(blueprint: Blueprint, view: Any, codes: Iterable[str]) -> Any:
    by_status: dict[int, list[str]] = {}
    for code in dict.fromkeys(codes):
        status = CATALOGUE[code].http or HTTPStatus.BAD_GATEWAY
        by_status.setdefault(int(status), []).append(code)
    for status, found in sorted(by_status.items()):
        described = f"{HTTPStatus(status).phrase}: {', '.join(found)}"
        examples = {code: {"$ref": f"#/components/examples/{code}"} for code in found}
        view = blueprint.alt_response(status, schema=EnvelopeOut, description=described, examples=examples)(
            view
        )
    return view
