"""What can go wrong on the wire. Kept apart so that pure modules can name it without an HTTP client."""

from __future__ import annotations

from enum import StrEnum


class FetchErrorKind(StrEnum):
    """Why a request did not give a whole answer."""

    DNS = "dns"
    REFUSED = "refused"
    CONNECT_TIMEOUT = "connect_timeout"
    TIMEOUT = "timeout"
    TLS = "tls"
    REDIRECT = "redirect"
    TOO_LARGE = "too_large"
    TRUNCATED = "truncated"
    BLOCKED = "blocked"
    PROTOCOL = "protocol"
    STOPPED = "stopped"


class FetchError(Exception):
    """A request that failed, was refused or was cut short.

    ``message`` may be shown to a customer: it names the host at most, never a query, header or address.
    ``sent`` is False when the request certainly never reached the other side.
    """

    def __init__(self, kind: FetchErrorKind, message: str, *, sent: bool = True) -> None:
        super().__init__(message)
        self.kind = kind
        self.message = message
        self.sent = sent
