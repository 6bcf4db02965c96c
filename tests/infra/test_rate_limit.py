"""Rate limits with a real Redis, and without one."""

import time
from typing import cast

import pytest
from flask import Flask

from app.config import Settings, load_settings
from app.factory import create_app
from app.failures import ServiceFailure
from app.infra import rate_limit
from app.infra.local_windows import LocalWindows
from app.infra.queue import redis_client
from tests.support.databases import MakeDatabase
from tests.support.environment import settings_environment
from tests.support.redis import RedisServer


def begin_earlier(seconds: float) -> None:
    """Move the window of the only bucket in Redis into the past."""
    [key] = cast("list[bytes]", redis_client().keys("*"))
    redis_client().hincrbyfloat(key.decode(), "began", -seconds)


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.mark.usefixtures("db_app")
def test_a_request_over_the_limit_is_refused_with_the_time_to_wait() -> None:
    verdicts = [rate_limit.hit("api-key:1", 3, 60) for _ in range(4)]
    assert [verdict.allowed for verdict in verdicts] == [True, True, True, False]
    assert [verdict.remaining for verdict in verdicts] == [2, 1, 0, 0]
    assert {verdict.limit for verdict in verdicts} == {3}
    assert all(1 <= verdict.reset_seconds <= 60 for verdict in verdicts)


@pytest.mark.usefixtures("db_app")
def test_requests_of_the_last_window_fade_out_as_they_do_without_redis() -> None:
    window = 1_000_000_000  # so long that the moment of the test does not matter
    passed = 1.256 * window + 0.3
    now, local = time.time(), LocalWindows()
    for _ in range(100):
        rate_limit.hit("api-key:1", 100, window)
        local.hit("api-key:1", 100, window, now - passed)
    begin_earlier(passed)
    assert rate_limit.hit("api-key:1", 100, window) == local.hit("api-key:1", 100, window, now)


@pytest.mark.usefixtures("db_app")
def test_refused_requests_are_not_counted_so_that_trying_makes_nobody_wait_longer() -> None:
    for _ in range(9):
        rate_limit.hit("api-key:1", 3, 60)
    begin_earlier(90)
    assert [rate_limit.hit("api-key:1", 3, 60).allowed for _ in range(3)] == [True, True, False]


@pytest.mark.usefixtures("db_app")
def test_redis_forgets_a_bucket_that_is_no_longer_used() -> None:
    rate_limit.hit("api-key:1", 3, 60)
    [key] = cast("list[bytes]", redis_client().keys("*"))
    assert 60 < cast(int, redis_client().ttl(key.decode())) <= 120


@pytest.mark.usefixtures("db_app")
def test_requests_before_the_last_window_are_forgotten() -> None:
    rate_limit.hit("api-key:1", 1, 60)
    begin_earlier(120)
    assert rate_limit.hit("api-key:1", 1, 60).allowed


@pytest.mark.usefixtures("db_app")
def test_the_first_request_begins_the_window() -> None:
    """So that nobody gets one more attempt by sending them while a minute of the clock ends."""
    assert rate_limit.hit("api-key:1", 10, 60).reset_seconds == 60
    begin_earlier(59)
    assert [rate_limit.hit("api-key:1", 10, 60).reset_seconds for _ in range(2)] == [1, 1]


@pytest.mark.usefixtures("db_app")
def test_buckets_are_counted_separately() -> None:
    rate_limit.hit("api-key:1", 1, 60)
    assert not rate_limit.hit("api-key:1", 1, 60).allowed
    assert rate_limit.hit("api-key:2", 1, 60).allowed


@pytest.mark.usefixtures("db_app")
def test_check_raises_when_the_bucket_is_full() -> None:
    rate_limit.check("sign-in", 1, 60)
    with pytest.raises(ServiceFailure, match="RATE_LIMITED") as caught:
        rate_limit.check("sign-in", 1, 60)
    assert 1 <= int(caught.value.headers["Retry-After"]) <= 60


@pytest.mark.usefixtures("db_app")
def test_an_email_in_a_buckets_name_does_not_reach_redis() -> None:
    rate_limit.hit("sign-in:email:alice@example.com", 5, 60)
    keys = redis_client().keys("*")
    assert keys
    assert not any(b"alice" in key for key in keys)


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        (None, "None"),
    ],
)
def test_all_ipv6_addresses_of_a_client_count_together(address: str | None, network: str) -> None:
    assert rate_limit.network_of(address) == network


class TestWithoutRedis:
    @pytest.fixture
    def settings(self, fresh_database: MakeDatabase, private_redis: RedisServer) -> Settings:
        return load_settings(
            settings_environment(DATABASE_URL=fresh_database("sqlite"), REDIS_URL=private_redis.url)
        )

    @pytest.mark.parametrize("trouble", ["kill", "fill"])
    def test_the_process_counts_by_itself(
        self, db_app: Flask, private_redis: RedisServer, trouble: str
    ) -> None:
        getattr(private_redis, trouble)()
        verdicts = [rate_limit.hit("api-key:1", 3, 3600) for _ in range(5)]
        assert [verdict.allowed for verdict in verdicts] == [True, True, True, False, False]
        assert [verdict.remaining for verdict in verdicts] == [2, 1, 0, 0, 0]
        assert rate_limit.hit("api-key:2", 3, 3600).allowed
        with pytest.raises(ServiceFailure, match="RATE_LIMITED"):
            rate_limit.check("api-key:1", 3, 3600)

    def test_a_hanging_redis_slows_only_one_request(
        self, settings: Settings, private_redis: RedisServer
    ) -> None:
        with create_app(settings).app_context():
            assert rate_limit.hit("api-key:1", 9, 60).remaining == 8
            private_redis.freeze()
            assert rate_limit.hit("api-key:1", 9, 60).remaining == 8  # counted anew
            began = time.monotonic()
            assert sum(rate_limit.hit("api-key:1", 9, 3600).allowed for _ in range(100)) == 9
            assert time.monotonic() - began < 4  # one look at a frozen Redis takes a second
            private_redis.thaw()
