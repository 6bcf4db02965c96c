"""A question to a model, its size in tokens, and the answers kept from earlier attempts of a job. Pure."""

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Generic, TypeVar

from app.content.writing.providers.base import Message, TextProvider
from app.language.words import tokens_in

T = TypeVar("T")


class WrongShape(ValueError):
    """Raised by the reader of an answer for JSON of another shape than the question asks for."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """A question. ``shorter`` has less evidence, for a model whose window is too small; it is the same as
    ``messages`` where nothing can be left out.

    ``read`` converts the parsed JSON of the answer, or raises WrongShape. ``verifies`` chooses the model that
    verifies instead of the one that writes.
    """

    messages: tuple[Message, ...]
    shorter: tuple[Message, ...]
    schema: Mapping[str, Any]
    read: Callable[[Any], T]
    verifies: bool = False

    @property
    def setting(self) -> str:
        """The setting that names the model of this question."""
        return "LLM_VERIFY_MODEL" if self.verifies else "LLM_MODEL"


def tokens_of(messages: Iterable[Message]) -> int:
    """Return the approximate number of tokens of messages."""
    return sum(tokens_in(message["content"]) for message in messages)


def _keep_nothing(_answers: Mapping[str, str]) -> None:
    """Keep no answers."""


@dataclass(frozen=True)
class AnswerCache:
    """The answers of a job's earlier attempts, which a retry need not pay for again.

    ``earlier`` has them by ``digest_of`` the question, ``keep`` stores all answers of this attempt. ``keep``
    runs in the job's own thread and may raise when the job is over.
    """

    earlier: Mapping[str, str] = field(default_factory=dict)
    keep: Callable[[Mapping[str, str]], None] = _keep_nothing


NO_CACHE: Final = AnswerCache()


def digest_of(provider: TextProvider, messages: Sequence[Message], schema: Mapping[str, Any]) -> str:
    """Return the digest of a question to a model: it changes with the provider, the model and every word."""
    asked = [provider.name, provider.model, list(messages), schema]
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()
