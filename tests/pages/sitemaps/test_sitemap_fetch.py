"""Fetching a sitemap tree from a real server, and finding one."""

from __future__ import annotations

import gzip
import threading
from collections.abc import Callable

import pytest

from app.config import Settings, load_settings
from app.failures import ServiceFailure
from app.pages.sitemaps.fetch import FIRST_PROGRESS, fetch_sitemap
from app.pages.sitemaps.url_buffer import UrlBuffer
from tests.support.environment import settings_environment
from tests.support.servers import Reply, SiteServer
from tests.support.sites import feed, html, index, urlset


@pytest.fixture
def settings(site: SiteServer) -> Settings:
    return load_settings(settings_environment(FETCH_ALLOW=site.address))


def fetch(
    settings: Settings,
    site: SiteServer,
    address: str | None = None,
    *,
    seconds: float = 30,
    should_stop: Callable[[], bool] = lambda: False,
    on_progress: Callable[[int, int], None] = lambda _urls, _children: None,
) -> UrlBuffer:
    address = address or f"{site.url}/sitemap.xml"
    return fetch_sitemap(
        settings, f"{site.url}/", address, seconds=seconds, should_stop=should_stop, on_progress=on_progress
    )


def refusal(settings: Settings, site: SiteServer, address: str | None = None) -> ServiceFailure:
    with pytest.raises(ServiceFailure) as caught:
        fetch(settings, site, address)
    return caught.value


def urls(site: SiteServer, *names: str) -> list[str]:
    return [f"{site.url}/{name}" for name in names]


def test_a_sitemap_gives_its_pages_in_order_with_their_dates(settings: Settings, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset(urls(site, "b", "a"), lastmod="2024-05-01T10:00:00+02:00"))
    buffer = fetch(settings, site)
    assert [url for _key, url, _lastmod in buffer.rows()] == urls(site, "b", "a")
    assert {lastmod for _key, _url, lastmod in buffer.rows()} == {"2024-05-01 08:00:00.000000"}
    assert (buffer.listed, buffer.foreign, buffer.report.lists_everything) == (2, 0, True)


def test_an_index_is_read_with_its_children_packed_or_not(settings: Settings, site: SiteServer) -> None:
    site.serve("/one.xml", urlset(urls(site, "a")))
    site.serve("/two.xml.gz", gzip.compress(urlset(urls(site, "b")).encode()))
    site.serve("/sitemap.xml", index(urls(site, "one.xml", "two.xml.gz")))
    buffer = fetch(settings, site)
    assert [url for _key, url, _lastmod in buffer.rows()] == urls(site, "a", "b")
    assert (buffer.report.children, buffer.report.complete) == (2, True)


def test_a_child_on_a_private_address_is_never_requested(settings: Settings, site: SiteServer) -> None:
    inside = SiteServer()
    try:
        secret = inside.serve("/secret.xml", urlset(["http://inside/"]))
        site.serve("/one.xml", urlset(urls(site, "a")))
        site.serve("/sitemap.xml", index([*urls(site, "one.xml"), secret]))
        buffer = fetch(settings, site)
        assert (inside.requests, buffer.listed, buffer.report.complete) == ([], 1, False)
        assert [problem.code for problem in buffer.report.problems] == ["URL_NOT_ALLOWED"]
    finally:
        inside.close()


def test_a_redirect_to_a_private_address_is_not_followed(settings: Settings, site: SiteServer) -> None:
    inside = SiteServer()
    try:
        target = inside.serve("/sitemap.xml", urlset(["http://inside/"]))
        site.serve("/sitemap.xml", status=302, headers={"Location": target})
        assert refusal(settings, site).failure.code == "URL_NOT_ALLOWED"
        assert inside.requests == []
    finally:
        inside.close()


@pytest.mark.parametrize("status", [404, 410, 403, 429, 500, 503])
def test_a_sitemap_that_does_not_answer_is_unreachable(
    settings: Settings, site: SiteServer, status: int
) -> None:
    site.serve("/sitemap.xml", "no", status=status)
    failed = refusal(settings, site).failure
    assert (failed.code, failed.kind.retryable) == ("SITEMAP_UNREACHABLE", True)
    assert str(status) in failed.message
    assert failed.hints
    assert failed.details is not None
    assert failed.details["sitemap_url"] == f"{site.url}/sitemap.xml"


