"""The only door to the outside: safe HTTP over urllib3's connections.

    check the text | resolve once | every address public | connect to it | stream, capped | redirect by hand

The name is kept for TLS and Host. No proxies, no cookies, no connection reuse.
"""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property

import urllib3
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.response import BaseHTTPResponse

from app.failures import ServiceFailure
from app.infra.addresses import AllowedPairs, Endpoint, check_url
from app.infra.content_coding import decoded
from app.infra.fetch_errors import FetchError, FetchErrorKind
from app.infra.redirects import headers_for, redirect_target
from app.infra.wire import Resolver, Watchdog, resolve, system_resolver

__all__ = ["FetchError", "FetchErrorKind", "FetchPolicy", "Fetcher", "Response", "SmallResponse"]

_CHUNK = 65536
_ADDRESSES_TRIED = 3


@dataclass(frozen=True)
class FetchPolicy:
    """What a fetcher may do. Times in seconds; ``max_bytes`` holds before and again after decompression.

    A body is given up when ``read_timeout`` was spent waiting for it and it came slower than ``slowest``, in
    bytes a second. ``resolver`` finds a name's addresses; whatever it answers is judged.
    """

    user_agent: str
    allow: AllowedPairs = frozenset()
    connect_timeout: float = 10.0
    header_timeout: float = 60.0
    read_timeout: float = 30.0
    slowest: int = 512
    total_seconds: float = 120.0
    max_bytes: int = 64 * 1024 * 1024
    max_redirects: int = 5
    should_stop: Callable[[], bool] | None = None
    resolver: Resolver = system_resolver


@dataclass(frozen=True)
class SmallResponse:
    """A whole answer in memory. Header names are lower-case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class Response:
    """An open answer. Use it inside ``Fetcher.get``'s with block; ``url`` is the address after redirects."""

    def __init__(self, raw: BaseHTTPResponse, url: str, policy: FetchPolicy, watchdog: Watchdog) -> None:
        self.status = 200 if raw.status == 203 else raw.status  # 203: a proxy says so (RFC 9110, 15.3.4)
        # A header sent several times is one list: "noindex" in the first X-Robots-Tag counts as well.
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in raw.headers.itermerged()}
        self.url = url
        # Only then does a body that was cut differ from a whole one (RFC 9112, 6.3 and 8).
        self.is_framed = raw.chunked or raw.length_remaining is not None
        self._raw = raw
        self._policy = policy
        self._watchdog = watchdog

    def each(self, name: str) -> list[str]:
        """Return a header's values, one for each time it was sent."""
        return list(self._raw.headers.getlist(name))

    def chunks(self) -> Iterator[bytes]:
        """Yield the decompressed body; raise FetchError when it is cut, too large, too slow or stopped."""
        return decoded(self._wire(), self.headers.get("content-encoding", ""), self._policy.max_bytes)

    def read(self) -> bytes:
        """Return the whole body; raises as ``chunks`` does."""
        return b"".join(self.chunks())

    def _wire(self) -> Iterator[bytes]:
        """Yield the body's bytes as they arrive: one receive a piece, so that a drip cannot hold the loop."""
        total, waited = 0, 0.0
        while True:
            if self._policy.should_stop is not None and self._policy.should_stop():
                raise FetchError(FetchErrorKind.STOPPED, "The request was stopped.")
            asked = time.monotonic()
            with _translated(self._watchdog):
                piece = self._raw.read1(_CHUNK)
            self._watchdog.check()
            if not piece:
                return
            waited += time.monotonic() - asked
            total += len(piece)
            if waited > self._policy.read_timeout and total < waited * self._policy.slowest:
                raise FetchError(FetchErrorKind.TIMEOUT, "The answer came too slowly.")
            if total > self._policy.max_bytes:
                raise FetchError(
                    FetchErrorKind.TOO_LARGE, f"The answer is over {self._policy.max_bytes} bytes."
                )
            yield piece


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
        max_bytes: int | None = None,
        before_following: Callable[[str], None] | None = None,
    ) -> Iterator[Response]:
        """Open ``url``, following redirects, each judged anew. Any status is an answer; the caller judges it.

        ``before_following`` is told each redirect's target before that is asked, and refuses it by raising.
        Credentials in ``headers`` are dropped when a redirect leaves the host. Raises FetchError.
        """
        policy = self._policy(total_seconds, max_bytes)
        with Watchdog(policy.total_seconds) as watchdog:
            sent = headers or {}
            for _ in range(policy.max_redirects + 1):
                with self._open("GET", url, None, sent, policy, watchdog) as raw:
                    target = redirect_target(url, raw.status, raw.headers.get("Location"))
                    if target is None:
                        yield Response(raw, url, policy, watchdog)
                        return
                if before_following is not None:
                    before_following(target)
                sent = headers_for(sent, url, target)
                url = target
        raise FetchError(FetchErrorKind.REDIRECT, f"More than {policy.max_redirects} redirects.")

    def post(
        self,
        url: str,
        body: bytes,
        headers: Mapping[str, str] | None = None,
        *,
        total_seconds: float | None = None,
        max_bytes: int | None = None,
    ) -> SmallResponse:
        """Send ``body`` and return the answer. A redirect is an answer, never followed. Raises FetchError."""
        return self.send("POST", url, body, headers, total_seconds=total_seconds, max_bytes=max_bytes)

    def send(
        self,
        method: str,
        url: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
        *,
        total_seconds: float | None = None,
        max_bytes: int | None = None,
    ) -> SmallResponse:
        """As ``post``, with any method."""
        policy = self._policy(total_seconds, max_bytes)
        with (
            Watchdog(policy.total_seconds) as watchdog,
            self._open(method, url, body, headers or {}, policy, watchdog) as raw,
        ):
            response = Response(raw, url, policy, watchdog)
            return SmallResponse(response.status, response.headers, response.read(), url)

    def _policy(self, total_seconds: float | None, max_bytes: int | None) -> FetchPolicy:
        policy = self.policy
        if total_seconds is not None:
            policy = replace(policy, total_seconds=total_seconds)
        return policy if max_bytes is None else replace(policy, max_bytes=max_bytes)

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
            with Watchdog(min(policy.header_timeout, watchdog.remaining())) as head, _translated(head):
                head.watch(connection)
                connection.request(
                    method, endpoint.target, body=body, headers={**headers, **own},
                    preload_content=False, decode_content=False, enforce_content_length=True,
                )  # fmt: skip
                raw = connection.getresponse()
                head.check()
            yield raw
        finally:
            connection.close()

    def _connect(
        self, endpoint: Endpoint, addresses: list[str], policy: FetchPolicy, watchdog: Watchdog
    ) -> HTTPConnection:
        """Connect to the first address that answers. Raises FetchError of the last that did not."""
        failed: FetchError | None = None
        for address in addresses[:_ADDRESSES_TRIED]:
            timeout = min(policy.connect_timeout, watchdog.remaining())
            connection = self._connection(endpoint, address, timeout)
            connection.response_class = _FinalAnswer
            watchdog.watch(connection)
            try:
                with _translated(watchdog, sent=False):
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
        if endpoint.scheme == "http":
            return HTTPConnection(address, endpoint.port, timeout=timeout)
        return HTTPSConnection(
            address, endpoint.port, timeout=timeout,
            ssl_context=self._tls, server_hostname=endpoint.host,
        )  # fmt: skip

    @cached_property
    def _tls(self) -> ssl.SSLContext:
        return ssl.create_default_context()


