"""Hosts of URLs: names, IP addresses, and what is said of one that is neither."""

from __future__ import annotations

import pytest

from app.infra.hosts import Host, InvalidUrl, is_ip, parse_host, registrable_domain, split_url


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """Hosts are parsed anew, also in a process that has parsed them before a change, as bin/mutants has."""
    parse_host.cache_clear()
    registrable_domain.cache_clear()


@pytest.mark.parametrize(
    ("spelling", "host", "shown"),
    [
        ("Example.com.", Host("example.com"), "example.com"),
        ("bücher.de", Host("xn--bcher-kva.de"), "xn--bcher-kva.de"),
        ("192.0.2.7", Host("192.0.2.7", is_address=True), "192.0.2.7"),
        ("[2001:DB8:0::1]", Host("2001:db8::1", is_address=True), "[2001:db8::1]"),
    ],
)
def test_a_host_is_a_name_or_an_address(spelling: str, host: Host, shown: str) -> None:
    assert parse_host(spelling) == host
    assert str(parse_host(spelling)) == shown
    assert is_ip(shown) is host.is_address


@pytest.mark.parametrize(
    ("spelling", "reason"),
    [
        ("127.1", "an IP address must be written as four decimal numbers"),
        ("0x7f.1", "an IP address must be written as four decimal numbers"),
        ("1.2.3.256", "an IP address must be written as four decimal numbers"),
        ("[::g]", "its IPv6 address is not valid"),
        ("[fe80::1%eth0]", "its IPv6 address is not valid"),
        ("a..b", "its host name is not valid"),
        ("-a.example", "its host name is not valid"),
        ("xn--a.example", "its host name is not valid"),
        (".".join(["a" * 63] * 4), "its host name is not valid"),
    ],
)
def test_what_is_no_host_is_named_as_what_it_is(spelling: str, reason: str) -> None:
    with pytest.raises(InvalidUrl) as refused:
        parse_host(spelling)
    assert refused.value.reason == reason


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("ftp://example.com/", "it is not an http or https URL"),
        ("https://alice@example.com/", "it contains a user name or password"),
        ("https://example.com:x/", "its host or port is not valid"),
        ("https://example.com:0/", "its port is not valid"),
        ("https://example.com:65536/", "its port is not valid"),
    ],
)
def test_what_is_wrong_with_a_url_is_said(url: str, reason: str) -> None:
    with pytest.raises(InvalidUrl) as refused:
        split_url(url)
    assert (refused.value.reason, str(refused.value)) == (reason, reason)


def test_the_port_of_a_scheme_is_left_out() -> None:
    ports = [
        split_url(f"{scheme}://example.com:{port}/") for scheme in ("http", "HTTPS") for port in (80, 443)
    ]
    assert [parts.authority for parts in ports] == [
        "example.com", "example.com:443", "example.com:80", "example.com",
    ]  # fmt: skip
    assert split_url("https://[::1]:8443/a?b#c").authority == "[::1]:8443"


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("www.example.co.uk", "example.co.uk"),
        ("co.uk", None),
        ("192.0.2.7", None),
        ("[2001:db8::1]", None),
    ],
)
def test_a_registrable_domain_is_one_below_a_public_suffix(host: str, domain: str | None) -> None:
    assert registrable_domain(host) == domain