def test_a_refused_connection_and_a_hung_up_one_are_unreachable(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(hang_up=True)
    assert refusal(settings, site).failure.code == "SITEMAP_UNREACHABLE"
    address = f"{site.url}/sitemap.xml"
    site.close()
    assert refusal(settings, site, address).failure.code == "SITEMAP_UNREACHABLE"


@pytest.mark.parametrize(
    "body",
    [
        html("Not found", "We could not find what you were looking for."),
        '{"error": "not found"}',
        "Service Unavailable",
        "<b>Warning</b>: mysql_connect()\n" + urlset([])[:60],
        urlset(["mailto:alice@example.com", "ftp://example.com/"]),
        "",
    ],
    ids=["html", "json", "text", "php", "no-usable-url", "nothing"],
)
def test_an_answer_without_a_readable_url_is_invalid(settings: Settings, site: SiteServer, body: str) -> None:
    site.serve("/sitemap.xml", body)
    failed = refusal(settings, site).failure
    assert (failed.code, failed.kind.fix_required) == ("SITEMAP_INVALID", True)
    assert failed.details is not None
    assert failed.details["problems"]


def test_a_complete_sitemap_without_an_entry_is_no_failure(settings: Settings, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset([]))
    buffer = fetch(settings, site)
    assert (buffer.listed, buffer.report.lists_everything) == (0, True)


def test_a_cut_connection_gives_the_pages_before_the_cut(settings: Settings, site: SiteServer) -> None:
    body = urlset(urls(site, *(f"page-{number}" for number in range(1000)))).encode()
    headers = {"Content-Length": str(len(body)), "Connection": "close"}
    site.routes["/sitemap.xml"] = Reply(200, headers, body[:-5000])
    buffer = fetch(settings, site)
    assert 800 < buffer.listed < 1000
    assert [problem.code for problem in buffer.report.problems] == ["TRUNCATED"]


def test_pages_of_other_sites_are_counted_and_kept_out(settings: Settings, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset([*urls(site, "a"), "https://other.example/a"]))
    buffer = fetch(settings, site)
    assert (buffer.listed, buffer.foreign, buffer.report.complete) == (1, 1, True)


def test_a_feed_does_not_list_everything(settings: Settings, site: SiteServer) -> None:
    site.serve("/sitemap.xml", feed(urls(site, "a")))
    report = fetch(settings, site).report
    assert (report.complete, report.lists_everything) == (True, False)


def test_progress_is_reported_at_growing_distances(settings: Settings, site: SiteServer) -> None:
    site.serve("/sitemap.xml", urlset(urls(site, *map(str, range(5 * FIRST_PROGRESS)))))
    reported: list[int] = []
    fetch(settings, site, on_progress=lambda listed, _children: reported.append(listed))
    assert reported == [FIRST_PROGRESS, 2 * FIRST_PROGRESS, 4 * FIRST_PROGRESS]


def test_fetching_can_be_stopped(settings: Settings, site: SiteServer) -> None:
    asked = threading.Event()
    site.serve("/sitemap.xml", urlset(urls(site, *map(str, range(20_000)))))

    def should_stop() -> bool:
        stop, _ = asked.is_set(), asked.set()
        return stop

    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site, should_stop=should_stop)


def test_a_small_file_that_unpacks_to_a_large_one_can_be_stopped_within_it(
    settings: Settings, site: SiteServer
) -> None:
    much = urlset(urls(site, *map(str, range(20 * FIRST_PROGRESS))))
    packed = gzip.compress(gzip.compress(much.encode(), 9), 9)
    site.serve("/sitemap.xml", packed)
    reported: list[int] = []
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(
            settings,
            site,
            on_progress=lambda listed, _children: reported.append(listed),
            should_stop=lambda: bool(reported),
        )
    assert reported == [FIRST_PROGRESS]


@pytest.mark.thorough
def test_a_timeout_within_a_document_makes_the_reading_incomplete(
    settings: Settings, site: SiteServer
) -> None:
    bad = "<url><loc>x y</loc></url>" * 2_000_000
    site.serve("/sitemap.xml", gzip.compress(f"<urlset>{bad}</urlset>".encode()))
    report = fetch(settings, site, seconds=2).report
    assert [problem.code for problem in report.problems] == ["TIMEOUT"]
    assert report.urls < 2_000_000
