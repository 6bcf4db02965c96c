"""The table at the end: what was injected, what became of the jobs, how long recovery took."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from app.executions.states import Status
from app.infra.faults import Point
from tests.chaos.customers import UNPUBLISH
from tests.chaos.evidence import Attempt, Evidence, Wait, attempts, waits
from tests.chaos.faults import STOP_LIMIT, Hit
from tests.chaos.free_time import Looks
from tests.chaos.guarantees import DOUBLED, GUARANTEES

QUEUE_ENTRY_LOST = frozenset(
    {"Redis emptied", "Redis restarted", Point.AFTER_COMMIT_BEFORE_ENQUEUE.value,
     Point.DISPATCHER_BETWEEN_ENQUEUE_AND_MARK.value}
)  # fmt: skip
"""Faults that touch the jobs in the queue. The others touch one that runs."""
_CLOSE = 0.05
RECOVERED = 25.0
"""Seconds above a lease that a recovery may take while a worker is free to take a job."""
WELL = 5.0
"""Seconds that a post may take on a service that nobody breaks."""


@dataclass
class Report:
    """What a run found. ``drained`` is how long everything took to end after the last fault, in seconds;
    ``quiet`` how long each post took after that.
    """

    title: str
    lease: int
    evidence: Evidence
    hits: list[Hit]
    kinds: list[str]
    stops: list[float]
    drained: float
    quiet: list[float]
    free: Looks
    recoveries: list[Recovery] = field(init=False)
    breaches: dict[str, list[str]] = field(init=False)

    def __post_init__(self) -> None:
        tried, stays = attempts(self.evidence), waits(self.evidence)
        self.recoveries = [recovery(hit, tried, stays, self.free) for hit in self.hits]
        self.breaches = {name: list(check(self.evidence)) for name, check in GUARANTEES.items()}
        self.breaches["9 SIGTERM ends a worker in 25 s"] = [
            f"a worker took {seconds:.1f} s" for seconds in self.stops if seconds > STOP_LIMIT
        ]
        self.breaches["6 recovered in time"] = [
            f"{one.kind}: after {one.seconds:.1f} s, {one.free:.1f} s of them with a free worker"
            for one in self.recoveries
            if one.free > self.lease + RECOVERED
        ]
        self.breaches["6 well again"] = [
            f"a post took {seconds:.1f} s" for seconds in self.quiet if seconds > WELL
        ]

    @property
    def lost(self) -> int:
        """Jobs that never ended, answered jobs that do not exist, and texts that never arrived."""
        answered = set().union(*self.evidence.ledger.jobs_of_keys.values(), ())
        gone = len(answered - self.evidence.jobs.keys())
        ways = ("6 everything ends", "8 what succeeded arrived")
        return gone + sum(len(self.breaches[name]) for name in ways)

    @property
    def doubled(self) -> int:
        return sum(len(self.breaches[name]) for name in DOUBLED)

    @property
    def updates(self) -> int:
        """Changed texts that took the place of another at the target."""
        texts = {(call.publication_id, call.there) for call in self.evidence.calls if call.there is not None}
        return len(texts) - len(self.evidence.taken)

    @property
    def passed(self) -> bool:
        return not any(self.breaches.values())

    def missing(self) -> list[str]:
        """The kinds of faults that never hit."""
        return [kind for kind in self.kinds if kind not in {hit.kind for hit in self.hits}]

    def __str__(self) -> str:
        return "\n".join((self.title, "", *self._faults(), "", *self._jobs(), "", *self._guarantees()))

    def _faults(self) -> list[str]:
        lines = [f"{'fault':<40}{'hits':>6}{'slowest recovery':>20}{'with a free worker':>20}"]
        for kind in self.kinds:
            found = [one for one in self.recoveries if one.kind == kind]
            seconds, free = (_slowest([one.seconds for one in found]), _slowest([one.free for one in found]))
            lines.append(f"{kind:<40}{len(found):>6}{seconds:>20}{free:>20}")
        stopped = f"{max(self.stops):.1f} s" if self.stops else "-"
        lines.append(f"{'from SIGTERM to the end of the worker':<46}{stopped:>20}")
        lines.append(f"{'from the last fault until all had ended':<46}{self.drained:>18.1f} s")
        lines.append(f"{'a post when all was quiet again':<46}{max(self.quiet):>18.1f} s")
        return lines

    def _jobs(self) -> list[str]:
        jobs = list(self.evidence.jobs.values())
        status = Counter(job.status for job in jobs)
        codes = Counter((job.failure or {}).get("code") for job in jobs if job.status == Status.FAILED)
        rolled_back = sum(job.rollback_state == "completed" for job in jobs)
        more = sum(job.attempt > 1 for job in jobs)
        rows: list[tuple[str, object]] = [
            ("jobs created", len(jobs)),
            *((f"  {name}", status[name]) for name in ("succeeded", "failed", "canceled")),
            ("lost (must be 0)", self.lost),
            ("duplicate effects (must be 0)", self.doubled),
            ("jobs that needed another attempt", more),
            ("posts published", len(self.evidence.taken) + sum(row.is_live for row in self.evidence.rows)),
            ("hidden drafts at blogs", sum(not row.is_live for row in self.evidence.rows)),
            ("unpublished", sum(job.operation == UNPUBLISH and job.status == "succeeded" for job in jobs)),
            ("published posts updated", self.updates),
            ("rolled back", rolled_back),
            ("retried", sum(job.retry_of is not None for job in jobs)),
            ("failed with", ", ".join(f"{code} {n}" for code, n in codes.most_common()) or "-"),
            ("answers", ", ".join(f"{a} {n}" for a, n in self.evidence.ledger.answers.most_common())),
        ]
        return [f"{name:<36}{value}" for name, value in rows]

    def _guarantees(self) -> list[str]:
        lines = []
        for name, breaches in self.breaches.items():
            lines.append(f"{name:<36}{'kept' if not breaches else f'BROKEN, {len(breaches)} times'}")
            lines += [f"    {breach}" for breach in breaches[:10]]
        return lines


@dataclass(frozen=True)
class Recovery:
    """The seconds that the service took after a fault; ``free`` of them a worker was free to take a job."""

    kind: str
    seconds: float
    free: float


def recovery(hit: Hit, tried: list[Attempt], stays: list[Wait], free: Looks) -> Recovery:
    """Measure until the job that a fault touched ran again or had ended, or until the next job ended.

    Redis and the database are given the time that they were kept away.
    """
    since, until = _span(hit, tried, stays)
    return Recovery(hit.kind, until - since, free.seconds(since, until))


def _span(hit: Hit, tried: list[Attempt], stays: list[Wait]) -> tuple[float, float]:
    if hit.kind in QUEUE_ENTRY_LOST:
        held = [stay for stay in stays if stay.since <= hit.healed < stay.until]
        if hit.kind == Point.AFTER_COMMIT_BEFORE_ENQUEUE:
            held = sorted(held, key=lambda stay: stay.since)[-1:]
        return hit.healed, max((stay.until for stay in held), default=hit.healed)
    lost = [
        one for one in tried
        if one.lost and one.started <= hit.at + _CLOSE and one.ended >= hit.at - _CLOSE and one.next_sign
    ]  # fmt: skip
    if lost:
        first = min(lost, key=lambda one: one.ended)
        return hit.at, max(hit.at, first.next_sign or 0)
    ends = [one.ended for one in tried if one.ended > hit.healed]
    return hit.healed, min(ends, default=hit.healed)


def _slowest(times: list[float]) -> str:
    return f"{max(times):.1f} s" if times else "-"
