"""Thousands of guesses of a password, with Redis as it should be, away, and full."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.dashboard.conftest import PASSWORD, Visitor
from tests.support.rate_windows import let_windows_pass
from tests.support.redis import RedisServer

MANY = pytest.param(10_000, marks=pytest.mark.thorough)


@pytest.fixture
def database_kind() -> str:
    return "sqlite"


@pytest.fixture
def redis_url(private_redis: RedisServer) -> str:
    return private_redis.url


@pytest.fixture(params=["up", "away", "full"])
def trouble(request: pytest.FixtureRequest, private_redis: RedisServer) -> Callable[[], None]:
    """Brings Redis into the state that the test is about."""
    return {"up": lambda: None, "away": private_redis.kill, "full": private_redis.fill}[request.param]


def guess(charlie: Visitor, count: int, address_of: Callable[[int], str]) -> list[int]:
    """Guess so many passwords; return the statuses of the answers, of which 429 says how long to wait."""
    token = charlie.hidden("/sign-in")
    fields = {**token, "email": "alice@example.com", "password": "a guess of many"}
    send = charlie.client.post
    answers = (
        send("/sign-in", data=fields, environ_base={"REMOTE_ADDR": address_of(each)}) for each in range(count)
    )
    statuses = []
    for answer in answers:
        assert ("Retry-After" in answer.headers) == (answer.status_code == 429)
        statuses.append(answer.status_code)
    return statuses


@pytest.mark.parametrize("count", [60, MANY])
def test_guesses_from_one_address_are_slowed_alike(
    alice: Visitor, charlie: Visitor, trouble: Callable[[], None], count: int
) -> None:
    trouble()
    began = time.time()
    statuses = guess(charlie, count, lambda _: "192.0.2.7")
    minutes = int((time.time() - began) // 60) + 2
    assert 10 <= statuses.count(422) <= min(60, 10 * minutes)
    assert statuses.count(422) + statuses.count(429) == count


def test_patient_guesses_from_one_address_are_sixty_an_hour(alice: Visitor, charlie: Visitor) -> None:
    statuses = []
    for _ in range(7):
        statuses += guess(charlie, 10, lambda _: "192.0.2.7")
        let_windows_pass(charlie.app, 60)
    assert statuses == [422] * 60 + [429] * 10
    fields = {**charlie.hidden("/sign-in"), "email": "alice@example.com", "password": PASSWORD}
    answer = charlie.client.post("/sign-in", data=fields, environ_base={"REMOTE_ADDR": "192.0.2.7"})
    assert answer.status_code == 429
    assert 60 < int(answer.headers["Retry-After"]) <= 3600


def test_an_e_mail_in_other_letters_is_counted_as_the_same(alice: Visitor, charlie: Visitor) -> None:
    token = charlie.hidden("/sign-in")
    statuses = [
        charlie.client.post(
            "/sign-in",
            data={**token, "email": f"{' ' * (each % 3)}Alice@EXAMPLE.com", "password": "a guess of many"},
            environ_base={"REMOTE_ADDR": f"10.0.{each >> 8}.{each & 255}"},
        ).status_code
        for each in range(160)
    ]
    statuses += guess(charlie, 160, lambda each: f"10.1.0.{each}")
    assert 299 <= statuses.count(422) <= 306


def test_a_made_up_address_of_a_proxy_evades_no_limit(alice: Visitor, charlie: Visitor) -> None:
    fields = {**charlie.hidden("/sign-in"), "email": "alice@example.com", "password": "a guess of many"}
    statuses = [
        charlie.client.post(
            "/sign-in", data=fields, headers={"X-Forwarded-For": f"192.0.2.{each}"}
        ).status_code
        for each in range(30)
    ]
    assert statuses.count(429) >= 10


@pytest.mark.parametrize("count", [320, MANY])
def test_guesses_from_everywhere_are_slowed_alike(
    alice: Visitor, charlie: Visitor, trouble: Callable[[], None], count: int
) -> None:
    trouble()
    statuses = guess(charlie, count, lambda each: f"10.{each >> 16}.{each >> 8 & 255}.{each & 255}")
    # Alice has signed in once if Redis counted it, and an hour frees five in a minute.
    assert 299 <= statuses.count(422) <= 306
    assert statuses.count(422) + statuses.count(429) == count
