"""What a robots.txt says is kept for an hour, and nothing is wrongly forbidden for that."""

from __future__ import annotations

import pytest

from app.infra import queue
from tests.support.reading import code, forget_robots, page_read, read_again, serve
from tests.support.redis import RedisServer
from tests.support.servers import Reply, SiteServer
from tests.support.sites import html

ROUNDS = 4


@pytest.fixture
def settings_overrides(site: SiteServer) -> dict[str, str]:
    return {"FETCH_ALLOW": site.address}


def times_asked(project_id: int, site: SiteServer) -> int:
    """How often robots.txt is asked for in four rounds, each of which reads a page."""
    for name in "abcdefgh"[:ROUNDS]:
        assert page_read(project_id, serve(site, f"/{name}", html(name, "Words."))).title == name
    return len(site.requests_for("/robots.txt"))


@pytest.mark.parametrize("status", [200, 404])
def test_many_rounds_fetch_a_robots_txt_once(project_id: int, site: SiteServer, status: int) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n", status=status)
    assert times_asked(project_id, site) == 1


def test_a_cached_robots_txt_expires_after_an_hour(project_id: int, site: SiteServer) -> None:
    times_asked(project_id, site)
    (key,) = queue.redis_client().scan_iter("robots:*")
    assert 3500 < int(queue.redis_client().ttl(key)) <= 3600
    forget_robots()
    page_read(project_id, serve(site, "/later", html("Later", "Words.")))
    assert len(site.requests_for("/robots.txt")) == 2


def test_a_page_that_was_forbidden_is_read_once_it_is_allowed(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n")
    page_read(project_id, serve(site, "/open", html("Open", "Words.")))
    url = serve(site, "/private", html("P", "Words."))
    assert code(page_read(project_id, url)) == "URL_NOT_ALLOWED"
    site.serve("/robots.txt", "User-agent: *\nAllow: /\n")
    page = read_again(project_id, url)
    assert (page.title, page.fetch_error) == ("P", None)


def test_a_cached_robots_txt_forbids_what_it_forbade(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n")
    times_asked(project_id, site)
    assert code(page_read(project_id, serve(site, "/private", html("P", "Words.")))) == "URL_NOT_ALLOWED"
    assert not site.requests_for("/private")


def test_a_robots_txt_that_could_not_be_fetched_is_requested_again(project_id: int, site: SiteServer) -> None:
    site.routes["/robots.txt"] = Reply(500)
    url = serve(site, "/a", html("A", "Words."))
    assert code(page_read(project_id, url)) == "PAGE_UNREACHABLE"
    site.serve("/robots.txt", "User-agent: *\nAllow: /\n")
    assert read_again(project_id, url).title == "A"


def test_a_very_long_robots_txt_is_not_cached(project_id: int, site: SiteServer) -> None:
    site.serve("/robots.txt", "User-agent: *\nDisallow: /private\n" + "# x\n" * 20_000)
    assert times_asked(project_id, site) == ROUNDS


class TestWithoutRedis:
    @pytest.fixture
    def settings_overrides(self, site: SiteServer, private_redis: RedisServer) -> dict[str, str]:
        return {"FETCH_ALLOW": site.address, "REDIS_URL": private_redis.url}

    def test_each_round_fetches_robots_txt_while_redis_is_unavailable(
        self, project_id: int, site: SiteServer, private_redis: RedisServer
    ) -> None:
        private_redis.kill()
        assert times_asked(project_id, site) == ROUNDS
