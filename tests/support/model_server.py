"""A server of OpenAI's chat completions and Anthropic's messages; the model's name chooses how it behaves.

``python -m tests.support.model_server`` runs it by hand: it prints the address for LLM_BASE_URL.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.support import model_answers
from tests.support.messages_exchange import MessagesExchange
from tests.support.model_exchange import Exchange
from tests.support.model_scenarios import SCENARIOS

KEY = "sk-the-very-secret-key-of-the-tests"


@dataclass
class ModelServer:
    """``url`` is for LLM_BASE_URL, ``messages_url`` with LLM_PROVIDER=anthropic.

    ``bodies`` and ``keys`` are what was sent.

    ``respond`` answers instead of the scenario of the model's name. ``asked`` is set by a question,
    ``hung_up`` when the caller leaves a model that says nothing.
    """

    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    heard: Callable[[], None] = lambda: None
    respond: Callable[[Exchange], None] | None = None
    asked: threading.Event = field(default_factory=threading.Event)
    hung_up: threading.Event = field(default_factory=threading.Event)
    released: threading.Event = field(default_factory=threading.Event)
    port: int = 0

    def __post_init__(self) -> None:
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                outer.bodies.append(body)
                outer.keys.append(self.headers.get("Authorization"))
                outer.heard()
                outer.asked.set()
                exchange = MessagesExchange if self.path == "/v1/messages" else Exchange
                asked = exchange(self, body, len(outer.bodies), outer.released, outer.hung_up)
                (outer.respond or SCENARIOS[body["model"]])(asked)

            def handle(self) -> None:
                try:
                    super().handle()
                except OSError:
                    """The caller may hang up when it likes."""

            def log_message(self, *_: Any) -> None:
                """Stay silent."""

        self._server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.port = self._server.server_port
        self._server.daemon_threads = True
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self) -> str:
        return f"{self.messages_url}/v1"

    @property
    def messages_url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def tasks(self) -> list[str]:
        """What was asked for, in order."""
        return [model_answers.task_of(body["messages"]) for body in self.bodies]

    @property
    def prompts(self) -> list[str]:
        """Every message that was sent."""
        return [message["content"] for body in self.bodies for message in body["messages"]]

    def close(self) -> None:
        self.released.set()
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def model_port() -> list[int]:
    """The port of the last model: with the same one again settings, and so the application, are the same."""
    return [0]


@pytest.fixture
def model_server(model_port: list[int]) -> Iterator[ModelServer]:
    """A model that answers as its name says."""
    try:
        server = ModelServer(port=model_port[0])
    except OSError:  # somebody else took it in between
        server = ModelServer()
    model_port[0] = server.port
    yield server
    server.close()


if __name__ == "__main__":
    running = ModelServer()
    print(running.url, "models:", *SCENARIOS, flush=True)
    while True:
        time.sleep(60)
