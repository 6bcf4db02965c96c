"""Only the public internet may be requested, and exactly listed pairs."""

from __future__ import annotations

import pytest

from app.failures import ServiceFailure
from app.infra.http.address_rules import Endpoint, check_url, is_public, is_reachable

ALLOW = frozenset({("127.0.0.1", 8099), ("::1", 8099)})


@pytest.mark.parametrize(
    "address",
    ["8.8.8.8", "1.1.1.1", "93.184.216.34", "2606:4700::1111", "2a00:1450:4001:80b::200e"],
)
def test_public_addresses_are_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "192.0.0.9", "192.0.0.171", "192.88.99.1", "198.18.0.1", "203.0.113.1", "224.0.0.1", "240.0.0.1",
        "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:8.8.8.8", "64:ff9b::a00:1", "fe80::1",
        "fe80::1%eth0", "fc00::1", "fec0::1", "ff02::1", "2001::1", "2001:db8::1", "2002:7f00:1::", "3fff::1",
        "2606:4700::1111%1", "nonsense", "",
    ],
)  # fmt: skip
def test_private_and_special_addresses_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("https://example.com", Endpoint("https", "example.com", 443, "/", False, "example.com")),
        ("HTTP://Example.COM.:80/a?b#c", Endpoint("http", "example.com", 80, "/a?b", False, "example.com")),
        (
            "https://bücher.de/ü",
            Endpoint("https", "xn--bcher-kva.de", 443, "/%C3%BC", False, "xn--bcher-kva.de"),
        ),
        ("http://8.8.8.8:443/", Endpoint("http", "8.8.8.8", 443, "/", True, "8.8.8.8:443")),
        (
            "http://[2606:4700:0::1111]/",
            Endpoint("http", "2606:4700::1111", 80, "/", True, "[2606:4700::1111]"),
        ),
        ("http://127.0.0.1:8099/x", Endpoint("http", "127.0.0.1", 8099, "/x", True, "127.0.0.1:8099")),
        ("http://[::1]:8099/x", Endpoint("http", "::1", 8099, "/x", True, "[::1]:8099")),
    ],
)
def test_an_acceptable_url_returns_its_endpoint(url: str, endpoint: Endpoint) -> None:
    assert check_url(url, ALLOW) == endpoint


@pytest.mark.parametrize(
    "url",
    [
        "", "example.com", "ftp://example.com/", "file:///etc/passwd", "javascript:alert(1)", "https://",
        "https://user@example.com/", "https://user:secret@example.com/", "https://@example.com/",
        "https://example.com\\@evil.com/", "https://exam\tple.com/", "https://example.com/\r\nHost: x",
        "https://example.com/a b", "https://localhost/", "https://intranet/", "https://app.localhost/",
        "https://printer.local/", "https://metadata.google.internal/", "https://x.test/", "https://x.onion/",
        "https://1.0.0.127.in-addr.arpa/", "https://example.com:8080/", "https://example.com:0/",
        "https://example.com:99999/", "http://127.0.0.1/", "http://127.0.0.1:8098/", "http://127.0.0.2:8099/",
        "http://127.1:8099/", "http://2130706433/", "http://0x7f.0.0.1/", "http://0177.0.0.1/",
        "http://[::ffff:127.0.0.1]:8099/", "http://[fe80::1%25eth0]/", "http://[::1]/", "http://169.254.169.254/",
        "http://example.0x1/", "https://-x.example.com/", "https://a..example.com/", "https://exa%6dple.com/",
        "https://" + "a" * 64 + ".com/", "https://example.com/" + "a" * 2048, "http://①②⑦.⓪.⓪.①/",
        "http://localhost:8099/",
    ],
)  # fmt: skip
def test_any_other_url_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ServiceFailure) as refusal:
        check_url(url, ALLOW)
    assert refusal.value.failure.code == "URL_NOT_ALLOWED"
    assert "secret" not in refusal.value.failure.message


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("https://example.com/" + "a" * 2029, "The URL is over 2048 characters."),
        ("https://example.com/a b", "The URL contains a space, a control character or a backslash."),
        ("ftp://example.com/", "The URL cannot be used: it is not an http or https URL."),
        ("https://printer/", "The URL's host is not a public name."),
        ("https://example.com:8080/", "Only the standard ports 80 and 443 may be used."),
        ("https://10.0.0.1/", "The URL leads to an address that is not public."),
    ],
)
def test_a_refusal_says_what_is_wrong_with_the_url(url: str, message: str) -> None:
    with pytest.raises(ServiceFailure) as refusal:
        check_url(url, ALLOW)
    assert refusal.value.failure.message == message


def test_the_longest_url_is_accepted() -> None:
    url = "https://example.com/" + "a" * 2028
    assert check_url(url).target == url.removeprefix("https://example.com")


def test_a_name_never_reaches_an_allowed_pair() -> None:
    named = Endpoint("http", "rebound.example.com", 8099, "/", False, "rebound.example.com:8099")
    assert not is_reachable(named, "127.0.0.1", ALLOW)
    assert is_reachable(Endpoint("http", "127.0.0.1", 8099, "/", True, "127.0.0.1:8099"), "127.0.0.1", ALLOW)


@pytest.mark.parametrize(
    ("port", "address", "reachable"),
    [
        (80, "8.8.8.8", True), (443, "2606:4700::1111", True), (8099, "8.8.8.8", False),
        (443, "10.0.0.1", False), (443, "127.0.0.1", False),
    ],
)  # fmt: skip
def test_a_name_reaches_the_standard_ports_of_public_addresses_only(
    port: int, address: str, reachable: bool
) -> None:
    named = Endpoint("https", "example.com", port, "/", False, "example.com")
    assert is_reachable(named, address, ALLOW) is reachable


def test_the_host_header_shows_a_port_only_when_it_is_not_the_schemes_own() -> None:
    assert check_url("https://example.com:443/").host_header == "example.com"
    assert check_url("https://example.com:80/").host_header == "example.com:80"
    assert check_url("http://[::1]:8099/", ALLOW).host_header == "[::1]:8099"
