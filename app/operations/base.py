"""What an operation is. The API, the dashboard, the command line and the worker share this definition."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

from marshmallow import Schema

from app.failures import Failure
from app.projects.model import Project

Payload = Mapping[str, Any]


class Stopped(Exception):
    """Raised inside an operation when its claim is lost: the job was canceled or requeued."""


@dataclass(frozen=True)
class EarlierJob:
    """The payload and the artefacts of another job; both are empty once retention has removed them."""

    payload: Payload
    artefacts: Mapping[str, Any]


class Run(Protocol):
    """One attempt of a job, as its operation sees it, for ``requested_by``. Times are seconds."""

    job_id: int
    project_id: int
    attempt: int
    payload: Payload
    requested_by: str

    def progress(self, stage: str, done: int, total: int, message: str = "") -> None:
        """Record a stage in the job's history. Commits. Raises Stopped when the claim is lost."""

    def check_cancelled(self) -> None:
        """Raise Stopped when the claim is lost, or JOB_TIMEOUT when the time is up; cheap."""

    def should_stop(self) -> bool:
        """Whether ``check_cancelled`` would raise; for code that must not raise."""

    def remaining(self) -> float:
        """Return the seconds left until the deadline of this attempt."""

    def earlier(self, job_id: int) -> EarlierJob:
        """Return the payload and the artefacts of another job of this project."""

    def keep(self, artefacts: Mapping[str, Any]) -> None:
        """Store artefacts for another attempt and for a retry; those of the JobResult replace them.

        Commits. Raises Stopped when the claim is lost.
        """

    def kept(self) -> Mapping[str, Any]:
        """Return the artefacts of an earlier attempt, else those of the job that this one retries."""


def no_op(*_: object) -> None:
    """Do nothing."""


@dataclass(frozen=True)
class JobResult:
    """What a finished operation returns. ``data`` becomes the job's result.

    ``effect`` writes what the operation made. It runs inside the transaction that ends the job and must not
    commit. The members it returns are added to ``data``. ``afterwards`` is called when all that is committed;
    it is only for what happens later anyway, because a worker may be lost before.
    """

    data: Mapping[str, Any] = field(default_factory=dict)
    effect: Callable[[], Mapping[str, Any] | None] = no_op
    artefacts: Mapping[str, Any] | None = None
    afterwards: Callable[[], object] = no_op


class OperationFailed(Exception):
    """Raised by an operation that writes something when it fails; ``effect`` as in JobResult.

    ``transient`` says whether another attempt may help.
    """

    def __init__(
        self, failure: Failure, *, effect: Callable[[], Any] = no_op, transient: bool = False
    ) -> None:
        self.failure = failure
        self.effect = effect
        self.transient = transient
        super().__init__(failure.code)


def performed_by(module: str) -> Callable[[Run], JobResult]:
    """Return the ``perform`` of a module of operations/performing, which is imported when a job runs."""

    def perform(run: Run) -> JobResult:
        result: JobResult = import_module(f"app.operations.performing.{module}").perform(run)
        return result

    return perform


@dataclass(frozen=True)
class Operation:
    """One entry of the registry.

    ``schema`` validates the payload. ``admit`` raises a ServiceFailure when the job cannot be created now;
    what it writes is committed with the job. ``perform`` does the work. ``on_failed`` takes the ids of the
    project and the job and the failure; it is called whenever a job ends as failed, in the same
    transaction. ``one_at_a_time``: a project has at most one queued job and one running job of the
    operation. ``limited`` counts against the account's running limit, ``counts_as_waiting`` against its
    queued one, ``counts_as_post`` against the posts of its month.
    """

    name: str
    title: str
    summary: str
    schema: type[Schema]
    perform: Callable[[Run], JobResult]
    admit: Callable[[Project, Payload], None] = no_op
    on_failed: Callable[[int, int, Failure], None] = no_op
    long_running: bool = False
    one_at_a_time: bool = False
    limited: bool = False
    counts_as_waiting: bool = False
    counts_as_post: bool = False
    supports_rollback: bool = False
