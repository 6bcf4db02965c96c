"""The blueprints of the dashboard: sign-in, form tokens, what addresses name, and security headers."""

from collections.abc import Callable
from functools import cache, wraps
from typing import Any, Final

from flask import Blueprint, Flask, Response, g, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFError, CSRFProtect
from werkzeug.routing import IntegerConverter, Map

from app.config import Settings
from app.content.posts.service import get_post
from app.dashboard.ui import errors, unsent
from app.dashboard.ui.addresses import local_path, path_here
from app.failures import ServiceFailure
from app.infra.db import LARGEST_ID
from app.projects.service import get_project

csrf: Final = CSRFProtect()

PUBLIC: Final = frozenset(
    {
        "landing.home",
        "landing.your_data",
        "auth.sign_in",
        "auth.sign_up",
        "auth.accept",
        "second_factor.ask",
        "auth.forgot_password",
        "auth.reset_password",
    }
)

SECRET_QUERIES: Final = frozenset({"google.callback"})
"""Views whose queries must not be repeated anywhere, such as in the way back after signing in."""

POLICY: Final = (
    "default-src 'self'; img-src {images}; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
PAGE_POLICY: Final = POLICY.format(images="'self' data:")
PREVIEW_POLICY: Final = POLICY.format(images="'self' data: https:")
"""The preview of a post may show pictures from any host."""


class RowId(IntegerConverter):
    """A row's id in a URL. A number that no row can have gives 404."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, min=1, max=LARGEST_ID)


class DashboardBlueprint(Blueprint):
    """A blueprint whose views get the signed-in account's project and post in place of their ids.

    The templates of these views have both without being given them.
    """

    def add_url_rule(
        self, rule: str, endpoint: str | None = None, view_func: Any = None, *args: Any, **options: Any
    ) -> None:
        super().add_url_rule(rule, endpoint, _with_owned(view_func), *args, **options)


def dashboard_blueprint(name: str, prefix: str | None = None) -> Blueprint:
    """Return a blueprint that requires a signed-in account, and a form token for every POST."""
    blueprint = DashboardBlueprint(name, f"app.dashboard.{name}", url_prefix=prefix)
    blueprint.before_request(_guard)
    blueprint.context_processor(lambda: g.get("owned", {}))
    blueprint.register_error_handler(ServiceFailure, errors.show_failure)
    return blueprint


def init_headers(app: Flask, settings: Settings) -> None:
    """Add the security headers to every response, and the content security policy to every page."""

    @app.after_request
    def _add(response: Response) -> Response:
        response.headers.setdefault("X-Content-Type-Options", "nosniff")
        response.headers.setdefault("Referrer-Policy", "same-origin")
        if response.mimetype == "text/html":
            response.headers.setdefault("Content-Security-Policy", PAGE_POLICY)
            if "Cache-Control" not in response.headers:
                response.cache_control.private = True
                response.cache_control.no_cache = True
        if settings.production:
            response.headers.setdefault("Strict-Transport-Security", "max-age=31536000; includeSubDomains")
        return response


@cache
def _with_owned(view: Callable[..., ResponseReturnValue]) -> Callable[..., ResponseReturnValue]:
    @wraps(view)
    def called_with_ids(**values: Any) -> ResponseReturnValue:
        owned = g.owned = {}
        if "project_id" in values:
            owned["project"] = get_project(current_user.id, values.pop("project_id"))
        if "post_id" in values:
            owned["post"] = get_post(owned["project"], values.pop("post_id"))
        return view(**values, **owned)

    return called_with_ids


def _guard() -> ResponseReturnValue | None:
    # Read the form before the first query: a slow client must not keep a transaction open.
    _ = request.form
    if not current_user.is_authenticated and request.endpoint not in PUBLIC:
        if unsent.holds_text():
            return unsent.page()
        return redirect(url_for("auth.sign_in", next=_way_back()))
    try:
        csrf.protect()
    except CSRFError:
        if unsent.holds_text():
            return unsent.page()
        raise
    return None


def _way_back() -> str | None:
    """Return the path to lead to after signing in: of a form, that of the page that it is on."""
    if request.endpoint in SECRET_QUERIES:
        return None
    if request.method == "GET":
        return request.full_path.removesuffix("?")
    return local_path(path_here(request.referrer))
