"""Jobs created a second by POST …/executions on PostgreSQL: two web processes of the Procfile, no worker.

bin/bench creates [SECONDS]
"""

from __future__ import annotations

import json
import sys
import time
from typing import Final

from bench.customer import inside, sign_up
from bench.edge_clients import Customers, Request
from bench.edge_servers import running
from bench.stage import percentile, stage, table

CONNECTIONS: Final = 16
SECONDS: Final = 10.0
CUSTOMERS: Final = 64
"""So many that none of them has more jobs waiting than the default limit allows."""


def main() -> None:
    """Print jobs a second, what one costs the web processes, and how long it takes."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else SECONDS
    with stage() as servers:
        database = servers.database()
        with inside(servers.environment(DATABASE_URL=database)):
            requests = [_request(*sign_up(f"customer{number}@example.com")) for number in range(CUSTOMERS)]
        with running(servers, "ours", database) as server:
            with Customers(server.port, requests, CONNECTIONS, keep=True):
                time.sleep(2)  # the first requests prepare statements
            before = sum(server.cpu())
            with Customers(server.port, requests, CONNECTIONS, keep=True) as answers:
                time.sleep(seconds)
            done, cpu = len(answers.seconds), sum(server.cpu()) - before
    times = [f"{percentile(answers.seconds, share) * 1000:.0f}" for share in (0.5, 0.95)]
    row = [f"{done / seconds:.0f}", f"{cpu / done * 1000:.1f}", *times, len(answers.failures)]
    print(table(["jobs/s", "CPU ms of web", "p50 ms", "p95 ms", "failed"], [row]))


def _request(project_id: int, key: str) -> Request:
    body = {"operation": "GENERATE_BLOG_POST", "payload": {"topic": "How to prune apple trees"}}
    headers = {"X-API-Key": key, "Content-Type": "application/json"}
    path = f"/public-api/projects/{project_id}/executions"
    return Request("POST", path, headers, json.dumps(body).encode(), (202,), is_new=True)


if __name__ == "__main__":
    main()
