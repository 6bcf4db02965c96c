"""FETCH_ALLOW allows exact pairs of address and port only."""

from __future__ import annotations

import pytest

from app.infra.http.errors import FetchErrorKind
from tests.infra.conftest import Serve, Server, redirect, whole
from tests.support.ssrf import Outbound

OTHER_SPELLINGS = [
    "localhost", "127.1", "127.0.1", "2130706433", "0x7f000001", "0177.0.0.1", "127.0.0.01", "0", "0.0.0.0",
    "127.0.0.2", "127.0.1.1", "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]",
    "user@127.0.0.1", "shop.example.com", "127.0.0.1.nip.example.com", "localtest.example.com",
]  # fmt: skip


@pytest.mark.parametrize("host", OTHER_SPELLINGS)
def test_an_allowed_pair_applies_to_the_address_itself_only(
    outbound: Outbound, canary: Server, host: str
) -> None:
    outbound.allow_pairs(("127.0.0.1", canary.port))
    outbound.refuses([f"http://{host}:{canary.port}/"])


def test_another_port_of_an_allowed_address_is_refused(
    outbound: Outbound, serve: Serve, canary: Server
) -> None:
    there = serve(whole(b"there"))
    outbound.allow_pairs(("127.0.0.1", there.port))
    outbound.refuses(
        [canary.url, "http://127.0.0.1/", "https://127.0.0.1/", f"http://127.0.0.1:{there.port}0/"]
    )
    assert outbound.get(there.url) == b"there"


def test_the_same_port_of_another_address_is_refused(outbound: Outbound, serve: Serve) -> None:
    there = serve(whole(b"there"))
    beside = Server(lambda connection, _: connection.sendall(whole(b"x")), place=("127.0.0.2", there.port))
    try:
        outbound.allow_pairs(("127.0.0.1", there.port))
        outbound.refuses([f"http://127.0.0.2:{there.port}/"])
        assert outbound.get(there.url) == b"there"
        assert beside.connections == 0
    finally:
        beside.close()


@pytest.mark.parametrize("pairs", [[("127.0.0.1", 80)], [("127.0.0.1", 80), ("127.0.0.1", 443)]])
def test_a_name_is_refused_even_when_its_address_and_port_are_allowed(
    outbound: Outbound, pairs: list[tuple[str, int]]
) -> None:
    outbound.allow_pairs(*pairs)
    assert outbound.failure("http://shop.example.com/") is FetchErrorKind.BLOCKED
    assert outbound.failure("https://shop.example.com/") is FetchErrorKind.BLOCKED
    assert outbound.names.asked == ["shop.example.com"] * 2
    assert outbound.attempts == []


def test_an_allowed_pair_may_redirect_only_to_another_allowed_pair(
    outbound: Outbound, serve: Serve, canary: Server
) -> None:
    there = serve(whole(b"there"))
    first, wrong = serve(redirect(there.url)), serve(redirect(canary.url))
    outbound.allow_pairs(*(("127.0.0.1", server.port) for server in (there, first, wrong)))
    assert outbound.get(first.url) == b"there"
    assert outbound.failure(wrong.url) is FetchErrorKind.BLOCKED
