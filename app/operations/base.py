"""What an operation is: the one shape that the API, the dashboard, the command line and the worker share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from marshmallow import Schema

from app.failures import Failure
from app.projects.model import Project

Payload = Mapping[str, Any]


class Stopped(Exception):
    """Raised inside an operation when its claim is gone: canceled, reaped, or told to end."""


@dataclass(frozen=True)
class Earlier:
    """What an ended job was told and what it kept; both are empty when retention took them."""

    payload: Payload
    artefacts: Mapping[str, Any]


class Run(Protocol):
    """What the runner lends to an operation while it works. Times are seconds.

    ``requested_by`` names in words whoever asked for the job.
    """

    job_id: int
    project_id: int
    attempt: int
    payload: Payload
    requested_by: str

    def progress(self, stage: str, done: int, total: int, message: str = "") -> None:
        """Record a stage in the job's history. Raises Stopped when the claim is gone."""

    def check(self) -> None:
        """Raise Stopped when the claim is gone, or JOB_TIMEOUT when the time is over; cheap."""

    def should_stop(self) -> bool:
        """Whether ``check`` would raise; for loops that must not."""

    def remaining(self) -> float:
        """Return the seconds left until the deadline of this attempt."""

    def earlier(self, job_id: int) -> Earlier:
        """Return what another job of this project was told and kept."""

    def keep(self, artefacts: Mapping[str, Any]) -> None:
        """Store what is made so far, for another attempt and for a retry; what an outcome keeps replaces it.

        Raises Stopped when the claim is gone.
        """

    def kept(self) -> Mapping[str, Any]:
        """Return what an attempt before kept, else what the job that this one retries did."""


def no_effect() -> None:
    """Change nothing."""


@dataclass(frozen=True)
class JobResult:
    """A finished operation.

    ``effect`` writes what it made, inside the transaction that ends the job, and must not commit; it returns
    members to add to ``result``.
    """

    result: Mapping[str, Any] = field(default_factory=dict)
    effect: Callable[[], Mapping[str, Any] | None] = no_effect
    artefacts: Mapping[str, Any] | None = None


class OperationFailed(Exception):
    """Raised by an operation that has something to write along with its failure; ``effect`` as in JobResult.

    ``transient`` says whether another attempt may help.
    """

    def __init__(
        self, failure: Failure, *, effect: Callable[[], Any] = no_effect, transient: bool = False
    ) -> None:
        self.failure = failure
        self.effect = effect
        self.transient = transient
        super().__init__(failure.code)


def say_nothing(_project_id: int, _job_id: int, _failure: Failure) -> None:
    """Write nothing along with a job's failure."""


def admit_anything(_project: Project, _payload: Payload) -> None:
    """Refuse nothing."""


@dataclass(frozen=True)
class Operation:
    """One row of the registry.

    ``schema`` validates and fills the payload. ``admit`` refuses, by ServiceFailure, what cannot become a job
    now; what it writes is committed with the job. ``perform`` does the work. ``on_failed`` takes the ids of
    project and job and the failure with which the job has just ended, however it came about, and writes what
    goes with that, in the same transaction. ``one_at_a_time`` joins a queued job of the same project instead
    of making a second. ``limited`` counts against the account's running limit, ``counts_as_waiting`` against
    its queued one, ``counts_as_post`` against the posts of its month.
    """

    name: str
    title: str
    summary: str
    schema: type[Schema]
    perform: Callable[[Run], JobResult]
    admit: Callable[[Project, Payload], None] = admit_anything
    on_failed: Callable[[int, int, Failure], None] = say_nothing
    long_running: bool = False
    one_at_a_time: bool = False
    limited: bool = False
    counts_as_waiting: bool = False
    counts_as_post: bool = False
    supports_rollback: bool = False
