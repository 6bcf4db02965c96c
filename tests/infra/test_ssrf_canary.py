"""The canary of the SSRF tests works: it sees an allowed request, and one whose guards are removed."""

from __future__ import annotations

import pytest

from app.infra.http import address_rules, connection
from app.infra.http.errors import FetchErrorKind
from tests.infra.conftest import Serve, whole
from tests.support.ssrf import PUBLIC, Outbound


def test_the_canary_sees_an_allowed_request(serve: Serve, outbound: Outbound) -> None:
    there = serve(whole(b"the secret"))
    outbound.allow_pairs(("127.0.0.1", there.port))
    assert outbound.get(f"{there.url}/a") == b"the secret"
    assert (there.connections, len(there.requests)) == (1, 1)
    assert outbound.attempts == [("127.0.0.1", there.port)]


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://rebound.example.com:{port}/"])
def test_the_canary_sees_a_request_when_the_guards_are_removed(
    serve: Serve, outbound: Outbound, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    there = serve(whole(b"the secret"))
    url = url.format(port=there.port)
    assert outbound.failure(url) is FetchErrorKind.BLOCKED
    assert (there.connections, outbound.attempts) == (0, [])
    monkeypatch.setattr(address_rules, "_check_place", lambda *_: None)
    monkeypatch.setattr(connection, "is_reachable", lambda *_: True)
    assert outbound.get(url) == b"the secret"
    assert len(there.requests) == 1


def test_connections_to_public_addresses_are_recorded_and_blocked(outbound: Outbound) -> None:
    assert outbound.failure(f"http://{PUBLIC}/") is FetchErrorKind.REFUSED
    assert outbound.attempts == [(PUBLIC, 80)]
