"""All calls of a job to its providers: retries, limits, deadlines, usage.

Calls run in threads, two at most at the same time. Notes for the job's history go through a queue to the
job's own thread, because only that one may use the database.
"""

import json
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, ThreadPoolExecutor, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass, replace
from functools import partial
from queue import Empty, SimpleQueue
from typing import Final, TypeVar

from app.content.drafts import Usage
from app.content.writing.llm.cleaning import storable
from app.content.writing.llm.questions import AnswerCache, Question, digest_of, tokens_of
from app.content.writing.llm.reasons import (
    code_and_reason,
    final_failure,
    input_too_long,
    is_about_one_question,
    is_cut,
    is_own_limit,
    is_too_long,
    job_timed_out,
)
from app.content.writing.providers.base import Completion, LostAnswer, Message, Providers, TextProvider
from app.failures import Failure, ServiceFailure
from app.infra.clock import wait_until
from app.language.words import tokens_in

CALL_SECONDS: Final = 120.0
TRIES: Final = 3
AT_ONCE: Final = 2
MOST_CALLS: Final = 24
MOST_TOKENS: Final = 150_000
PAUSES: Final = (1.0, 4.0)
"""Seconds before the second and the third try, if the provider names no time."""

_POLL_SECONDS: Final = 0.25
_RETRIED: Final = frozenset({"PROVIDER_FAILED", "PROVIDER_RATE_LIMITED"})

T = TypeVar("T")
G = TypeVar("G")


