"""Disguised URLs are refused: numbers, brackets, users, schemes, ports."""

from __future__ import annotations

import pytest

from tests.infra.conftest import Server
from tests.support.ssrf import Outbound

NUMBERS = [
    "2130706433", "017700000001", "0x7f000001", "0X7F000001", "0x7f.1", "127.1", "127.0.1", "0177.0.0.1",
    "0177.0.0.01", "127.0.0.01", "127.000.000.001", "0x7f.0x0.0x0.0x1", "127.0.0.0x1", "0x7f.0.0.1",
    "127.0.0.1.", "127.1.", "0", "00", "0x0", "0x", "0.0", "1.2.3", "1.2.3.4.5", "127.0.0.256",
    "383.0.0.1", "4294967295", "4294967296", "6425673729", "99999999999999999999", "169.254.43518",
    "0xa9fea9fe", "2852039166", "0251.0376.0251.0376", "0xA9.0xFE.0xA9.0xFE", "127.0.0.1..", "127..1",
    ".127.0.0.1", "-127.0.0.1", "127.0.0.1,8.8.8.8", "8.8.8.8;127.0.0.1", "127.0.0.1%2e", "127.0.0.1%00",
    "%31%32%37.0.0.1", "127%2e0%2e0%2e1", "8.8.8.8%2f@127.0.0.1",
    # Other digits and other dots.
    "１２７.０.０.１", "１２７．０．０．１", "127。0。0。1", "127｡0｡0｡1", "①②⑦.⓪.⓪.①", "𝟏𝟐𝟕.𝟎.𝟎.𝟏",
    "127.0.0.１", "2１30706433", "0ｘ7f000001", "¹²⁷.⁰.⁰.¹",
    "127.0.0.1。", "127.0.0.1\u200b", "127.0.0.1\u00ad",
    "\ufeff127.0.0.1", "127.0.0.1\u3000", "127.0.0.1\u2060",
]  # fmt: skip

BRACKETS = [
    "[127.0.0.1]", "[]", "[::1", "::1]", "::1", "[[::1]]", "[::1]]", "[localhost]", "[::1.]", "[::1]x",
    "x[::1]", "[::1].example.com", "example.com[::1]", "[2606:4700::1111]x", "x[2606:4700::1111]",
    "[v1.fe80::1]", "[vF.x]", "[::1%25lo]", "[::1%lo]", "[fe80::1%25eth0]", "[fe80::1%eth0]", "[fe80::1%1]",
    "[2606:4700::1111%25eth0]", "[2606:4700::1111%1]", "[::ffff:127.1]", "[::ffff:0x7f000001]",
    "[::ffff:0177.0.0.1]", "[1::2::3]", "[12345::]", "[::g]", "[::1]@example.com", "[ ::1]", "[：：1]",
    "[0:0:0:0:0:ffff:7f00:1]", "[::１]",
]  # fmt: skip

USERS = [
    "user@127.0.0.1", "user:pass@127.0.0.1", "example.com@127.0.0.1", "example.com:80@127.0.0.1",
    "127.0.0.1@example.com", "user@example.com", "user:pass@example.com", "@example.com", ":@example.com",
    "a%40b@example.com", "a@b@example.com", "example.com＠127.0.0.1", "example.com﹫127.0.0.1",
    "example.com／@127.0.0.1", "127.0.0.1＃.example.com", "127.0.0.1？.example.com", "127.0.0.1：80",
]  # fmt: skip

PIECES = [
    "\t", "\n", "\r", "\r\n", "\0", "\x01", "\x0b", "\x0c", "\x1b", "\x1f", " ", "\x7f",
    "\x80", "\x85", "\xa0",
    "\u2028", "\u2029", "\\", "\ud800", "\udfff",
]  # fmt: skip
PLACES = [
    "{}http://example.com/", "ht{}tp://example.com/", "http:{}//example.com/", "http://{}example.com/",
    "http://example.com{}/", "http://example{}.com/", "http://example.com{}@127.0.0.1/",
    "http://127.0.0.1{}.example.com/", "http://example.com:80{}/", "http://example.com/{}", "http://example.com/a?{}",
    "http://example.com/#{}",
]  # fmt: skip

SCHEMES = [
    "", "/", "//127.0.0.1/", "//example.com/", "127.0.0.1/", "example.com", "http:", "http:/", "http://",
    "http:///", "http:///127.0.0.1/", "http:////127.0.0.1/", "http:127.0.0.1", "http:/127.0.0.1/", "http://?x",
    "http://#x", "http://:80/", "https:127.0.0.1", "ftp://example.com/", "ftps://example.com/",
    "file:///etc/passwd", "file://example.com/etc/passwd", "gopher://example.com:80/_GET", "dict://example.com/",
    "ldap://example.com/", "jar:http://example.com!/", "data:text/html,x", "javascript:alert(1)",
    "ws://example.com/", "wss://example.com/", "unix:/run/docker.sock", "http+unix://%2Frun%2Fdocker.sock/",
    "view-source:http://example.com/", "netdoc:///etc/passwd", "tftp://example.com/", "ssh://example.com/",
    "blob:http://example.com/x", "feed:http://example.com/", "url:http://example.com/", "httpx://example.com/",
    "http&#58;//example.com/", "ｈｔｔｐ://example.com/", "http：//example.com/", "http;//example.com/",
]  # fmt: skip

PORTS = [
    "0", "1", "21", "22", "25", "79", "81", "442", "444", "3306", "5432", "6379", "8000", "8080", "8443",
    "9200", "11211", "65535", "65536", "65616", "99999", "4294967376", "-1", "-80", "+80",
    "8_0", "0x50", "80a",
    "80:80", "８０", "٨٠", "⁸⁰", "80%20", "6379/../80",
]  # fmt: skip


@pytest.mark.parametrize("host", [*NUMBERS, *BRACKETS, *USERS])
def test_a_disguised_host_is_refused(outbound: Outbound, canary: Server, host: str) -> None:
    outbound.allow_pairs(("127.0.0.99", canary.port))
    outbound.refuses([f"http://{host}/", f"https://{host}/a?b#c", f"http://{host}:{canary.port}/"])


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("piece", PIECES)
def test_control_characters_and_backslashes_are_refused_everywhere(
    outbound: Outbound, canary: Server, piece: str, place: str
) -> None:
    outbound.allow_pairs(("127.0.0.99", canary.port))
    outbound.refuses([place.format(piece)])


@pytest.mark.parametrize("url", SCHEMES)
def test_a_text_that_is_no_http_url_is_refused(outbound: Outbound, canary: Server, url: str) -> None:
    outbound.allow_pairs(("127.0.0.99", canary.port))
    outbound.refuses([url])


@pytest.mark.parametrize("port", PORTS)
def test_a_public_host_is_reached_on_the_standard_ports_only(outbound: Outbound, port: str) -> None:
    outbound.refuses(
        [f"http://example.com:{port}/", f"https://8.8.8.8:{port}/", f"http://[2606:4700::1111]:{port}/"]
    )


def test_an_address_of_2049_characters_is_refused(outbound: Outbound) -> None:
    outbound.refuses(["http://example.com/" + "a" * 2030])
