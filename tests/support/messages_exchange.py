"""One question to the fake model server in the words of Anthropic's Messages API."""

from __future__ import annotations

import json
from typing import Any

from tests.support.model_exchange import Exchange

MODEL = "claude-tiny-4-5-20251001"
USAGE = {"input_tokens": 700, "output_tokens": 300}
STOPS = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
TYPES = {
    400: "invalid_request_error", 401: "authentication_error", 402: "billing_error", 403: "permission_error",
    404: "not_found_error", 413: "request_too_large", 429: "rate_limit_error", 529: "overloaded_error",
}  # fmt: skip


class MessagesExchange(Exchange):
    """The same means to answer as for chat completions, so that every scenario serves for both."""

    def stream(self, *events: dict[str, Any] | str) -> None:
        """Send events, each with its type before it."""
        self._head(200, {"Content-Type": "text/event-stream"})
        self.send(*events)

    def send(self, *events: dict[str, Any] | str) -> None:
        """Go on with a stream."""
        for event in events:
            kind, data = ("", event) if isinstance(event, str) else (event["type"], json.dumps(event))
            self.handler.wfile.write(f"event: {kind}\ndata: {data}\n\n".encode())
        self.handler.wfile.flush()

    def say(self, text: str, finish: str = "stop") -> None:
        """Answer with a text, in pieces, then the usage."""
        pieces = [text[n : n + 400] for n in range(0, len(text), 400)]
        self.stream(begin(), *map(piece, pieces), *end(STOPS[finish]))

    def refuse(self, status: int, code: str | None = None, message: str = "no", **headers: str) -> None:
        """Answer with an error that repeats the key and the prompt."""
        words = f"{message} {self.handler.headers.get('Authorization')} {self.body['messages']}"
        body = failed(TYPES.get(status, "api_error"), words)
        body["error"]["details"] = {"error_code": code}
        text = json.dumps(body).encode()
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        self._head(status, {"Content-Type": "application/json", "Content-Length": str(len(text)), **named})
        self.handler.wfile.write(text)


def begin(**usage: Any) -> dict[str, Any]:
    """The first event of an answer."""
    counted = {**USAGE, "output_tokens": 1, **usage}
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": MODEL, "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": counted,
    }  # fmt: skip
    return {"type": "message_start", "message": message}


def piece(text: Any, kind: str = "text") -> dict[str, Any]:
    """The next words of an answer, or of what the model thinks."""
    return {"type": "content_block_delta", "index": 0, "delta": {"type": f"{kind}_delta", kind: text}}


def end(reason: str = "end_turn", **usage: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """The last events of an answer."""
    delta = {"stop_reason": reason, "stop_sequence": None}
    return {"type": "message_delta", "delta": delta, "usage": {**USAGE, **usage}}, {"type": "message_stop"}


def failed(kind: str, message: str) -> dict[str, Any]:
    """An error, as a body and as an event."""
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}
