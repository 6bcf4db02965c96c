"""The one place that asks the provider: tries, waits, deadlines, and what it all took.

A job's calls are made from threads, two at most at the same time; everything a call has to tell is told from
the thread that asked for it, because only that one may use the database.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from app.content.drafts import Usage
from app.content.writing.llm.cleaning import storable
from app.content.writing.llm.memory import Memory, digest_of
from app.content.writing.llm.questions import Question, tokens_of
from app.content.writing.llm.reasons import (
    final,
    is_cut,
    is_of_one_question,
    is_own_limit,
    is_too_long,
    told_of,
    too_long,
)
from app.content.writing.providers.base import Completion, LostAnswer, Message, Providers, TextProvider
from app.failures import Failure, ServiceFailure
from app.language.words import tokens_in

CALL_SECONDS: Final = 120.0
TRIES: Final = 3
AT_ONCE: Final = 2
MOST_CALLS: Final = 24
MOST_TOKENS: Final = 150_000
PAUSES: Final = (1.0, 4.0)
"""Seconds before the second and the third try, when the provider names no time."""

_LOOK_EVERY: Final = 0.25
_AGAIN: Final = frozenset({"PROVIDER_FAILED", "PROVIDER_RATE_LIMITED"})

T = TypeVar("T")
G = TypeVar("G")


@dataclass(frozen=True)
class Attempt:
    """What the calls know of the job they are made for; ``remaining`` is in seconds.

    ``note`` records something in the job's history and may raise when the job is over.
    """

    note: Callable[[str], None]
    should_stop: Callable[[], bool]
    remaining: Callable[[], float]
    memory: Memory


class Calls:
    """The calls of one job."""

    def __init__(self, providers: Providers, attempt: Attempt) -> None:
        self._providers = providers
        self._attempt = attempt
        self._lock = threading.Lock()
        self._notes: SimpleQueue[str] = SimpleQueue()
        self._usage = Usage(providers.writer.name, providers.writer.model)
        self._answers: dict[str, str] = {}

    @property
    def usage(self) -> Usage:
        """What was taken so far."""
        return self._usage

    def affords(self, calls: int, tokens: int = 0) -> bool:
        """Tell whether so many more calls and tokens stay within the job's limits."""
        used = self._usage.prompt_tokens + self._usage.completion_tokens
        return self._usage.calls + calls <= MOST_CALLS and used + tokens <= MOST_TOKENS

    def ask(self, question: Question[T]) -> T:
        """Return the answer to one question. Raises ServiceFailure, and what ``note`` raises."""
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[Question[T]]) -> list[T]:
        """Return the answers in the order of the questions.

        What was answered in an attempt before is not asked again. The first failure ends the other calls; the
        answers until then are kept. Raises ServiceFailure, and what ``note`` raises.
        """
        return self._gathered(questions, self._patiently)

    def ask_spared(self, questions: Sequence[Question[T]]) -> list[T | Failure]:
        """Return the answers to questions that a post can do without, or why there is none.

        Raises ServiceFailure for what concerns the job or every call, as a cancel or a refused key.
        """
        return self._gathered(questions, self._sparingly)

    def _gathered(
        self,
        questions: Sequence[Question[T]],
        ask: Callable[[Question[T], threading.Event], G],
    ) -> list[T | G]:
        remembered = self._remembered(questions)
        found: dict[int, T | G] = {**remembered}
        if found:
            self._attempt.note(
                f"{len(found)} of {len(questions)} answers of an earlier attempt are used again."
            )
        stop = threading.Event()
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="provider-call") as pool, _ending(stop):
            asked = {
                pool.submit(ask, question, stop): number
                for number, question in enumerate(questions)
                if number not in found
            }
            pending = set(asked)
            while pending:
                finished, pending = wait(pending, timeout=_LOOK_EVERY, return_when=FIRST_COMPLETED)
                self._pass_notes_on()
                if finished:
                    self._keep()
                for future in finished:
                    found[asked[future]] = future.result()
        return [found[number] for number in range(len(questions))]

    def forget(self) -> None:
        """Let the answers go: asked for again, they would be as useless."""
        with self._lock:
            self._answers.clear()
        self._keep()

    def _remembered(self, questions: Sequence[Question[T]]) -> dict[int, T]:
        """Return the answers of attempts before, by the number of their question."""
        found: dict[int, T] = {}
        for number, question in enumerate(questions):
            digest = self._digest(question)
            text = self._attempt.memory.earlier.get(digest)
            if text is not None:
                with suppress(ValueError, RecursionError):
                    found[number] = _read(question, text)
                    self._answers[digest] = text
        if found:
            self._keep()
        return found

    def _keep(self) -> None:
        with self._lock:
            answers = dict(self._answers)
        self._attempt.memory.keep(answers)

    def _digest(self, question: Question[T]) -> str:
        return digest_of(self._provider_for(question), question.messages, question.schema)

    def _provider_for(self, question: Question[T]) -> TextProvider:
        return self._providers.verifier if question.verifies else self._providers.writer

    def _pass_notes_on(self) -> None:
        while True:
            try:
                note = self._notes.get_nowait()
            except Empty:
                return
            self._attempt.note(note)

    def _sparingly(self, question: Question[T], stop: threading.Event) -> T | Failure:
        try:
            return self._patiently(question, stop)
        except ServiceFailure as error:
            if not is_of_one_question(error.failure):
                raise
            self._notes.put(f"Went on without an answer: {told_of(error.failure)}")
            return error.failure

    def _patiently(self, question: Question[T], stop: threading.Event) -> T:
        messages, number = question.messages, 1
        while True:
            try:
                return self._once(question, messages, stop)
            except ServiceFailure as error:
                found = error.failure
                if is_too_long(found):
                    if messages == question.shorter:
                        raise too_long(found) from None
                    messages = question.shorter
                    self._notes.put("The messages were too long for the model and are shortened.")
                    continue
                if is_cut(found):
                    messages = question.shorter
                pause = _pause(found, number)
                ended = number == TRIES or is_own_limit(found) or pause >= self._attempt.remaining()
                if found.code not in _AGAIN or ended:
                    raise final(found, number) from None
            number += 1
            self._notes.put(f"{told_of(found)}: try {number} of {TRIES} after {pause:g} s")
            self._rest(pause, stop)

    def _once(self, question: Question[T], messages: Sequence[Message], stop: threading.Event) -> T:
        provider = self._provider_for(question)
        self._check(stop)
        self._reserve(messages)
        seconds = min(CALL_SECONDS, self._attempt.remaining())
        try:
            completion = provider.complete(
                messages, schema=question.schema, deadline=time.monotonic() + seconds,
                should_stop=lambda: stop.is_set() or self._attempt.should_stop(),
            )  # fmt: skip
        except ServiceFailure as error:
            if isinstance(error, LostAnswer):
                self._count(provider, messages, error.completion)
            self._check(stop)
            raise
        completion = replace(completion, text=storable(completion.text))
        self._count(provider, messages, completion)
        self._check(stop)
        try:
            answer = _read(question, completion.text)
        except (ValueError, RecursionError):
            raise self._failed("wrong_schema") from None
        with self._lock:
            self._answers[self._digest(question)] = completion.text
        return answer

    def _check(self, stop: threading.Event) -> None:
        if self._attempt.remaining() <= 0:
            raise ServiceFailure("JOB_TIMEOUT")
        if stop.is_set() or self._attempt.should_stop():
            raise ServiceFailure("CANCELED")

    def _rest(self, seconds: float, stop: threading.Event) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self._check(stop)
            stop.wait(min(_LOOK_EVERY, left))

    def _reserve(self, messages: Sequence[Message]) -> None:
        with self._lock:
            if not self.affords(1):
                raise self._failed("call_limit", limit=MOST_CALLS)
            if not self.affords(1, tokens_of(messages)):
                raise self._failed("token_limit", limit=MOST_TOKENS)
            self._usage = replace(self._usage, calls=self._usage.calls + 1)

    def _count(self, provider: TextProvider, messages: Sequence[Message], completion: Completion) -> None:
        asked = completion.prompt_tokens
        answered = completion.completion_tokens
        if asked is None:
            asked = tokens_of(messages)
        if answered is None:
            answered = tokens_in(storable(completion.text))
        cost = completion.cost_usd
        if cost is None:
            cost = provider.prices.cost_usd(completion.model, asked, answered)
        with self._lock:
            used = self._usage
            self._usage = replace(
                used,
                model=completion.model if provider is self._providers.writer else used.model,
                prompt_tokens=used.prompt_tokens + asked,
                completion_tokens=used.completion_tokens + answered,
                cost_usd=used.cost_usd if cost is None else (used.cost_usd or 0.0) + cost,
            )

    def _failed(self, reason: str, **facts: int) -> ServiceFailure:
        writer = self._providers.writer
        details = {"provider": writer.name, "model": writer.model, "reason": reason, **facts}
        return ServiceFailure("PROVIDER_FAILED", details=details)


@contextmanager
def _ending(stop: threading.Event) -> Iterator[None]:
    """Stop the calls that still run when the block ends early."""
    try:
        yield
    finally:
        stop.set()


def _read(question: Question[T], text: str) -> T:
    """Return what an answer means. Raises ValueError and RecursionError."""
    return question.read(storable(json.loads(text)))


def _pause(found: Failure, number: int) -> float:
    asked = (found.details or {}).get("retry_after_seconds")
    return float(asked) if asked is not None else PAUSES[min(number, len(PAUSES)) - 1]
