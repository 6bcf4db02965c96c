"""An answer as it comes, chunk by chunk; what is of the wrong kind in it is left out."""

from __future__ import annotations

from typing import Any, Final

from app.content.writing.providers.base import Completion

_MOST_TOLD: Final = 10_000_000


class Answer:
    """What a stream told so far: its text, why it ended, and what it took."""

    def __init__(self, model: str) -> None:
        self.has_begun = False
        self.length = 0
        self.finish: Any = None
        self.is_refused = False
        self._model = model
        self._parts: list[str] = []
        self._usage: Any = None

    def add(self, chunk: Any) -> None:
        """Take in the next chunk. Raises AttributeError and TypeError for one of an odd shape."""
        self.has_begun = True
        self._model, self._usage = _model(chunk.model) or self._model, chunk.usage or self._usage
        for choice in chunk.choices or ():
            part = choice.delta.content or ""
            if not isinstance(part, str):
                raise TypeError
            self.length += len(part)
            self._parts.append(part)
            self.is_refused = self.is_refused or bool(getattr(choice.delta, "refusal", None))
            self.finish = choice.finish_reason or self.finish

    @property
    def completion(self) -> Completion:
        """The answer as far as it came."""
        return Completion(
            text="".join(self._parts).strip(),
            prompt_tokens=_tokens(self._usage, "prompt_tokens"),
            completion_tokens=_tokens(self._usage, "completion_tokens"),
            model=self._model,
            cost_usd=_cost(self._usage),
        )


def _model(told: Any) -> str | None:
    return told if isinstance(told, str) and len(told) <= 150 and told.isprintable() else None


def _tokens(usage: Any, name: str) -> int | None:
    told = getattr(usage, name, None)
    return told if type(told) is int and 0 <= told <= _MOST_TOLD else None


def _cost(usage: Any) -> float | None:
    """Return what an answer cost in US dollars, as OpenRouter tells it."""
    told = getattr(usage, "cost", None)
    return float(told) if isinstance(told, int | float) and 0 <= told <= _MOST_TOLD else None
