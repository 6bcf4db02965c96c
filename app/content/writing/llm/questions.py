"""What a model is asked, and about how many tokens that takes. Pure."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from app.content.writing.providers.base import Message
from app.language.words import tokens_in

T = TypeVar("T")


class WrongShape(ValueError):
    """Raised by the reader of an answer that is JSON, but not what was asked for."""


@dataclass(frozen=True)
class Question(Generic[T]):
    """What is asked. ``shorter`` says the same with less evidence, for a model that cannot take it all.

    ``read`` turns the parsed JSON of the answer into what it means, or raises WrongShape. ``verifies`` asks
    the model that verifies instead of the one that writes.
    """

    messages: tuple[Message, ...]
    shorter: tuple[Message, ...]
    schema: Mapping[str, Any]
    read: Callable[[Any], T]
    verifies: bool = False


def tokens_of(messages: Iterable[Message]) -> int:
    """Return a rough number of the tokens of messages."""
    return sum(tokens_in(message["content"]) for message in messages)
