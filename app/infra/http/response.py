"""Responses of outbound requests: bodies read under limits, and the client's exceptions as FetchError."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.infra.http.address_rules import AllowedPairs
from app.infra.http.connection import Resolver, Watchdog, system_resolver
from app.infra.http.content_coding import decoded
from app.infra.http.errors import FetchError, FetchErrorKind

if TYPE_CHECKING:
    from urllib3.response import BaseHTTPResponse

_CHUNK = 65536
_CERTIFICATE: Final = "The certificate of the host is not valid."
_CERTIFICATES: Final[Mapping[int, str]] = {
    9: "The certificate of the host is not valid yet.",
    10: "The certificate of the host has expired.",
    18: "The certificate of the host is self-signed.",
    19: "The certificate of the host is self-signed.",
    20: "The certificate of the host is incomplete, or from an issuer that is not trusted.",
    21: "The certificate of the host is incomplete, or from an issuer that is not trusted.",
    62: "The certificate of the host is for another name.",
    64: "The certificate of the host is for another name.",
}
"""What OpenSSL found in a certificate (X509_V_ERR_…), in words."""


@dataclass(frozen=True)
class FetchPolicy:
    """The limits of a fetcher. Times are in seconds; ``max_bytes`` counts before and after decompression.

    A body times out when reading it has taken ``read_timeout`` and its rate is below ``slowest`` bytes a
    second. ``resolver`` looks up the addresses of a name; each address is checked afterwards.
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
    """A whole response in memory. Header names are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    url: str


class Response:
    """An open response. Use it inside the with block of ``Fetcher.get``; ``url`` is that after redirects."""

    def __init__(self, raw: BaseHTTPResponse, url: str, policy: FetchPolicy, watchdog: Watchdog) -> None:
        self.status = 200 if raw.status == 203 else raw.status  # 203: 200 behind a proxy (RFC 9110, 15.3.4)
        # A repeated header is joined to one list, so that no X-Robots-Tag is overlooked.
        self.headers: Mapping[str, str] = {name.lower(): value for name, value in raw.headers.itermerged()}
        self.url = url
        # Only a framed body shows whether it was cut off (RFC 9112, 6.3 and 8).
        self.is_framed = raw.chunked or raw.length_remaining is not None
        self._raw = raw
        self._policy = policy
        self._watchdog = watchdog

    def each(self, name: str) -> list[str]:
        """Return the values of a header, one for each time it was sent."""
        return list(self._raw.headers.getlist(name))

    def chunks(self) -> Iterator[bytes]:
        """Yield the decompressed body. Raises FetchError if it is cut off, too large, too slow or stopped."""
        return decoded(self._wire(), self.headers.get("content-encoding", ""), self._policy.max_bytes)

    def read(self) -> bytes:
        """Return the whole body. Raises FetchError as ``chunks`` does."""
        return b"".join(self.chunks())

    def _wire(self) -> Iterator[bytes]:
        """Yield the body's bytes as they arrive, one receive at a time, so that a slow server is noticed."""
        total, waited = 0, 0.0
        while True:
            if self._policy.should_stop is not None and self._policy.should_stop():
                raise FetchError(FetchErrorKind.STOPPED, "The request was stopped.")
            started = time.monotonic()
            with translated_errors(self._watchdog):
                piece = self._raw.read1(_CHUNK)
            self._watchdog.check()
            if not piece:
                return
            waited += time.monotonic() - started
            total += len(piece)
            if waited > self._policy.read_timeout and total < waited * self._policy.slowest:
                raise FetchError(FetchErrorKind.TIMEOUT, "The response came too slowly.")
            if total > self._policy.max_bytes:
                raise FetchError(
                    FetchErrorKind.TOO_LARGE, f"The response is over {self._policy.max_bytes} bytes."
                )
            yield piece


@contextmanager
def translated_errors(watchdog: Watchdog, *, sent: bool = True) -> Iterator[None]:
    """Raise FetchError, with our own message, for what urllib3, http.client or the socket raises."""
    import urllib3

    try:
        yield
    except FetchError:
        raise
    except (urllib3.exceptions.HTTPError, http.client.HTTPException, OSError, ValueError) as error:
        watchdog.check()
        kind, message = _kind(error, sent)
        raise FetchError(kind, message, sent=sent) from error


def _kind(error: Exception, sent: bool) -> tuple[FetchErrorKind, str]:
    import urllib3

    # The exception, what it wraps, and what it was raised from.
    causes = (error, *error.args, error.__cause__, error.__context__)
    certificate = next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if certificate is not None:
        return FetchErrorKind.CERTIFICATE, _CERTIFICATES.get(certificate.verify_code, _CERTIFICATE)
    if isinstance(error, urllib3.exceptions.NewConnectionError):  # before its base, ConnectTimeoutError
        return FetchErrorKind.REFUSED, "The host did not accept the connection."
    if not sent and isinstance(error, TimeoutError | urllib3.exceptions.ConnectTimeoutError):
        return FetchErrorKind.CONNECT_TIMEOUT, "The host did not accept a connection in time."
    if isinstance(error, urllib3.exceptions.SSLError | ssl.SSLError):
        return FetchErrorKind.TLS, "A secure connection could not be established."
    if isinstance(error, TimeoutError | urllib3.exceptions.ReadTimeoutError):
        return FetchErrorKind.TIMEOUT, "The host did not respond in time."
    if not sent:
        return FetchErrorKind.REFUSED, "The host did not accept the connection."
    if isinstance(error, urllib3.exceptions.ProtocolError | ConnectionError) or any(
        isinstance(cause, http.client.IncompleteRead) for cause in causes
    ):
        return FetchErrorKind.TRUNCATED, "The connection ended before the response was complete."
    return FetchErrorKind.PROTOCOL, "The host's response is not valid HTTP."
