"""Applications that are used again: making one takes longer than most tests.

An application's state about Redis is reset for each test; one that a test has changed is discarded.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from flask import Flask

from app.config import Settings
from app.factory import create_app
from app.infra import logs, queue, rate_limit
from app.infra.db import db

MOST = 8
"""More settings than these are seldom in use in one test module."""


class Applications:
    """The applications of this process that nobody uses at the moment, by their settings."""

    def __init__(self) -> None:
        self._kept: OrderedDict[Settings, Flask] = OrderedDict()

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
            return create_app(settings)
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
    """What a test could change of an application, as it is now."""
    hooks = ("before_request_funcs", "after_request_funcs", "teardown_request_funcs", "error_handler_spec")
    return [
        dict(app.config),
        dict(app.extensions),
        dict(app.view_functions),
        dict(app.jinja_env.globals),
        dict(app.jinja_env.filters),
        *({scope: repr(functions) for scope, functions in getattr(app, hook).items()} for hook in hooks),
    ]


KEPT = Applications()
