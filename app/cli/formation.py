"""The processes that app.json declares, against those that answer."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Final, NamedTuple

from redis.exceptions import RedisError
from rq import Queue, Worker

from app.config import QUEUES, ROOT
from app.infra import presence
from app.infra.queue import redis_client
from app.infra.settings import current_settings

_FILE: Final = ROOT / "app.json"
_START: Final = {
    presence.WEB: "the command `web` of the Procfile",
    presence.WORKER: "`python worker.py`",
    presence.SCHEDULER: "`python scheduler.py`",
}


class Finding(NamedTuple):
    """The result of one check: the state, or how to fix it."""

    ok: bool
    message: str


def declared() -> dict[str, int]:
    """Return how many processes of each kind app.json declares; one of each without the file."""
    if not _FILE.exists():
        return dict.fromkeys(presence.KINDS, 1)
    formation = json.loads(_FILE.read_text())["formation"]
    return {kind: int(formation[kind]["quantity"]) for kind in presence.KINDS}


def check_formation() -> Iterator[Finding]:
    """Compare what is declared with what answers, and look for queues that no worker serves."""
    try:
        alive = Counter(process.kind for process in presence.alive())
        served = {name: Worker.all(queue=Queue(name, connection=redis_client())) for name in QUEUES}
        waiting = {name: Queue(name, connection=redis_client()).count for name in QUEUES}
    except RedisError:
        return  # the check of Redis says so
    for kind, number in declared().items():
        yield _of_kind(kind, number, alive[kind])
    for name in QUEUES:
        if not served[name]:
            yield Finding(False, f"queue {name}: no worker takes its tasks, {waiting[name]} wait")


def _of_kind(kind: str, wanted: int, found: int) -> Finding:
    if kind == presence.WEB and current_settings().metrics_token is None:
        return Finding(True, "web: not counted without METRICS_TOKEN")
    message = f"{kind}: {found} answer, {wanted} declared in app.json"
    if found >= wanted:
        return Finding(True, message)
    since = ", which counts from its first request on" if kind == presence.WEB else ""
    return Finding(False, f"{message}. Start {_START[kind]}{since}")
