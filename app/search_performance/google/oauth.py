"""Google's OAuth 2.0 for web servers: the authorization code flow with PKCE, and tokens."""

import hashlib
import hmac
from typing import Any, Final
from urllib.parse import urlencode

from app.config import Settings
from app.failures import ServiceFailure
from app.infra.crypto import base64url
from app.infra.http.client import Fetcher
from app.search_performance.google.calls import post_form, send, unusable

SCOPE: Final = "https://www.googleapis.com/auth/webmasters.readonly"
"""Reads the search results of a person's sites, and nothing else."""

_CONSENT: Final = "https://accounts.google.com"
_TOKENS: Final = "https://oauth2.googleapis.com"


def consent_url(settings: Settings, state: str, redirect_uri: str) -> str:
    """Return the address at which a person allows the access. Google leads back with ``state`` and a code.

    Without ``prompt=consent`` Google issues a refresh token only for the first consent of a person.
    """
    challenge = base64url(hashlib.sha256(_verifier(settings, state).encode()).digest())
    query = {
        "client_id": settings.google_client_id,
        "redirect_uri": redirect_uri,
        "response_type": "code",
        "scope": SCOPE,
        "access_type": "offline",
        "prompt": "consent",
        "state": state,
        "code_challenge": challenge,
        "code_challenge_method": "S256",
    }
    return f"{settings.google_base_url or _CONSENT}/o/oauth2/v2/auth?{urlencode(query)}"


def exchange_code(settings: Settings, http: Fetcher, code: str, state: str, redirect_uri: str) -> str:
    """Return the refresh token for the code of a consent. Raises a SEARCH_CONSOLE_… failure."""
    answer = post_form(
        http,
        _token_url(settings),
        {
            **_client(settings),
            "grant_type": "authorization_code",
            "code": code,
            "code_verifier": _verifier(settings, state),
            "redirect_uri": redirect_uri,
        },
    )
    if SCOPE not in str(answer.get("scope", "")).split():
        raise ServiceFailure(
            "SEARCH_CONSOLE_AUTH", "Google was not allowed to share the search results with this service."
        )
    return _text(answer.get("refresh_token"))


def new_access_token(settings: Settings, http: Fetcher, refresh_token: str) -> str:
    """Return an access token, valid for about an hour. Raises SEARCH_CONSOLE_AUTH if Google refuses it."""
    fields = {**_client(settings), "grant_type": "refresh_token", "refresh_token": refresh_token}
    return _text(post_form(http, _token_url(settings), fields).get("access_token"))


def revoke(settings: Settings, http: Fetcher, refresh_token: str) -> bool:
    """Ask Google to revoke a token; return whether it is certainly of no use now.

    Google revokes all tokens that the same person gave this service. A token that Google does not know any
    more is answered with 400.
    """
    url = f"{settings.google_base_url or _TOKENS}/revoke"
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    try:
        response = send(http, "POST", url, urlencode({"token": refresh_token}).encode(), headers)
    except ServiceFailure:
        return False
    return response.status in (200, 400)


def _client(settings: Settings) -> dict[str, str]:
    return {
        "client_id": settings.google_client_id or "",
        "client_secret": settings.google_client_secret or "",
    }


def _token_url(settings: Settings) -> str:
    return f"{settings.google_base_url or _TOKENS}/token"


def _verifier(settings: Settings, state: str) -> str:
    """Return the code verifier of a consent (RFC 7636). Only this service can compute it from the state."""
    message = f"google-search-console:{state}".encode()
    return base64url(hmac.new(settings.secret_key.encode(), message, hashlib.sha256).digest())


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value:
        raise unusable()
    return value