@dataclass(frozen=True)
class Attempt:
    """The attempt of a job that makes calls; ``remaining`` returns seconds.

    ``note`` writes a line into the job's history and may raise when the job is over.
    """

    note: Callable[[str], None]
    should_stop: Callable[[], bool]
    remaining: Callable[[], float]
    cache: AnswerCache


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
        """The calls, tokens and cost so far."""
        return self._usage

    def affords(self, calls: int, tokens: int = 0) -> bool:
        """Return whether the job's limits allow this many more calls and tokens."""
        used = self._usage.prompt_tokens + self._usage.completion_tokens
        return self._usage.calls + calls <= MOST_CALLS and used + tokens <= MOST_TOKENS

    def ask(self, question: Question[T]) -> T:
        """Return the answer to one question. Raises ServiceFailure, and what ``note`` raises."""
        return self.ask_all([question])[0]

    def ask_all(self, questions: Sequence[Question[T]]) -> list[T]:
        """Return the answers in the order of the questions.

        Answers of earlier attempts are used again. The first failure ends the other calls; finished
        answers are kept. Raises ServiceFailure, and what ``note`` raises.
        """
        return self._ask_concurrently(questions, self._ask_with_retries)

    def ask_optional(self, question: Question[T], without: str) -> T | Failure:
        """Return the answer to a question that a post does not need, or the Failure if there is none.

        ``without`` says what is left out then, for the history: ``without editing the draft``. Raises
        ServiceFailure for failures of the job or of every call, such as a cancel or a refused key.
        """
        [answer] = self._ask_concurrently([question], partial(self._ask_or_fail, without))
        return answer

    def _ask_concurrently(
        self,
        questions: Sequence[Question[T]],
        ask: Callable[[Question[T], threading.Event], G],
    ) -> list[T | G]:
        cached = self._cached(questions)
        found: dict[int, T | G] = {**cached}
        if found:
            self._attempt.note(
                f"{len(found)} of {len(questions)} answers of an earlier attempt are used again."
            )
        stop = threading.Event()
        with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="provider-call") as pool, ExitStack() as end:
            end.callback(stop.set)
            asked = {
                pool.submit(ask, question, stop): number
                for number, question in enumerate(questions)
                if number not in found
            }
            pending = set(asked)
            while pending:
                finished, pending = wait(pending, timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
                self._forward_notes()
                if finished:
                    self._keep()
                for future in finished:
                    found[asked[future]] = future.result()
        return [found[number] for number in range(len(questions))]

    def forget(self) -> None:
        """Delete the kept answers, so that a retry asks again."""
        with self._lock:
            self._answers.clear()
        self._keep()

    def _cached(self, questions: Sequence[Question[T]]) -> dict[int, T]:
        """Return the answers of earlier attempts by the number of their question."""
        found: dict[int, T] = {}
        for number, question in enumerate(questions):
            digest = self._digest(question)
            text = self._attempt.cache.earlier.get(digest)
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
        self._attempt.cache.keep(answers)

    def _digest(self, question: Question[T]) -> str:
        return digest_of(self._provider_for(question), question.messages, question.schema)

    def _provider_for(self, question: Question[T]) -> TextProvider:
        return self._providers.verifier if question.verifies else self._providers.writer

    def _forward_notes(self) -> None:
        while True:
            try:
                note = self._notes.get_nowait()
            except Empty:
                return
            self._attempt.note(note)

    def _ask_or_fail(self, without: str, question: Question[T], stop: threading.Event) -> T | Failure:
        try:
            return self._ask_with_retries(question, stop)
        except ServiceFailure as error:
            if not is_about_one_question(error.failure):
                raise
            self._notes.put(f"Went on {without}: {code_and_reason(error.failure)}")
            return error.failure

    def _ask_with_retries(self, question: Question[T], stop: threading.Event) -> T:
        messages, number = question.messages, 1
        while True:
            try:
                return self._once(question, messages, stop)
            except ServiceFailure as error:
                found = error.failure
                if is_too_long(found):
                    if messages == question.shorter:
                        was_shortened = messages != question.messages
                        raise input_too_long(found, question.setting, was_shortened=was_shortened) from None
                    messages = question.shorter
                    self._notes.put(
                        "The question was too long for the model: asked again with half of the passages."
                    )
                    continue
                if is_cut(found):
                    messages = question.shorter
                pause = _pause(found, number)
                ended = number == TRIES or is_own_limit(found) or pause >= self._attempt.remaining()
                if found.code not in _RETRIED or ended:
                    raise final_failure(found, number, question.setting) from None
            number += 1
            self._notes.put(f"{code_and_reason(found)}: try {number} of {TRIES} after {pause:g} s")
            self._wait(pause, stop)

    def _once(self, question: Question[T], messages: Sequence[Message], stop: threading.Event) -> T:
        provider = self._provider_for(question)
        self._check(stop)
        self._reserve(provider, messages)
        seconds = min(CALL_SECONDS, self._attempt.remaining())
        try:
            completion = provider.complete(
                messages,
                schema=question.schema,
                deadline=time.monotonic() + seconds,
                should_stop=lambda: stop.is_set() or self._attempt.should_stop(),
                note=self._notes.put,
            )
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
            raise _failed(provider, "wrong_schema") from None
        with self._lock:
            self._answers[self._digest(question)] = completion.text
        return answer

    def _check(self, stop: threading.Event) -> None:
        if self._attempt.remaining() <= 0:
            raise job_timed_out()
        if stop.is_set() or self._attempt.should_stop():
            raise ServiceFailure("CANCELED")

    def _must_end(self, stop: threading.Event) -> bool:
        return stop.is_set() or self._attempt.should_stop() or self._attempt.remaining() <= 0

    def _wait(self, seconds: float, stop: threading.Event) -> None:
        wait_until(time.monotonic() + seconds, lambda: self._must_end(stop))
        self._check(stop)

    def _reserve(self, provider: TextProvider, messages: Sequence[Message]) -> None:
        with self._lock:
            if not self.affords(1):
                raise _failed(provider, "call_limit", limit=MOST_CALLS)
            if not self.affords(1, tokens_of(messages)):
                raise _failed(provider, "token_limit", limit=MOST_TOKENS)
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


def _failed(provider: TextProvider, reason: str, **facts: int) -> ServiceFailure:
    details = {"provider": provider.name, "model": provider.model, "reason": reason, **facts}
    return ServiceFailure("PROVIDER_FAILED", details=details)


def _read(question: Question[T], text: str) -> T:
    """Return the content of an answer. Raises ValueError and RecursionError."""
    return question.read(storable(json.loads(text)))


def _pause(found: Failure, number: int) -> float:
    asked = (found.details or {}).get("retry_after_seconds")
    return float(asked) if asked is not None else PAUSES[min(number, len(PAUSES)) - 1]
