"""What the service's RQ workers have in common, and the one that forks a work-horse for each task.

The claim comes before the fork: a ring in vain costs no process, and the work-horse of a job asks nothing of
Redis. Only hooks are overridden; rq's own loops stay rq's.
"""

from __future__ import annotations

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
from app.executions.reaper import worker_lost
from app.executions.work import Claim
from app.infra.db import forget_connections, prepare_fork, release
from app.infra.logs import cause_of
from app.infra.queue import RUN_EXECUTION

GRACE: Final = 20.0
"""Seconds a running task may go on after SIGTERM; the platform kills after 30."""

LAST_WORDS: Final = 3.0
"""Seconds after the grace to hand a job back in; a database that is away by then leaves it to the lease."""

_REMINDER: Final = 1.0
_PR_SET_PDEATHSIG: Final = 1
_STOPS: Final = {signal.SIGTERM, signal.SIGINT}


def is_execution(job: Job) -> bool:
    """Whether a task of RQ is a ring for an execution job."""
    return bool(job.func_name == RUN_EXECUTION)


def end_process() -> None:
    """End this process at once, whatever hangs in it."""
    os._exit(1)


def later(seconds: float, call: Callable[[], None]) -> None:
    """Call something in a thread of its own, ``seconds`` from now."""
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()


class ServiceWorker(BaseWorker):
    """Runs inside the application context that its process has pushed."""

    max_connection_wait_time = 5.0
    """Seconds between two looks whether Redis is back."""

    claimed: Claim | None = None
    """The execution job in hand; None when there is none, and during another task."""

    stop_requested = False
    """Whether a signal has asked this worker to end."""

    def claim(self, job: Job) -> bool:
        """Take the execution job that a ring is about; return whether it was to be had."""
        # Told first: after the claim nothing of Redis may come in between.
        self.prepare_job_execution(job)
        self.claimed = runner.claim_with_retry(job.args[0], lambda: self.stop_requested)
        return self.claimed is not None

    def carry_out(self, job: Job) -> None:
        """Perform and settle the job in hand."""
        assert self.claimed is not None
        with self.death_penalty_class(job.timeout, JobTimeoutException, job_id=job.id):
            runner.carry_out(self.claimed, end_process)

    def enqueue_next(self) -> None:
        """Ring what is next in line after the job in hand; the dispatcher does it when this fails."""
        if self.claimed is None:
            return
        try:
            dispatcher.enqueue_next(self.claimed.job_id)
        except SQLAlchemyError as error:
            self.log.warning("the next in line is not rung: %s", cause_of(error))
        finally:
            release()

    def requeue(self) -> None:
        """Move the job in hand back to the queue, unless it was settled; nothing else goes with it."""
        if self.claimed is None:
            return
        release()  # what an alarm has left undone must not be committed with the hand-back
        try:
            worker_lost(self.claimed.job_id, self.claimed.fence, self.claimed.attempt)
        finally:
            release()

    def acknowledge(self, job: Job, queue: Queue) -> None:
        """Take an answered ring out of Redis; what became of the job is in the database."""
        job.started_at = job.ended_at = now()
        with suppress(RedisError):
            self.handle_job_success(job, queue, queue.started_job_registry)

    def handle_warm_shutdown_request(self) -> None:
        """Give the running task its grace, then end it; its job is handed back."""
        self.stop_requested = True
        later(GRACE, self.end_grace)
        later(GRACE + LAST_WORDS, end_process)
        later(_REMINDER, self._remind)

    def end_grace(self) -> None:
        """End the running task, if there is one."""
        raise NotImplementedError

    def request_stop(self, signum: int, frame: FrameType | None) -> None:
        """Set the stop up as a whole: the alarm by which rq bounds a task, or watches it, waits meanwhile."""
        rest = signal.alarm(0)
        try:
            super().request_stop(signum, frame)  # type: ignore[no-untyped-call]
        finally:
            signal.alarm(rest)

    def request_force_stop(self, signum: int, frame: FrameType | None) -> None:
        """End when idle; leave a task in hand its grace, however often and soon the platform signals."""
        # The state decides: a signal may come while the first one is still being answered.
        if not self._stop_requested and self.get_state() != WorkerStatus.BUSY:
            raise StopRequested

    def set_shutdown_requested_date(self) -> None:
        """Tell Redis that this worker is about to end, if it is there to be told."""
        with suppress(RedisError):
            super().set_shutdown_requested_date()  # type: ignore[no-untyped-call]

    def teardown(self) -> None:
        """Leave Redis in order, undisturbed, and leave nothing behind that would come back to it."""
        for number in _STOPS:
            signal.signal(number, self._note_stop)
        try:
            super().teardown()  # type: ignore[no-untyped-call]
        except RedisError:
            self._leave_channel()
        finally:
            self.connection.close()

    def _leave_channel(self) -> None:
        thread: Any = self.pubsub_thread
        channel: Any = self.pubsub
        if thread is not None:
            thread.stop()
            with suppress(RedisError):
                channel.close()

    def _note_stop(self, _signum: int, _frame: FrameType | None) -> None:
        self.stop_requested = True

    def _remind(self) -> None:
        # rq stops an idle worker by an exception out of the signal handler. Raised inside a destructor or
        # a client's clean-up it is swallowed, and the worker would listen on for ever.
        os.kill(os.getpid(), signal.SIGTERM)
        later(_REMINDER, self._remind)

    def set_current_job_working_time(self, *args: Any, **options: Any) -> None:
        """Tell rq's statistics, if Redis is there to be told."""
        with suppress(RedisError):
            super().set_current_job_working_time(*args, **options)


