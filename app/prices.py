"""Prices of language models, as the operator sets them. Pure."""

import re
from dataclasses import dataclass
from typing import Final

_PRICE: Final = re.compile(r"([^\s=,]{1,150})=(\d{1,6}(?:\.\d{1,6})?)/(\d{1,6}(?:\.\d{1,6})?)")
_DATE: Final = re.compile(r"[-@](?:\d{8}|\d{4}-\d{2}-\d{2})$")
_MILLION: Final = 1_000_000

Price = tuple[float, float]
"""US dollars for a million tokens of the prompt, and of the completion."""


@dataclass(frozen=True)
class Prices:
    models: tuple[tuple[str, Price], ...] = ()

    def cost_usd(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return the cost of a call in US dollars, None for a model without a price.

        A dated model name has the price of the name without the date.
        """
        prices = dict(self.models)
        price = prices.get(model, prices.get(_DATE.sub("", model)))
        if price is None:
            return None
        return (prompt_tokens * price[0] + completion_tokens * price[1]) / _MILLION

    def __str__(self) -> str:
        return ",".join(f"{name}={prompt:g}/{completion:g}" for name, (prompt, completion) in self.models)


NO_PRICES: Final = Prices()


def parse_prices(text: str) -> Prices:
    """Return the prices in a text such as ``gpt-5-mini=0.25/2.00,claude-haiku-4-5=1/5``.

    Raises ValueError for any other form, and for a model that is named twice.
    """
    models: dict[str, Price] = {}
    for item in text.split(","):
        found = _PRICE.fullmatch(item.strip())
        if not found or found[1] in models:
            raise ValueError(item)
        models[found[1]] = (float(found[2]), float(found[3]))
    return Prices(tuple(models.items()))
