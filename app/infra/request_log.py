"""One line of the log for each request of the API and the dashboard."""

import logging
import time
from typing import Final
from urllib.parse import quote

from flask import Flask, Response, g, request

from app.infra.log_lines import FACTS

_QUIET: Final = ("/health/", "/assets/", "/static/", "/metrics", "/favicon.ico")
"""Addresses that are asked for all the time, or along with a page: their lines would hide the others."""

_log = logging.getLogger(__name__)


def init_app(app: Flask) -> None:
    app.after_request(_log_request)


def _log_request(response: Response) -> Response:
    if request.path.startswith(_QUIET) and response.status_code < 500:
        return response
    taken = (time.perf_counter() - g.started) * 1000 if "started" in g else 0.0
    # Quoted, because line breaks in a path would forge log lines. Queries may have secrets.
    path = quote(request.path)
    facts = {"method": request.method, "path": path, "status": response.status_code, "ms": round(taken)}
    _log.info("%s %s %s %.0f ms", request.method, path, response.status_code, taken, extra={FACTS: facts})
    return response
