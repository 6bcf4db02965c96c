"""Registers the Public API and its documentation with the application."""

import hashlib
import json
import re
from threading import Lock
from typing import Any, Final

from apispec.ext.marshmallow import MarshmallowPlugin
from flask import Flask, Response, request
from flask_smorest import Api
from marshmallow import Schema
from werkzeug.routing import BaseConverter

from app.api import (
    account,
    autopilot,
    blog_posts,
    covers,
    docs,
    executions,
    exports,
    images,
    keywords,
    pages,
    projects,
    proposals,
    schedule,
    search,
    search_connection,
    search_imports,
    sitemap_files,
    sitemap_sync,
    target_calls,
    targets,
    topics,
    versions,
)
from app.api.http import auth, errors, fields, parsing
from app.api.http.contract import Resource, body_limit
from app.api.http.schemas import EnvelopeOut, envelope
from app.config import Settings
from app.failures import CATALOGUE, failure
from app.infra.conditional import send_bytes
from app.infra.db import LARGEST_ID
from app.operations.fields import ListOrObject

MODULES: Final = (
    *(blog_posts, covers, exports, proposals, projects, pages, keywords, executions, sitemap_files),
    *(topics, targets, target_calls, account, schedule, autopilot, versions, images),
    *(search, search_imports, search_connection),
)

_DESCRIPTION: Final = (
    "Write, check and publish blog posts from a project's own pages. Send your API key in the header "
    "`X-API-Key`. On success `status` is `success`; on any error it is `error`, with a normalized `failure`."
)
_REQUEST_ID: Final = "3f0e7c5b8c0f4b6f9a5d2e1c7b8a9d00"


class PublicApi(Api):  # type: ignore[misc]
    """flask-smorest for the documentation only; api/http/errors handles the errors."""

    ERROR_SCHEMA = EnvelopeOut
    DEFAULT_ERROR_RESPONSE_NAME = None

    _openapi: tuple[str, bytes] | None = None
    """The document with its ETag, which is the same until the process ends."""

    def __init__(self, *args: Any, **options: Any) -> None:
        self._resources: list[Resource] = []
        self._describing = Lock()
        super().__init__(*args, **options)

    def register_blueprint(self, blueprint: Resource) -> None:
        """Register the operations of a resource.

        The document describes them when it is first asked for: that takes longer than all else at the start.
        """
        self._app.register_blueprint(blueprint)
        self._resources.append(blueprint)

    def _register_responses(self) -> None:
        """Register none at the start: ``_described`` does."""

    def _register_error_handlers(self) -> None:
        """Register none: those of flask-smorest would also handle the dashboard's errors."""

    def _openapi_json(self) -> Response:
        with self._describing:
            if self._openapi is None:
                made = self._described()
                self._openapi = hashlib.sha256(made).hexdigest(), made
        etag, document = self._openapi
        return send_bytes(etag, "application/json", lambda: document)

    def _described(self) -> bytes:
        super()._register_responses()
        for code in CATALOGUE:
            example = envelope(failure(code).to_dict(), (), _REQUEST_ID)
            self.spec.components.example(code, {"value": example})
        for resource in self._resources:
            resource.document()
            resource.register_views_in_doc(self, self._app, self.spec, name=resource.name, parameters=None)
            self.spec.tag({"name": resource.name, "description": resource.description})
        return json.dumps(self.spec.to_dict()).encode()


class IdConverter(BaseConverter):
    """An id in an address. Anything else becomes 0, which no row has, so that it gives 404.

    It is none of the words that stand in its place in other addresses: those say which methods they have.
    """

    regex = r"(?!generate$)[^/]+"

    _ID: Final = re.compile(r"[1-9][0-9]{0,18}", re.ASCII)

    def to_python(self, value: str) -> int:
        """Return the id, a positive 63-bit integer, or 0."""
        found = int(value) if self._ID.fullmatch(value) else 0
        return found if found <= LARGEST_ID else 0


def init_app(app: Flask, settings: Settings) -> None:
    app.url_map.converters["id"] = IdConverter
    app.config.update(
        API_TITLE="SEO content service", API_VERSION="1", OPENAPI_VERSION="3.1.0", OPENAPI_URL_PREFIX="/api"
    )
    app.before_request(_receive)
    auth.init_app(app)
    errors.init_app(app)
    _document(app)
    app.register_blueprint(docs.blueprint)
    app.register_blueprint(sitemap_sync.blueprint)


def _document(app: Flask) -> None:
    api = PublicApi(
        app,
        spec_kwargs={
            "marshmallow_plugin": MarshmallowPlugin(schema_name_resolver=_schema_name),
            "info": {"description": _DESCRIPTION},
            "servers": [{"url": "/"}],
            "security": [{"ApiKey": []}],
        },
    )
    api.spec.components.security_scheme("ApiKey", {"type": "apiKey", "in": "header", "name": "X-API-Key"})
    api.ma_plugin.converter.add_attribute_function(_one_of)
    api.register_field(fields.Id, "integer", "int64")
    api.register_converter(IdConverter, _id_schema)
    # The modules about blog posts share one blueprint, those about search another.
    for blueprint in dict.fromkeys(module.blueprint for module in MODULES):
        api.register_blueprint(blueprint)


def _schema_name(schema: type[Schema] | Schema) -> str:
    kind = schema if isinstance(schema, type) else type(schema)
    return kind.__name__.removesuffix("Out")


def _one_of(converter: Any, field: Any, **_: Any) -> dict[str, Any]:
    if not isinstance(field, ListOrObject):
        return {}
    kinds = [converter.field2property(each) for each in (field.lists, field.objects)]
    return {"oneOf": [*kinds, {"type": "null"}]}


def _id_schema(_converter: Any) -> dict[str, Any]:
    return {"type": "integer", "format": "int64", "minimum": 1, "example": 1}


def _receive() -> None:
    if errors.owns(request.path) and request.method not in auth.SAFE and request.url_rule is not None:
        limit = body_limit(request.endpoint)
        if limit is not None:
            request.max_content_length = limit
        parsing.receive()
