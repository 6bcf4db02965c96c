"""Errors of outbound requests. Imports no HTTP client, so that pure modules can use them."""

from enum import StrEnum


class FetchErrorKind(StrEnum):
    """Why a request did not return a complete response."""

    DNS = "dns"
    REFUSED = "refused"
    CONNECT_TIMEOUT = "connect_timeout"
    TIMEOUT = "timeout"
    TLS = "tls"
    CERTIFICATE = "certificate"
    REDIRECT = "redirect"
    TOO_LARGE = "too_large"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    PROTOCOL = "protocol"
    STOPPED = "stopped"


class FetchError(Exception):
    """A request that failed, was refused or was cut off.

    ``message`` may be shown to a customer: it contains the host at most, never a query, header or IP address.
    ``sent`` is False if the request certainly did not reach the server.
    """

    def __init__(self, kind: FetchErrorKind, message: str, *, sent: bool = True) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.sent = sent
