"""Servers that ask for patience: Retry-After is waited for while there is time, else told."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import pytest

from app.config import Settings, load_settings
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.pages.sitemaps import documents as sitemap_documents
from app.pages.sitemaps.documents import PATIENCE
from app.pages.sitemaps.fetch import fetch_sitemap
from app.pages.sitemaps.url_buffer import Spool
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
    told: list[Any] | None = None,
) -> Spool:
    heard: list[Any] = [] if told is None else told
    return fetch_sitemap(
        settings, f"{site.url}/", f"{site.url}/sitemap.xml", seconds=seconds,
        should_stop=should_stop, tell=lambda urls, _children: heard.append(urls),
        tell_wait=lambda host, until: heard.append((host, until)),
    )  # fmt: skip


def busy_once(body: str, status: int, retry_after: str) -> Route:
    """A server that is too busy when it is asked for the first time."""
    answers = [Reply(status, {"Retry-After": retry_after})]
    return lambda _request: answers.pop() if answers else Reply(200, {}, body.encode())


@pytest.mark.parametrize("status", [429, 503])
def test_a_busy_server_is_asked_again_when_it_said(settings: Settings, site: SiteServer, status: int) -> None:
    site.routes["/sitemap.xml"] = busy_once(urlset([f"{site.url}/a"]), status, "1")
    started = time.monotonic()
    spool = fetch(settings, site)
    assert (spool.listed, spool.report.complete, spool.harvest.ask_again_in) == (1, True, None)
    assert 1 <= time.monotonic() - started < 5


def test_a_busy_child_is_waited_for_too(settings: Settings, site: SiteServer) -> None:
    site.routes["/one.xml"] = busy_once(urlset([f"{site.url}/a"]), 503, http_now(1))
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml"]))
    spool = fetch(settings, site)
    assert (spool.listed, spool.report.complete) == (1, True)


def test_a_wait_ends_at_once_when_the_job_is_canceled(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "15"})
    told: list[Any] = []
    started = time.monotonic()
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site, should_stop=lambda: bool(told), told=told)
    assert time.monotonic() - started < 10
    assert len(site.requests) == 1


@pytest.mark.parametrize(("retry_after", "told"), [("3600", 3600), ("999999999", 7 * 86_400)])
def test_a_wait_beyond_the_time_of_the_job_is_told_and_not_begun(
    settings: Settings, site: SiteServer, retry_after: str, told: int
) -> None:
    site.routes["/sitemap.xml"] = Reply(429, {"Retry-After": retry_after})
    started = time.monotonic()
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE") as caught:
        fetch(settings, site)
    assert time.monotonic() - started < 5
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["retry_after_seconds"] == told
    assert "429" in caught.value.failure.message


def test_a_wait_that_would_keep_the_worker_from_other_work_is_told_and_not_begun(
    settings: Settings, site: SiteServer
) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": str(round(PATIENCE) + 1)})
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE") as caught:
        fetch(settings, site, seconds=1800)
    assert caught.value.failure.details is not None
    assert caught.value.failure.details["retry_after_seconds"] == PATIENCE + 1
    assert len(site.requests) == 1


def test_a_server_that_wants_to_be_left_alone_is_not_asked_for_more(
    settings: Settings, site: SiteServer
) -> None:
    names = ("one", "two", "three")
    for name in names:
        site.serve(f"/{name}.xml", urlset([f"{site.url}/{name}"]))
    site.routes["/two.xml"] = Reply(503, {"Retry-After": "600"})
    site.serve("/sitemap.xml", index(f"{site.url}/{name}.xml" for name in names))
    spool = fetch(settings, site)
    assert (spool.listed, spool.report.complete, spool.harvest.ask_again_in) == (1, False, 600)
    assert site.requests_for("/three.xml") == []
    assert [problem.where for problem in spool.report.problems] == [
        f"{site.url}/two.xml", f"{site.url}/three.xml",
    ]  # fmt: skip


@pytest.mark.thorough
def test_a_server_that_is_always_busy_is_asked_a_few_times_only(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "0"})
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site)
    assert len(site.requests) == 5


@pytest.mark.thorough
def test_after_the_last_time_it_is_not_waited_in_vain_but_told_when_to_ask_again(
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


def test_a_wait_is_told_with_its_host_and_its_end(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = Reply(503, {"Retry-After": "15"})
    told: list[Any] = []
    with pytest.raises(ServiceFailure, match="SITEMAP_UNREACHABLE"):
        fetch(settings, site, should_stop=lambda: bool(told), told=told)
    ((host, until),) = told
    assert host == "127.0.0.1"
    assert 10 < (until - utc_now()).total_seconds() <= 15


def test_what_was_read_is_told_again_when_a_wait_is_over(
    settings: Settings, site: SiteServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sitemap_documents, "LONG_WAIT", 1.0)
    site.serve("/one.xml", urlset([f"{site.url}/a"]))
    site.routes["/two.xml"] = busy_once(urlset([f"{site.url}/b"]), 503, "1")
    site.serve("/sitemap.xml", index([f"{site.url}/one.xml", f"{site.url}/two.xml"]))
    told: list[Any] = []
    assert fetch(settings, site, told=told).listed == 2
    assert [len(each) if isinstance(each, tuple) else each for each in told] == [2, 1]


def test_a_short_wait_is_not_worth_telling(settings: Settings, site: SiteServer) -> None:
    site.routes["/sitemap.xml"] = busy_once(urlset([f"{site.url}/a"]), 503, "1")
    told: list[Any] = []
    fetch(settings, site, told=told)
    assert told == []
