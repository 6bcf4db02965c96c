"""Creates the application."""

import re
import sys
import time
import uuid
from importlib import import_module
from typing import Final

from flask import Flask, Response, abort, g, request
from werkzeug.middleware.proxy_fix import ProxyFix

from app import cli, monitoring
from app.api import setup as api
from app.config import ROOT, InvalidSettings, Settings, load_settings
from app.dashboard import setup as dashboard
from app.edge.refusal import REFUSED
from app.infra import compression, error_reports, health, logs, queue, rate_limit, request_counts, request_log
from app.infra.db import begin_as, db
from app.infra.db_engine import stored_json
from app.infra.origin import set_origin
from app.infra.reads import end_reading

MODELS: Final = (
    "accounts",
    "projects",
    "notifications",
    "pages",
    "spreadsheets",
    "keywords",
    "content",
    "search_performance",
    "publishing",
    "executions",
    "autopilot",
)

INVALID_SETTINGS_EXIT: Final = 4
"""Exit code of a process with invalid settings. gunicorn stops on it instead of starting workers again."""

_KEEPALIVE: Final = {
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 4,
    "tcp_user_timeout": 30_000,
}
"""Ends a connection 30 s after its server's machine is lost. libpq ignores it on unix sockets."""

_REQUEST_ID: Final = re.compile(r"[A-Za-z0-9._-]{1,64}", re.ASCII)


def start_app() -> Flask:
    """Create the application of a process, or exit with ``INVALID_SETTINGS_EXIT``.

    The problems of the settings are printed to stderr.
    """
    try:
        return create_app()
    except InvalidSettings as refused:
        print(refused, file=sys.stderr, flush=True)
        raise SystemExit(INVALID_SETTINGS_EXIT) from None


def create_app(settings: Settings | None = None) -> Flask:
    """Create the application. ``settings`` default to those of the environment. Raises InvalidSettings."""
    settings = settings or load_settings()
    logs.set_up(settings.log_level, settings.log_format)
    error_reports.set_up(settings)
    app = Flask("app", root_path=str(ROOT / "app"), static_folder="static", template_folder="templates")
    _configure(app, settings)
    compression.init_app(app)
    _init_database(app)
    queue.init_app(app, settings)
    rate_limit.init_app(app)
    _init_requests(app)
    request_counts.init_app(app, settings)
    request_log.init_app(app)
    app.register_blueprint(health.blueprint)
    monitoring.init_app(app, settings)
    api.init_app(app, settings)
    dashboard.init_app(app, settings)
    cli.init_app(app)
    return app


def _configure(app: Flask, settings: Settings) -> None:
    app.extensions["settings"] = settings
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.config.update(
        SECRET_KEY=settings.secret_key,
        SQLALCHEMY_DATABASE_URI=settings.database_url,
        SQLALCHEMY_ENGINE_OPTIONS=_engine_options(settings),
        MAX_CONTENT_LENGTH=1_000_000,
        # Browsers take a cookie with this prefix only over HTTPS, from this host and for all of its paths.
        SESSION_COOKIE_NAME="__Host-session" if settings.production else "session",
        SESSION_COOKIE_HTTPONLY=True,
        SESSION_COOKIE_SAMESITE="Lax",
        SESSION_COOKIE_SECURE=settings.production,
        SESSION_REFRESH_EACH_REQUEST=False,
        PERMANENT_SESSION_LIFETIME=settings.session_max_seconds,
    )
    if settings.trusted_proxies:
        hops = settings.trusted_proxies
        app.wsgi_app = ProxyFix(app.wsgi_app, x_for=hops, x_proto=hops, x_host=hops)  # type: ignore[method-assign]


def _engine_options(settings: Settings) -> dict[str, object]:
    # Failed statements are logged; their values, written by customers, must not be.
    common: dict[str, object] = {"hide_parameters": True, "json_deserializer": stored_json}
    if settings.database_url.startswith("sqlite"):
        return common
    return common | {
        "pool_size": settings.database_pool_size,
        "max_overflow": 0,  # these would be closed after use, and opened again for the next request
        "pool_timeout": 5,
        "pool_pre_ping": True,
        "connect_args": {"connect_timeout": 5, **_KEEPALIVE},
    }


def _init_database(app: Flask) -> None:
    for package in MODELS:
        import_module(f"app.{package}.model")
    db.init_app(app)


def _init_requests(app: Flask) -> None:
    @app.before_request
    def _begin() -> None:
        g.started = time.perf_counter()
        given = request.headers.get("X-Request-ID", "")
        g.request_id = given if _REQUEST_ID.fullmatch(given) else uuid.uuid4().hex
        logs.request_id.set(g.request_id)
        if (status := request.environ.get(REFUSED)) is not None:
            abort(status)
        set_origin("the dashboard", request.remote_addr)
        begin_as(reader=request.method in ("GET", "HEAD", "OPTIONS"))

    @app.teardown_request
    def _teardown(error: BaseException | None) -> None:
        if error is None:
            end_reading()
        begin_as(reader=False)

    @app.after_request
    def _end(response: Response) -> Response:
        response.headers["X-Request-ID"] = g.get("request_id", "")
        return response
