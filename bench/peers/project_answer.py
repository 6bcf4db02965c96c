"""What both peers share: GET of a project as the Public API answers it, the digest of a key and the limit."""

from __future__ import annotations

import hashlib
import hmac
import os
import uuid
from datetime import UTC, datetime
from typing import Annotated, Any, Final

from pydantic import BaseModel, ConfigDict, PlainSerializer
from redis import Redis

LIMIT: Final = 100_000_000
WINDOW: Final = 60
_PEPPER: Final = os.environ["API_KEY_PEPPER"].encode()
_count: Final = Redis.from_url(os.environ["REDIS_URL"]).register_script(os.environ["LIMIT_SCRIPT"])


def _rfc3339(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


Time = Annotated[datetime, PlainSerializer(_rfc3339)]


class _Sitemap(BaseModel):
    status: str
    quarantined: bool
    last_synced_at: Time | None
    next_sync_at: Time | None
    fresh_pages: int
    stale_pages: int
    last_error: Any


class _Project(BaseModel):
    model_config = ConfigDict(from_attributes=True)

    id: int
    name: str
    url: str
    sitemap_url: str | None
    language: str | None
    location: str | None
    type: str | None
    summary: str | None
    blog_theme: str | None
    key_features: str | None
    target_audience_summary: str | None
    pain_points: str | None
    product_usage: str | None
    founders: str | None
    links: str | None
    tone: str | None
    global_instructions: str | None
    avoid: list[str]
    call_to_action: dict[str, str] | None
    llm_model: str | None
    llm_verify_model: str | None
    brand_color: str | None
    list_sources: bool
    sitemap: _Sitemap | None = None
    created_at: Time
    updated_at: Time


class _Answer(BaseModel):
    status: str
    project: _Project


def digest_of(key: str) -> bytes:
    """Return the digest by which a key is stored."""
    return hmac.new(_PEPPER, key.encode(), hashlib.sha256).digest()


def count(key_id: int) -> int:
    """Count a request of a key; return how many it had in the window before. One call of Redis."""
    used, _wait = _count(keys=[f"peers:{key_id}"], args=[LIMIT, WINDOW])
    return int(used)


def answer(row: Any, is_quarantined: bool, used: int) -> tuple[str, dict[str, str]]:
    """Return the body and the headers that answer with a row of projects."""
    project = _Project.model_validate(row)
    project.sitemap = _Sitemap(
        status=row.sync_status,
        quarantined=is_quarantined,
        last_synced_at=row.last_synced_at,
        next_sync_at=row.next_sync_at,
        fresh_pages=row.page_count - row.stale_page_count,
        stale_pages=row.stale_page_count,
        last_error=row.last_sync_error,
    )
    body = _Answer(status="success", project=project).model_dump_json()
    headers = {
        "ETag": f'"{hashlib.sha1(body.encode(), usedforsecurity=False).hexdigest()}"',
        "RateLimit": f'"default";r={LIMIT - used - 1};t={WINDOW}',
        "RateLimit-Policy": f'"default";q={LIMIT};w={WINDOW}',
        "Cache-Control": "private, no-cache",
        "X-Request-ID": uuid.uuid4().hex,
    }
    return body, headers
