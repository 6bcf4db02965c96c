"""Normalised URLs, their keys, and the site they belong to."""

from __future__ import annotations

import contextlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.infra import urls
from app.infra.hosts import registrable_domain
from app.infra.urls import InvalidUrl, normalise, readable, same_site, url_key


@pytest.mark.parametrize(
    ("spelling", "normal"),
    [
        ("https://example.com", "https://example.com/"),
        ("HTTPS://EXAMPLE.COM:443/", "https://example.com/"),
        ("http://example.com:80", "http://example.com/"),
        ("http://example.com:443/", "http://example.com:443/"),
        ("http://example.com:/", "http://example.com/"),
        ("https://example.com./", "https://example.com/"),
        ("https://example.com/#top", "https://example.com/"),
        ("https://example.com/?", "https://example.com/"),
        ("https://example.com?a=1", "https://example.com/?a=1"),
        ("https://example.com/a/", "https://example.com/a/"),
        ("https://example.com/A?B=c", "https://example.com/A?B=c"),
        ("https://example.com/a/./b/../c", "https://example.com/a/c"),
        ("https://example.com/a/..", "https://example.com/"),
        ("https://example.com/../../a", "https://example.com/a"),
        ("https://example.com/%2e%2E/a", "https://example.com/a"),
        ("https://example.com/.well-known/x", "https://example.com/.well-known/x"),
        ("https://example.com//a//b", "https://example.com//a//b"),
        ("https://example.com/%7ejoe/%c3%bc", "https://example.com/~joe/%C3%BC"),
        ("https://example.com/~joe/ü", "https://example.com/~joe/%C3%BC"),
        ("https://example.com/a b|c", "https://example.com/a%20b%7Cc"),
        ("https://example.com/100%", "https://example.com/100%25"),
        ("https://example.com/a%2Fb", "https://example.com/a%2Fb"),
        ("https://bücher.de/", "https://xn--bcher-kva.de/"),
        ("https://BÜCHER.de/", "https://xn--bcher-kva.de/"),
        ("https://XN--BCHER-KVA.de/", "https://xn--bcher-kva.de/"),
        ("http://[2606:4700:0:0::1111]:80/", "http://[2606:4700::1111]/"),
        ("http://127.0.0.1:8099/x", "http://127.0.0.1:8099/x"),
        ("  https://example.com/\n", "https://example.com/"),
    ],
)
def test_spellings_of_a_url_are_normalised(spelling: str, normal: str) -> None:
    assert normalise(spelling) == normal
    assert normalise(normal) == normal


@pytest.mark.parametrize(
    "text",
    [
        "", "  ", "example.com", "/a", "mailto:a@b.c", "ftp://example.com/", "javascript:1",
        "http:example.com",
        "https://", "https:///a", "https://user@example.com/", "https://example.com:x/",
        "https://example.com:70000/",
        "https://example.com:0/", "https://exa mple.com/", "https://a..b/", "https://-a.com/", "http://127.1/",
        "http://0x7f000001/", "http://[::1/", "http://[fe80::1%25x]/", "https://xn--a.com/", "https://ex\\ample.com/",
        "https://example.com/a\nb", "https://example.com/\ufffd", "https://example.com/" + "a" * 2048,
        "https://example.com/" + "ü" * 1000, "https://" + "a." * 130 + "com/",
    ],
)  # fmt: skip
def test_a_text_that_is_no_http_url_is_invalid(text: str) -> None:
    with pytest.raises(InvalidUrl):
        normalise(text)


def test_the_longest_url_has_2048_characters() -> None:
    longest = "https://example.com/" + "a" * 2028
    assert normalise(longest) == longest


@pytest.mark.parametrize(
    ("relative", "normal"),
    [
        ("b", "https://example.com/x/b"),
        ("/b", "https://example.com/b"),
        ("../b?c", "https://example.com/b?c"),
        ("//other.com/b", "https://other.com/b"),
        ("?q=1", "https://example.com/x/a?q=1"),
        ("http://other.com", "http://other.com/"),
    ],
)
def test_relative_urls_are_resolved(relative: str, normal: str) -> None:
    assert normalise(relative, "https://example.com/x/a") == normal


_tails = st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), max_size=40)


@given(st.sampled_from(["https://example.com/", "HTTP://Example.com:80", "https://bücher.de/x/"]), _tails)
def test_normalising_twice_changes_nothing(start: str, tail: str) -> None:
    try:
        once = normalise(start + tail)
    except InvalidUrl:
        return
    assert once.isascii()
    assert normalise(once) == once


