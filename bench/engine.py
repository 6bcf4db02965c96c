"""Our engine with one operation more, which does nothing.

``python -m bench.engine PROGRAM [ARGUMENT…]`` runs a program of the service, a file or a module, with it.
"""

from __future__ import annotations

import runpy
import sys
from typing import Final

from marshmallow import Schema

from app.operations import registry
from app.operations.base import JobResult, Operation, Run


def _perform(_run: Run) -> JobResult:
    return JobResult()


DO_NOTHING: Final = Operation(
    name="DO_NOTHING", title="Do nothing", summary="Does nothing.", schema=Schema, perform=_perform,
    limited=True,
)  # fmt: skip


def register() -> None:
    """Add the operation; to be called before anything else reads the registry."""
    if DO_NOTHING not in registry.OPERATIONS:
        registry.OPERATIONS = (*registry.OPERATIONS, DO_NOTHING)  # type: ignore[misc]
        registry._BY_NAME[DO_NOTHING.name] = DO_NOTHING


if __name__ == "__main__":
    from bench import engine  # the module that others import, not this program

    engine.register()
    sys.argv = sys.argv[1:]
    if sys.argv[0].endswith(".py"):
        runpy.run_path(sys.argv[0], run_name="__main__")
    else:
        runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
