"""An operation that asks a language model; ``python -m tests.support.asking worker.py`` can run it."""

from __future__ import annotations

import runpy
import sys
import time
from typing import Final

from marshmallow import Schema

from app.content.providers.openai_compatible import OpenAICompatibleProvider
from app.operations import registry
from app.operations.base import Operation, Outcome, Run

PATIENCE: Final = 120


def _perform(run: Run) -> Outcome:
    provider = OpenAICompatibleProvider(base_url=run.payload["url"], api_key="a key", model="slow")
    question = [{"role": "user", "content": "Are you there?"}]
    answer = provider.complete(
        question, schema=None, deadline=time.monotonic() + PATIENCE, should_stop=run.should_stop
    )
    return Outcome({"answer": answer.text})


ASK: Final = Operation("ASK_MODEL", "Ask a model", "Asks a language model.", Schema, _perform)

if __name__ == "__main__":
    registry._BY_NAME[ASK.name] = ASK
    runpy.run_path(sys.argv[1], run_name="__main__")
