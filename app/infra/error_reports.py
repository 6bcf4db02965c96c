"""Reports of unforeseen errors to a Sentry, if SENTRY_DSN is set. Its SDK is loaded only then.

A report is what the log says of an error, without local variables, headers, bodies and the lines before it.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any, Final

from app.config import Settings
from app.infra.hosts import split_url
from app.infra.http.client import PRODUCT, Fetcher
from app.infra.http.response import FetchPolicy
from app.infra.log_lines import unavailable_server

_SECONDS: Final = 10.0
_MOST_BYTES: Final = 65_536
_FLUSH_SECONDS: Final = 3.0
_HIDDEN: Final = "(hidden)"
# Addresses may have passwords; the others are our own keys, and the secrets of webhooks and sessions.
_SECRET: Final = re.compile(r"\S+://\S+|seo_live_\S+|whsec_\S+|(?i:bearer|basic) [\w.~+/=-]{8,}")
_KEY: Final = re.compile(r"//[^/@]*@")

_is_on = False


@dataclass(frozen=True)
class _Answer:
    """A response as Sentry's SDK reads it."""

    status: int
    headers: Mapping[str, str]
    data: bytes

    def close(self) -> None:
        """Do nothing: the response has been read."""


def set_up(settings: Settings) -> None:
    """Report what is logged as an error from now on. A second call changes nothing."""
    global _is_on
    if settings.sentry_dsn is None or _is_on:
        return
    sentry = import_module("sentry_sdk")
    logged = import_module("sentry_sdk.integrations.logging")
    at_end = import_module("sentry_sdk.integrations.atexit")
    sentry.init(
        settings.sentry_dsn,
        transport=_transport(settings.sentry_dsn),
        default_integrations=False,
        integrations=[logged.LoggingIntegration(level=None), at_end.AtexitIntegration(lambda *_: None)],
        environment=settings.environment,
        before_send=_Scrubber(settings).scrubbed,
        include_local_variables=False,
        max_breadcrumbs=0,
        send_client_reports=False,
        shutdown_timeout=_FLUSH_SECONDS,
    )
    _is_on = True


def flush() -> None:
    """Wait until what was reported is sent, at most a few seconds. Call it before a process ends at once."""
    if _is_on:
        import_module("sentry_sdk").flush(_FLUSH_SECONDS)


def _transport(dsn: str) -> type[Any]:
    place = split_url(_KEY.sub("//", dsn))
    # The operator chose the server: its address may be private, for these requests alone.
    own = frozenset({(place.host.text, place.port)} if place.host.is_address else ())
    policy = FetchPolicy(f"{PRODUCT}/1.0", allow=own, total_seconds=_SECONDS, max_bytes=_MOST_BYTES)
    base: Any = import_module("sentry_sdk.transport").BaseHttpTransport

    class Transport(base):  # type: ignore[misc]
        def _make_pool(self) -> Fetcher:
            return Fetcher(policy)

        def _request(self, method: str, endpoint_type: Any, body: bytes, headers: dict[str, str]) -> _Answer:
            answer = self._pool.request(method, self._auth.get_api_url(endpoint_type), body, headers)
            return _Answer(answer.status, answer.headers, answer.body)

    return Transport


class _Scrubber:
    """Removes what is secret from reports."""

    def __init__(self, settings: Settings) -> None:
        values = (getattr(settings, each.name) for each in fields(settings) if each.metadata["is_secret"])
        self._secrets = sorted((value for value in values if value), key=len, reverse=True)

    def scrubbed(self, event: dict[str, Any], hint: Mapping[str, Any]) -> dict[str, Any] | None:
        """Return the event without secrets, None for a database or a Redis that is unavailable.

        Such an outage would be reported with every request; the metrics show it.
        """
        if unavailable_server(hint.get("exc_info")) is not None:
            return None
        extra = event.pop("extra", {})
        event.setdefault("tags", {})["request_id"] = extra.get("request_id")
        event.get("logentry", {}).pop("params", None)
        cleaned: dict[str, Any] = self._clean(event)
        return cleaned

    def _clean(self, value: Any) -> Any:
        if isinstance(value, str):
            for secret in self._secrets:
                value = value.replace(secret, _HIDDEN)
            return _SECRET.sub(_HIDDEN, value)
        if isinstance(value, dict):
            return {key: self._clean(each) for key, each in value.items()}
        if isinstance(value, list):
            return [self._clean(each) for each in value]
        return value
