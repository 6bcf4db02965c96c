"""The faults, injected one after the other by a seeded schedule, and what each of them hit."""

from __future__ import annotations

import random
import signal
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from redis import Redis
from redis.exceptions import RedisError

from app.infra.faults import Point
from tests.chaos.evidence import started_again
from tests.chaos.system import System
from tests.support.process_tree import children, send_signal, threads

OUTAGE = (1.0, 4.0)
"""Seconds that Redis or the database stays away."""
LOCKED = (11.0, 13.0)
"""Seconds for which SQLite's write lock is taken: a writer gives up after 10."""
CLOCKS = {"clock 5 minutes ahead": 300, "clock 5 minutes behind": -300}
WRONG = (3.0, 6.0)
"""Seconds until the clock is right again."""
LONGEST_SLEEP = 8.0
"""Seconds past its lease that a frozen worker sleeps at most."""
STOP_LIMIT = 25.0


@dataclass
class Hit:
    """A fault that happened. ``healed`` is when what was taken away on purpose came back (or ``at``)."""

    kind: str
    at: float
    healed: float


class Faults:
    """Call ``tick`` often, from the thread that started the processes."""

    def __init__(self, system: System, rng: random.Random, pause: tuple[float, float], freeze: float) -> None:
        self.hits: list[Hit] = []
        self.stops: list[float] = []
        self._system = system
        self._rng = rng
        self._pause = pause
        self._freeze = freeze
        self._next = time.monotonic()
        self._later: list[tuple[float, Callable[[], None]]] = []
        self._frozen: set[int] = set()
        self._away: set[str] = set()
        self._kinds: dict[str, Callable[[str], bool]] = {point.value: self._arm for point in Point}
        self._kinds |= {
            "child process killed": self._kill_child,
            "worker and child killed": self._kill_worker,
            "scheduler killed": self._kill_scheduler,
            "web worker killed": self._kill_web,
            "worker frozen past its lease": self._freeze_worker,
            "worker stopped by SIGTERM": self._stop_worker,
            "Redis emptied": self._empty_redis,
            "Redis restarted": self._restart_redis,
        }
        self._kinds |= dict.fromkeys(system.database.faults, self._take_database_away)
        self._kinds |= dict.fromkeys(CLOCKS, self._step_clock)
        self._deck = self._shuffled()

    @property
    def kinds(self) -> list[str]:
        return list(self._kinds)

    def missing(self) -> list[str]:
        """The kinds that never hit."""
        hit = Counter(one.kind for one in self.hits)
        return [kind for kind in self._kinds if not hit[kind]]

    def tick(self, *, inject: bool = True) -> None:
        """Do what is due: heal, take note of points that killed, start what died, and harm again."""
        now = time.monotonic()
        for due in [entry for entry in self._later if entry[0] <= now]:
            self._later.remove(due)
            due[1]()
        self._collect()
        self._system.supervise()
        if inject and now >= self._next and self._inject():
            self._next = time.monotonic() + self._rng.uniform(*self._pause)

    def end(self) -> None:
        """Harm nothing any more: disarm the points, heal everything."""
        for point in self._system.points.iterdir():
            if point.suffix != ".taken":
                point.unlink()
        while self._later:
            self.tick(inject=False)
            time.sleep(0.02)
        self._collect()

    def servers_are_there(self) -> bool:
        """Whether neither Redis nor the database was taken away."""
        return not self._away & {"redis", "database"}

    def is_stopped(self, pid: int) -> bool:
        """Whether a worker is frozen or was asked to stop."""
        return pid in self._frozen

    def mended(self) -> bool:
        """Whether every process that died was started again."""
        return self._system.complete()

    def _shuffled(self) -> list[str]:
        return self._rng.sample(list(self._kinds), len(self._kinds))

    def _inject(self) -> bool:
        """Try the faults of the deck one after the other until one is possible; False when none is."""
        for kind in list(self._deck):
            if self._kinds[kind](kind):
                self._deck.remove(kind)
                # What never hit comes first again: a point may be armed and not reached.
                self._deck = self._deck or self._shuffled()
                return True
        return False

    def _hit(self, kind: str, at: float | None = None) -> Hit:
        moment = time.time() if at is None else at
        self.hits.append(Hit(kind, moment, moment))
        return self.hits[-1]

    def _after(self, seconds: float, act: Callable[[], None]) -> None:
        self._later.append((time.monotonic() + seconds, act))

    def _arm(self, kind: str) -> bool:
        (self._system.points / kind).touch()
        return True

    def _collect(self) -> None:
        for taken in self._system.points.glob("*.taken"):
            self._hit(taken.stem, taken.stat().st_ctime)
            taken.unlink()

    def _workers(self) -> list[int]:
        pids = [run.process.pid for run in self._system.running("worker")]
        return [pid for pid in pids if pid not in self._frozen]

    def _busy(self) -> tuple[int, int] | None:
        """A worker that runs an execution job, and its child process: the heartbeat is its second thread."""
        pairs = [(pid, child) for pid in self._workers() for child in children(pid) if threads(child) > 1]
        return self._rng.choice(pairs) if pairs else None

    def _kill_child(self, kind: str) -> bool:
        found = self._busy()
        if found is not None:
            self._hit(kind)
            send_signal(signal.SIGKILL, found[1])
        return found is not None

    def _kill_worker(self, kind: str) -> bool:
        found = self._busy()
        if found is not None:
            self._hit(kind)
            send_signal(signal.SIGKILL, *found)
        return found is not None

    def _kill_scheduler(self, kind: str) -> bool:
        running = self._system.running("scheduler")
        if running:
            self._hit(kind)
            self._rng.choice(running).process.kill()
        return bool(running)

    def _kill_web(self, kind: str) -> bool:
        pids = [pid for run in self._system.running("web") for pid in children(run.process.pid)]
        if pids:
            self._hit(kind)
            send_signal(signal.SIGKILL, self._rng.choice(pids))
        return bool(pids)

    def _freeze_worker(self, kind: str) -> bool:
        found = None if self._frozen else self._busy()  # somebody has to take over
        if found is None:
            return False
        hit = self._hit(kind)
        self._frozen.add(found[0])
        send_signal(signal.SIGSTOP, *found)

        started = time.monotonic()

        def look() -> None:
            # It wakes when it can do the most harm: while its job runs again elsewhere.
            if not started_again(hit.at) and time.monotonic() < started + self._freeze + LONGEST_SLEEP:
                self._after(0.05, look)
                return
            send_signal(signal.SIGCONT, *found)
            self._frozen.discard(found[0])

        self._after(self._freeze, look)
        return True

    def _stop_worker(self, kind: str) -> bool:
        running = [run for run in self._system.running("worker") if run.process.pid not in self._frozen]
        if not running:
            return False
        process = self._rng.choice(running).process
        self._hit(kind)
        started = time.monotonic()
        self._frozen.add(process.pid)
        send_signal(signal.SIGTERM, *children(process.pid), process.pid)

        def look() -> None:
            if process.poll() is None:
                self._after(0.05, look)
                return
            self._frozen.discard(process.pid)
            self.stops.append(time.monotonic() - started)

        look()
        return True

    def _empty_redis(self, kind: str) -> bool:
        try:
            with Redis.from_url(self._system.redis.url) as connection:
                connection.flushall()
        except RedisError:
            return False
        self._hit(kind)
        return True

    def _restart_redis(self, kind: str) -> bool:
        return self._take_away(kind, "redis", self._system.redis.kill, self._system.redis.start, OUTAGE)

    def _take_database_away(self, kind: str) -> bool:
        database = self._system.database
        seconds = LOCKED if kind == "database locked" else OUTAGE
        return self._take_away(kind, "database", database.faults[kind], database.heal, seconds)

    def _step_clock(self, kind: str) -> bool:
        system = self._system
        return self._take_away(
            kind, "clock", lambda: system.set_clock(CLOCKS[kind]), lambda: system.set_clock(0), WRONG
        )

    def _take_away(
        self, kind: str, what: str, harm: Callable[[], bool | None], heal: Callable[[], None],
        seconds: tuple[float, float],
    ) -> bool:  # fmt: skip
        at = time.time()
        if what in self._away or harm() is False:
            return False
        self._away.add(what)
        hit = self._hit(kind, at)

        def healed() -> None:
            heal()
            self._away.discard(what)
            hit.healed = time.time()

        self._after(self._rng.uniform(*seconds), healed)
        return True
