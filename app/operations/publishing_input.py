"""What the operations about publishing share: the input that names a target, and waiting."""

from __future__ import annotations

import time
from typing import Any, Final

from marshmallow import ValidationError

from app.infra.clock import wait_until
from app.infra.db import LARGEST_ID
from app.operations.base import Run

TARGET_SCHEMA: Final = {"type": ["integer", "string"], "minimum": 1, "minLength": 1, "maxLength": 80}
"""The documentation of a field that takes the id or the name of a target."""


def target_ref(value: Any) -> None:
    """Refuse what is not the id or the name of a target. Raises ValidationError."""
    named = isinstance(value, str) and 0 < len(value) <= 80 and "\x00" not in value
    numbered = isinstance(value, int) and not isinstance(value, bool) and 0 < value <= LARGEST_ID
    if value is not None and not named and not numbered:
        raise ValidationError("Give the id or the name of a publish target.")


def pause(run: Run, seconds: float) -> None:
    """Wait; stop within a moment when the job has to end. Raises Stopped or JOB_TIMEOUT."""
    wait_until(time.monotonic() + seconds, run.should_stop)
    run.check_cancelled()
