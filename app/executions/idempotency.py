"""Idempotency keys: which are valid, when two requests are the same, and which job a key made."""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any, Final

from sqlalchemy import bindparam, select

from app.executions.model import ExecutionJob, IdempotencyKey
from app.failures import ServiceFailure
from app.infra.db import db, table_of

_KEYS = table_of(IdempotencyKey).c
_OF_KEY: Final = select(_KEYS.job_id, _KEYS.fingerprint).where(
    *(_KEYS[name] == bindparam(name) for name in ("account_id", "scope", "key"))
)

USABLE: Final = r"[!-+\--~]{1,255}"
"""Visible ASCII without a comma: a comma would be two header values joined by a proxy."""


def check_key(key: str | None) -> str:
    """Return the key. Raises MISSING_IDEMPOTENCY_KEY or INVALID_IDEMPOTENCY_KEY."""
    if key is None or not key.strip():
        raise ServiceFailure("MISSING_IDEMPOTENCY_KEY")
    if re.fullmatch(USABLE, key) is None:
        raise ServiceFailure("INVALID_IDEMPOTENCY_KEY")
    return key


def fingerprint(operation: str, payload: Mapping[str, Any]) -> str:
    """Return the SHA-256 of the validated input in canonical JSON."""
    canonical = json.dumps([operation, payload], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return hashlib.sha256(canonical.encode()).hexdigest()


def job_of_key(account_id: int, scope: str, key: str | None, digest: str | None) -> ExecutionJob | None:
    """Return the job that a key made before, or None.

    Raises IDEMPOTENCY_KEY_CONFLICT when the key came with another input than ``digest``; None skips this
    check.
    """
    if key is None:
        return None
    values = {"account_id": account_id, "scope": scope, "key": key}
    row = db.session.execute(_OF_KEY, values).one_or_none()
    if row is None:
        return None
    if digest is not None and row.fingerprint != digest:
        raise ServiceFailure("IDEMPOTENCY_KEY_CONFLICT", details={"job_id": row.job_id})
    return db.session.get_one(ExecutionJob, row.job_id)
