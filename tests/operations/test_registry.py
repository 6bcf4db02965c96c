"""The table of operations, and what each takes."""

from __future__ import annotations

import re
from typing import Any

import pytest
from marshmallow import RAISE, ValidationError

from app.failures import ServiceFailure
from app.operations.base import Operation
from app.operations.registry import OPERATIONS, operation_named

each = pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.name)


def test_the_contracts_operations_are_there_under_names_of_their_own() -> None:
    names = [operation.name for operation in OPERATIONS]
    assert len(set(names)) == len(names)
    assert {"GENERATE_BLOG_POST", "SYNC_SITEMAP", "PUBLISH_BLOG_POST"} <= set(names)
    assert {"PLAN_BLOG_POST", "SUGGEST_TITLES", "REFRESH_BLOG_POST"} <= set(names)


@each
def test_an_operation_is_found_by_its_name(operation: Operation) -> None:
    assert operation_named(operation.name) is operation
    assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", operation.name)
    assert len(operation.name) <= 40
    assert operation.title
    assert operation.summary.endswith(".")


@pytest.mark.parametrize("name", ["", "generate_blog_post", "DELETE_EVERYTHING"])
def test_any_other_name_is_refused_with_the_names_there_are(name: str) -> None:
    with pytest.raises(ServiceFailure) as refused:
        operation_named(name)
    assert refused.value.failure.code == "INVALID_OPERATION"
    assert refused.value.failure.details == {"operations": [operation.name for operation in OPERATIONS]}


@each
def test_an_input_with_an_unknown_member_is_refused(operation: Operation) -> None:
    with pytest.raises(ValidationError) as refused:
        operation.schema(unknown=RAISE).load({"surprise": 1})
    assert "surprise" in refused.value.messages_dict


def test_only_generations_can_be_rolled_back_and_count_as_posts() -> None:
    for flag in ("supports_rollback", "counts_as_post"):
        assert [each.name for each in OPERATIONS if getattr(each, flag)] == ["GENERATE_BLOG_POST"]


def test_what_writes_texts_is_limited() -> None:
    limited = {operation.name for operation in OPERATIONS if operation.limited}
    assert limited == {"GENERATE_BLOG_POST", "PLAN_BLOG_POST", "REFRESH_BLOG_POST", "REWRITE_BLOG_POST"}


def test_what_people_may_ask_for_without_end_counts_while_it_waits() -> None:
    limited = {operation.name for operation in OPERATIONS if operation.limited}
    waiting = {operation.name for operation in OPERATIONS if operation.counts_as_waiting}
    assert waiting == {*limited, "SUGGEST_TITLES"}


def generation(**payload: Any) -> Any:
    return operation_named("GENERATE_BLOG_POST").schema(unknown=RAISE).load(payload)


def test_a_generation_needs_no_input_at_all() -> None:
    assert generation() == {}
    assert generation(topic=None, keywords=[], outline=None) == {}


@pytest.mark.parametrize(
    "payload",
    [
        {"topic": "abc"}, {"topic": "x" * 200}, {"title": "x" * 150}, {"avoid": None},
        {"topic": "C++"}, {"topic": "養蜂箱"}, {"topic": "蜂"}, {"topic": "養蜂"}, {"topic": "३३३"},
        {"keywords": ["x" * 80] * 10}, {"keyword_ids": [1, 2**63 - 1]}, {"page_ids": list(range(1, 51))},
        {"target_words": 200}, {"target_words": 3000},
    ],
)  # fmt: skip
def test_a_generation_takes_what_is_within_its_bounds(payload: dict[str, Any]) -> None:
    assert generation(**payload) == payload


@pytest.mark.parametrize(
    "payload",
    [
        {"topic": "ab"}, {"topic": "x" * 201}, {"topic": 5}, {"topic": "a\x00b c"}, {"topic": "  a  "},
        {"topic": "+++"}, {"topic": "🐝🐝🐝"},
        {"title": ""}, {"title": "x" * 151}, {"keywords": "one"}, {"keywords": [""]},
        {"keywords": ["x"] * 11}, {"keywords": [None]}, {"keyword_ids": [0]}, {"keyword_ids": ["1"]},
        {"keyword_ids": [2**63]}, {"page_ids": list(range(1, 52))}, {"page_ids": [True]},
        {"target_words": 199}, {"target_words": 3001}, {"target_words": "900"}, {"target_words": 900.5},
    ],
)  # fmt: skip
def test_a_generation_refuses_what_is_not(payload: dict[str, Any]) -> None:
    with pytest.raises(ValidationError) as refused:
        generation(**payload)
    assert list(refused.value.messages_dict) == list(payload)


def test_text_is_trimmed() -> None:
    assert generation(topic="  garden notes\n") == {"topic": "garden notes"}


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("SUGGEST_TITLES", {}), ("SUGGEST_TITLES", {"count": 1}), ("SUGGEST_TITLES", {"count": 50}),
        ("SUGGEST_TITLES", {"keyword_ids": [1]}), ("SUGGEST_TITLES", {"count": None}),
        ("REFRESH_BLOG_POST", {"blog_post_id": 1}),
    ],
)  # fmt: skip
def test_ideas_and_refreshes_take_what_is_within_bounds(name: str, payload: dict[str, Any]) -> None:
    assert operation_named(name).schema(unknown=RAISE).load(payload) == payload


@pytest.mark.parametrize(
    ("name", "payload"),
    [
        ("SUGGEST_TITLES", {"count": 0}), ("SUGGEST_TITLES", {"count": 51}),
        ("SUGGEST_TITLES", {"count": "3"}), ("SUGGEST_TITLES", {"keyword_ids": ["1"]}),
        ("REFRESH_BLOG_POST", {}),
        ("REFRESH_BLOG_POST", {"blog_post_id": 0}), ("REFRESH_BLOG_POST", {"blog_post_id": None}),
    ],
)  # fmt: skip
def test_ideas_and_refreshes_refuse_what_is_not(name: str, payload: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        operation_named(name).schema(unknown=RAISE).load(payload)
