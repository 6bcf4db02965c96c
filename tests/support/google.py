"""A look-alike of Google: consent, tokens and the Search Console API, as far as this service needs them.

It answers as Google documents it, and with the error bodies that Google is known to send. Like Google it
revokes every token that a person gave a client, and counts clicks with a point.
"""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlencode, urlsplit
from zoneinfo import ZoneInfo

import pytest

from app.infra.clock import utc_now
from tests.support.servers import Reply, Request, SiteServer

CLIENT_ID: Final = "our-client.apps.googleusercontent.example"
CLIENT_SECRET: Final = "GOCSPX-what-nobody-may-see"
SCOPE: Final = "https://www.googleapis.com/auth/webmasters.readonly"
ACCESS_SECONDS: Final = 3599


def final_day() -> date:
    """Return the last day whose figures Google calls final; midnight may pass during a run."""
    return utc_now().astimezone(ZoneInfo("America/Los_Angeles")).date() - timedelta(days=3)


Rows = dict[str, tuple[int, int, float]]


@dataclass
class Property:
    """A site in Search Console: what is counted each day for each of its searches and pages."""

    permission: str = "siteOwner"
    first_day: date = field(default_factory=lambda: final_day() - timedelta(days=99))
    last_day: date = field(default_factory=final_day)
    queries: Rows = field(default_factory=dict)
    pages: Rows = field(default_factory=dict)


@dataclass
class _Grant:
    challenge: str
    redirect_uri: str
    person: str
    scope: str


class GoogleSite(SiteServer):
    """Accounts, OAuth and Search Console under one address.

    ``person`` is who is signed in at Google, ``allows`` whether they consent, and ``scope`` what they allow.
    ``next_errors`` are answered first, one for each call of the API, where None lets a call pass.
    """

    def __init__(self) -> None:
        self.person = "alice@gmail.example"
        self.allows = True
        self.scope = SCOPE
        self.properties: dict[str, dict[str, Property]] = {}
        self.next_errors: list[Reply | None] = []
        self.codes: dict[str, _Grant] = {}
        self.refresh_tokens: dict[str, str] = {}
        self.access_tokens: dict[str, str] = {}
        self.queries: list[dict[str, Any]] = []
        super().__init__()

    def environment(self) -> dict[str, str]:
        """The settings of a service that knows this Google."""
        return {
            "GOOGLE_CLIENT_ID": CLIENT_ID,
            "GOOGLE_CLIENT_SECRET": CLIENT_SECRET,
            "GOOGLE_BASE_URL": self.url,
            "FETCH_ALLOW": self.address,
        }

    def add(self, site_url: str, found: Property | None = None, person: str | None = None) -> Property:
        """Add a property to a person's."""
        found = found or Property()
        self.properties.setdefault(person or self.person, {})[site_url] = found
        return found

    def expire(self) -> None:
        """Let every access token expire, as Google does after an hour."""
        self.access_tokens.clear()

    def withdraw(self, person: str) -> None:
        """Withdraw what a person allowed, as they can on their account's page."""
        for tokens in (self.refresh_tokens, self.access_tokens):
            for token in [token for token, owner in tokens.items() if owner == person]:
                del tokens[token]

    def secrets(self) -> set[str]:
        """Everything that was issued and nobody may see."""
        return {CLIENT_SECRET, *self.refresh_tokens, *self.access_tokens}

    def answer(self, request: Request) -> Reply:
        self.requests.append(request)
        url = urlsplit(request.path)
        form = {name: values[0] for name, values in parse_qs(request.body.decode()).items()}
        match request.method, url.path.strip("/").split("/"):
            case "GET", ["o", "oauth2", "v2", "auth"]:
                return self._consent({name: values[0] for name, values in parse_qs(url.query).items()})
            case "POST", ["token"]:
                return self._token(form)
            case "POST", ["revoke"]:
                return self._revoke(form)
            case _, ["webmasters", "v3", "sites", *rest]:
                return self._api(request, [unquote(part) for part in rest])
        return Reply(404)

    def _consent(self, query: dict[str, str]) -> Reply:
        """The page on which a person consents, which asks nothing here: it leads back at once."""
        expected = {
            "client_id": CLIENT_ID, "response_type": "code", "scope": SCOPE, "access_type": "offline",
            "prompt": "consent", "code_challenge_method": "S256",
        }  # fmt: skip
        if {name: query.get(name) for name in expected} != expected or len(query["code_challenge"]) != 43:
            return Reply(400, body=b"Error 400: invalid_request")
        back = {"state": query["state"]}
        if self.allows:
            back["code"] = f"4/0A{secrets.token_urlsafe(30)}"
            self.codes[back["code"]] = _Grant(
                query["code_challenge"], query["redirect_uri"], self.person, self.scope
            )
            back["scope"] = self.scope
        else:
            back["error"] = "access_denied"
        return Reply(302, {"Location": f"{query['redirect_uri']}?{urlencode(back)}"})

    def _token(self, form: dict[str, str]) -> Reply:
        if (form.get("client_id"), form.get("client_secret")) != (CLIENT_ID, CLIENT_SECRET):
            return _oauth_error(401, "invalid_client", "The OAuth client was not found.")
        if form["grant_type"] == "refresh_token":
            person = self.refresh_tokens.get(form["refresh_token"])
            if person is None:
                return _oauth_error(400, "invalid_grant", "Token has been expired or revoked.")
            return _json(200, {"access_token": self._access(person), "expires_in": ACCESS_SECONDS})
        grant = self.codes.pop(form["code"], None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).rstrip(b"=").decode()
        if grant is None or challenge != grant.challenge:
            return _oauth_error(400, "invalid_grant", "Malformed auth code.")
        if form["redirect_uri"] != grant.redirect_uri:
            return _oauth_error(400, "redirect_uri_mismatch", "Bad Request")
        refresh_token = f"1//0g{secrets.token_urlsafe(40)}"
        self.refresh_tokens[refresh_token] = grant.person
        answer = {"refresh_token": refresh_token, "scope": grant.scope, "token_type": "Bearer"}
        return _json(
            200, {**answer, "access_token": self._access(grant.person), "expires_in": ACCESS_SECONDS}
        )

    def _access(self, person: str) -> str:
        token = f"ya29.{secrets.token_urlsafe(40)}"
        self.access_tokens[token] = person
        return token

    def _revoke(self, form: dict[str, str]) -> Reply:
        person = self.refresh_tokens.get(form["token"])
        if person is None:
            return _oauth_error(400, "invalid_token", "Token expired or revoked")
        self.withdraw(person)
        return _json(200, {})

    def _api(self, request: Request, rest: list[str]) -> Reply:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        person = self.access_tokens.get(token)
        if person is None:
            return api_error(401, "authError", "Invalid Credentials")
        if self.next_errors and (error := self.next_errors.pop(0)):
            return error
        own = self.properties.get(person, {})
        match request.method, rest:
            case "GET", []:
                entries = [{"siteUrl": url, "permissionLevel": p.permission} for url, p in own.items()]
                return _json(200, {"siteEntry": entries} if entries else {})
            case "POST", [site_url, "searchAnalytics", "query"]:
                found = own.get(site_url)
                if found is None or found.permission == "siteUnverifiedUser":
                    message = f"User does not have sufficient permission for site '{site_url}'."
                    return api_error(403, "forbidden", message)
                return self._query(found, json.loads(request.body))
        return api_error(404, "notFound", "Not Found")

    def _query(self, found: Property, query: dict[str, Any]) -> Reply:
        self.queries.append(query)
        if not 1 <= query["rowLimit"] <= 25_000 or (query["dataState"], query["type"]) != ("final", "web"):
            return api_error(400, "invalidParameter", "Invalid value")
        first = max(date.fromisoformat(query["startDate"]), found.first_day)
        last = min(date.fromisoformat(query["endDate"]), found.last_day)
        days = max((last - first).days + 1, 0)
        (dimension,) = query["dimensions"]
        rows = _days(found, first, days) if dimension == "date" else _totals(found, dimension, days)
        start = query["startRow"]
        shown = rows[start : start + query["rowLimit"]]
        members = {"rows": shown} if shown else {}
        return _json(200, {**members, "responseAggregationType": "byProperty"})