class _FinalAnswer(http.client.HTTPResponse):
    """Passes over what a server says before its answer, such as 103 Early Hints (RFC 9110, 15.2)."""

    def begin(self) -> None:
        super().begin()
        while 100 < self.status < 200 and self.status != 101:
            self.headers = None  # type: ignore[assignment]  # or it would take this for begun
            super().begin()


def _checked(url: str, allow: AllowedPairs) -> Endpoint:
    try:
        return check_url(url, allow)
    except ServiceFailure as refusal:
        raise FetchError(FetchErrorKind.BLOCKED, refusal.failure.message, sent=False) from None


@contextmanager
def _translated(watchdog: Watchdog, *, sent: bool = True) -> Iterator[None]:
    """Turn what urllib3, http.client and the socket raise into FetchError, without their words."""
    try:
        yield
    except FetchError:
        raise
    except (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        watchdog.check()
        kind, message = _kind(error, sent)
        raise FetchError(kind, message, sent=sent) from error


def _kind(error: Exception, sent: bool) -> tuple[FetchErrorKind, str]:
    causes = (error, error.__cause__, error.__context__)
    if isinstance(error, urllib3.exceptions.NewConnectionError):  # before its base, ConnectTimeoutError
        return FetchErrorKind.REFUSED, "The host did not accept the connection."
    if not sent and isinstance(error, TimeoutError | urllib3.exceptions.ConnectTimeoutError):
        return FetchErrorKind.CONNECT_TIMEOUT, "The host did not accept a connection in time."
    if isinstance(error, urllib3.exceptions.SSLError | ssl.SSLError):
        return FetchErrorKind.TLS, "A secure connection could not be established."
    if isinstance(error, TimeoutError | urllib3.exceptions.ReadTimeoutError):
        return FetchErrorKind.TIMEOUT, "The host did not answer in time."
    if not sent:
        return FetchErrorKind.REFUSED, "The host did not accept the connection."
    if isinstance(error, urllib3.exceptions.ProtocolError | ConnectionError) or any(
        isinstance(cause, http.client.IncompleteRead) for cause in causes
    ):
        return FetchErrorKind.TRUNCATED, "The connection ended before the answer was whole."
    return FetchErrorKind.PROTOCOL, "The host's answer is not valid HTTP."
