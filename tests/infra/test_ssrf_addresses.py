"""Addresses in special ranges are never requested, in any spelling."""

from __future__ import annotations

import pytest

from app.infra.http.address_rules import check_url, is_public
from tests.infra.conftest import Server
from tests.support.ssrf import Outbound

IPV4 = [
    "0.0.0.0", "0.1.2.3", "0.255.255.255",  # this network
    "10.0.0.0", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1",
    "192.168.255.255",  # private
    "100.64.0.1", "100.100.100.200", "100.127.255.255",  # behind a carrier's NAT; one cloud's metadata
    "127.0.0.1", "127.0.0.2", "127.1.2.3", "127.255.255.254",  # loopback
    "169.254.0.1", "169.254.169.254", "169.254.170.2", "169.254.255.255",  # link-local; metadata
    "168.63.129.16",  # one cloud's own agent on every machine
    "192.0.0.1", "192.0.0.8", "192.0.0.9", "192.0.0.170", "192.0.0.192",  # protocol assignments
    "192.0.2.1", "198.51.100.1", "203.0.113.255",  # documentation
    "192.88.99.1",  # 6to4 relays
    "198.18.0.1", "198.19.255.255",  # benchmarks
    "224.0.0.1", "233.252.0.1", "239.255.255.250",  # multicast
    "240.0.0.1", "250.1.2.3", "255.255.255.254", "255.255.255.255",  # reserved, broadcast
]  # fmt: skip

IPV6 = [
    "::", "::1", "::2", "0:0:0:0:0:0:0:1", "0000:0000:0000:0000:0000:0000:0000:0001", "::0001",
    "::ffff:127.0.0.1", "::ffff:7f00:1", "::FFFF:7F00:0001", "0:0:0:0:0:ffff:127.0.0.1",
    "::ffff:169.254.169.254", "::ffff:a9fe:a9fe", "::ffff:10.0.0.1", "::ffff:8.8.8.8",  # mapped
    "::ffff:0:127.0.0.1", "::ffff:0:7f00:1",  # translated
    "::127.0.0.1", "::7f00:1", "::10.0.0.1",  # compatible
    "64:ff9b::127.0.0.1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::7f00:1",
    "64:ff9b:1:ffff::10.0.0.1",  # NAT64
    "100::1", "100:0:0:1::1",  # discard, dummy
    "2001::1", "2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe",  # Teredo
    "2001:1::1", "2001:2::1", "2001:3::1", "2001:4:112::1", "2001:10::1", "2001:20::1", "2001:30::1",
    "2001:1ff:ffff::1",  # protocol assignments, benchmarks, ORCHID
    "2001:db8::1", "3fff::1", "3fff:fff::1",  # documentation
    "2002:7f00:1::", "2002:a00:1::1", "2002:a9fe:a9fe::1", "2002:c0a8:101::c0a8:101",  # 6to4
    "4000::1", "5f00::1", "8000::1", "e000::1",  # nobody's, segment routing
    "fc00::1", "fd00::1", "fd00:ec2::254", "fdff:ffff::1",  # private; one cloud's metadata
    "fe80::1", "fe80::a9fe:a9fe", "febf::1", "fec0::1", "feff::1",  # link-local, site-local
    "ff01::1", "ff02::1", "ff05::2", "ff0e::1",  # multicast
]  # fmt: skip

NEIGHBOURS = [
    "1.0.0.1", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0", "126.255.255.255", "128.0.0.1",
    "169.253.255.255", "169.255.0.1", "172.15.255.255", "172.32.0.0", "192.0.1.1", "192.167.255.255",
    "192.169.0.0", "198.17.255.255", "198.20.0.0", "223.255.255.254", "2001:200::1", "2001:4860:4860::8888",
    "2003::1", "2606:4700::1111", "2a00:1450:4001::200e", "3ffe:ffff::1",
]  # fmt: skip


@pytest.mark.parametrize("address", IPV4)
def test_a_special_ipv4_address_is_refused(outbound: Outbound, canary: Server, address: str) -> None:
    outbound.allow_pairs(("127.0.0.99", canary.port))
    assert not is_public(address)
    outbound.refuses([f"http://{address}/", f"https://{address}/", f"http://{address}:{canary.port}/"])


@pytest.mark.parametrize("address", IPV6)
def test_a_special_ipv6_address_is_refused(outbound: Outbound, canary: Server, address: str) -> None:
    outbound.allow_pairs(("127.0.0.1", canary.port))
    assert not is_public(address)
    outbound.refuses([f"http://[{address}]/", f"https://[{address}]/", f"http://[{address}]:{canary.port}/"])


@pytest.mark.parametrize("address", NEIGHBOURS)
def test_the_neighbours_of_special_ranges_are_public(address: str) -> None:
    assert is_public(address)
    assert check_url(f"http://[{address}]/" if ":" in address else f"http://{address}/").host == address
