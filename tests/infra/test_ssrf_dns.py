"""Whatever a name resolves to, private addresses are never requested, and it is resolved once."""

from __future__ import annotations

import threading
from collections.abc import Sequence

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.response import FetchPolicy
from tests.infra.conftest import Serve, Server, redirect
from tests.support.ssrf import PUBLIC, PUBLIC6, Answers, Outbound

NAME = "shop.example.com"

PRIVATE = [
    "0.0.0.0", "10.0.0.5", "100.64.0.1", "127.0.0.1", "127.8.8.8", "169.254.169.254", "172.20.0.2",
    "168.63.129.16", "192.0.0.8", "192.168.1.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255",
    "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b:1::1",
    "2002:7f00:1::", "2001::1", "fc00::1", "fd00:ec2::254", "fe80::1", "fe80::1%lo", "fec0::1", "ff02::1",
    PUBLIC6 + "%eth0",
]  # fmt: skip

NO_ADDRESSES = [
    "",
    " ",
    "nonsense",
    "127.1",
    "0x7f.1",
    "2130706433",
    "127.0.0.1 ",
    "127.0.0.1\0",
    "[::1]",
    "8.8.8.8:80",
]

MIXED: dict[str, Sequence[str]] = {
    "public first": [PUBLIC, "127.0.0.1"],
    "private first": ["127.0.0.1", PUBLIC],
    "private between": [PUBLIC, "10.0.0.1", "93.184.216.35"],
    "private after what is tried": [PUBLIC] * 3 + ["127.0.0.1"],
    "IPv4 public, IPv6 loopback": [PUBLIC, "::1"],
    "IPv6 public, IPv4 loopback": [PUBLIC6, "127.0.0.1"],
    "IPv6 public, IPv6 private": [PUBLIC6, "fd00::1"],
    "one of many": [f"93.184.216.{n}" for n in range(1, 255)] + ["169.254.169.254"],
    "many private": [f"10.0.{n // 250}.{n % 250}" for n in range(4000)],
    "public and unspecified": [PUBLIC, "0.0.0.0"],
    "public and mapped": [PUBLIC, f"::ffff:{PUBLIC}"],
    "public and nonsense": [PUBLIC, "nonsense"],
    "only IPv6, private": ["fd00::1", "fe80::1"],
}

CHAINS: dict[str, dict[str, Answers]] = {
    "another name": {NAME: "other.example.net", "other.example.net": ["127.0.0.1"]},
    "localhost": {NAME: "localhost", "localhost": ["127.0.0.1", "::1"]},
    "a special name": {NAME: "metadata.google.internal", "metadata.google.internal": ["169.254.169.254"]},
    "many names": {NAME: "a0.example.net",
    **{f"a{n}.example.net": f"a{n + 1}.example.net" for n in range(15)},
                   "a15.example.net": ["192.168.0.1"]},
    "a name with a public address too": {NAME: "both.example.net", "both.example.net": [PUBLIC, "10.1.1.1"]},
}  # fmt: skip


@pytest.mark.parametrize("scheme", ["http", "https"])
@pytest.mark.parametrize("address", [*PRIVATE, *NO_ADDRESSES])
def test_a_name_with_a_private_address_is_refused(
    outbound: Outbound, canary: Server, address: str, scheme: str
) -> None:
    outbound.names.zone[NAME] = [address]
    assert outbound.failure(f"{scheme}://{NAME}/") is FetchErrorKind.BLOCKED
    assert (outbound.names.asked, outbound.attempts) == ([NAME], [])


@pytest.mark.parametrize("answer", MIXED.values(), ids=MIXED)
def test_one_private_address_among_others_is_enough_to_refuse(
    outbound: Outbound, canary: Server, answer: Sequence[str]
) -> None:
    outbound.names.zone[NAME] = answer
    assert outbound.failure(f"http://{NAME}/") is FetchErrorKind.BLOCKED
    assert outbound.attempts == []


@pytest.mark.parametrize("zone", CHAINS.values(), ids=CHAINS)
def test_an_alias_is_checked_by_its_final_addresses(
    outbound: Outbound, canary: Server, zone: dict[str, Answers]
) -> None:
    outbound.names.zone.update(zone)
    assert outbound.failure(f"http://{NAME}/") is FetchErrorKind.BLOCKED
    assert outbound.attempts == []


@pytest.mark.parametrize("answer", [[], OSError("no such name")], ids=["empty", "error"])
def test_a_name_without_an_address_is_a_dns_failure(outbound: Outbound, answer: Answers) -> None:
    outbound.names.zone[NAME] = answer
    assert outbound.failure(f"http://{NAME}/") is FetchErrorKind.DNS
    assert outbound.attempts == []


def test_a_name_that_resolves_too_late_is_a_dns_failure_and_never_connected(
    outbound: Outbound, canary: Server
) -> None:
    late, answered = threading.Event(), threading.Event()

    def slow(_host: str, _port: int) -> list[str]:
        late.wait(10)
        answered.set()
        return ["127.0.0.1"]

    fetcher = Fetcher(FetchPolicy("Test/1", connect_timeout=0.1, resolver=slow))
    with pytest.raises(FetchError) as error, fetcher.get(f"http://{NAME}/"):
        pass
    assert (error.value.kind, error.value.sent) == (FetchErrorKind.DNS, False)
    late.set()
    assert answered.wait(10)
    assert outbound.attempts == []


def test_a_name_is_resolved_once(outbound: Outbound, canary: Server) -> None:
    answers = iter([[PUBLIC], ["127.0.0.1"], ["127.0.0.1"]])
    outbound.names.zone[NAME] = []

    def rebinding(host: str, _port: int) -> list[str]:
        outbound.names.asked.append(host)
        return next(answers)

    fetcher = Fetcher(FetchPolicy("Test/1", resolver=rebinding))
    kinds = []
    for url in (f"http://{NAME}/", f"http://{NAME}/", f"https://{NAME}/"):
        with pytest.raises(FetchError) as error, fetcher.get(url):
            pass
        kinds.append(error.value.kind)
    assert kinds == [FetchErrorKind.REFUSED, FetchErrorKind.BLOCKED, FetchErrorKind.BLOCKED]
    assert outbound.names.asked == [NAME] * 3
    assert outbound.attempts == [(PUBLIC, 80)]


def test_at_most_three_addresses_of_a_name_are_tried(outbound: Outbound) -> None:
    outbound.names.zone[NAME] = [f"93.184.216.{n}" for n in range(1, 100)]
    assert outbound.failure(f"http://{NAME}/") is FetchErrorKind.REFUSED
    assert outbound.attempts == [(f"93.184.216.{n}", 80) for n in range(1, 4)]


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_a_redirect_to_a_name_with_a_private_address_is_refused(
    outbound: Outbound, serve: Serve, canary: Server, status: int
) -> None:
    server = serve(redirect(f"http://{NAME}/", status))
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.failure(server.url) is FetchErrorKind.BLOCKED
    assert outbound.names.asked == [NAME]
    assert outbound.attempts == [("127.0.0.1", server.port)]
