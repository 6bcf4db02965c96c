"""The interactive reference: a small page with the Swagger UI files of an installed package."""

from pathlib import Path
from typing import Final

import flask_swagger_ui
from flask import Blueprint, Response, make_response, redirect, render_template, send_from_directory
from flask.typing import ResponseReturnValue
from werkzeug.exceptions import NotFound

blueprint = Blueprint("api_docs", __name__)

CONTENT_SECURITY_POLICY: Final = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_ASSETS: Final = ("swagger-ui.css", "swagger-ui-bundle.js")
_FOLDER: Final = Path(flask_swagger_ui.__file__).parent / "dist"


@blueprint.get("/api/docs")
def show() -> Response:
    response = make_response(render_template("swagger_ui.html"))
    response.headers["Content-Security-Policy"] = CONTENT_SECURITY_POLICY
    response.headers["X-Content-Type-Options"] = "nosniff"
    return response


@blueprint.get("/api/docs/assets/<name>")
def asset(name: str) -> Response:
    """Serve a file of the reference."""
    if name not in _ASSETS:
        raise NotFound
    return send_from_directory(_FOLDER, name, max_age=86_400)


@blueprint.get("/public-api/docs")
def legacy_docs() -> ResponseReturnValue:
    return redirect("/api/docs")


@blueprint.get("/public-api/openapi.json")
def legacy_openapi() -> ResponseReturnValue:
    return redirect("/api/openapi.json")