_hosts = st.sampled_from(
    ["example.com", "a.b-c.example.org", "1.example.net", "xn--bcher-kva.de", "a..b", "-a.b"]
)
_bits = st.sampled_from(
    [*"aZ0-._~!$&'()*+,;=:@/?%#[]|\"", "%20", "%2D", "%2d", "%C3%BC", "%c3", "%7E", "/../"]
)


@given(st.sampled_from(["http://", "https://", "HTTP://"]), _hosts, st.lists(_bits, max_size=12))
def test_the_fast_path_returns_the_same_result(scheme: str, host: str, bits: list[str]) -> None:
    url = f"{scheme}{host}/{''.join(bits)}"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(urls, "_PLAIN", re.compile("(?!)"))
        expected = _outcome(url)
    assert _outcome(url) == expected


def _outcome(url: str) -> str:
    try:
        return normalise(url)
    except InvalidUrl as error:
        return f"invalid: {error.reason}"


@pytest.mark.parametrize(
    "url", ["https://example.com/", "http://a.example.com/b/c?d=e&f", "https://example.com/%C3%BC"]
)
def test_a_normalised_url_takes_the_fast_path(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(urls, "split_url", lambda *_: pytest.fail("the long way"))
    assert normalise(url) == url


@given(st.text(st.sampled_from("abcABC019-._~/"), max_size=30), st.data())
def test_every_spelling_of_a_url_has_the_same_key(path: str, data: st.DataObject) -> None:
    def spelled(character: str) -> str:
        if character == "/" or not data.draw(st.booleans()):
            return character
        code = f"%{ord(character):02x}"
        return code.upper() if data.draw(st.booleans()) else code

    plain = normalise(f"https://example.com/{path}")
    other = normalise("HTTPS://EXAMPLE.com:443/" + "".join(map(spelled, path)) + "#part")
    assert url_key(other) == url_key(plain)
    assert len(url_key(plain)) == 16


@given(st.binary(max_size=60))
def test_no_bytes_raise_another_error(data: bytes) -> None:
    for text in (data.decode("latin-1"), data.decode("utf-8", "replace")):
        for url in (text, f"https://{text}", f"https://example.com/{text}"):
            with contextlib.suppress(InvalidUrl):
                assert normalise(url, "https://example.com/").startswith("http")


@pytest.mark.parametrize(
    ("host", "domain"),
    [
        ("example.com", "example.com"),
        ("a.b.example.co.uk", "example.co.uk"),
        ("alice.github.io", "alice.github.io"),
        ("github.io", None),
        ("com", None),
        ("127.0.0.1", None),
        ("[::1]", None),
        ("www.xn--bcher-kva.de", "xn--bcher-kva.de"),
    ],
)
def test_the_registrable_domain_follows_the_public_suffix_list(host: str, domain: str | None) -> None:
    assert registrable_domain(host) == domain


@pytest.mark.parametrize(
    ("project", "url", "same"),
    [
        ("https://example.com/", "http://blog.example.com/a", True),
        ("https://www.example.com/", "https://example.com/", True),
        ("https://example.com/", "https://notexample.com/", False),
        ("https://example.com/", "https://example.com.evil.net/", False),
        ("https://alice.github.io/", "https://bob.github.io/", False),
        ("https://github.io/", "https://bob.github.io/", False),
        ("http://127.0.0.1:8099/", "http://127.0.0.1:8099/a", True),
        ("http://127.0.0.1:8099/", "http://127.0.0.1:8098/a", False),
        ("http://127.0.0.1:8099/", "http://127.0.0.1/a", False),
        ("http://[::1]:8099/", "http://[::1]:8099/a", True),
        ("http://1.1.1.1/", "http://1.1.1.1/x", True),
        ("http://1.1.1.1/", "https://1.1.1.1/x", False),
        ("http://1.1.1.1:443/", "https://1.1.1.1/x", True),
        ("https://[::1]/", "http://[::1]/x", False),
    ],
)
def test_a_site_is_its_registrable_domain_or_exactly_one_address_and_port(
    project: str, url: str, same: bool
) -> None:
    assert same_site(project, url) is same


@pytest.mark.parametrize(
    ("authority", "expected"),
    [
        ("xn--kaffee-mller-klb.example.org", "kaffee-müller.example.org"),
        ("www.xn--bcher-kva.de:8080", "www.bücher.de:8080"),
        ("example.com:8080", "example.com:8080"),
        ("[::1]:8080", "[::1]:8080"),
        ("xn--.example.org", "xn--.example.org"),
    ],
)
def test_punycode_is_decoded_for_people(authority: str, expected: str) -> None:
    assert readable(authority) == expected
