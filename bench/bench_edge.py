"""What slow clients do to the service behind each web server, and what else a server must hold.

bin/bench edge [slow] [rate] [wait] [stop] [--seconds N] [--only SERVER]; with slow, 120 seconds are the full
measurement.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence

from bench.customer import inside, sign_up
from bench.edge_clients import Answers, Customers, Request, until
from bench.edge_servers import SERVERS, Server, running
from bench.stage import Stage, percentile, stage, table
from tests.support.slow_clients import SlowClients

SLOW = {"headers": 100, "body": 100, "reader": 20}
CONNECTIONS = 16
P95_MS = 300
CUT_SECONDS = 60
WAIT = 4

Row = list[object]


def slow(server: Server, requests: Sequence[Request], seconds: float) -> Row:
    """Everybody else's answers while 200 clients drip a byte a second, and when these are cut."""
    clients = SlowClients(server.port, SLOW)
    end = time.monotonic() + seconds
    dripping = threading.Thread(target=clients.run, args=(until(end),), kwargs={"again": True}, daemon=True)
    dripping.start()
    cpu = sum(server.cpu())
    with Customers(server.port, requests, 4, pause=0.2) as answers:
        dripping.join()
    spent = sum(server.cpu()) - cpu
    clients.close()
    p95 = _ms(answers, 0.95)
    cuts = [clients.cut(kind) for kind in ("headers", "body", "reader")]
    met = (
        not answers.failures and p95 <= P95_MS and all(each and max(each) <= CUT_SECONDS for each in cuts[:2])
    )
    return [
        f"{len(answers.seconds)} of {answers.sent}",
        *(f"{_ms(answers, share):.0f}" for share in (0.5, 0.95, 1)),
        *(f"{max(each):.0f}" if each else "never" for each in cuts),
        f"{spent / seconds * 100:.0f} %", f"{server.megabytes():.0f}", "met" if met else "MISSED",
    ]  # fmt: skip


def rate(server: Server, requests: Sequence[Request], seconds: float) -> Row:
    """Requests a second of 16 clients with kept connections and with new ones; how even the processes are."""
    row: Row = []
    for keep in (True, False):
        with Customers(server.port, requests[:1], CONNECTIONS, keep=keep):
            time.sleep(1)  # the first requests load templates and statements
        before = server.cpu()
        with Customers(server.port, requests[:1], CONNECTIONS, keep=keep) as answers:
            time.sleep(seconds)
        spent = [after - then for after, then in zip(server.cpu(), before, strict=True)]
        busiest = max(spent) / sum(spent) * 100 if sum(spent) else 0
        done = len(answers.seconds)
        row += [
            f"{done / seconds:.0f}", f"{sum(spent) / max(1, done) * 1000:.1f}", f"{_ms(answers, 0.95):.0f}",
            f"{busiest:.0f} %", len(answers.failures),
        ]  # fmt: skip
    return [*row, f"{server.megabytes():.0f}"]


def wait(server: Server, requests: Sequence[Request], seconds: float) -> Row:
    """Everybody else's answers while 16 clients wait for jobs that no worker does."""
    waits = [request for request in requests if request.waits]
    others = [request for request in requests if not request.waits]
    with (
        Customers(server.port, waits, CONNECTIONS) as waiting,
        Customers(server.port, others, 4, pause=0.2) as answers,
    ):
        time.sleep(seconds)
    done = f"{len(answers.seconds)} of {answers.sent}"
    return [done, *(f"{_ms(answers, share):.0f}" for share in (0.5, 0.95, 1)), len(waiting.seconds)]


def stop(server: Server, requests: Sequence[Request], seconds: float) -> Row:
    """Requests lost when SIGTERM comes under load, with new connections and with kept ones."""
    half = CONNECTIONS // 2
    with (
        Customers(server.port, requests, half) as new,
        Customers(server.port, requests, half, keep=True) as kept,
    ):
        time.sleep(seconds)
        asked = time.monotonic()
        os.kill(server.pid, signal.SIGTERM)
        while _is_running(server.pid) and time.monotonic() < asked + 30:
            time.sleep(0.05)
        took = time.monotonic() - asked
    lost = [Counter(each.failures) for each in (new, kept)]
    return [new.sent + kept.sent, *(_counted(each) for each in lost), f"{took:.1f}"]


PARTS: dict[str, tuple[Callable[[Server, Sequence[Request], float], Row], float, list[str]]] = {
    "slow": (
        slow, 40,
        ["answered", "p50 ms", "p95 ms", "most", "headers cut, s", "bodies cut, s", "readers cut, s",
         "CPU", "MB", "bar"],
    ),
    "rate": (
        rate, 5,
        ["kept: requests/s", "CPU ms", "p95 ms", "busiest", "failed",
         "new: requests/s", "CPU ms", "p95 ms", "busiest", "failed", "MB"],
    ),
    "wait": (wait, 10, ["answered", "p50 ms", "p95 ms", "most", "waits, ended or refused"]),
    "stop": (stop, 3, ["requests", "lost of new connections", "lost of kept ones", "seconds until the end"]),
}  # fmt: skip


def main() -> None:
    """Print a table for each part that was asked for, or for all."""
    parser = argparse.ArgumentParser(prog="bin/bench edge", description=__doc__)
    parser.add_argument("parts", nargs="*", choices=[*PARTS, []], default=[])
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--only", action="append", choices=list(SERVERS))
    chosen = parser.parse_args()
    with stage() as servers:
        database = servers.database()
        requests = _requests(servers, database)
        for name in chosen.parts or PARTS:
            part, seconds, head = PARTS[name]
            rows = []
            for server_name in chosen.only or SERVERS:
                used = requests if name == "wait" else [request for request in requests if not request.waits]
                with running(servers, server_name, database) as server:
                    rows.append([server_name, *part(server, used, chosen.seconds or seconds)])
                print(*rows[-1], sep=" | ", flush=True)
            print(f"\n{name}\n\n{table(['server', *head], rows)}\n", flush=True)


def _requests(servers: Stage, database: str) -> list[Request]:
    with inside(servers.environment(DATABASE_URL=database)):
        project_id, key = sign_up()
    project = f"/public-api/projects/{project_id}"
    keyed = {"X-API-Key": key}
    writing = {**keyed, "Content-Type": "application/json"}
    patient = {**writing, "Prefer": f"wait={WAIT}"}
    changed = json.dumps({"name": "Alice's garden"}).encode()
    return [
        Request("GET", project, keyed),
        Request("GET", "/sign-in"),
        Request("PATCH", project, writing, changed),
        Request("GET", "/health/live"),
        Request("POST", f"{project}/blog-posts/generate", patient, b"{}", (202, 429), waits=True),
    ]


def _ms(answers: Answers, share: float) -> float:
    return percentile(answers.seconds, share) * 1000 if answers.seconds else float("inf")


def _counted(failures: Counter[str]) -> str:
    return ", ".join(f"{number} {name}" for name, number in failures.items()) or "0"


def _is_running(pid: int) -> bool:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return stat.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


if __name__ == "__main__":
    main()
