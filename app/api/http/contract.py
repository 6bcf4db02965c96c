"""Declares the endpoints of the Public API: address, input, responses and failures.

``Resource.operation`` documents an endpoint and checks its requests in the order of the contract: the scope
of the key (403), the project or job (404), the Idempotency-Key (400), the query and the body (4xx). ``auth``
has already checked the key itself (401).
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import wraps
from http import HTTPStatus
from typing import Any, Final, Literal

import flask
from flask import Response, jsonify, request
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import Schema

from app.api.http import parsing
from app.api.http.auth import SAFE, caller, check_scope
from app.api.http.schemas import EnvelopeOut
from app.executions.idempotency import USABLE
from app.executions.model import ExecutionJob
from app.executions.queries import get_job
from app.failures import CATALOGUE, ServiceFailure
from app.infra.inputs import Input, load
from app.projects.model import Project
from app.projects.service import get_project

View = Callable[..., ResponseReturnValue]

_OWNED: Final[Mapping[str, tuple[str, Callable[[int, int], Any]]]] = {
    "project_id": ("project", get_project),
    "job_id": ("job", get_job),
}
_NOT_FOUND: Final = {
    "project_id": "PROJECT_NOT_FOUND",
    "job_id": "JOB_NOT_FOUND",
    "page_id": "PAGE_NOT_FOUND",
    "keyword_id": "KEYWORD_NOT_FOUND",
    "target_id": "PUBLISH_TARGET_NOT_FOUND",
    "blog_post_id": "BLOG_POST_NOT_FOUND",
    "schedule_id": "SCHEDULE_NOT_FOUND",
    "image_id": "IMAGE_NOT_FOUND",
    "import_id": "SEARCH_IMPORT_NOT_FOUND",
}
_ALWAYS: Final = (
    "MISSING_API_KEY",
    "INVALID_API_KEY",
    "ACCOUNT_INACTIVE",
    "INSUFFICIENT_SCOPE",
    "INVALID_REQUEST",
    "RATE_LIMITED",
    "INTERNAL_ERROR",
    "SERVICE_UNAVAILABLE",
)
_WITH_BODY: Final = ("MALFORMED_REQUEST", "PAYLOAD_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE")
_WITH_KEY: Final = ("INVALID_IDEMPOTENCY_KEY", "IDEMPOTENCY_KEY_CONFLICT")
_FILE: Final = {"type": "string", "format": "binary"}
_LOCATION: Final = {
    "Location": {"schema": {"type": "string"}, "description": "The address of what was made."}
}
_SENT: Final[Mapping[tuple[str, int], Mapping[str, Any]]] = {
    ("POST", 201): _LOCATION,
    ("POST", 202): _LOCATION,
    ("GET", 200): {"ETag": {"schema": {"type": "string"}, "description": "For If-None-Match."}},
}
_NOT_MODIFIED: Final = "If-None-Match has the current ETag: nothing has changed, and no body is sent."
_KEY_HEADER: Final = {
    "in": "header",
    "name": "Idempotency-Key",
    "description": "Unique to this operation; the same key gives the same job.",
    "schema": {"type": "string", "pattern": f"^{USABLE}$"},
    "example": "6f1c1ab0-6f3c-4d8e-9d1b-0a4c6c1f2b3d",
}
_body_limits: Final[dict[str, int]] = {}


class Nothing(Input):
    """No member at all."""


@dataclass(frozen=True)
class Takes:
    """A JSON request body: its schema, an example that works, and whether it may be absent.

    With ``service_loads`` the view gets the body as it came, and the service loads it with the schema.
    """

    schema: type[Schema]
    example: Mapping[str, Any] | None = None
    optional: bool = False
    service_loads: bool = False
    described_by: Mapping[str, Any] | None = None


@dataclass(frozen=True)
class TakesFile:
    """A request body that is a file of one of these media types, of at most ``most_bytes``."""

    media_types: tuple[str, ...]
    most_bytes: int


NO_BODY: Final = Takes(Nothing, optional=True)


class Resource(Blueprint):  # type: ignore[misc]
    """The operations on one kind of thing, grouped under one tag of the reference.

    Keys need its ``scope``, one of ``keys.SCOPES``; None for what every key may use.
    """

    def __init__(self, tag: str, path: str, description: str, *, scope: str | None) -> None:
        super().__init__(tag, __name__, url_prefix=f"/public-api{path}", description=description)
        self._scope = scope
        self._undocumented: list[Callable[[], None]] = []

    def document(self) -> None:
        """Write the documentation of the operations, which takes longer than all else about them."""
        while self._undocumented:
            self._undocumented.pop(0)()

    def operation(
        self,
        method: Literal["GET", "POST", "PUT", "PATCH", "DELETE"],
        rule: str,
        *,
        gives: Mapping[int, type[Schema] | str],
        takes: Takes | TakesFile = NO_BODY,
        query: type[Schema] = Nothing,
        key: Literal["required", "optional"] | None = None,
        fails: Iterable[str] = (),
        headers: Iterable[Mapping[str, Any]] = (),
    ) -> Callable[[View], View]:
        """Register a view as the operation of its own name in camel case.

        The view gets the ``project`` or ``job`` of its address, the other ids as they are, and, where there
        is one, ``body`` (the bytes of a file), ``query`` and ``key``. ``gives`` has the schema of the
        response, or the media type of a file, for each success status; ``fails`` has the failures of this
        operation alone.
        """

        def decorate(view: View) -> View:
            @wraps(view)
            def checked(**ids: Any) -> ResponseReturnValue:
                check_scope(self._scope)
                return view(**_arguments(ids, method, takes, query, key))

            def document() -> None:
                parameters = _parameters(query, key, headers)
                documented: Any = self.doc(operationId=name, **_request(takes), parameters=parameters)(
                    checked
                )
                documented = self._document_successes(documented, method, gives)
                documented = self._document_failures(
                    documented, [*_ALWAYS, *_implied(f"{self.url_prefix}{rule}", method, key), *fails]
                )
                self._store_endpoint_docs(name, documented, None, None, methods=[method])

            name = _camel_case(view.__name__)
            flask.Blueprint.add_url_rule(self, rule, name, checked, methods=[method])
            self._undocumented.append(document)
            if isinstance(takes, TakesFile):
                _body_limits[f"{self.name}.{name}"] = takes.most_bytes
            return view

        return decorate

    def _document_successes(self, view: Any, method: str, gives: Mapping[int, type[Schema] | str]) -> Any:
        for status, given in gives.items():
            kind = {"schema": _FILE, "content_type": given} if isinstance(given, str) else {"schema": given}
            headers = _SENT.get((method, status))
            view = self.alt_response(status, **kind, headers=headers, success=True)(view)
        if method != "GET":
            return view
        return self.alt_response(304, description=_NOT_MODIFIED, success=True)(view)

    def _document_failures(self, view: Any, codes: Iterable[str]) -> Any:
        by_status: dict[int, list[str]] = {}
        for code in dict.fromkeys(codes):
            status = CATALOGUE[code].http or HTTPStatus.BAD_GATEWAY
            by_status.setdefault(int(status), []).append(code)
        for status, found in sorted(by_status.items()):
            view = self.alt_response(
                status,
                schema=EnvelopeOut,
                description=f"{HTTPStatus(status).phrase}: {', '.join(found)}",
                examples={code: {"$ref": f"#/components/examples/{code}"} for code in found},
            )(view)
        return view


def body_limit(endpoint: str | None) -> int | None:
    """Return how many bytes the body of a request for a file endpoint may have, None for other endpoints."""
    return _body_limits.get(endpoint or "")


def success(
    members: Mapping[str, Any], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """Return a success. For reads it carries an ETag, and If-None-Match gives 304."""
    response = jsonify({"status": "success", **members})
    response.status_code = status
    response.headers.extend(dict(headers or {}))
    if request.method in SAFE:
        response.add_etag()
        if _is_conditional():
            response.make_conditional(request)
    return response


def _is_conditional() -> bool:
    return "HTTP_IF_NONE_MATCH" in request.environ or "HTTP_IF_MATCH" in request.environ


def _arguments(
    ids: Mapping[str, Any], method: str, takes: Takes | TakesFile, query: type[Schema], key: str | None
) -> dict[str, Any]:
    arguments = _with_owned(ids)
    if key is not None:
        arguments["key"] = parsing.idempotency_key(required=key == "required")
    found = parsing.query(query)
    if query is not Nothing:
        arguments["query"] = found
    if method == "GET":
        return arguments
    body = _body(takes)
    if takes is not NO_BODY:
        arguments["body"] = body
    return arguments


def _with_owned(ids: Mapping[str, Any]) -> dict[str, Any]:
    found = {}
    for name, value in ids.items():
        member, get = _OWNED.get(name, (name, None))
        found[member] = value if get is None else get(caller().account_id, value)
        if get is not None and caller().project_id not in (None, _project_of(found[member])):
            raise ServiceFailure(_NOT_FOUND[name])
    return found


def _project_of(owned: Project | ExecutionJob) -> int:
    return owned.id if isinstance(owned, Project) else owned.project_id


def _body(takes: Takes | TakesFile) -> Any:
    if isinstance(takes, TakesFile):
        return parsing.received()
    document = parsing.document(optional=takes.optional)
    return document if takes.service_loads else load(takes.schema, document)


def _implied(path: str, method: str, key: str | None) -> Iterable[str]:
    yield from (code for name, code in _NOT_FOUND.items() if f":{name}>" in path)
    if method != "GET":
        yield from _WITH_BODY
    if key == "required":
        yield "MISSING_IDEMPOTENCY_KEY"
    if key is not None:
        yield from _WITH_KEY


def _request(takes: Takes | TakesFile) -> dict[str, Any]:
    if isinstance(takes, TakesFile):
        content = {media_type: {"schema": _FILE} for media_type in takes.media_types}
        return {"requestBody": {"required": True, "content": content}}
    if takes is NO_BODY:
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
        parameters.append({**_KEY_HEADER, "required": key == "required"})
    return [*parameters, *(dict(header) for header in headers)]


def _camel_case(name: str) -> str:
    first, *rest = name.strip("_").split("_")
    return first + "".join(word.capitalize() for word in rest)
