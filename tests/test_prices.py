"""Prices of models: how the operator states them, and what a call costs by them."""

from __future__ import annotations

import pytest

from app.config import InvalidSettings, load_settings
from app.prices import NO_PRICES, parse_prices
from tests.support.environment import settings_environment

TEXT = "gpt-5-mini=0.25/2.00, claude-haiku-4-5=1/5,local/llama:8b=0/0"


@pytest.mark.parametrize(
    ("model", "cost"),
    [
        ("gpt-5-mini", 0.0045),
        ("gpt-5-mini-2025-08-07", 0.0045),
        ("claude-haiku-4-5", 0.012),
        ("claude-haiku-4-5-20251001", 0.012),
        ("claude-haiku-4-5@20251001", 0.012),
        ("local/llama:8b", 0.0),
    ],
)
def test_a_call_costs_what_the_tokens_of_question_and_answer_cost(model: str, cost: float) -> None:
    assert parse_prices(TEXT).cost_usd(model, 2_000, 2_000) == pytest.approx(cost)


@pytest.mark.parametrize(
    "model", ["gpt-5", "gpt-5-mini-high", "claude-haiku-4", "claude-haiku-4-5-1", "GPT-5-mini", ""]
)
def test_a_model_that_is_another_one_has_no_price(model: str) -> None:
    assert parse_prices(TEXT).cost_usd(model, 2_000, 2_000) is None


def test_a_price_for_the_dated_name_comes_before_that_of_the_undated_one() -> None:
    prices = parse_prices("m=1/1,m-20260101=3/3")
    assert [prices.cost_usd(name, 1_000_000, 0) for name in ("m-20260101", "m-20260202")] == [3.0, 1.0]


def test_without_prices_no_cost_is_known() -> None:
    assert NO_PRICES.cost_usd("gpt-5-mini", 2_000, 2_000) is None


@pytest.mark.parametrize(
    "text",
    [
        "gpt-5-mini", "gpt-5-mini=1", "gpt-5-mini=1/", "=1/2", "a b=1/2", "a=-1/2", "a=1/2/3", "a=1e3/2",
        "a=nan/1", "a=1,5/2", "a=1/2,", "a=1/2;b=1/2", "a=1/2,a=1/2", "a=$1/$2", f"{'a' * 151}=1/2",
    ],
)  # fmt: skip
def test_prices_in_any_other_form_are_refused_with_an_example(text: str) -> None:
    with pytest.raises(InvalidSettings, match=r"LLM_PRICES must be US dollars .* gpt-5-mini=0\.25/2\.00"):
        load_settings(settings_environment(LLM_PRICES=text))


def test_prices_are_shown_to_the_operator_as_they_were_stated() -> None:
    assert load_settings(settings_environment()).shown()["LLM_PRICES"] == "unset"
    shown = load_settings(settings_environment(LLM_PRICES=TEXT)).shown()["LLM_PRICES"]
    assert shown == "gpt-5-mini=0.25/2,claude-haiku-4-5=1/5,local/llama:8b=0/0"
    assert parse_prices(shown) == parse_prices(TEXT)
