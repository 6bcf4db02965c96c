"""Authentication by X-API-Key, scopes and rate limits."""

from dataclasses import dataclass
from typing import Final

from flask import Flask, Response, g, request

from app.accounts.keys import authenticate_key
from app.accounts.model import Account
from app.failures import ServiceFailure
from app.infra import rate_limit
from app.infra.db import db
from app.infra.origin import set_origin
from app.infra.settings import current_settings

SAFE: Final = ("GET", "HEAD", "OPTIONS")
WINDOW: Final = 60

_OPEN: Final = ("/public-api/docs", "/public-api/openapi.json")


@dataclass(frozen=True)
class Caller:
    """The account behind a key, and what the key may do."""

    account_id: int
    name: str
    can_write: bool
    scopes: frozenset[str] | None
    project_id: int | None

    @property
    def account(self) -> Account:
        """The account's row, which most requests do not need."""
        return db.session.get_one(Account, self.account_id)


def init_app(app: Flask) -> None:
    app.before_request(_authenticate)
    app.after_request(_add_rate_limit_headers)


def caller() -> Caller:
    found: Caller = g.caller
    return found


def check_scope(scope: str | None) -> None:
    """Raise INSUFFICIENT_SCOPE if the key is not for ``scope``, or read-only and this is a change."""
    who = caller()
    if request.method not in SAFE and not who.can_write:
        raise ServiceFailure("INSUFFICIENT_SCOPE")
    if scope is not None and who.scopes is not None and scope not in who.scopes:
        raise ServiceFailure(
            "INSUFFICIENT_SCOPE", f"The API key is not for {scope}.", details={"scope": scope}
        )


def refuse_one_project() -> None:
    if caller().project_id is not None:
        raise ServiceFailure("INSUFFICIENT_SCOPE", "The API key is for one project only.")


def count(bucket: str) -> None:
    """Count the current request in a bucket. Raises RATE_LIMITED if the bucket is full."""
    verdict = rate_limit.hit(bucket, current_settings().requests_per_minute, WINDOW)
    g.rate_limit = verdict
    if not verdict.allowed:
        raise ServiceFailure("RATE_LIMITED", headers={"Retry-After": str(max(1, verdict.reset_seconds))})


def count_address() -> None:
    """Count an unauthenticated request by its IP address. Raises RATE_LIMITED."""
    count(f"address:{rate_limit.network_of(request.remote_addr)}")


def _authenticate() -> None:
    if request.path == "/public-api" or request.path in _OPEN:
        count_address()
        return
    if not request.path.startswith("/public-api/"):
        return
    if request.url_rule is None:
        count_address()
        return
    try:
        key = authenticate_key(request.headers.get("X-API-Key"))
    except ServiceFailure:
        count_address()
        raise
    scopes = None if key.scopes is None else frozenset(key.scopes)
    g.caller = Caller(key.account_id, f'API key "{key.name}"', key.can_write, scopes, key.project_id)
    set_origin(g.caller.name, request.remote_addr)
    count(f"api-key:{key.id}")


def _add_rate_limit_headers(response: Response) -> Response:
    if not request.path.startswith(("/public-api", "/api/project/")):
        return response
    response.headers.setdefault("Cache-Control", "private, no-cache")
    response.headers["RateLimit-Policy"] = f'"default";q={current_settings().requests_per_minute};w={WINDOW}'
    verdict = g.get("rate_limit")
    if verdict is not None:
        response.headers["RateLimit"] = f'"default";r={verdict.remaining};t={verdict.reset_seconds}'
    return response
