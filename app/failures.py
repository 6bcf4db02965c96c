"""The failure catalogue (taxonomy v1): every code the service can answer, and what is true about it.

Imports nothing from the house. ``CATALOGUE`` is closed: a new code enters this table first, and
docs/failures.md is generated from it. Faces map a ``Failure`` to HTTP or HTML; they never invent a code.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

TAXONOMY_VERSION: Final = "v1"

Category = Literal["validation", "policy", "dependency", "timeout", "quota", "unknown"]


@dataclass(frozen=True)
class FailureKind:
    """One row of the catalogue. ``http`` is None for a code that only ever stands in a job."""

    code: str
    category: Category
    http: int | None
    retryable: bool
    fix_required: bool
    message: str
    hints: tuple[str, ...]
    next_actions: tuple[str, ...]


@dataclass(frozen=True)
class Failure:
    """A failure that happened: a kind, the words and next actions for this case, and facts about it.

    ``details`` is JSON-ready and never holds a secret. ``to_dict`` is the failure object of the contract.
    """

    kind: FailureKind
    message: str
    hints: tuple[str, ...]
    next_actions: tuple[str, ...]
    details: Mapping[str, Any] | None = None

    @property
    def code(self) -> str:
        """The machine-readable code."""
        return self.kind.code

    def to_dict(self) -> dict[str, Any]:
        """Return the failure object of taxonomy v1."""
        return {
            "taxonomy_version": TAXONOMY_VERSION,
            "category": self.kind.category,
            "code": self.kind.code,
            "message": self.message,
            "retryable": self.kind.retryable,
            "fix_required": self.kind.fix_required,
            "remediation_hints": list(self.hints),
            "next_actions": list(self.next_actions),
            "details": dict(self.details) if self.details is not None else None,
        }


class ServiceFailure(Exception):
    """Raised by a service when a rule refuses; the faces turn it into an envelope, a card or a failed job.

    ``errors`` are beside-the-field messages: ``{"location", "field", "message"}``. ``headers`` are facts a
    face may need to pass on, such as Retry-After or Location.
    """

    def __init__(
        self,
        code: str,
        message: str | None = None,
        *,
        hints: Sequence[str] | None = None,
        without: Collection[str] = (),
        details: Mapping[str, Any] | None = None,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
    ) -> None:
        self.failure = failure(code, message, hints=hints, without=without, details=details)
        self.errors = tuple(errors)
        self.headers = dict(headers or {})
        super().__init__(f"{code}: {self.failure.message}")


def failure(
    code: str,
    message: str | None = None,
    *,
    hints: Sequence[str] | None = None,
    without: Collection[str] = (),
    details: Mapping[str, Any] | None = None,
) -> Failure:
    """Build a failure of the catalogue, ``without`` the next actions that would lead nowhere in this case.

    Message and hints default to the catalogue's words. Raises KeyError for a code that is not in there.
    """
    kind = CATALOGUE[code]
    actions = tuple(action for action in kind.next_actions if action not in without)
    told = tuple(hints) if hints is not None else kind.hints
    return Failure(kind, message or kind.message, told, actions, details)


def invalid_field(field: str, message: str, location: str = "body") -> ServiceFailure:
    """Return the INVALID_REQUEST failure for one field; ``field`` is a path such as ``/payload/topic``."""
    return ServiceFailure(
        "INVALID_REQUEST", errors=[{"location": location, "field": field, "message": message}]
    )


def _fix(
    code: str, category: Category, http: int | None, message: str, *hints: str,
    actions: tuple[str, ...] = ("edit_input",),
) -> FailureKind:  # fmt: skip
    return FailureKind(code, category, http, False, True, message, hints, actions)


def _again(
    code: str, category: Category, http: int | None, message: str, *hints: str,
    actions: tuple[str, ...] = ("retry_request",),
) -> FailureKind:  # fmt: skip
    return FailureKind(code, category, http, True, False, message, hints, actions)


_TABLE: Final[tuple[FailureKind, ...]] = (
    # 400
    _fix("MALFORMED_REQUEST", "validation", 400, "The request body is not well-formed JSON.",
         "Send one JSON object encoded as UTF-8, without repeated members, NaN or NUL characters."),
    _fix("MISSING_IDEMPOTENCY_KEY", "validation", 400, "The Idempotency-Key header is missing.",
         "Send the header Idempotency-Key with a value that is unique to this operation, such as a UUID.",
         "Repeat the request with the same key to get the same job.",
         actions=("provide_idempotency_key", "retry_request")),
    _fix("INVALID_IDEMPOTENCY_KEY", "validation", 400, "The Idempotency-Key header is not usable.",
         "Use 1 to 255 visible ASCII characters without a comma; a UUID is a good key.",
         actions=("provide_idempotency_key", "retry_request")),
    # 401
    _fix("MISSING_API_KEY", "policy", 401, "The X-API-Key header is missing.",
         "Create a key in Settings, API access, and send it in the header X-API-Key.",
         actions=("provide_api_key", "retry_request")),
    _fix("INVALID_API_KEY", "policy", 401, "The API key is not valid.",
         "Check that the whole key was copied; a revoked or expired key has to be replaced by a new one.",
         actions=("provide_api_key", "retry_request")),
    _fix("UNAUTHENTICATED", "policy", 401, "You are not signed in.",
         "Sign in to the dashboard and try again; an API key does not count here.",
         actions=("sign_in",)),
    # 403
    _fix("CSRF_FAILED", "policy", 403, "The request did not come from this site's own pages.",
         "Reload the page and try again.", actions=("reload_page",)),
    _fix("ACCOUNT_INACTIVE", "policy", 403, "The account is not active.",
         "Ask the operator of this service to activate the account.", actions=("contact_support",)),
    _fix("INSUFFICIENT_SCOPE", "policy", 403, "The API key may only read.",
         "Use a key with the scope write.", actions=("provide_api_key",)),
    _fix("LIMIT_REACHED", "quota", 403, "The account's limit is reached.",
         "Ask the operator of the service for a higher limit.", actions=("contact_support",)),
    # 404
    _fix("PROJECT_NOT_FOUND", "validation", 404, "There is no such project.",
         "List your projects to see their ids.", actions=("list_projects",)),
    _fix("BLOG_POST_NOT_FOUND", "validation", 404, "There is no such blog post in this project.",
         "List the project's blog posts to see their ids.", actions=("list_blog_posts",)),
    _fix("PROPOSAL_NOT_FOUND", "validation", 404, "The post has no such proposal.",
         "Read the post: its member proposal is the text that waits, or null; a newer one replaces it.",
         actions=("read_blog_post",)),
    _fix("PAGE_NOT_FOUND", "validation", 404, "There is no such page in this project.",
         "List the project's pages to see their ids.", actions=("list_pages",)),
    _fix("KEYWORD_NOT_FOUND", "validation", 404, "There is no such keyword in this project.",
         "List the project's keywords to see their ids.", actions=("list_keywords",)),
    _fix("JOB_NOT_FOUND", "validation", 404, "There is no such execution job.",
         "List your execution jobs to see their ids.", actions=("list_executions",)),
    _fix("NOT_FOUND", "validation", 404, "There is nothing at this address.",
         "See /api/docs for the addresses of the API.", actions=("read_documentation",)),
    # 405, 413, 415
    _fix("METHOD_NOT_ALLOWED", "validation", 405, "This address does not support the method.",
         "Use one of the methods in the Allow header.", actions=("read_documentation",)),
    _fix("PAYLOAD_TOO_LARGE", "validation", 413, "The request body is too large.",
         "Send at most 1 MB in one request, as a cover image at most 5 MB."),
    _fix("UNSUPPORTED_MEDIA_TYPE", "validation", 415, "The request body is of a type that is not taken here.",
         "Send the header Content-Type: application/json, for a cover image that of the picture."),
    # 409
    _fix("IDEMPOTENCY_KEY_CONFLICT", "policy", 409, "This Idempotency-Key was used for a different request.",
         "Use a new key for a new operation; keep a key only to repeat the same request.",
         actions=("provide_idempotency_key", "retry_request")),
    _fix("JOB_ALREADY_TERMINAL", "policy", 409, "The job has already ended.",
         "Read the job to see how it ended; a succeeded post can be rolled back.", actions=("read_job",)),
    _fix("RETRY_NOT_ALLOWED", "policy", 409, "Only a failed or canceled job can be retried.",
         "Wait for the job to end, or create a new one.", actions=("read_job", "create_execution")),
    _fix("ROLLBACK_NOT_ALLOWED", "policy", 409, "Only a succeeded job can be rolled back.",
         "Wait until the job has succeeded; cancel it to stop it.", actions=("read_job",)),
    _fix("ROLLBACK_REQUIRES_MANUAL_UNPUBLISH", "policy", 409,
         "The generated post was published, so it cannot be rolled back automatically.",
         "Unpublish the post at its publish target first, then roll back again.",
         actions=("manually_unpublish_external_post",)),
    _fix("PUBLISH_QUALITY_GATE_BLOCKED", "policy", 409, "The quality gate holds this post back.",
         "Mend the findings listed in the details, then publish again.",
         actions=("edit_post", "regenerate", "publish_with_override")),
    _fix("PUBLISH_TARGET_MISSING", "policy", 409, "The project has no such publish target.",
         "Add a publish target in the project's settings.", actions=("open_publish_target",)),
    _fix("PUBLISH_TARGET_IN_USE", "policy", 409, "Posts are, or may be, published at this target.",
         "Unpublish them there and confirm it on each post, then remove the target.",
         actions=("unpublish_post",)),
    _fix("POST_CHANGED", "policy", 409, "The post was changed meanwhile.",
         "Read the post as it is now, then send its version if the change is still wanted.",
         actions=("read_blog_post", "edit_input")),
    _fix("PROPOSAL_SETTLED", "policy", 409, "The proposal was used or dismissed before.",
         "Read the post: its member proposal is the text that waits, or null.",
         actions=("read_blog_post",)),
    _fix("PROJECT_ALREADY_EXISTS", "validation", 409, "A project for this URL exists already.",
         "Use the existing project; its address is in the Location header.", actions=("read_project",)),
    _fix("ROLLBACK_NOT_SUPPORTED", "validation", 409, "This operation cannot be rolled back.",
         "Only GENERATE_BLOG_POST jobs can be rolled back.", actions=("read_job",)),
    _fix("SITEMAP_MISSING", "validation", 409, "The project has no sitemap.",
         "Set the project's sitemap URL, then sync again.", actions=("edit_project",)),
    _again("PUBLISH_IN_PROGRESS", "policy", 409, "The post is being published right now.",
           "Wait until the running publish job has ended."),
    _again("ROLLBACK_PUBLISH_IN_PROGRESS", "policy", 409,
           "The generated post is being published right now, so it cannot be rolled back yet.",
           "Wait until the running publish job has ended."),
    # 422
    _fix("INVALID_REQUEST", "validation", 422, "Some of the input is not valid.",
         "Correct the fields listed in errors."),
    _fix("INVALID_OPERATION", "validation", 422, "There is no such operation.",
         "Use one of the operations listed in the details."),
    _fix("URL_NOT_ALLOWED", "policy", 422, "This URL may not be used.",
         "Use a public http or https address on its standard port."),
    # 429
    _again("RATE_LIMITED", "quota", 429, "Too many requests.",
           "Wait for the number of seconds in the Retry-After header."),
    _again("QUOTA_EXCEEDED", "quota", 429, "The account's quota is used up for now.",
           "Wait until running jobs have ended or the quota is renewed."),
    # 500-504
    _again("INTERNAL_ERROR", "unknown", 500, "Something went wrong on our side.",
           "Try again; if it stays, report the request id."),
    _again("PUBLISH_ENDPOINT_FAILED", "dependency", 502, "The publish target did not answer as it should.",
           "Check that the target is up, then publish again."),
    _fix("PUBLISH_REJECTED", "dependency", 502, "The publish target refused the post.",
         "Read the target's answer in the details and mend the target's settings or the post.",
         actions=("open_publish_target", "edit_post")),
    _again("SERVICE_UNAVAILABLE", "dependency", 503, "The service is not available for a moment.",
           "Try again in a few seconds."),
    _again("PUBLISH_TIMEOUT", "timeout", 504, "The publish target did not answer in time.",
           "Publish again: the same publication is continued, never doubled."),
    # in a job only
    _again("CANCELED", "policy", None, "The job was canceled.",
           "Retry the job to run it again.", actions=("retry_job",)),
    _again("PROVIDER_FAILED", "dependency", None, "The text provider did not give a usable answer.",
           "Retry the job; if it stays, check the provider's status.", actions=("retry_job",)),
    _again("SITEMAP_UNREACHABLE", "dependency", None, "The sitemap could not be fetched.",
           "Open the sitemap's address in a browser and check that it answers.",
           "Correct the project's sitemap URL if it has moved.", actions=("retry_job", "edit_project")),
    _fix("INSUFFICIENT_SOURCE_MATERIAL", "validation", None,
         "The project's pages do not hold enough about this topic.",
         "Add pages about the topic, choose another topic, or allow an outline.",
         actions=("edit_input", "add_pages")),
    _fix("PROVIDER_AUTH", "dependency", None, "The text provider refused the service's credentials.",
         "Ask the operator to check LLM_API_KEY.", actions=("contact_support",)),
    _again("PROVIDER_TIMEOUT", "timeout", None, "The text provider did not answer in time.",
           "Retry the job.", "Choose a shorter length.", actions=("retry_job", "edit_input")),
    _again("JOB_TIMEOUT", "timeout", None, "The job took longer than it may.",
           "Retry the job.", "If it wrote a post, choose a shorter length or fewer pages.",
           "If it stays, ask the operator to raise JOB_DEADLINE, or SYNC_DEADLINE for a sitemap.",
           actions=("retry_job", "edit_input")),
    _again("QUEUE_TIMEOUT", "timeout", None, "The job waited in the queue for more than 24 hours.",
           "Check that workers are running, then retry the job.", actions=("retry_job",)),
    _again("PROVIDER_RATE_LIMITED", "quota", None, "The text provider asks to slow down.",
           "Retry the job after the time in the details.", actions=("retry_job",)),
    _fix("PROVIDER_CREDIT_EXHAUSTED", "quota", None, "The text provider's credit is used up.",
         "Ask the operator to renew the provider's credit.", actions=("contact_support",)),
    _fix("PROVIDER_REJECTED", "dependency", None, "The text provider refused the request.",
         "If the project names a model of its own, check its name.",
         "Ask the operator to check LLM_PROVIDER, LLM_BASE_URL and LLM_MODEL.", actions=("contact_support",)),
    _fix("TARGET_AUTH", "dependency", None, "The publish target refused the credentials.",
         "Give the target a new secret.", actions=("open_publish_target",)),
    _again("TARGET_RATE_LIMITED", "quota", None, "The publish target asks to slow down.",
           "Publish again after the time in the details.", actions=("retry_job",)),
    _fix("TARGET_SLUG_TAKEN", "policy", None, "The publish target has another post with this slug.",
         "Change the post's slug, then publish again.", actions=("edit_post",)),
    _fix("CONTENT_REJECTED", "policy", None, "The text provider refused to write this content.",
         "Change the topic or the instructions."),
    _again("PAGE_UNREACHABLE", "dependency", None, "The page could not be read.",
           "Open the page in a browser and check that it answers.", "It is read again by itself.",
           actions=("read_page",)),
    _fix("SITEMAP_INVALID", "validation", None, "The sitemap holds no readable URL.",
         "Check that the address shows an XML or text sitemap and not a web page.",
         actions=("edit_project",)),
    _again("SITEMAP_CHANGED", "policy", None, "The sitemap URL was changed while the old one was read.",
           "No page was changed; the new address is synced by itself.", actions=("read_project",)),
    _again("WORKER_LOST", "unknown", None, "The worker running this job was lost.",
           "Retry the job; if it stays, report the job id.", actions=("retry_job",)),
    _again("EXECUTION_FAILED", "unknown", None, "The job failed for an unexpected reason.",
           "Retry the job; if it stays, report the job id.", actions=("retry_job",)),
)  # fmt: skip

CATALOGUE: Final[Mapping[str, FailureKind]] = {kind.code: kind for kind in _TABLE}
