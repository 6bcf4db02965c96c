"""FETCH_ALLOW opens one address and one port, and nothing beside them."""

from __future__ import annotations

import pytest

from app.infra.http.errors import FetchErrorKind
from tests.infra.conftest import Serve, Server, redirect, whole
from tests.support.ssrf import Door

OTHER_SPELLINGS = [
    "localhost", "127.1", "127.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.01", "0", "0.0.0.0",
    "127.0.0.2", "127.0.1.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
    "user@127.0.0.1", "shop.example.com", "127.0.0.1.nip.example.com", "localtest.example.com",
]  # fmt: skip


@pytest.mark.parametrize("host", OTHER_SPELLINGS)
def test_only_the_address_itself_opens_its_pair(door: Door, canary: Server, host: str) -> None:
    door.open_for(("127.0.0.1", canary.port))
    door.refuses([f"http://{host}:{canary.port}/"])


def test_another_port_of_an_allowed_address_is_refused(door: Door, serve: Serve, canary: Server) -> None:
    there = serve(whole(b"there"))
    door.open_for(("127.0.0.1", there.port))
    door.refuses([canary.url, "http://127.0.0.1/", "https://127.0.0.1/", f"http://127.0.0.1:{there.port}0/"])
    assert door.get(there.url) == b"there"


def test_the_same_port_of_another_address_is_refused(door: Door, serve: Serve) -> None:
    there = serve(whole(b"there"))
    beside = Server(lambda connection, _: connection.sendall(whole(b"x")), place=("127.0.0.2", there.port))
    try:
        door.open_for(("127.0.0.1", there.port))
        door.refuses([f"http://127.0.0.2:{there.port}/"])
        assert door.get(there.url) == b"there"
        assert beside.connections == 0
    finally:
        beside.close()


@pytest.mark.parametrize("pairs", [[("127.0.0.1", 80)], [("127.0.0.1", 80), ("127.0.0.1", 443)]])
def test_a_name_is_refused_even_when_its_address_and_port_are_allowed(
    door: Door, pairs: list[tuple[str, int]]
) -> None:
    door.open_for(*pairs)
    assert door.failure("http://shop.example.com/") is FetchErrorKind.BLOCKED
    assert door.failure("https://shop.example.com/") is FetchErrorKind.BLOCKED
    assert door.names.asked == ["shop.example.com"] * 2
    assert door.attempts == []


def test_an_allowed_pair_may_send_on_to_another_and_to_nothing_else(
    door: Door, serve: Serve, canary: Server
) -> None:
    there = serve(whole(b"there"))
    first, wrong = serve(redirect(there.url)), serve(redirect(canary.url))
    door.open_for(*(("127.0.0.1", server.port) for server in (there, first, wrong)))
    assert door.get(first.url) == b"there"
    assert door.failure(wrong.url) is FetchErrorKind.BLOCKED
