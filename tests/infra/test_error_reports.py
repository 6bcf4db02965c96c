"""Unforeseen errors are reported to Sentry by setting, through a real SDK and a receiver on the loopback."""

from __future__ import annotations

import gzip
import json
import logging
from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

import pytest
from flask import Flask
from redis.exceptions import ConnectionError

from app.config import load_settings
from app.infra import error_reports, logs
from tests.support.environment import DEFAULTS, settings_environment
from tests.support.servers import Reply, SiteServer

Report = dict[str, Any]
PATH = "/api/7/envelope/"
_log = logging.getLogger("hives")


@pytest.fixture
def reported(app: Flask, site: SiteServer) -> Iterator[Callable[[], list[Report]]]:
    """Call it for the reports that were sent so far."""
    site.routes[PATH] = Reply(200, {"Content-Type": "application/json"}, b"{}")
    dsn = f"http://a-public-key@{site.address}/7"
    error_reports.set_up(load_settings(settings_environment(SENTRY_DSN=dsn, LLM_API_KEY="sk-hidden-word")))

    def sent() -> list[Report]:
        error_reports.flush()
        return [_event(request.body) for request in site.requests_for(PATH)]

    yield sent
    import sentry_sdk

    sentry_sdk.init()
    error_reports._is_on = False


def unpacked(body: bytes) -> bytes:
    """Return what was sent; where Brotli is installed, Sentry packs reports with it."""
    if body.startswith(b"\x1f\x8b"):
        return gzip.decompress(body)
    unpack: Callable[[bytes], bytes] = import_module("brotli").decompress
    return unpack(body)


def _event(body: bytes) -> Report:
    _envelope, _item, event, *_ = unpacked(body).split(b"\n")
    found: Report = json.loads(event)
    return found


def fails(secret: str) -> None:
    """Log an error as the service does, with a secret in its message and in a variable."""
    kept = f"redis://:{secret}@redis.example.com"
    try:
        raise LookupError(f"no such queue at {kept}")
    except LookupError:
        _log.exception("job %s: %s", 12, kept)


def test_an_error_is_reported_with_its_traceback_and_its_request(
    reported: Callable[[], list[Report]],
) -> None:
    with logs.on_behalf_of("req-1"):
        fails("open-word")
    [report] = reported()
    [error] = report["exception"]["values"]
    assert error["type"] == "LookupError"
    assert error["value"] == "no such queue at (hidden)"
    assert error["stacktrace"]["frames"][-1]["function"] == "fails"
    assert report["logentry"] == {"message": "job %s: %s", "formatted": "job 12: (hidden)"}
    assert (report["tags"]["request_id"], report["environment"]) == ("req-1", "test")


def test_no_secret_is_in_a_report(reported: Callable[[], list[Report]]) -> None:
    fails("open-word")
    _log.error(
        "keys sk-hidden-word, seo_live_abc, whsec_abc, Bearer abcdefghijkl and %s", DEFAULTS["SECRET_KEY"]
    )
    sent = json.dumps(reported())
    hidden = (
        "open-word",
        "sk-hidden-word",
        "seo_live_abc",
        "whsec_abc",
        "abcdefghijkl",
        DEFAULTS["SECRET_KEY"],
    )
    assert [word for word in hidden if word in sent] == []
    assert sent.count("(hidden)") >= 7


def test_outages_and_lesser_lines_are_not_reported(reported: Callable[[], list[Report]]) -> None:
    _log.warning("Redis is unavailable")
    try:
        raise ConnectionError("refused")
    except ConnectionError:
        _log.exception("a request failed")
    assert reported() == []


def test_an_error_of_a_page_is_reported_with_the_id_of_its_answer(
    app: Flask, reported: Callable[[], list[Report]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(app.view_functions, "health.live", lambda: 1 / 0)
    monkeypatch.setitem(app.config, "PROPAGATE_EXCEPTIONS", False)
    answer = app.test_client().get("/health/live", headers={"X-Request-ID": "req-2"})
    assert answer.status_code == 500
    [report] = reported()
    assert report["tags"]["request_id"] == "req-2"
    assert report["exception"]["values"][0]["type"] == "ZeroDivisionError"


@pytest.mark.parametrize("dsn", ["sentry.example.com/1", "https://sentry.example.com/1", "https://a@b/c"])
def test_what_is_no_dsn_is_refused(dsn: str) -> None:
    with pytest.raises(Exception, match="SENTRY_DSN must be a DSN such as"):
        load_settings(settings_environment(SENTRY_DSN=dsn))
