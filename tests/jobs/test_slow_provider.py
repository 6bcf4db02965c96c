"""A canceled job stops spending: the stream of a language model that answers slowly is closed."""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from app.executions import service
from app.executions.queries import get_job
from app.infra.db import db
from app.operations import registry
from tests.executions.conftest import check_history, job_of
from tests.jobs.conftest import House, OpenHouse
from tests.support.asking import ASK

FIRST_WORD = {
    "id": "1", "object": "chat.completion.chunk", "created": 1, "model": "slow",
    "choices": [{"index": 0, "delta": {"content": "Well"}, "finish_reason": None}],
}  # fmt: skip


class SlowModel:
    """Says one word and thinks; ``hung_up`` is set when the caller closes the stream."""

    def __init__(self) -> None:
        model = self
        self.asked, self.hung_up = threading.Event(), threading.Event()
        self.questions = 0

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                model.questions += 1
                self.rfile.read(int(self.headers["Content-Length"]))
                self.send_response(200)
                self.send_header("Content-Type", "text/event-stream")
                self.end_headers()
                self.wfile.write(f"data: {json.dumps(FIRST_WORD)}\n\n".encode())
                self.wfile.flush()
                model.asked.set()
                # Readable without a byte means that the other side is gone.
                select.select([self.connection], [], [], 60)
                model.hung_up.set()
                self.close_connection = True

            def log_message(self, *_: Any) -> None:
                """Stay silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/v1"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def model() -> Iterator[SlowModel]:
    made = SlowModel()
    yield made
    made.close()


def asking(open_house: OpenHouse, model: SlowModel, **settings: str) -> tuple[House, int]:
    """A service whose worker has asked the model, and the job."""
    house = open_house("scheduler", **settings)
    house.service.commands["worker"] = "python -m tests.support.asking worker.py"
    house.service.start("worker")
    job_id = house.garden.queued(ASK.name, payload={"url": model.url})
    assert model.asked.wait(15), house.service.logs()
    return house, job_id


@pytest.fixture(autouse=True)
def _with_the_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(registry._BY_NAME, ASK.name, ASK)


@pytest.mark.parametrize("worker_class", ["forking", "inline"])
@pytest.mark.parametrize("redis", ["there", "away"])
def test_the_stream_of_a_canceled_job_is_closed_within_5_seconds(
    open_house: OpenHouse, model: SlowModel, worker_class: str, redis: str
) -> None:
    house, job_id = asking(open_house, model, WORKER_CLASS=worker_class)
    if redis == "away":
        house.service.redis.kill()
    service.cancel(get_job(house.garden.account_id, job_id))
    db.session.rollback()
    assert model.hung_up.wait(5)
    assert model.questions == 1
    assert job_of(job_id).status == "canceled"
    check_history(job_id)
