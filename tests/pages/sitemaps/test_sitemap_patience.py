"""Servers that ask for patience: Retry-After is waited for while there is time, else reported."""

from __future__ import annotations

import time
from collections.abc import Callable
from threading import Event
from typing import Any

import pytest

from app.config import Settings, load_settings
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.http.client import fetcher_from
from app.infra.http.errors import FetchError
from app.pages.sitemaps import opener
from app.pages.sitemaps.crawl_result import CrawlResult
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.opener import MAX_WAIT, Opener, no_op
from app.pages.sitemaps.report import DocumentUnreadable
from app.pages.sitemaps.url_buffer import UrlBuffer
from tests.support.environment import settings_environment
from tests.support.servers import Reply, Route, SiteServer
from tests.support.sites import index, urlset
from tests.support.validating import http_now


@pytest.fixture
def settings(site: SiteServer) -> Settings:
    return load_settings(settings_environment(FETCH_ALLOW=site.address))


def fetch(
    settings: Settings,
    site: SiteServer,
    *,
    seconds: float = 20,
    should_stop: Callable[[], bool] = lambda: False,
    reported: list[Any] | None = None,
) -> UrlBuffer:
    calls: list[Any] = [] if reported is None else reported
    return fetch_sitemap(
        settings, f"{site.url}/", f"{site.url}/sitemap.xml", seconds=seconds,
        should_stop=should_stop, on_progress=lambda urls, _children: calls.append(urls),
        on_wait=lambda host, until: calls.append((host, until)),
    )  # fmt: skip


def busy_once(body: str, status: int, retry_after: str) -> Route:
    """A server that is too busy when it is asked for the first time."""
    answers = [Reply(status, {"Retry-After": retry_after})]
    return lambda _request: answers.pop() if answers else Reply(200, {}, body.encode())


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_gets_another_request_after_the_time_it_named(
    settings: Settings, site: SiteServer, status: int
) -> None:
    site.routes["/sitemap.xml"] = busy_once(urlset([f"{site.url}/a"]), status, "1")
    started = time.monotonic()
    buffer = fetch(settings, site)
    assert (buffer.listed, buffer.report.complete, buffer.crawl.retry_after) == (1, True, None)
    assert 1 <= time.monotonic() - started < 5


def test_a_reading_waits_for_a_busy_child_too(settings: Settings, site: SiteServer) -> None:
    site.routes["/one.xml"] = busy_once(urlset([f"{site.url}/a"]), 503, http_now(1))
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml"]))
    buffer = fetch(settings, site)
    assert (buffer.listed, buffer.report.complete) == (1, True)


def test_a_wait_ends_at_once_when_the_job_is_canceled(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "15"})
    reported: list[Any] = []
    started = time.monotonic()
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site, should_stop=lambda: bool(reported), reported=reported)
    assert time.monotonic() - started < 10
    assert len(site.requests) == 1


@pytest.mark.parametrize(("retry_after", "expected"), [("25", 25), ("3600", 3600), ("999999999", 7 * 86_400)])
def test_a_wait_beyond_the_time_of_the_job_is_reported_and_not_begun(
    settings: Settings, site: SiteServer, retry_after: str, expected: int
) -> None:
    site.routes["/sitemap.xml"] = Reply(429, {"Retry-After": retry_after})
    started = time.monotonic()
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE") as caught:
        fetch(settings, site)
    assert time.monotonic() - started < 5
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["retry_after_seconds"] == expected
    assert "429" in caught.value.failure.message


def test_a_wait_that_would_block_the_worker_is_reported_and_not_begun(
    settings: Settings, site: SiteServer
) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": str(round(MAX_WAIT) + 1)})
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE") as caught:
        fetch(settings, site, seconds=1800)
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["retry_after_seconds"] == MAX_WAIT + 1
    assert len(site.requests) == 1


