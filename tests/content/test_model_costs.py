"""What the calls of a job cost: the provider's own figure, else the price of the model that answered."""

from __future__ import annotations

import pytest

from app.content.writing.llm.calls import Attempt, Calls
from app.content.writing.llm.questions import NO_CACHE, Question
from app.content.writing.providers.base import Providers
from app.content.writing.providers.openai_compatible import OpenAICompatibleProvider
from app.prices import Prices, parse_prices
from tests.support.model_exchange import USAGE, Exchange, chunk
from tests.support.model_server import ModelServer

QUESTION: Question[object] = Question(
    ({"role": "user", "content": "Why?"},), (), {"type": "object"}, lambda answer: answer
)
UNCOSTED = {name: count for name, count in USAGE.items() if name != "cost"}


def cost_of_two_calls(server: ModelServer, prices: Prices, usage: dict[str, float] | None) -> float | None:
    def respond(asked: Exchange) -> None:
        last = [{**chunk(), "choices": [], "usage": usage}] if usage else []
        asked.stream(chunk("{}"), chunk(finish="stop"), *last, "[DONE]")

    server.respond = respond
    provider = OpenAICompatibleProvider(base_url=server.url, api_key=None, model="tiny", prices=prices)
    calls = Calls(
        Providers(provider, provider), Attempt(lambda _: None, lambda: False, lambda: 60.0, NO_CACHE)
    )
    calls.ask_all([QUESTION, QUESTION])
    return calls.usage.cost_usd


def test_the_providers_own_figure_comes_before_a_price(model_server: ModelServer) -> None:
    cost = cost_of_two_calls(model_server, parse_prices("tiny-1=1/5"), USAGE)
    assert cost == pytest.approx(2 * USAGE["cost"])


def test_without_one_the_price_of_the_model_that_answered_counts(model_server: ModelServer) -> None:
    cost = cost_of_two_calls(model_server, parse_prices("tiny=9/9,tiny-1=1/5"), UNCOSTED)
    assert cost == pytest.approx(2 * (700 * 1 + 300 * 5) / 1_000_000)


def test_tokens_that_the_provider_does_not_count_cost_what_they_are_estimated_at(
    model_server: ModelServer,
) -> None:
    cost = cost_of_two_calls(model_server, parse_prices("tiny-1=1/5"), None)
    assert cost is not None
    assert cost > 0


def test_without_figure_and_price_the_cost_is_not_known(model_server: ModelServer) -> None:
    assert cost_of_two_calls(model_server, parse_prices("other=1/5"), UNCOSTED) is None
