"""Sites are read one page at a time, with pauses that all workers share."""

from __future__ import annotations

import threading
import time
from itertools import pairwise

import pytest
from flask import Flask

from app.infra.settings import current_settings
from app.pages.crawling.pace import Pace
from app.pages.crawling.reading import ReadPages, read_due_pages
from tests.support.reading import HTML, due
from tests.support.redis import RedisServer
from tests.support.servers import Reply, Request, SiteServer
from tests.support.sites import html, project_at

SHOP = "https://shop.example.com/a"
BLOG = "https://blog.example.com/a"


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def never() -> bool:
    return False


def in_seconds(seconds: float) -> float:
    return time.monotonic() + seconds


@pytest.mark.usefixtures("db_app")
def test_a_reader_waits_for_its_turn_and_each_site_has_its_own() -> None:
    pace, other = Pace(frozenset()), Pace(frozenset())
    assert pace.acquire(SHOP, in_seconds(5), never)
    assert not other.acquire(SHOP, in_seconds(0), never)
    assert not other.acquire(SHOP + "/b?c", in_seconds(0), never)
    assert other.acquire(BLOG, in_seconds(0), never)
    began = time.monotonic()
    pace.release(SHOP, 0.5)
    assert other.acquire(SHOP, in_seconds(5), never)
    assert time.monotonic() - began >= 0.45


@pytest.mark.usefixtures("db_app")
def test_a_stopped_reader_waits_no_longer() -> None:
    pace = Pace(frozenset())
    assert pace.acquire(SHOP, in_seconds(5), never)
    assert not pace.acquire(SHOP, in_seconds(60), lambda: True)


@pytest.mark.usefixtures("db_app")
def test_an_address_that_the_operator_allowed_needs_no_turn() -> None:
    pace = Pace(frozenset({("127.0.0.1", 8099)}))
    for url in ("http://127.0.0.1:8099/a", "http://127.0.0.1:8098/refused-anyway", "http://localhost/"):
        assert pace.acquire(url, in_seconds(0), never)
        assert pace.acquire(url, in_seconds(0), never)
        pace.release(url, 60)
        assert pace.acquire(url, in_seconds(0), never)


class TestWithoutRedis:
    @pytest.fixture
    def settings_overrides(self, private_redis: RedisServer) -> dict[str, str]:
        return {"REDIS_URL": private_redis.url}

    def test_a_reader_keeps_its_own_pauses(self, db_app: Flask, private_redis: RedisServer) -> None:
        private_redis.kill()
        pace = Pace(frozenset())
        assert pace.acquire(SHOP, in_seconds(0), never)
        pace.release(SHOP, 60)
        assert not pace.acquire(SHOP, in_seconds(0), never)
        assert pace.acquire(BLOG, in_seconds(0), never)


class Shy(Pace):
    """A pace that applies to the loopback too."""

    def __init__(self, usual: float) -> None:
        super().__init__(frozenset(), usual)

    def _is_exempt(self, url: str) -> bool:
        return False


def test_projects_on_one_site_share_its_pace(db_app: Flask, site: SiteServer) -> None:
    times: list[float] = []

    def answer(_request: Request) -> Reply:
        times.append(time.monotonic())
        return Reply(200, HTML, html("A", "Words.").encode())

    projects = [project_at(site.url, email=f"{name}@example.com").id for name in ("alice", "bob")]
    for project_id in projects:
        for name in "abc":
            site.routes[f"/{name}"] = answer
        due(project_id, *(f"{site.url}/{name}" for name in "abc"))
    done: list[ReadPages] = []

    def read(project_id: int) -> None:
        with db_app.app_context():
            done.append(read_due_pages(current_settings(), project_id, 10, pace=Shy(0.3)))

    threads = [threading.Thread(target=read, args=(project_id,)) for project_id in projects]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert done == [ReadPages(3, 0, more=False)] * 2
    assert len(times) == 6
    assert all(later - earlier >= 0.29 for earlier, later in pairwise(times))


def test_a_crawl_delay_is_a_longer_pause(db_app: Flask, site: SiteServer) -> None:
    times: list[float] = []

    def answer(_request: Request) -> Reply:
        times.append(time.monotonic())
        return Reply(200, HTML, html("A", "Words.").encode())

    site.serve("/robots.txt", "User-agent: *\nCrawl-delay: 0.6\n")
    project_id = project_at(site.url).id
    site.routes |= {"/a": answer, "/b": answer}
    due(project_id, f"{site.url}/a", f"{site.url}/b")
    assert read_due_pages(current_settings(), project_id, 10, pace=Shy(0.1)).read == 2
    assert times[1] - times[0] >= 0.59
