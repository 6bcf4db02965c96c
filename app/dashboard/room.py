"""What every blueprint of the dashboard has in common: who may come in, and how refusals look."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from flask import Blueprint, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from flask_wtf.csrf import CSRFProtect
from werkzeug.routing import IntegerConverter, Map

from app.dashboard import errors
from app.failures import ServiceFailure
from app.infra.db import LARGEST_ID

csrf: Final = CSRFProtect()

PUBLIC: Final = frozenset({"auth.sign_in", "auth.sign_up"})
"""The only views that a signed-out person may see."""


class RowId(IntegerConverter):
    """The id of a row in an address; what no row can have is not found."""

    def __init__(self, map: Map) -> None:
        super().__init__(map, min=1, max=LARGEST_ID)


def room(name: str, prefix: str | None = None) -> Blueprint:
    """Return a blueprint whose views are for signed-in people and whose POSTs carry the page's token."""
    blueprint = Blueprint(name, f"app.dashboard.{name}", url_prefix=prefix)
    blueprint.before_request(_guard)
    blueprint.register_error_handler(ServiceFailure, errors.show_refusal)
    return blueprint


def _guard() -> ResponseReturnValue | None:
    # The form is taken in before the database is asked: a slow sender must not hold a transaction open.
    _ = request.form
    if not current_user.is_authenticated and request.endpoint not in PUBLIC:
        wanted = request.full_path.rstrip("?") if request.method == "GET" else None
        return redirect(url_for("auth.sign_in", next=wanted))
    csrf.protect()
    return None


def local_path(wanted: str | None) -> str | None:
    """Return ``wanted`` when it is a path of this site, else None: no redirect leads anywhere else."""
    if not wanted or not wanted.startswith("/") or "\\" in wanted or not wanted.isprintable():
        return None
    parts = urlsplit(wanted)
    return wanted if not parts.scheme and not parts.netloc and not wanted.startswith("//") else None
