"""A public site cannot redirect to private addresses."""

from __future__ import annotations

import pytest

from app.infra.http.errors import FetchError, FetchErrorKind
from app.infra.http.redirects import redirect_target
from tests.infra.conftest import OK, Serve, Server, redirect, whole
from tests.support.ssrf import Outbound

STATUSES = [301, 302, 303, 307, 308]

PRIVATE = [
    "http://127.0.0.1:{port}/", "http://127.0.0.1/", "HTTP://127.0.0.1:{port}", "//127.0.0.1:{port}/",
    "http://127.1:{port}/", "http://2130706433:{port}/", "http://0x7f000001:{port}/", "http://017700000001:{port}/",
    "http://0177.0.0.1:{port}/", "http://0:{port}/", "http://0.0.0.0:{port}/", "http://127.0.0.2:{port}/",
    "http://localhost:{port}/", "//localhost:{port}", "http://LOCALHOST.:{port}/", "http://app.localhost:{port}/",
    "http://[::1]:{port}/", "http://[::]:{port}/", "http://[::ffff:127.0.0.1]:{port}/",
    "http://[::ffff:7f00:1]:{port}/", "http://[::127.0.0.1]:{port}/", "http://[64:ff9b::7f00:1]/",
    "http://[2002:7f00:1::]/", "http://[fe80::1%25lo]:{port}/", "http://[fd00:ec2::254]/latest/meta-data/",
    "http://user@127.0.0.1:{port}/", "http://user:pw@127.0.0.1:{port}/", "http://example.com@127.0.0.1:{port}/",
    "http://169.254.169.254/latest/meta-data/", "http://metadata.google.internal/", "http://10.0.0.1/",
    "http://192.168.0.1/", "http://100.100.100.200/", "http://168.63.129.16/", "http://１２７.０.０.１:{port}/",
    "http://127。0。0。1:{port}/", "ht\ttp://127.0.0.1:{port}/", "http:/\t/127.0.0.1:{port}/",
    "http://127.0.0.1\t:{port}/", "  http://127.0.0.1:{port}/  ", "https://127.0.0.1:{port}/",
    "http://example.com:{port}/", "http://example.com:6379/", "http://example.com:22/", "http://intranet/",
    "http://printer.local/", "ftp://127.0.0.1:{port}/", "gopher://127.0.0.1:{port}/_x", "file:///etc/passwd",
    "javascript:alert(1)", "data:text/plain,x", "http://:80/",
]  # fmt: skip

NO_REDIRECTS = [
    redirect("{url}", 300), redirect("{url}", 304), redirect("{url}", 305), redirect("{url}", 306),
    redirect("{url}", 309), redirect("{url}", 201), redirect("{url}", 200), redirect("{url}", 401),
    redirect("{url}", 503), whole(b"there", "Refresh: 0; url={url}"), whole(b"there",
    "Content-Location: {url}"),
    whole(b"there", 'Alt-Svc: h2="127.0.0.1:{port}"'), whole(b"there", "Link: <{url}>; rel=preload"),
    whole(b'<meta http-equiv="refresh" content="0; url={url}">', "Content-Type: text/html"),
    whole(b'<base href="{url}"><img src="{url}"><iframe src="{url}">', "Content-Type: text/html"),
]  # fmt: skip


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("location", PRIVATE)
def test_a_redirect_to_a_private_host_is_refused(
    outbound: Outbound, serve: Serve, canary: Server, location: str, status: int
) -> None:
    server = serve(redirect(location.format(port=canary.port), status))
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.failure(server.url) is FetchErrorKind.BLOCKED
    assert outbound.attempts == [("127.0.0.1", server.port)]
    assert outbound.names.asked == []


@pytest.mark.parametrize("location", ["/\\127.0.0.1:{port}/", "\\\\127.0.0.1:{port}/",
"http:\\\\127.0.0.1:{port}/",
                                      "/a b\\c", "\\"])  # fmt: skip