def _totals(found: Property, dimension: str, days: int) -> list[dict[str, Any]]:
    per_day = found.queries if dimension == "query" else found.pages
    ordered = sorted(per_day.items(), key=lambda item: -item[1][0]) if days else []
    return [_row(key, clicks * days, shown * days, place) for key, (clicks, shown, place) in ordered]


def _days(found: Property, first: date, days: int) -> list[dict[str, Any]]:
    clicks, shown = (sum(row[n] for row in found.queries.values()) for n in (0, 1))
    dates = (first + timedelta(days=number) for number in range(days))
    return [_row(day.isoformat(), clicks, shown, 7.5) for day in dates]


def _row(key: str, clicks: int, impressions: int, position: float) -> dict[str, Any]:
    share = clicks / impressions if impressions else 0.0
    return {
        "keys": [key], "clicks": float(clicks), "impressions": float(impressions), "ctr": share,
        "position": position,
    }  # fmt: skip


def api_error(status: int, reason: str, message: str, **headers: str) -> Reply:
    """An error in the form of Google's older APIs."""
    error = {"message": message, "domain": "global", "reason": reason}
    return _json(status, {"error": {"code": status, "message": message, "errors": [error]}}, headers)


def _oauth_error(status: int, error: str, description: str) -> Reply:
    return _json(status, {"error": error, "error_description": description})


def _json(status: int, members: dict[str, Any], headers: dict[str, str] | None = None) -> Reply:
    return Reply(
        status, {"Content-Type": "application/json", **(headers or {})}, json.dumps(members).encode()
    )


@pytest.fixture
def google() -> Iterator[GoogleSite]:
    """A Google without a property yet."""
    server = GoogleSite()
    yield server
    server.close()


def bee_property() -> Property:
    """A site about bees, whose first searches have clicks."""
    return Property(
        queries={"queen bees": (4, 90, 3.2), "bee swarm": (2, 70, 12.5), "wax": (0, 60, 44.0)},
        pages={
            "https://alice.example.com/queens": (5, 100, 3.0),
            "https://alice.example.com/swarms": (1, 120, 14.0),
            "https://alice.example.com/swarms#catch": (1, 30, 14.0),
        },
    )
