"""How a server is asked for JSON: by schema, by JSON mode, in plain words, and no simpler than it needs."""

from __future__ import annotations

import time
from typing import Any

import pytest

from app.content.writing.providers.openai_compatible import OpenAICompatibleProvider
from app.failures import ServiceFailure
from tests.support.model_exchange import Exchange
from tests.support.model_server import ModelServer

SCHEMA = {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]}
SHAPES = ("json_schema", "json_object", None)


class Server:
    """A server that refuses some shapes with a status, and one provider that asks it."""

    def __init__(self, model_server: ModelServer) -> None:
        self.refused: dict[str | None, int] = {}
        self.bodies = model_server.bodies
        self.notes: list[str] = []
        self._provider = OpenAICompatibleProvider(base_url=model_server.url, api_key=None, model="tiny")
        model_server.respond = self._respond

    def _respond(self, asked: Exchange) -> None:
        status = self.refused.get(shape_of(asked.body))
        if status:
            # What llama.cpp says when it cannot make a grammar for a model.
            asked.refuse(status, "invalid_request_error", "Failed to initialize samplers")
        else:
            asked.say('```json\n{"a": 1}\n```')

    def ask(self) -> list[str | None]:
        """Ask once; returns the shapes that were asked for."""
        before = len(self.bodies)
        self._provider.complete(
            [{"role": "user", "content": "Say a."}],
            schema=SCHEMA,
            deadline=time.monotonic() + 5,
            should_stop=lambda: False,
            note=self.notes.append,
        )
        return [shape_of(body) for body in self.bodies[before:]]


def shape_of(body: dict[str, Any]) -> str | None:
    return body.get("response_format", {}).get("type")


@pytest.fixture
def server(model_server: ModelServer) -> Server:
    return Server(model_server)


def test_structured_output_is_asked_for_with_the_schema(server: Server) -> None:
    assert server.ask() == ["json_schema"]
    assert server.bodies[0]["response_format"]["json_schema"]["schema"] == SCHEMA


def test_a_server_without_structured_output_is_asked_in_simpler_ways_from_then_on(server: Server) -> None:
    server.refused = {"json_schema": 400, "json_object": 422}
    assert server.ask() == list(SHAPES)
    assert server.ask() == [None]
    refused = "The text provider refused the form of the answer (HTTP {}): asked in a simpler one, {} of 4."
    assert server.notes == [refused.format(400, 2), refused.format(422, 3)]


def test_a_server_that_has_json_mode_alone_stays_there(server: Server) -> None:
    server.refused = {"json_schema": 400}
    assert server.ask() == ["json_schema", "json_object"]
    assert server.ask() == ["json_object"]


def test_a_question_that_is_refused_in_every_way_says_nothing_on_the_shapes(server: Server) -> None:
    server.refused = dict.fromkeys(SHAPES, 400)
    with pytest.raises(ServiceFailure, match="PROVIDER_REJECTED"):
        server.ask()
    server.refused = {}
    assert server.ask() == ["json_schema"]
