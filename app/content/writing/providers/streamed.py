"""An answer that arrives chunk by chunk; values of the wrong type in it are left out."""

from abc import ABC, abstractmethod
from typing import Any, Final

from app.content.writing.providers.base import Completion

_LARGEST: Final = 10_000_000


class Answer(ABC):
    """The part of an answer that has arrived: its text, why it ended, and what it used.

    ``finish`` is ``stop`` for a whole answer, ``length`` for one that was cut, ``content_filter`` for one
    that was refused, and anything else for one that is broken.
    """

    def __init__(self, model: str) -> None:
        self.has_begun = False
        self.length = 0
        self.finish: Any = None
        self.is_refused = False
        self._model = model
        self._parts: list[str] = []
        self._prompt_tokens: int | None = None
        self._completion_tokens: int | None = None
        self._cost_usd: float | None = None

    @abstractmethod
    def add(self, chunk: Any) -> None:
        """Add the next chunk. Raises AttributeError and TypeError for one of another shape."""

    @property
    def completion(self) -> Completion:
        """The answer so far."""
        return Completion(
            text="".join(self._parts).strip(),
            prompt_tokens=self._prompt_tokens,
            completion_tokens=self._completion_tokens,
            model=self._model,
            cost_usd=self._cost_usd,
        )

    def _append(self, part: Any) -> None:
        if not isinstance(part, str):
            raise TypeError
        self.length += len(part)
        self._parts.append(part)

    def _answered_by(self, model: Any) -> None:
        if isinstance(model, str) and len(model) <= 150 and model.isprintable():
            self._model = model or self._model


def token_count(usage: Any, name: str) -> int | None:
    """Return a member of a provider's usage if it can be a number of tokens."""
    value = getattr(usage, name, None)
    return value if type(value) is int and 0 <= value <= _LARGEST else None


def dollars(usage: Any, name: str) -> float | None:
    """Return a member of a provider's usage if it can be an amount of US dollars."""
    value = getattr(usage, name, None)
    return float(value) if isinstance(value, int | float) and 0 <= value <= _LARGEST else None
