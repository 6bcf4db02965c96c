"""The service's RQ workers: their common base, and the one that forks a child process for each task.

A worker claims a job before it forks: when the job cannot be claimed, no process is started, and the child
needs no Redis. Only hooks of RQ are overridden; its loops stay as they are.
"""

import ctypes
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType
from typing import Any, Final

from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.exceptions import StopRequested
from rq.job import Job
from rq.timeouts import JobTimeoutException
from rq.utils import now
from rq.worker.base import BaseWorker, WorkerStatus
from sqlalchemy.exc import SQLAlchemyError

from app.executions import dispatcher, runner
from app.executions.claims import Claim, claim_with_retry
from app.executions.reaper import worker_lost
from app.infra import error_reports, presence
from app.infra.db import release
from app.infra.forking import forget_connections, prepare_fork
from app.infra.logs import cause_of
from app.infra.queue import RUN_EXECUTION

GRACE: Final = 20.0
"""Seconds a running task may go on after SIGTERM; the platform kills after 30."""

REQUEUE_WITHIN: Final = 3.0
"""Seconds after the grace in which the job is requeued; then the process ends, and the lease runs out."""

_REMINDER: Final = 1.0
_SLOW: Final = 30
_PR_SET_PDEATHSIG: Final = 1
_STOPS: Final = {signal.SIGTERM, signal.SIGINT}


def is_execution(job: Job) -> bool:
    return bool(job.func_name == RUN_EXECUTION)


def end_process() -> None:
    """End this process at once, even if it hangs."""
    os._exit(1)


def later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


class ServiceWorker(BaseWorker):
    """The common base. It runs inside the application context that its process has pushed."""

    max_connection_wait_time = 5.0
    """The longest pause in seconds before RQ connects to Redis again."""

    claimed: Claim | None = None
    """The claimed execution job; None when there is none, and during another task."""

    stop_requested = False
    is_ending = False
    """Whether the clean-up has begun, which closes connections under the thread that listens for commands."""

    def heartbeat(self, timeout: int | None = None, pipeline: Any = None) -> None:
        """Say that this worker is alive, to RQ and to the service."""
        super().heartbeat(timeout, pipeline)
        presence.report(presence.WORKER, self.name, timeout or self.worker_ttl + _SLOW)

    def handle_exception(self, job: Job, *exc_info: Any) -> None:
        """Log the error of a task in the service's form, in place of RQ's."""
        self.log.error("the task %s failed: %s", job.id, job.description, exc_info=exc_info)

    def claim(self, job: Job) -> bool:
        # This call uses Redis, so it comes first: nothing may fail between the claim and the work.
        self.prepare_job_execution(job)
        self.claimed = claim_with_retry(job.args[0], lambda: self.stop_requested)
        return self.claimed is not None

    def execute(self, job: Job) -> None:
        assert self.claimed is not None
        with self.death_penalty_class(job.timeout, JobTimeoutException, job_id=job.id):
            runner.execute(self.claimed, end_process)

    def enqueue_next(self) -> None:
        """Enqueue the job that is next in line after the claimed one; the dispatcher retries it."""
        if self.claimed is None:
            return
        try:
            dispatcher.enqueue_next(self.claimed.job_id)
        except SQLAlchemyError as error:
            self.log.warning("the next job in line is not enqueued yet: %s", cause_of(error))
        finally:
            release()

    def requeue(self) -> None:
        if self.claimed is None:
            return
        release()  # what an interrupted transaction has left must not be committed with the requeue
        try:
            worker_lost(self.claimed.job_id, self.claimed.fence, self.claimed.attempt)
        finally:
            release()

    def acknowledge(self, job: Job, queue: Queue) -> None:
        """Remove the RQ task from Redis; the result of the job is in the database."""
        job.started_at = job.ended_at = now()
        with suppress(RedisError):
            self.handle_job_success(job, queue, queue.started_job_registry)

    def handle_warm_shutdown_request(self) -> None:
        """Give the running task its grace, then end it and requeue its job."""
        self.stop_requested = True
        later(GRACE, self.end_grace)
        later(GRACE + REQUEUE_WITHIN, end_process)
        later(_REMINDER, self._signal_again)

    def end_grace(self) -> None:
        raise NotImplementedError

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Prepare the stop without interruption: RQ's own alarm is paused meanwhile."""
        rest = signal.alarm(0)
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]
        finally:
            signal.alarm(rest)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """End when idle. A running task keeps its grace, however often the platform signals."""
        # The state is checked, because a signal may come while the first one is still handled.
        if not self._stop_requested and self.get_state() != WorkerStatus.BUSY:
            raise StopRequested

    def set_shutdown_requested_date(self) -> None:
        """Record in Redis that this worker is about to end, if Redis is there."""
        with suppress(RedisError):
            super().set_shutdown_requested_date()  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        """Clean up in Redis without being interrupted, and stop everything that would reconnect to it."""
        for number in _STOPS:
            signal.signal(number, self._record_stop)
        self.is_ending = True
        presence.withdraw(self.name)
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except RedisError:
            self._stop_listening()
        finally:
            self.connection.close()

    def _stop_listening(self) -> None:
        thread: Any = self.pubsub_thread
        if thread is not None:
            thread.stop()

    def _pubsub_exception_handler(self, exc: Exception, pubsub: Any, pubsub_thread: Any) -> None:
        """End the thread that listens for commands without a word if the worker is ending."""
        if self.is_ending:
            pubsub_thread.stop()
        else:
            super()._pubsub_exception_handler(exc, pubsub, pubsub_thread)

    def _record_stop(self, _signum: int, _frame: FrameType | None) -> None:
        self.stop_requested = True

    def _signal_again(self) -> None:
        # RQ stops an idle worker by an exception from the signal handler. Raised inside a destructor or a
        # client's clean-up it is swallowed, and the worker would go on listening.
        os.kill(os.getpid(), signal.SIGTERM)
        later(_REMINDER, self._signal_again)

    def set_current_job_working_time(self, *args: Any, **options: Any) -> None:
        """Update RQ's statistics, if Redis is there."""
        with suppress(RedisError):
            super().set_current_job_working_time(*args, **options)


