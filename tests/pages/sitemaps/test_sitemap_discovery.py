"""Searching a site for its sitemap, and telling a missing sitemap from an unreachable site."""

from __future__ import annotations

import codecs
import gzip
import threading

import pytest

from app.config import Settings, load_settings
from app.failures import Failure, ServiceFailure
from app.pages.sitemaps.discovery import discover
from tests.support.environment import settings_environment
from tests.support.servers import Reply, SiteServer
from tests.support.sites import html, urlset

PLACES = ["/robots.txt", "/sitemap.xml", "/sitemap_index.xml"]


@pytest.fixture
def settings(site: SiteServer) -> Settings:
    return load_settings(settings_environment(FETCH_ALLOW=site.address))


def found(settings: Settings, site: SiteServer, path: str = "/") -> str | None:
    return discover(settings, site.url + path, should_stop=lambda: False)


def refusal(settings: Settings, site: SiteServer) -> Failure:
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE") as caught:
        found(settings, site)
    return caught.value.failure


def test_the_sitemap_that_robots_txt_names_is_found(settings: Settings, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /x\nSitemap: /maps/pages.xml\n")
    address = site.serve("/maps/pages.xml", urlset([f"{site.url}/a"]))
    site.serve("/sitemap.xml", urlset([f"{site.url}/b"]))
    assert found(settings, site) == address


@pytest.mark.parametrize(
    ("answers", "place"),
    [
        ({"a": 200, "b": 200}, "/robots.txt"),
        ({"a": 200, "b": 503}, "/robots.txt"),
        ({"a": 200, "b": 404}, "/a.xml"),
        ({"a": 404, "b": 200}, "/b.xml"),
        ({"a": 200, "b": 404, "c": 404, "d": 404, "e": 404, "f": 404}, "/robots.txt"),
        ({"a": 404, "b": 404}, "/sitemap.xml"),
    ],
)
def test_a_robots_txt_that_may_name_several_sitemaps_is_the_sitemap(
    settings: Settings, site: SiteServer, answers: dict[str, int], place: str
) -> None:
    site.serve("/robots.txt", "".join(f"Sitemap: /{name}.xml\n" for name in answers))
    site.serve("/sitemap.xml", urlset([f"{site.url}/home"]))
    for name, status in answers.items():
        site.serve(f"/{name}.xml", urlset([f"{site.url}/{name}"]) if status == 200 else "", status=status)
    assert found(settings, site) == site.url + place


def test_a_sitemap_that_robots_txt_names_may_take_longer_than_a_guess(
    settings: Settings, site: SiteServer
) -> None:
    made = threading.Event()
    site.serve("/robots.txt", "Sitemap: /large.xml\n")
    site.routes["/large.xml"] = Reply(body=urlset([f"{site.url}/a"]).encode(), hold=made)
    threading.Timer(1.5, made.set).start()
    assert discover(settings, site.url, should_stop=lambda: False, seconds=1) == f"{site.url}/large.xml"


@pytest.mark.parametrize("place", ["/sitemap.xml", "/sitemap_index.xml"])
def test_a_sitemap_in_a_usual_place_is_found(settings: Settings, site: SiteServer, place: str) -> None:
    address = site.serve(place, urlset([f"{site.url}/a"]))
    assert found(settings, site) == address


@pytest.mark.parametrize("path", ["/docs/", "/docs", "/docs/index.html", "/docs/start.php?page=1"])
def test_a_site_that_is_a_folder_of_its_host_has_its_own_sitemap(
    settings: Settings, site: SiteServer, path: str
) -> None:
    site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    address = site.serve("/docs/sitemap.xml", urlset([f"{site.url}/docs/a"]))
    assert found(settings, site, path) == address


def test_a_folder_without_a_sitemap_has_that_of_its_host(settings: Settings, site: SiteServer) -> None:
    address = site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    assert found(settings, site, "/docs/") == address


def test_a_sitemap_that_robots_txt_names_but_that_does_not_exist_is_skipped(
    settings: Settings, site: SiteServer
) -> None:
    site.serve("/robots.txt", "Sitemap: /gone.xml\nSitemap: http://127.0.0.1:1/inside.xml\n")
    address = site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    assert found(settings, site) == address


def test_a_web_page_in_a_sitemaps_place_is_no_sitemap(settings: Settings, site: SiteServer) -> None:
    for place in ("/robots.txt", "/sitemap.xml", "/sitemap_index.xml"):
        site.serve(place, html("Welcome", "Every address shows this page."))
    assert found(settings, site) is None


@pytest.mark.parametrize(
    "said",
    [
        b"Not found",
        b'{"error":"not found"}',
        b"<title>404</title><p>Gone",
        b"<!doctype html><title>404</title><p>Gone",
        b"<!-- " + b"x" * 600 + b" --><html><body>404</body></html>",
        b'<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><p>See https://example.com/</p></html>',
        b"\n<html><p>No feed: <rss version='2.0'></p></html>",
        gzip.compress(b"<html>404</html>"),
        gzip.compress(b"Not found")[:-9],
        b"\x1f\x8bno gzip",
        b"See https://example.com/",
        b"<" * 100_000,
        b"",
    ],
    ids=["words", "json", "title", "doctype", "long-comment", "xhtml", "feed-in-page", "packed", "packed-cut",
         "packed-wrong", "address-in-words", "long", "nothing"],
)  # fmt: skip
def test_a_site_that_answers_200_for_every_address_hides_no_sitemap(
    settings: Settings, site: SiteServer, said: bytes
) -> None:
    site.serve("/sitemap.xml", said)
    address = site.serve("/sitemap_index.xml", urlset([f"{site.url}/a"]))
    assert found(settings, site) == address


@pytest.mark.parametrize(
    "sitemap",
    [
        b'<?xml version="1.0"?><!-- made by an <html> plugin -->\n<urlset></urlset>',
        b"<!-- " + b"x" * 9000 + b" --><urlset/>",
        b"Warning: something in sitemap.php\n<sitemapindex></sitemapindex>",
        b"<rss version='2.0'></rss>",
        b"<rdf:RDF xmlns='http://purl.org/rss/1.0/'></rdf:RDF>",
        b"<sm:urlset xmlns:sm='http://www.sitemaps.org/schemas/sitemap/0.9'></sm:urlset>",
        codecs.BOM_UTF8 + b"\r\nHTTPS://example.com/a\n",
        codecs.BOM_UTF16_LE + "http://example.com/a\n".encode("utf-16-le"),
        "<?xml version='1.0' encoding='utf-16'?><urlset></urlset>".encode("utf-16-be"),
        gzip.compress(gzip.compress(b"<urlset></urlset>")),
        gzip.compress(b"http://example.com/a\n"),
    ],
    ids=["html-in-comment", "long-comment", "warning", "rss", "rdf", "prefix", "text", "text-utf16", "utf16",
         "packed-twice", "packed-text"],
)  # fmt: skip
def test_a_document_that_begins_as_a_sitemap_is_found(
    settings: Settings, site: SiteServer, sitemap: bytes
) -> None:
    address = site.serve("/sitemap.xml", sitemap)
    assert found(settings, site) == address


def test_a_site_that_answers_but_has_none_has_no_sitemap(settings: Settings, site: SiteServer) -> None:
    assert found(settings, site) is None
    assert [request.path for request in site.requests] == PLACES


def test_a_site_that_does_not_answer_is_unreachable(settings: Settings, site: SiteServer) -> None:
    site.close()
    failed = refusal(settings, site)
    assert (failed.kind.retryable, failed.kind.fix_required) == (True, False)
    assert "did not accept the connection" in failed.message
    assert failed.details == {
        "looked_at": site.url, "reason": "The host did not accept the connection.",
        "unanswered": [f"{site.url}{place}" for place in PLACES],
    }  # fmt: skip


@pytest.mark.parametrize("silent", PLACES)
@pytest.mark.parametrize("answer", [Reply(hang_up=True), Reply(500), Reply(502), Reply(429)])
def test_one_request_without_an_answer_makes_the_site_unreachable(
    settings: Settings, site: SiteServer, silent: str, answer: Reply
) -> None:
    site.routes[silent] = answer
    failed = refusal(settings, site)
    assert failed.details is not None
    assert failed.details["unanswered"] == [f"{site.url}{silent}"]


@pytest.mark.parametrize("silent", ["/robots.txt", "/sitemap.xml"])
def test_a_sitemap_is_found_beside_a_request_without_an_answer(
    settings: Settings, site: SiteServer, silent: str
) -> None:
    site.routes[silent] = Reply(hang_up=True)
    address = site.serve("/sitemap_index.xml", urlset([f"{site.url}/a"]))
    assert found(settings, site) == address


def test_a_named_sitemap_that_does_not_answer_may_be_one(settings: Settings, site: SiteServer) -> None:
    site.serve("/robots.txt", "Sitemap: /maps.xml\n")
    site.routes["/maps.xml"] = Reply(hang_up=True)
    failed = refusal(settings, site)
    assert failed.details is not None
    assert failed.details["unanswered"] == [f"{site.url}/maps.xml"]


def test_a_busy_site_is_searched_again_after_the_time_it_named(settings: Settings, site: SiteServer) -> None:
    site.serve("/robots.txt", status=503, headers={"Retry-After": "60"})
    site.serve("/sitemap.xml", status=429, headers={"Retry-After": "7200"})
    failed = refusal(settings, site)
    assert failed.details is not None
    assert failed.details["retry_after_seconds"] == 7200


def test_a_place_that_robots_txt_names_is_requested_once(settings: Settings, site: SiteServer) -> None:
    site.serve("/robots.txt", "Sitemap: /sitemap.xml\n")
    assert found(settings, site) is None
    assert len(site.requests_for("/sitemap.xml")) == 1


def test_a_stopped_search_does_not_report_a_missing_sitemap(settings: Settings, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset([f"{site.url}/a"]))
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        discover(settings, site.url, should_stop=lambda: True)
