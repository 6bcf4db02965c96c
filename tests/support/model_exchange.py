"""One question to the fake model server, and the ways to answer it as real servers do."""

from __future__ import annotations

import json
import select
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from typing import Any

from tests.support import model_answers

USAGE = {"prompt_tokens": 700, "completion_tokens": 300, "total_tokens": 1000, "cost": 0.002}


@dataclass
class Exchange:
    """One question to the server: what was asked, and the means to answer it."""

    handler: BaseHTTPRequestHandler
    body: dict[str, Any]
    number: int
    released: threading.Event
    hung_up: threading.Event

    @property
    def task(self) -> str:
        return model_answers.task_of(self.body["messages"])

    def stream(self, *events: dict[str, Any] | str) -> None:
        """Send events as they come from a real server."""
        self._head(200, {"Content-Type": "text/event-stream"})
        for event in events:
            data = event if isinstance(event, str) else json.dumps(event)
            self.handler.wfile.write(f"data: {data}\n\n".encode())
        self.handler.wfile.flush()

    def say(self, text: str, finish: str = "stop") -> None:
        """Answer with a text, in pieces, then the usage."""
        pieces = [text[n : n + 400] for n in range(0, len(text), 400)]
        last = {**chunk(), "choices": [], "usage": USAGE}
        self.stream(*map(chunk, pieces), chunk(finish=finish), last, "[DONE]")

    def refuse(self, status: int, code: str | None = None, message: str = "no", **headers: str) -> None:
        """Answer with an error that repeats the key and the prompt, as some servers do."""
        message_text = f"{message} {self.handler.headers.get('Authorization')} {self.body['messages']}"
        self.refuse_with(status, {"message": message_text, "code": code, "type": code}, **headers)

    def refuse_with(self, status: int, error: dict[str, Any], **headers: str) -> None:
        """Answer with an error of these members."""
        text = json.dumps({"error": error}).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._head(status, {"Content-Type": "application/json", "Content-Length": str(len(text)), **named})
        self.handler.wfile.write(text)

    def hang(self) -> None:
        """Say nothing until the other side is gone or the server is closed."""
        while not self.released.is_set():
            # Readable without a byte means that the other side is gone.
            if select.select([self.handler.connection], [], [], 0.05)[0]:
                self.hung_up.set()
                break
        self.handler.close_connection = True

    def _head(self, status: int, headers: dict[str, str]) -> None:
        self.handler.send_response(status)
        for name, value in headers.items():
            self.handler.send_header(name, value)
        self.handler.end_headers()


def chunk(text: Any = None, finish: str | None = None, **delta: Any) -> dict[str, Any]:
    """One event of a stream."""
    choice = {"index": 0, "delta": {"content": text, **delta}, "finish_reason": finish}
    return {
        "id": "1", "object": "chat.completion.chunk", "created": 1, "model": "tiny-1", "choices": [choice],
    }  # fmt: skip
