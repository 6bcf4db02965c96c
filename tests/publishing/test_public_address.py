"""The public address after publishing: opened once, and a remark if readers do not get the post."""

from __future__ import annotations

import pytest

from app.infra.http.client import Fetcher
from app.infra.http.response import FetchPolicy
from app.publishing.public_address import PublicAddress, open_once
from tests.support.servers import SiteServer

PRIVATE = "is the site private?"


def opened(site: SiteServer, path: str) -> PublicAddress:
    host, _, port = site.address.partition(":")
    return open_once(site.url + path, Fetcher(FetchPolicy("tests", allow=frozenset({(host, int(port))}))))


def test_a_post_that_readers_get_needs_no_remark(site: SiteServer) -> None:
    site.serve("/notes/", "A page")
    site.serve("/notes", status=301, headers={"Location": "/notes/"})
    assert opened(site, "/notes") == PublicAddress(200, None)
    assert [request.headers.get("authorization") for request in site.requests] == [None, None]


@pytest.mark.parametrize(
    ("status", "words"), [(401, PRIVATE), (403, PRIVATE), (404, "answered 404."), (503, "503")]
)
def test_another_status_is_remarked_on(site: SiteServer, status: int, words: str) -> None:
    site.serve("/notes/", status=status)
    public = opened(site, "/notes/")
    assert public.status == status
    assert words in (public.remark or "")
    assert len(site.requests) == 1


@pytest.mark.parametrize("place", ["/wp-login.php?redirect_to=x", "/private/?r=%2Fnotes%2F", "/sign-in"])
def test_a_page_to_sign_in_is_remarked_on(site: SiteServer, place: str) -> None:
    site.serve("/notes/", status=302, headers={"Location": place})
    site.serve(place, "A form")
    assert PRIVATE in (opened(site, "/notes/").remark or "")


def test_an_address_that_may_not_be_called_is_a_remark_and_no_error() -> None:
    public = open_once("http://127.0.0.1:9/notes/", Fetcher(FetchPolicy("tests")))
    assert public.status is None
    assert "could not be opened" in (public.remark or "")
