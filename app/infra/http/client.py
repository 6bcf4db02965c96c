"""The HTTP client: every outbound request is made here, over urllib3's connections.

    check the URL's text → resolve once → require public addresses → connect to one of them
    → read under limits → follow redirects one by one, each checked again

TLS and Host still use the name. There are no proxies, no cookies and no kept connections.
"""

from __future__ import annotations

import http.client
import ssl
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Final

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.http.address_rules import AllowedPairs, Endpoint, check_url
from app.infra.http.connection import Watchdog, resolve
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.redirects import headers_for, redirect_target
from app.infra.http.response import FetchPolicy, Response, SmallResponse, translated_errors

if TYPE_CHECKING:
    from urllib3.connection import HTTPConnection
    from urllib3.response import BaseHTTPResponse

PRODUCT: Final = "seo-content-service"
"""The name by which robots.txt files address this service."""

_ADDRESSES_TRIED: Final = 3


def fetcher_from(
    settings: Settings,
    *,
    total_seconds: float = 120.0,
    max_bytes: int = 64 * 1024 * 1024,
    should_stop: Callable[[], bool] | None = None,
) -> Fetcher:
    """Return a Fetcher that sends the contact page as User-Agent and may reach what FETCH_ALLOW lists."""
    return Fetcher(
        FetchPolicy(
            user_agent=f"{PRODUCT}/1.0 (+{settings.fetch_contact_url})",
            allow=settings.fetch_allow,
            total_seconds=total_seconds,
            max_bytes=max_bytes,
            should_stop=should_stop,
        )
    )


class Fetcher:
    """Makes requests under one policy. Keeps no connection, so it may be shared and forked."""

    def __init__(self, policy: FetchPolicy) -> None:
        self.policy = policy

    @contextmanager
    def get(
        self,
        url: str,
        headers: Mapping[str, str] | None = None,
        *,
        total_seconds: float | None = None,
        before_following: Callable[[str], None] | None = None,
    ) -> Iterator[Response]:
        """Open ``url`` and follow redirects. Returns a response of any status.

        ``before_following`` is called with each redirect's target and may raise to refuse it. When a redirect
        leaves the host, ``headers`` that may be secret are dropped. Raises FetchError.
        """
        policy = self.policy if total_seconds is None else replace(self.policy, total_seconds=total_seconds)
        with Watchdog(policy.total_seconds) as watchdog:
            allowed_headers = headers or {}
            for _ in range(policy.max_redirects + 1):
                with self._open("GET", url, None, allowed_headers, policy, watchdog) as raw:
                    target = redirect_target(url, raw.status, raw.headers.get("Location"))
                    if target is None:
                        yield Response(raw, url, policy, watchdog)
                        return
                if before_following is not None:
                    before_following(target)
                allowed_headers = headers_for(allowed_headers, url, target)
                url = target
        raise FetchError(FetchErrorKind.REDIRECT, f"More than {policy.max_redirects} redirects.")

    def request(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        total_seconds: float | None = None,
        max_bytes: int | None = None,
    ) -> SmallResponse:
        """Send a request and return the whole response. Redirects are not followed. Raises FetchError."""
        policy = replace(
            self.policy,
            total_seconds=self.policy.total_seconds if total_seconds is None else total_seconds,
            max_bytes=self.policy.max_bytes if max_bytes is None else max_bytes,
        )
        with (
            Watchdog(policy.total_seconds) as watchdog,
            self._open(method, url, body, headers or {}, policy, watchdog) as raw,
        ):
            response = Response(raw, url, policy, watchdog)
            return SmallResponse(response.status, response.headers, response.read(), url)

    @contextmanager
    def _open(
        self,
        method: str,
        url: str,
        body: bytes | None,
        headers: Mapping[str, str],
        policy: FetchPolicy,
        watchdog: Watchdog,
    ) -> Iterator[BaseHTTPResponse]:
        endpoint = _checked(url, policy.allow)
        seconds = min(policy.connect_timeout, watchdog.remaining())
        addresses = resolve(endpoint, policy.allow, seconds, policy.resolver)
        connection = self._connect(endpoint, addresses, policy, watchdog)
        own = {"Host": endpoint.host_header, "User-Agent": policy.user_agent, "Accept-Encoding": "gzip"}
        try:
            with Watchdog(min(policy.header_timeout, watchdog.remaining())) as head, translated_errors(head):
                head.watch(connection)
                connection.request(
                    method,
                    endpoint.target,
                    body=body,
                    headers={**headers, **own},
                    preload_content=False,
                    decode_content=False,
                    enforce_content_length=True,
                )
                raw = connection.getresponse()
                head.check()
            yield raw
        finally:
            connection.close()

    def _connect(
        self, endpoint: Endpoint, addresses: list[str], policy: FetchPolicy, watchdog: Watchdog
    ) -> HTTPConnection:
        failed: FetchError | None = None
        for address in addresses[:_ADDRESSES_TRIED]:
            timeout = min(policy.connect_timeout, watchdog.remaining())
            connection = self._connection(endpoint, address, timeout)
            connection.response_class = _FinalResponse
            watchdog.watch(connection)
            try:
                with translated_errors(watchdog, sent=False):
                    connection.connect()
                    watchdog.watch(connection)
                    connection.timeout = policy.read_timeout  # urllib3 sets it on the socket with each step
                    return connection
            except FetchError as error:
                connection.close()
                failed = error
                watchdog.check()
        assert failed is not None  # resolve() never returns an empty list
        raise failed

    def _connection(self, endpoint: Endpoint, address: str, timeout: float) -> HTTPConnection:
        from urllib3.connection import HTTPConnection, HTTPSConnection

        if endpoint.scheme == "http":
            return HTTPConnection(address, endpoint.port, timeout=timeout)
        return HTTPSConnection(
            address,
            endpoint.port,
            timeout=timeout,
            ssl_context=self._tls,
            server_hostname=endpoint.host,
        )

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()


class _FinalResponse(http.client.HTTPResponse):
    """Skips interim responses such as 103 Early Hints (RFC 9110, 15.2)."""

    def begin(self) -> None:
        super().begin()
        while 100 < self.status < 200 and self.status != 101:
            self.headers = None  # type: ignore[assignment]  # begin() does nothing while headers are set
            super().begin()


def _checked(url: str, allow: AllowedPairs) -> Endpoint:
    try:
        return check_url(url, allow)
    except ServiceFailure as refusal:
        raise FetchError(FetchErrorKind.BLOCKED, refusal.failure.message, sent=False) from None
