"""Signed webhooks: Standard Webhooks messages, answered with {id, url}. docs/webhooks.md is for receivers."""

import base64
import json
import secrets
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from standardwebhooks import Webhook

from app.failures import ServiceFailure, failure
from app.infra.checks import outbound_url
from app.infra.clock import rfc3339, utc_now
from app.infra.http.response import SmallResponse
from app.infra.urls import InvalidUrl, normalise
from app.publishing.targets.base import (
    NOT_DELIVERED,
    UNKNOWN,
    Access,
    CheckStep,
    Document,
    GeneratedSecret,
    PublishProblem,
    Reference,
    RemotePost,
    Setting,
    TargetKind,
)
from app.publishing.targets.http_calls import (
    call,
    clock_problem,
    details_of,
    problem_of_response,
    rejection,
)
from app.publishing.targets.steps import in_steps

_MOST_ANSWER_BYTES: Final = 65_536
_MOST_ID: Final = 200
_NO_RECEIVER: Final = (
    "Check the address: nothing there seems to receive posts. A receiver answers 401 to a message whose "
    "signature is wrong, and this address answers 404 to every message."
)


def new_secret() -> str:
    """Return 24 random bytes in the form that the Standard Webhooks libraries take."""
    return "whsec_" + base64.b64encode(secrets.token_bytes(24)).decode("ascii")


def create(document: Document, access: Access) -> RemotePost:
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
        raise _problem_of(response)
    return replace(_remote(response), digest=document.digest)


def write(document: Document, _remote: RemotePost, access: Access) -> RemotePost:
    """Send the text again: the receiver knows the post by its publication id."""
    return create(document, access)


def find(reference: Reference, access: Access) -> RemotePost | None:
    """Ask the receiver for the publication; each lookup is a message of its own with a new id."""
    data = {"publication_id": reference.publication_id}
    response = _send("blog_post.lookup", f"lookup_{uuid.uuid4().hex}", data, access)
    if response.status == 404:
        return None
    if response.status != 200:
        raise _problem_of(response)
    return replace(_remote(response), version=reference.publication_id)


def unpublish(remote: RemotePost, access: Access) -> None:
    """Ask the receiver to take the post away from readers. A repeated message has the same id."""
    data = {"publication_id": remote.version}
    response = _send("blog_post.unpublished", f"{remote.version}:unpublished", data, access)
    if response.status not in (404, 410) and not 200 <= response.status < 300:
        raise _problem_of(response)


@in_steps
def check(access: Access) -> Iterator[CheckStep]:
    """Ask for a publication that nobody has; the receiver answers 404 if it verified the message.

    An address that knows nothing of posts answers 404, too, with a page, and even if the signature is wrong.
    """
    response = _ask_for_nothing(access)
    yield CheckStep("reachable", "The address answers.")
    if _may_be_any_site(response) and _ask_for_nothing(replace(access, secret=new_secret())).status == 404:
        failed = failure("TARGET_API_NOT_FOUND", hints=[_NO_RECEIVER], details=details_of(response))
        raise PublishProblem(failed, NOT_DELIVERED)
    if response.status in (200, 404):
        yield CheckStep("signed_in", "The receiver accepted the signature.")
        return
    failed = _problem_of(response).failure
    yield CheckStep("signed_in", failed.message, failed)


def _may_be_any_site(response: SmallResponse) -> bool:
    media_type = response.headers.get("content-type", "")
    return response.status == 404 and not media_type.startswith("application/json")


def _ask_for_nothing(access: Access) -> SmallResponse:
    data = {"publication_id": f"pub_{uuid.uuid4().hex}"}
    return _send("blog_post.lookup", f"lookup_{uuid.uuid4().hex}", data, access)


WEBHOOK: Final = TargetKind(
    name="webhook",
    title="Something of your own (webhook)",
    summary="Each post is sent, signed, to an address of your website, which puts it live.",
    unpublishing="Your webhook is asked to take the post away. If it cannot, remove it there first.",
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
    find=find,
    create=create,
    write=write,
    check=check,
    unpublish=unpublish,
    secret=GeneratedSecret(
        generate=new_secret,
        usage="Your receiver checks the signature of each message with it.",
        rotation="Until you make the next secret, each message is signed with both this one and the former "
        "one, so your receiver keeps working while you replace the secret there.",
        steps=(
            ("Take each post", "It comes as JSON by POST, whenever somebody publishes or changes one."),
            ("Check its signature", "With the secret that is shown once, as soon as you connect."),
            ("Answer with id and address", "Then the post counts as live, and readers are led there."),
        ),
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
    url = access.settings["url"]
    return call(access, "POST", url, text.encode(), headers, max_bytes=_MOST_ANSWER_BYTES)


def _problem_of(response: SmallResponse) -> PublishProblem:
    """Return the problem of a response that is no success; receivers refuse a signature with one of three."""
    clocks = clock_problem(response) if response.status in (400, 401, 403) else None
    return clocks or problem_of_response(response)


def _remote(response: SmallResponse) -> RemotePost:
    """Read {id, url, content_sha256?}. Without id and url the post may be there all the same."""
    try:
        answer = json.loads(response.body)
        digest = answer.get("content_sha256")
        known = digest if isinstance(digest, str) else None
        return RemotePost(_external_id(answer["id"]), normalise(answer["url"]), digest=known)
    except (ValueError, RecursionError, KeyError, TypeError, AttributeError, InvalidUrl, ServiceFailure):
        message = "The target accepted the post but did not answer with a usable id and url."
        raise PublishProblem(rejection(response, message), UNKNOWN) from None


def _external_id(value: Any) -> str:
    text = str(value) if isinstance(value, str | int) and not isinstance(value, bool) else ""
    if not text or len(text) > _MOST_ID or not text.isprintable():
        raise ValueError("no usable id")
    return text