def test_a_redirect_with_a_backslash_is_refused(
    outbound: Outbound, serve: Serve, canary: Server, location: str
) -> None:
    server = serve(redirect(location.format(port=canary.port)))
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.failure(server.url) is FetchErrorKind.BLOCKED
    assert outbound.attempts == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("location", ["///127.0.0.1:{port}/", "////127.0.0.1:{port}/", "/127.0.0.1:{port}/",
                                      "http:127.0.0.1:{port}/", "127.0.0.1:{port}",
                                      "http://", "http:///"])  # fmt: skip
def test_a_redirect_that_only_looks_like_another_host_stays_on_its_own(
    outbound: Outbound, serve: Serve, canary: Server, location: str
) -> None:
    server = serve(redirect(location.format(port=canary.port)))
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.failure(server.url) in (FetchErrorKind.REDIRECT, FetchErrorKind.BLOCKED)
    assert set(outbound.attempts) == {("127.0.0.1", server.port)}


@pytest.mark.parametrize("location", ["http://[", "http://[::1", "//[::1", "http://::1]/", "http://[x]y/"])
def test_a_redirect_that_is_not_well_formed_is_refused(
    outbound: Outbound, serve: Serve, canary: Server, location: str
) -> None:
    server = serve(redirect(location))
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.failure(server.url) in (FetchErrorKind.REDIRECT, FetchErrorKind.BLOCKED)
    assert outbound.attempts == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("hops", [1, 2, 4])
def test_every_redirect_is_checked(outbound: Outbound, serve: Serve, canary: Server, hops: int) -> None:
    last = serve(redirect(canary.url))
    chain = [last]
    for _ in range(hops):
        chain.append(serve(redirect(chain[-1].url)))
    outbound.allow_pairs(*(("127.0.0.1", server.port) for server in chain))
    assert outbound.failure(chain[-1].url) is FetchErrorKind.BLOCKED
    assert [server.connections for server in chain] == [1] * len(chain)


def test_two_location_headers_do_not_bypass_the_check(
    outbound: Outbound, serve: Serve, canary: Server
) -> None:
    two = redirect("/own").replace(b"\r\n\r\n", f"\r\nLocation: {canary.url}\r\n\r\n".encode(), 1)
    server = serve(two)
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.failure(server.url) in (FetchErrorKind.BLOCKED, FetchErrorKind.REDIRECT)
    assert set(outbound.attempts) == {("127.0.0.1", server.port)}


@pytest.mark.parametrize("answer", NO_REDIRECTS)
def test_other_responses_are_not_followed(
    outbound: Outbound, serve: Serve, canary: Server, answer: bytes
) -> None:
    body = answer.replace(b"{url}", canary.url.encode()).replace(b"{port}", str(canary.port).encode())
    server = serve(OK + b"\r\n" + body.partition(b"\r\n\r\n")[2] if b"Content-Type" in answer else body)
    outbound.allow_pairs(("127.0.0.1", server.port))
    outbound.get(server.url)
    assert outbound.attempts == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("status", STATUSES)
def test_a_post_is_never_redirected(outbound: Outbound, serve: Serve, canary: Server, status: int) -> None:
    server = serve(redirect(canary.url, status))
    outbound.allow_pairs(("127.0.0.1", server.port))
    outbound.post(server.url)
    assert outbound.attempts == [("127.0.0.1", server.port)]


@pytest.mark.parametrize("status", STATUSES)
@pytest.mark.parametrize("location", ["http://example.com/", "HTTP://example.com/", "ht\ttp://example.com/",
                                      "http:///", "ftp://example.com/", "http:a",
                                      "javascript:1"])  # fmt: skip
def test_https_never_redirects_to_http(status: int, location: str) -> None:
    with pytest.raises(FetchError) as error:
        redirect_target("https://example.com/a", status, location)
    assert error.value.kind is FetchErrorKind.REDIRECT


def test_the_environments_proxies_are_not_used(
    outbound: Outbound, serve: Serve, canary: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, canary.url)
    server = serve(whole(b"there"))
    outbound.allow_pairs(("127.0.0.1", server.port))
    assert outbound.get(server.url) == b"there"
    assert outbound.attempts == [("127.0.0.1", server.port)]
