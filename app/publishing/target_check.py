"""The test of a publish target, step by step: reachable, API found, signed in, may publish, may delete."""

import time
from collections.abc import Iterator
from typing import Any, Final

from sqlalchemy import update

from app.infra.clock import rfc3339, utc_now
from app.infra.db import db, release
from app.infra.http.client import fetcher_from
from app.infra.settings import current_settings
from app.publishing.model import PublishTarget
from app.publishing.service import access_to
from app.publishing.targets.base import CheckStep, PublishProblem
from app.publishing.targets.registry import kind_of

CALL_SECONDS: Final = 10.0
"""The longest time that one call of a test may take: a person waits for it."""


def check_target(target: PublishTarget) -> dict[str, Any]:
    """Test a target step by step, store the result and return it: ``passed``, ``at`` and the ``steps``.

    No transaction is open during the calls. The first step that fails is the last one. The result of a
    connection that was changed during the test is returned, but not stored.
    """
    kind, target_id, tested = kind_of(target.kind), target.id, target.updated_at
    try:
        access = access_to(target, fetcher_from(current_settings(), total_seconds=CALL_SECONDS))
        release()
        steps = list(_timed(kind.check(access)))
    except PublishProblem as problem:
        steps = [(CheckStep("signed_in", problem.failure.message, problem.failure), 0)]
    result = {
        "passed": all(step.failure is None for step, _ in steps),
        "at": rfc3339(utc_now()),
        "steps": [_presented(step, milliseconds) for step, milliseconds in steps],
    }
    db.session.execute(
        update(PublishTarget)
        .where(PublishTarget.id == target_id, PublishTarget.updated_at == tested)
        .values(last_check=result, updated_at=PublishTarget.updated_at)
    )
    db.session.commit()
    return result


def _timed(steps: Iterator[CheckStep]) -> Iterator[tuple[CheckStep, int]]:
    began = time.monotonic()
    for step in steps:
        yield step, round(1000 * (time.monotonic() - began))
        began = time.monotonic()


def _presented(step: CheckStep, milliseconds: int) -> dict[str, Any]:
    return {
        "name": step.name,
        "passed": step.failure is None,
        "message": step.message,
        "milliseconds": milliseconds,
        "failure": step.failure.to_dict() if step.failure is not None else None,
    }
