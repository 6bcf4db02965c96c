"""The protocol every text provider follows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypedDict

from app.failures import Failure, ServiceFailure
from app.prices import Prices


class Message(TypedDict):
    """One message of a conversation with a model."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Completion:
    """A model's answer; token counts and the cost in US dollars are None when the provider sends none."""

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    model: str
    cost_usd: float | None = None


class LostAnswer(ServiceFailure):
    """Raised when an unusable answer arrived, at least in part; ``completion`` is what arrived."""

    def __init__(self, found: Failure, completion: Completion) -> None:
        super().__init__(found.code, found.message, hints=found.hints, details=found.details)
        self.completion = completion


class TextProvider(Protocol):
    """Something that completes a conversation."""

    @property
    def name(self) -> str:
        """The provider's name as the post's generator shows it."""

    @property
    def model(self) -> str:
        """The name of the model."""

    @property
    def prices(self) -> Prices:
        """What the provider's models cost, for answers that come without a cost."""

    def complete(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, Any] | None,
        deadline: float,
        should_stop: Callable[[], bool],
        note: Callable[[str], None],
    ) -> Completion:
        """Return the model's answer to ``messages``. It tries once: retries are the caller's.

        ``schema`` is a JSON Schema for the answer, ``deadline`` a moment of ``time.monotonic()`` in seconds.
        ``should_stop`` is called at least every two seconds. ``note`` gets a sentence for the job's history
        whenever the server refuses the form of the answer and is asked in a simpler one.

        Raises ServiceFailure: PROVIDER_AUTH, PROVIDER_REJECTED (``details.reason`` is ``context_length`` when
        the messages are too long), PROVIDER_FAILED and PROVIDER_RATE_LIMITED (with
        ``details.retry_after_seconds`` when the provider names a time), PROVIDER_CREDIT_EXHAUSTED,
        PROVIDER_TIMEOUT, CONTENT_REJECTED, and CANCELED when ``should_stop`` is true. It raises LostAnswer
        when a part of the answer had arrived, because that part is paid for. No failure contains a key or any
        part of a prompt.
        """


@dataclass(frozen=True)
class Providers:
    """The models of a post: one writes, one verifies."""

    writer: TextProvider
    verifier: TextProvider