class ForkingWorker(ServiceWorker, Worker):
    """Forks a child process for each task: the child can be killed at any moment and leaks nothing."""

    _child_status: int | None = None
    """The exit status of the last child, as by wait(2); None while it lives."""

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Fork for a task; for an execution job only if the job can be claimed."""
        self.claimed = self._child_status = None
        if is_execution(job) and not self.claim(job):
            return
        try:
            prepare_fork()
            with _signals_blocked():
                super().fork_work_horse(job, queue)
        except BaseException:
            self.requeue()
            raise

    def monitor_work_horse(self, job: Job, queue: Queue) -> None:
        """Wait for the child, if there is one; enqueue the next job in line before and after it runs."""
        self.enqueue_next()
        if self.horse_pid:
            try:
                super().monitor_work_horse(job, queue)
            finally:
                self._requeue_after_death()
        self.enqueue_next()
        if is_execution(job):
            self.acknowledge(job, queue)

    def _requeue_after_death(self) -> None:
        """Requeue the job of a killed child at once, before its lease is over.

        RQ's own hook for this is not called when Redis is unavailable or has lost the task.
        """
        if self._child_status is None:
            self.kill_horse()
            self.wait_for_horse()
        if self._child_status != os.EX_OK:
            self.requeue()

    def wait_for_horse(self) -> tuple[Any, Any, Any]:
        """Wait for the end of the child and keep its exit status."""
        pid, status, usage = super().wait_for_horse()
        if pid is not None:
            self._child_status = status
        return pid, status, usage

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """Run in the child: it dies with its parent and uses none of its connections."""
        try:
            if sys.platform == "linux":
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() == self.pid:  # else the parent died before prctl
                forget_connections()
                super().main_work_horse(job, queue)
        finally:
            end_process()

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Run a task in the child. For an execution job the parent does RQ's bookkeeping."""
        try:
            if self.claimed is None:
                return super().perform_job(job, queue)
            self.execute(job)
            return True
        finally:
            error_reports.flush()  # RQ ends the child without its threads

    def setup_work_horse_signals(self) -> None:
        """Ignore the SIGTERM that a platform sends to every process: the parent ends its child."""
        for number in _STOPS:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)

    def end_grace(self) -> None:
        """Kill the child; its job is requeued then."""
        self.kill_horse()

    def kill_horse(self, sig: signal.Signals = signal.SIGKILL) -> None:
        """Kill the child and its process group, if there is one: without a child RQ would kill our group."""
        if not self.horse_pid:
            return
        with suppress(OSError):  # a child that has just been forked has no group of its own yet
            os.setpgid(self.horse_pid, self.horse_pid)
        super().kill_horse(sig)

    def maintain_heartbeats(self, job: Job) -> None:
        """Update RQ's heartbeat. A task goes on when Redis is unavailable."""
        try:
            super().maintain_heartbeats(job)
        except RedisError as error:
            self.log.warning("Redis is unavailable while %s runs: %s", job.id, cause_of(error))


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Fork with SIGTERM and SIGINT blocked, until the child has handlers of its own.

    The parent still receives them: another of its threads handles what this one blocks.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
