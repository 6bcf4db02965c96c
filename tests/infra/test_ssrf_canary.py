"""The canary of the other rooms sings: it sees a request that is let through, and one whose guard is gone."""

from __future__ import annotations

import pytest

from app.infra.http import address_rules, connection
from app.infra.http.errors import FetchErrorKind
from tests.infra.conftest import Serve, whole
from tests.support.ssrf import PUBLIC, Door


def test_a_request_that_is_let_through_is_seen(serve: Serve, door: Door) -> None:
    there = serve(whole(b"the secret"))
    door.open_for(("127.0.0.1", there.port))
    assert door.get(f"{there.url}/a") == b"the secret"
    assert (there.connections, len(there.requests)) == (1, 1)
    assert door.attempts == [("127.0.0.1", there.port)]


@pytest.mark.parametrize("url", ["http://127.0.0.1:{port}/", "http://rebound.example.com:{port}/"])
def test_a_request_would_be_seen_if_its_guard_were_gone(
    serve: Serve, door: Door, monkeypatch: pytest.MonkeyPatch, url: str
) -> None:
    there = serve(whole(b"the secret"))
    url = url.format(port=there.port)
    assert door.failure(url) is FetchErrorKind.BLOCKED
    assert (there.connections, door.attempts) == (0, [])
    monkeypatch.setattr(address_rules, "_check_place", lambda *_: None)
    monkeypatch.setattr(connection, "is_reachable", lambda *_: True)
    assert door.get(url) == b"the secret"
    assert len(there.requests) == 1


def test_a_connection_to_a_public_address_is_seen_and_stays_on_the_machine(door: Door) -> None:
    assert door.failure(f"http://{PUBLIC}/") is FetchErrorKind.REFUSED
    assert door.attempts == [(PUBLIC, 80)]
