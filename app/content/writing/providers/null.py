"""The provider of a service without one: it says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app.content.writing.providers.base import Completion, Message
from app.failures import ServiceFailure
from app.prices import NO_PRICES


class NullProvider:
    """Stands where no provider is configured; every call fails and says how to mend it."""

    name = "none"
    model = "none"
    prices = NO_PRICES

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
    ) -> Completion:
        """Raise PROVIDER_REJECTED: there is nobody to ask."""
        raise ServiceFailure(
            "PROVIDER_REJECTED",
            "No text provider is configured.",
            hints=["Ask the operator to set LLM_API_KEY and LLM_MODEL, or use the extractive engine."],
            details={"provider": self.name},
        )
