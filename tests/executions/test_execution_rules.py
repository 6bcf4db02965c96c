"""The rules of jobs that need neither a database nor an application."""

from __future__ import annotations

import hashlib
import random

import pytest

from app.executions.failing import MAX_ATTEMPTS, TRANSIENT, another_attempt, backoff
from app.executions.idempotency import check_key, fingerprint
from app.executions.states import ACTIVE, TERMINAL, TRANSITIONS, Status
from app.failures import CATALOGUE, ServiceFailure, failure


def test_every_status_is_either_active_or_terminal() -> None:
    assert {*ACTIVE, *TERMINAL} == set(Status) == set(TRANSITIONS)
    assert not {*ACTIVE} & {*TERMINAL}


def test_nothing_leaves_a_terminal_state() -> None:
    assert not any(new in TRANSITIONS[old] for old in TERMINAL for new in Status)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("queued", "running"), ("queued", "failed"), ("queued", "canceled"), ("running", "running"),
        ("running", "queued"), ("running", "succeeded"), ("running", "failed"), ("running", "canceled"),
    ],
)  # fmt: skip
def test_a_transition_of_the_table_is_allowed(old: str, new: str) -> None:
    assert Status(new) in TRANSITIONS[Status(old)]


@pytest.mark.parametrize(("old", "new"), [("queued", "succeeded"), ("queued", "queued")])
def test_a_queued_job_cannot_succeed_without_running(old: str, new: str) -> None:
    assert Status(new) not in TRANSITIONS[Status(old)]


@pytest.mark.parametrize("code", sorted(TRANSIENT))
def test_a_transient_failure_is_tried_again_until_the_third_attempt(code: str) -> None:
    attempts = [another_attempt(failure(code), number) for number in range(1, 5)]
    assert attempts == [True, True, False, False]
    assert CATALOGUE[code].retryable


@pytest.mark.parametrize("code", sorted(set(CATALOGUE) - TRANSIENT))
def test_any_other_failure_ends_the_job(code: str) -> None:
    assert not another_attempt(failure(code), 1)
    assert another_attempt(failure(code), 1, transient=True)
    assert not another_attempt(failure(code), MAX_ATTEMPTS, transient=True)


def test_the_pause_grows_and_half_of_it_is_jitter() -> None:
    rng = random.Random(7)
    first = [backoff(1, rng) for _ in range(200)]
    second = [backoff(2, rng) for _ in range(200)]
    assert 1 <= min(first) < max(first) <= 2
    assert 4 <= min(second) < max(second) <= 8
    assert len(set(first)) > 190


@pytest.mark.parametrize("key", ["a", "A-z_0.9:/~", "!", "x" * 255])
def test_visible_ascii_without_a_comma_is_a_key(key: str) -> None:
    assert check_key(key) == key


@pytest.mark.parametrize(
    ("key", "code"),
    [
        (None, "MISSING_IDEMPOTENCY_KEY"), ("", "MISSING_IDEMPOTENCY_KEY"), ("  ", "MISSING_IDEMPOTENCY_KEY"),
        ("a,b", "INVALID_IDEMPOTENCY_KEY"), ("a b", "INVALID_IDEMPOTENCY_KEY"),
        ("é", "INVALID_IDEMPOTENCY_KEY"),
        ("a\n", "INVALID_IDEMPOTENCY_KEY"), ("a\x7f", "INVALID_IDEMPOTENCY_KEY"),
        ("x" * 256, "INVALID_IDEMPOTENCY_KEY"),
    ],
)  # fmt: skip
def test_anything_else_is_refused(key: str | None, code: str) -> None:
    with pytest.raises(ServiceFailure) as refused:
        check_key(key)
    assert refused.value.failure.code == code


def test_a_fingerprint_does_not_depend_on_the_order_of_members() -> None:
    assert fingerprint("A", {"x": 1, "y": "ü"}) == fingerprint("A", {"y": "ü", "x": 1})


def test_a_fingerprint_stays_the_same_for_ever_because_keys_do() -> None:
    canonical = '["A",{"x":[1,null],"y":"ü"}]'
    assert fingerprint("A", {"y": "ü", "x": [1, None]}) == hashlib.sha256(canonical.encode()).hexdigest()


def test_a_fingerprint_differs_for_other_operations_values_and_types() -> None:
    inputs = [
        ("A", {}),
        ("B", {}),
        ("A", {"x": 1}),
        ("A", {"x": "1"}),
        ("A", {"x": None}),
        ("A", {"x": True}),
    ]
    assert len({fingerprint(name, payload) for name, payload in inputs}) == len(inputs)
