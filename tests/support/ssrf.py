"""Outbound requests under test: a resolver with its own zone, and all connections recorded."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import pytest

from app.failures import ServiceFailure
from app.infra.http.address_rules import AllowedPairs, check_url
from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.response import FetchPolicy

Answers = Sequence[str] | str | OSError
PUBLIC = "93.184.216.34"
PUBLIC6 = "2606:4700::1111"


class Names:
    """A resolver with a zone of its own: addresses, an alias, or an error.

    ``asked`` are the names it was asked for. A name that is not in the zone is on the loopback.
    """

    def __init__(self, zone: Mapping[str, Answers] | None = None) -> None:
        self.zone = dict(zone or {})
        self.asked: list[str] = []

    def __call__(self, host: str, port: int) -> Sequence[str]:
        self.asked.append(host)
        answer = self.zone.get(host, ["127.0.0.1"])
        while isinstance(answer, str):
            answer = self.zone[answer]
        if isinstance(answer, OSError):
            raise answer
        return answer


@dataclass
class Outbound:
    """The HTTP client with test settings. ``attempts`` are the connections that the process tried."""

    attempts: list[tuple[str, int]]
    names: Names = field(default_factory=Names)
    allow: AllowedPairs = frozenset()

    def allow_pairs(self, *pairs: tuple[str, int]) -> None:
        """Allow these pairs in addition to public addresses."""
        self.allow = frozenset(pairs)

    def get(self, url: str) -> bytes:
        """Return the response's body."""
        with self._fetcher().get(url) as response:
            return response.read()

    def post(self, url: str) -> bytes:
        """Return the body of the response to a POST."""
        return self._fetcher().request("POST", url, b"{}").body

    def failure(self, url: str) -> FetchErrorKind:
        """Return how the request, which has to fail, fails."""
        with pytest.raises(FetchError) as error:
            self.get(url)
        return error.value.kind

    def refuses(self, urls: Iterable[str]) -> None:
        """Check that each URL is refused by its text, by the API and by the client, without any request."""
        for url in urls:
            with pytest.raises(ServiceFailure) as refusal:
                check_url(url, self.allow)
            assert refusal.value.failure.code == "URL_NOT_ALLOWED"
            assert self.failure(url) is FetchErrorKind.BLOCKED
            with pytest.raises(FetchError) as error:
                self.post(url)
            assert (error.value.kind, error.value.sent) == (FetchErrorKind.BLOCKED, False)
        assert self.names.asked == []
        assert self.attempts == []

    def _fetcher(self) -> Fetcher:
        return Fetcher(
            FetchPolicy(
                "Test/1",
                allow=self.allow,
                connect_timeout=2.0,
                total_seconds=5.0,
                max_bytes=10_000,
                resolver=self.names,
            )
        )
