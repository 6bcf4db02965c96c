"""Idempotency keys: which are usable, and when two requests are the same (pure)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from app.failures import ServiceFailure

USABLE: Final = r"[!-+\--~]{1,255}"
"""Visible ASCII without a comma: a comma would be two header values joined by a proxy."""


def check_key(key: str | None) -> str:
    """Return the key, or raise MISSING_IDEMPOTENCY_KEY or INVALID_IDEMPOTENCY_KEY."""
    if key is None or not key.strip():
        raise ServiceFailure("MISSING_IDEMPOTENCY_KEY")
    if re.fullmatch(USABLE, key) is None:
        raise ServiceFailure("INVALID_IDEMPOTENCY_KEY")
    return key


def fingerprint(operation: str, payload: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the validated input in canonical JSON."""
    canonical = json.dumps([operation, payload], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()