class ForkingWorker(ServiceWorker, Worker):
    """A work-horse for each task: it can be stopped at any moment, and takes what it spoiled with it."""

    _horse_status: int | None = None
    """How the last horse ended, as by wait(2); None while it lives."""

    def fork_work_horse(self, job: Job, queue: Queue) -> None:
        """Fork for a task, and for a ring if its job was to be had."""
        self.claimed = self._horse_status = None
        if is_execution(job) and not self.claim(job):
            return
        try:
            prepare_fork()
            with _signals_held():
                super().fork_work_horse(job, queue)
        except BaseException:
            self.requeue()
            raise

    def monitor_work_horse(self, job: Job, queue: Queue) -> None:
        """Look after the horse, if there is one, and ring the next in line for each place that gets free."""
        self.enqueue_next()
        if self.horse_pid:
            try:
                super().monitor_work_horse(job, queue)
            finally:
                self._settle_horse()
        self.enqueue_next()
        if is_execution(job):
            self.acknowledge(job, queue)

    def _settle_horse(self) -> None:
        """Hand the job of a dead horse back at once, rather than when its lease is over.

        RQ's own hook for it is not called when Redis is away or has forgotten the ring.
        """
        if self._horse_status is None:
            self.kill_horse()
            self.wait_for_horse()
        if self._horse_status != os.EX_OK:
            self.requeue()

    def wait_for_horse(self) -> tuple[Any, Any, Any]:
        """Wait for the end of the horse and remember how it was."""
        pid, status, usage = super().wait_for_horse()
        if pid is not None:
            self._horse_status = status
        return pid, status, usage

    def main_work_horse(self, job: Job, queue: Queue) -> None:
        """Begin the child: it dies with its parent, uses no connection of it, and never becomes a worker."""
        try:
            if sys.platform == "linux":
                ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            if os.getppid() == self.pid:  # else the parent died before the tie was made
                forget_connections()
                super().main_work_horse(job, queue)
        finally:
            end_process()

    def perform_job(self, job: Job, queue: Queue) -> bool:
        """Do the work, in the child; rq's own way does the bookkeeping that the parent does for rings."""
        if self.claimed is None:
            return super().perform_job(job, queue)
        self.carry_out(job)
        return True

    def setup_work_horse_signals(self) -> None:
        """Let the platform's SIGTERM to every process pass: the parent decides when a horse ends."""
        for number in _STOPS:
            signal.signal(number, signal.SIG_IGN)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)

    def end_grace(self) -> None:
        """Kill the horse; its death hands the job back."""
        self.kill_horse()

    def kill_horse(self, sig: signal.Signals = signal.SIGKILL) -> None:
        """Kill the running horse and its group, if there is one: rq would kill our own group instead."""
        if not self.horse_pid:
            return
        with suppress(OSError):  # a newborn has no group of its own yet
            os.setpgid(self.horse_pid, self.horse_pid)
        super().kill_horse(sig)

    def maintain_heartbeats(self, job: Job) -> None:
        """Keep rq informed; Redis being away must not end a task whose truth is in the database."""
        try:
            super().maintain_heartbeats(job)
        except RedisError as error:
            self.log.warning("Redis is away while %s runs: %s", job.id, cause_of(error))


@contextmanager
def _signals_held() -> Iterator[None]:
    """Begin a child with SIGTERM and SIGINT waiting, until it has handlers of its own.

    The parent may still hear them meanwhile: another of its threads takes what this one keeps waiting.
    """
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