def test_all_waits_of_a_reading_together_do_not_block_the_worker(
    settings: Settings, site: SiteServer
) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "1"})
    ends = time.monotonic() + 20
    opened = Opener(fetcher_from(settings), CrawlResult(), None, ends, lambda: False, no_op, wait_left=1.5)
    with pytest.raises(DocumentUnreadable, match="503"):
        list(opened(f"{site.url}/sitemap.xml"))
    assert len(site.requests) == 2


def test_a_server_that_does_not_answer_ends_with_the_time_of_the_reading(
    settings: Settings, site: SiteServer
) -> None:
    answers = Event()

    def hang(_request: Any) -> Reply:
        answers.wait(20)
        return Reply(503)

    site.routes["/sitemap.xml"] = hang
    started = time.monotonic()
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site, seconds=1)
    answers.set()
    assert time.monotonic() - started < 10


def test_nothing_is_asked_for_once_the_time_of_the_reading_is_over(
    settings: Settings, site: SiteServer
) -> None:
    over = time.monotonic()
    opened = Opener(fetcher_from(settings), CrawlResult(), None, over, lambda: False, no_op)
    with pytest.raises(FetchError, match="time for this sitemap is over"):
        list(opened(f"{site.url}/sitemap.xml"))
    assert site.requests == []


def test_a_server_that_asked_for_a_pause_gets_no_more_requests(settings: Settings, site: SiteServer) -> None:
    names = ("one", "two", "three")
    for name in names:
        site.serve(f"/{name}.xml", urlset([f"{site.url}/{name}"]))
    site.routes["/two.xml"] = Reply(503, {"Retry-After": "600"})
    site.serve("/sitemap.xml", index(f"{site.url}/{name}.xml" for name in names))
    buffer = fetch(settings, site)
    assert (buffer.listed, buffer.report.complete, buffer.crawl.retry_after) == (1, False, 600)
    assert site.requests_for("/three.xml") == []
    assert [problem.where for problem in buffer.report.problems] == [
        f"{site.url}/two.xml", f"{site.url}/three.xml",
    ]  # fmt: skip


@pytest.mark.thorough
def test_a_server_that_is_always_busy_gets_a_few_requests_only(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "0"})
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site)
    assert len(site.requests) == 5


@pytest.mark.thorough
def test_after_the_last_request_the_wait_is_reported_and_not_begun(
    settings: Settings, site: SiteServer
) -> None:
    answers = iter(["1", "1", "1", "1", "15"])
    site.routes["/sitemap.xml"] = lambda _request: Reply(503, {"Retry-After": next(answers)})
    started = time.monotonic()
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE") as caught:
        fetch(settings, site)
    assert time.monotonic() - started < 10
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["retry_after_seconds"] == 15


def test_a_busy_server_that_names_no_time_is_unreachable_at_once(
    settings: Settings, site: SiteServer
) -> None:
    site.routes["/sitemap.xml"] = Reply(503)
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site)
    assert len(site.requests) == 1


def test_a_wait_is_reported_with_its_host_and_its_end(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "15"})
    reported: list[Any] = []
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site, should_stop=lambda: bool(reported), reported=reported)
    ((host, until),) = reported
    assert host == "127.0.0.1"
    assert 10 < (until - utc_now()).total_seconds() <= 15


def test_progress_is_reported_again_when_a_wait_is_over(
    settings: Settings, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(opener, "REPORTED_WAIT", 1.0)
    site.serve("/one.xml", urlset([f"{site.url}/a"]))
    site.routes["/two.xml"] = busy_once(urlset([f"{site.url}/b"]), 503, "1")
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    reported: list[Any] = []
    assert fetch(settings, site, reported=reported).listed == 2
    assert [len(each) if isinstance(each, tuple) else each for each in reported] == [2, 1]


def test_a_short_wait_is_not_reported(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = busy_once(urlset([f"{site.url}/a"]), 503, "1")
    reported: list[Any] = []
    fetch(settings, site, reported=reported)
    assert reported == []
