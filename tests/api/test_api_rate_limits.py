"""Rate limits of the API: by key, and by network without one."""

from __future__ import annotations

import pytest
from flask.testing import FlaskClient

from tests.api.conftest import Customer, code


@pytest.fixture
def settings_overrides() -> dict[str, str]:
    return {"REQUESTS_PER_MINUTE": "3"}


def test_requests_over_the_limit_are_rejected_for_a_while(alice: Customer, bob: Customer) -> None:
    answers = [alice.get("/account") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    assert answers[0].headers["RateLimit-Policy"] == '"default";q=3;w=60'
    assert answers[0].headers["RateLimit"].startswith('"default";r=2;t=')
    refused = alice.get("/account")
    assert code(refused) == (429, "RATE_LIMITED")
    assert 0 < int(refused.headers["Retry-After"]) <= 60
    assert refused.headers["RateLimit"] == f'"default";r=0;t={refused.headers["Retry-After"]}'
    assert bob.get("/account").status_code == 200


@pytest.mark.parametrize(
    ("path", "status"),
    [("/public-api", 404), ("/public-api/nowhere", 404), ("/public-api/docs", 302),
     ("/public-api/openapi.json", 302)],
)  # fmt: skip
def test_responses_without_a_key_have_rate_limit_headers(client: FlaskClient, path: str, status: int) -> None:
    answer = client.get(path)
    assert answer.status_code == status
    assert answer.headers["RateLimit-Policy"] == '"default";q=3;w=60'
    assert answer.headers["RateLimit"].startswith('"default";r=2;t=')


def test_guessing_keys_is_limited_too(charlie: Customer) -> None:
    found = [code(charlie.get("/account"))[0] for _ in range(4)]
    assert found == [401, 401, 401, 429]


def test_guessing_keys_from_many_addresses_of_one_network_is_limited_too(charlie: Customer) -> None:
    def guess(address: str) -> int:
        return charlie.get("/account", environ_base={"REMOTE_ADDR": address}).status_code

    assert [guess(f"2001:db8:1:2::{each}") for each in range(4)] == [401, 401, 401, 429]
    assert guess("2001:db8:1:3::1") == 401
