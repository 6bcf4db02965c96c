"""Publishing to a signed webhook: Standard Webhooks headers, and an answer of {id, url}.

docs/webhooks.md is the receiver's side of this file.
"""

from __future__ import annotations

import base64
import json
import secrets
import uuid
from collections.abc import Mapping
from typing import Any, Final

from standardwebhooks import Webhook

from app.failures import ServiceFailure, invalid_field
from app.infra.clock import rfc3339, utc_now
from app.infra.fields import outbound_url, refuse_unknown
from app.infra.http.errors import FetchError
from app.infra.http.response import SmallResponse
from app.infra.urls import InvalidUrl, normalise
from app.publishing.base import CALL_SECONDS, UNKNOWN, Access, Delivered, Document, PublishProblem
from app.publishing.webhook_errors import problem_of_answer, problem_of_fetch, rejected

_MOST_ANSWER_BYTES: Final = 65_536
_MOST_ID: Final = 200


class WebhookPublisher:
    """One https address that takes posts. Its secret is one or two ``whsec_…``, newest first."""

    kind = "webhook"
    title = "Signed webhook"

    def checked_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """Return ``{"url"}``, judged and in its one spelling."""
        refuse_unknown(settings, ("url",))
        url = settings.get("url")
        if not isinstance(url, str) or not url.strip():
            raise invalid_field("/settings/url", "This is required.")
        return {"url": outbound_url(url, "/settings/url")}

    def new_secret(self) -> str:
        """Return 24 random bytes in the form of the Standard Webhooks libraries."""
        return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode("ascii")

    def deliver(self, document: Document, access: Access) -> Delivered:
        """Send the post. The message id is that of the publication or its update: a repeat has the same."""
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
            raise problem_of_answer(response)
        return _delivered(response)

    def look(self, publication_id: str, access: Access, update: str | None = None) -> Delivered | None:
        """Ask the receiver for the publication. A question has a message id of its own: it is no repeat."""
        response = _send(
            "blog_post.lookup", f"look_{uuid.uuid4().hex}", {"publication_id": publication_id}, access
        )
        if response.status == 404:
            return None
        if response.status != 200:
            raise problem_of_answer(response)
        found = _delivered(response)
        return found if update is None or update == _digest(response) else None


def _send(kind: str, message_id: str, data: Mapping[str, Any], access: Access) -> SmallResponse:
    now = utc_now()
    text = json.dumps({"type": kind, "timestamp": rfc3339(now), "data": data}, ensure_ascii=False)
    signatures = [Webhook(secret).sign(message_id, now, text) for secret in (access.secret or "").split()]
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json",
        "webhook-id": message_id,
        "webhook-timestamp": str(int(now.timestamp())),
        "webhook-signature": " ".join(signatures),
    }
    try:
        return access.http.post(
            access.settings["url"], text.encode(), headers,
            total_seconds=min(CALL_SECONDS, access.http.policy.total_seconds), max_bytes=_MOST_ANSWER_BYTES,
        )  # fmt: skip
    except FetchError as error:
        raise problem_of_fetch(error) from error


def _delivered(response: SmallResponse) -> Delivered:
    """Read {id, url}. Without them the post may well be there: the outcome is unknown, not a refusal."""
    try:
        answer = json.loads(response.body)
        return Delivered(_external_id(answer["id"]), normalise(answer["url"]))
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, InvalidUrl, ServiceFailure):
        message = "The target took the post but did not answer with a usable id and url."
        raise PublishProblem(rejected(response, message), UNKNOWN) from None


def _digest(response: SmallResponse) -> str:
    """Read which text the receiver has. Without that it cannot tell whether an update has arrived."""
    digest = json.loads(response.body).get("content_sha256")
    if not isinstance(digest, str):
        message = "The target did not answer with the content_sha256 of the text that it has."
        raise PublishProblem(rejected(response, message), UNKNOWN)
    return digest


def _external_id(value: Any) -> str:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not text or len(text) > _MOST_ID or not text.isprintable():
        raise ValueError("no usable id")
    return text
