"""Signed webhooks: Standard Webhooks messages, answered with {id, url}. docs/webhooks.md is for receivers."""

from __future__ import annotations

import base64
import json
import secrets
import uuid
from collections.abc import Mapping
from typing import Any, Final

from standardwebhooks import Webhook

from app.failures import ServiceFailure
from app.infra.checks import outbound_url
from app.infra.clock import rfc3339, utc_now
from app.infra.http.errors import FetchError
from app.infra.http.response import SmallResponse
from app.infra.urls import InvalidUrl, normalise
from app.publishing.targets.base import (
    CALL_SECONDS,
    UNKNOWN,
    Access,
    Delivered,
    Document,
    GeneratedSecret,
    PublishProblem,
    Setting,
    TargetKind,
)
from app.publishing.targets.http_problems import problem_of_fetch, problem_of_response, rejection

_MOST_ANSWER_BYTES: Final = 65_536
_MOST_ID: Final = 200


def new_secret() -> str:
    """Return 24 random bytes in the form that the Standard Webhooks libraries take."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode("ascii")


def deliver(document: Document, access: Access) -> Delivered:
    """Send the post. A repeated message has the same id: that of the publication or of its update."""
    data = {
        "publication_id": document.publication_id,
        "content_sha256": document.digest,
        "post": document.post,
    }
    if document.is_update:
        message_id = f"{document.publication_id}:{document.post['version']}"
        response = _send("blog_post.updated", message_id, data, access)
    else:
        response = _send("blog_post.published", document.publication_id, data, access)
    if not 200 <= response.status < 300:
        raise problem_of_response(response)
    return _delivered(response)


def look_up(publication_id: str, access: Access, update: str | None = None) -> Delivered | None:
    """Ask the receiver for the publication; each lookup is a message of its own with a new id."""
    data = {"publication_id": publication_id}
    response = _send("blog_post.lookup", f"lookup_{uuid.uuid4().hex}", data, access)
    if response.status == 404:
        return None
    if response.status != 200:
        raise problem_of_response(response)
    found = _delivered(response)
    return found if update is None or update == _digest(response) else None


WEBHOOK: Final = TargetKind(
    name="webhook",
    title="Signed webhook",
    summary="The webhook of your website receives each post, signed, and puts it live.",
    unpublishing="This service cannot remove a post from your website: remove it there first.",
    settings=(
        Setting(
            "url",
            label="Webhook address",
            hint="Receives each post and answers with the post's id and address.",
            check=outbound_url,
            placeholder="https://example.com/hooks/posts",
            is_address=True,
        ),
    ),
    deliver=deliver,
    look_up=look_up,
    secret=GeneratedSecret(
        generate=new_secret,
        usage="Your receiver checks the signature of each message with it.",
        rotation="Until you make the next secret, each message is signed with both this one and the former "
        "one, so your receiver keeps working while you replace the secret there.",
    ),
)


def _send(kind: str, message_id: str, data: Mapping[str, Any], access: Access) -> SmallResponse:
    now = utc_now()
    text = json.dumps({"type": kind, "timestamp": rfc3339(now), "data": data}, ensure_ascii=False)
    # Access.secret is the present secret and, after a rotation, the former one.
    signatures = [Webhook(secret).sign(message_id, now, text) for secret in (access.secret or "").split()]
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
    seconds = min(CALL_SECONDS, access.http.policy.total_seconds)
    try:
        return access.http.post(
            access.settings["url"],
            text.encode(),
            headers,
            total_seconds=seconds,
            max_bytes=_MOST_ANSWER_BYTES,
        )
    except FetchError as error:
        raise problem_of_fetch(error) from error


def _delivered(response: SmallResponse) -> Delivered:
    """Read {id, url}. Without them the post may still be there, so the certainty is unknown."""
    try:
        answer = json.loads(response.body)
        return Delivered(_external_id(answer["id"]), normalise(answer["url"]))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, InvalidUrl, ServiceFailure):
        message = "The target accepted the post but did not answer with a usable id and url."
        raise PublishProblem(rejection(response, message), UNKNOWN) from None


def _digest(response: SmallResponse) -> str:
    digest = json.loads(response.body).get("content_sha256")
    if not isinstance(digest, str):
        message = "The target did not answer with the content_sha256 of its text."
        raise PublishProblem(rejection(response, message), UNKNOWN)
    return digest


def _external_id(value: Any) -> str:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not text or len(text) > _MOST_ID or not text.isprintable():
        raise ValueError("no usable id")
    return text
