"""Applications that are used again: making one takes longer than most tests.

An application's state about Redis is reset for each test; one that a test has changed is discarded. All of
them share the compiled templates.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from types import CodeType
from typing import Any

from flask import Flask
from jinja2 import BytecodeCache
from jinja2.bccache import Bucket

from app.config import Settings
from app.factory import create_app
from app.infra import logs, queue, rate_limit
from app.infra.db import db

MOST = 8
"""More settings than these are seldom in use in one test module."""


class CompiledTemplates(BytecodeCache):
    """Each template of this process, compiled once."""

    def __init__(self) -> None:
        self._codes: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._codes.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._codes[bucket.key, bucket.checksum] = bucket.code


class Applications:
    """The applications of this process that nobody uses at the moment, by their settings."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Settings, Flask] = OrderedDict()
        self._templates = CompiledTemplates()

    @contextmanager
    def lent(self, settings: Settings) -> Iterator[Flask]:
        """An application as ``create_app`` makes it; its connections are closed afterwards."""
        app = self._like_new(settings)
        before = shape(app)
        yield app
        with app.app_context():
            db.session.remove()
            db.engine.dispose()
        if shape(app) == before:
            self._keep(settings, app)

    def _like_new(self, settings: Settings) -> Flask:
        app = self._kept.pop(settings, None)
        if app is None:
            app = create_app(settings)
            app.jinja_env.bytecode_cache = self._templates
            return app
        logs.set_up(settings.log_level, settings.log_format)
        queue.init_app(app, settings)
        rate_limit.init_app(app)
        app._got_first_request = False
        return app

    def _keep(self, settings: Settings, app: Flask) -> None:
        self._kept[settings] = app
        if len(self._kept) > MOST:
            self._kept.popitem(last=False)


def shape(app: Flask) -> list[dict[Any, Any]]:
    """What a test could change of an application, as it is now; its first command adds ``migrate``."""
    hooks = ("before_request_funcs", "after_request_funcs", "teardown_request_funcs")
    return [
        dict(app.config),
        {name: extension for name, extension in app.extensions.items() if name != "migrate"},
        dict(app.view_functions),
        dict(app.jinja_env.globals),
        dict(app.jinja_env.filters),
        *({scope: repr(functions) for scope, functions in getattr(app, hook).items()} for hook in hooks),
        dict(_error_handlers(app)),
    ]


def _error_handlers(app: Flask) -> Iterator[tuple[object, str]]:
    """The handlers by scope and status; Flask leaves an empty entry wherever it has looked for one."""
    for scope, statuses in app.error_handler_spec.items():
        for status, handlers in statuses.items():
            if handlers:
                yield (scope, status), repr(handlers)


KEPT = Applications()
