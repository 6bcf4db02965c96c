"""How a failure is shown: its message and hints in plain words, and its next actions as buttons and links."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from flask import url_for

from app.content.model import BlogPost
from app.dashboard.ui.connections import address_of, mending_words
from app.executions.model import ExecutionJob
from app.failures import CATALOGUE, Failure, ServiceFailure
from app.infra.clock import from_now
from app.projects.model import Project
from app.publishing.model import PublishTarget

_FORM_OPERATIONS: Final = ("GENERATE_BLOG_POST", "PLAN_BLOG_POST")

_LINKS: Final[Mapping[str, tuple[str, str]]] = {
    "list_projects": ("Projects", "projects.index"),
    "list_executions": ("All executions", "executions.index"),
    "sign_in": ("Sign in", "auth.sign_in"),
}
_PROJECT_LINKS: Final[Mapping[str, tuple[str, str]]] = {
    "edit_project": ("Project settings", "projects.edit"),
    "add_pages": ("Add pages", "pages.index"),
    "list_pages": ("All pages", "pages.index"),
    "list_keywords": ("All keywords", "keywords.index"),
    "list_blog_posts": ("All posts", "posts.index"),
    "open_publish_target": ("Blog connections", "targets.index"),
    "list_publish_targets": ("Blog connections", "targets.index"),
    "regenerate": ("Write another post", "posts.generate"),
    "create_execution": ("Write a post", "posts.generate"),
    "connect_search_console": ("Connect Google again", "google.connect"),
    "list_images": ("All pictures", "images.index"),
    "list_schedule": ("Open the calendar", "calendar.index"),
    "list_search_imports": ("All imports", "search.imports"),
}
_POST_LINKS: Final[Mapping[str, tuple[str, str]]] = {
    "read_blog_post": ("Open the post", "posts.show"),
    "edit_post": ("Edit the post", "posts.edit"),
    "publish_with_override": ("Publish despite the checks", "posts.publish"),
}
_RETRIES: Final = frozenset(("retry_job", "retry_request"))
_SAID_BY_HINTS: Final = _RETRIES | {"edit_input", "provide_idempotency_key", "contact_support", "reload_page"}
"""What the form or its hints say already, where there is no button for it."""
_COMPARISONS: Final = ("publish_with_overwrite", "update_existing_post")
_PUBLICATIONS: Final = ("manually_unpublish_external_post", "unpublish_post")
_PLAIN: Final[Mapping[str, str]] = {
    "read_job": "Look at the execution again.",
    "read_page": "Look at the page again later.",
    "connect_search_console": "Connect Google Search Console on the page “Search”.",
    "manually_unpublish_external_post": "Unpublish the post where it was published, then try again.",
    "update_existing_post": "Publish again, and replace the text of the post there.",
    "unpublish_post": "Unpublish each post at the target and confirm it on the post’s page.",
}


_MESSAGES: Final[Mapping[str, str]] = {
    "MISSING_IDEMPOTENCY_KEY": "The form is not complete.",
    "INVALID_IDEMPOTENCY_KEY": "The form is not complete.",
    "IDEMPOTENCY_KEY_CONFLICT": "This form was already sent.",
    "HEADERS_TOO_LARGE": "Your browser sent more than this service accepts.",
    "RATE_LIMITED": "That was too often in a short time.",
    "PUBLISH_QUALITY_GATE_BLOCKED": "The checks block this post.",
    "PUBLISH_ENDPOINT_FAILED": "Your blog gave no usable answer.",
    "PUBLISH_REJECTED": "Your blog refused the post.",
    "PUBLISH_UNCLEAR": "Your blog’s answer does not say what became of the post.",
    "PUBLISH_TIMEOUT": "Your blog did not answer in time.",
    "TARGET_AUTH": "Your blog does not accept the password or key.",
    "TARGET_FORBIDDEN": "The account at your blog may not do this.",
    "TARGET_RATE_LIMITED": "Your blog asks for a pause.",
    "UNPUBLISH_NOT_CONFIRMED": "Your blog still shows the post, or does not say whether it does.",
    "TARGET_POST_EDITED": "Somebody edited the post there since it was published.",
    "TARGET_SLUG_TAKEN": "Another post there has the same end of the address.",
}
_HINTS: Final[Mapping[str, str]] = {
    "MISSING_IDEMPOTENCY_KEY": "Reload the page and send the form again.",
    "INVALID_IDEMPOTENCY_KEY": "Reload the page and send the form again.",
    "IDEMPOTENCY_KEY_CONFLICT": "Reload the page and send the form again.",
    "HEADERS_TOO_LARGE": "Delete the cookies of this site in your browser, then open the page again.",
    "PUBLISH_QUALITY_GATE_BLOCKED": "Fix the problems listed here, then publish again.",
    "POST_CHANGED": "Review the post in its current state, then decide again.",
    "PROPOSAL_DECIDED": "Open the post to see whether there is another proposal.",
    "PROJECT_ALREADY_EXISTS": "Continue with that project.",
    "ROLLBACK_NOT_SUPPORTED": "Only jobs that generate a post can be rolled back.",
    "INVALID_REQUEST": "Correct the fields named here, then send the form again.",
    "RATE_LIMITED": "Wait a moment, then try again.",
    "PUBLISH_REJECTED": "Fix the problem that the target reported, then publish again.",
    "PUBLISH_TARGET_REQUIRED": "Choose where to publish, or mark one connection as the project’s own.",
    "TARGET_AUTH": "Edit the connection and enter a new password or key.",
    "TARGET_POST_EDITED": "Compare the two texts, then replace the one there or keep it.",
    "TARGET_SLUG_TAKEN": "Choose another end of the address for this post, or let it replace the other one.",
    "TARGET_RATE_LIMITED": "Publish again in a few minutes.",
}


_SAID_BY_MESSAGE: Final = frozenset({"UNSUPPORTED_MEDIA_TYPE"})
"""Failures whose hints say in a program's words what the message says."""


@dataclass(frozen=True)
class Action:
    """A next action: a link, a button that posts, or plain text without a URL; ``main`` if it comes first."""

    text: str
    url: str | None = None
    posts: bool = False
    main: bool = False


def next_actions(
    failure: Mapping[str, Any],
    project: Project | None = None,
    job: ExecutionJob | None = None,
    post: BlogPost | None = None,
    target: PublishTarget | None = None,
) -> list[Action]:
    """Return the actions of a failure object, the main one first. One without a page here is plain text.

    To try again needs a job that has ended. Without one the hints say when, and the form is still there.
    """
    names = [str(name) for name in dict.fromkeys(failure.get("next_actions") or ())]
    if failure.get("code") == "TARGET_SLUG_TAKEN" and post is not None:
        return _with_main_first(_when_slug_is_taken(failure.get("details") or {}, post, target, job))
    can_retry = not _RETRIES.isdisjoint(names)
    if job is not None and target is not None and "open_publish_target" in names and not can_retry:
        names.append("retry_job")
    found = [
        _target_action(name, failure, job, post, target)
        or _link(name, failure, project, post)
        or (_job_action(name, project, job) if job else None)
        for name in names
    ]
    return _with_main_first(
        [
            action or Action(_PLAIN.get(name) or name.replace("_", " ").capitalize())
            for name, action in zip(names, found, strict=True)
            if action or name not in _SAID_BY_HINTS
        ]
    )


def _with_main_first(actions: Sequence[Action]) -> list[Action]:
    main = max((each for each in actions if each.url), key=lambda each: (each.main, each.posts), default=None)
    marked = [replace(each, main=each is main) for each in actions]
    return sorted(marked, key=lambda each: not each.main)


def _when_slug_is_taken(
    details: Mapping[str, Any], post: BlogPost, target: PublishTarget | None, job: ExecutionJob | None
) -> list[Action]:
    here: dict[str, Any] = {"project_id": post.project_id, "post_id": post.id}
    offered = details.get("offered_slug")
    change = url_for("posts.edit", slug=offered, _anchor="slug", **here)
    there, site = details.get("url_there") or details.get("url"), address_of(target)
    is_named = "existing_post" in details
    update = url_for("edited_there.show", job_id=job.id) if is_named and job is not None else None
    return [
        Action(f"Use “{offered}” instead" if offered else "Change the end of the address", change, main=True),
        *([Action("Update the other post…", update)] if update else []),
        *([Action("Open the other post there", str(there))] if there else []),
        *([Action("Open the site", site)] if site and not there else []),
        Action("Leave it", url_for("posts.show", **here)),
    ]


def _target_action(
    name: str,
    failure: Mapping[str, Any],
    job: ExecutionJob | None,
    post: BlogPost | None,
    target: PublishTarget | None,
) -> Action | None:
    if name == "open_publish_target" and target is not None:
        here: dict[str, Any] = {"project_id": target.project_id, "target_id": target.id}
        url = url_for("targets.edit", post=post.id if post else None, **here)
        return Action(mending_words(failure), url, main=True)
    if name in _COMPARISONS and job is not None:
        return Action("Compare both texts", url_for("edited_there.show", job_id=job.id), main=True)
    return None


def _link(
    name: str, failure: Mapping[str, Any], project: Project | None, post: BlogPost | None
) -> Action | None:
    if name in _LINKS:
        text, endpoint = _LINKS[name]
        return Action(text, url_for(endpoint))
    if project and name in _PROJECT_LINKS:
        text, endpoint = _PROJECT_LINKS[name]
        return Action(text, url_for(endpoint, project_id=project.id))
    if post and name in _POST_LINKS:
        text, endpoint = _POST_LINKS[name]
        return Action(text, url_for(endpoint, project_id=post.project_id, post_id=post.id))
    if post and name in _PUBLICATIONS:
        url = url_for("posts.show", project_id=post.project_id, post_id=post.id, _anchor="publications")
        return Action("Go to its publications", url)
    existing = (failure.get("details") or {}).get("project_id")
    if name == "read_project" and existing:
        return Action("Open the project", url_for("projects.overview", project_id=existing))
    return None


def _job_action(name: str, project: Project | None, job: ExecutionJob) -> Action | None:
    if name in _RETRIES and job.status in ("failed", "canceled"):
        return Action("Try again", url_for("executions.retry", job_id=job.id), posts=True)
    if name == "read_job":
        return Action("Open the job", url_for("executions.show", job_id=job.id))
    if name == "edit_input" and project and job.operation in _FORM_OPERATIONS:
        url = url_for("posts.generate", project_id=project.id, like=job.id)
        return Action("Change the input", url)
    return None


def with_wait(error: ServiceFailure) -> Failure:
    """Return an error's failure; a time to wait that the error names is said instead of the general hint."""
    seconds = error.headers.get("Retry-After")
    if seconds is None:
        return error.failure
    return replace(error.failure, hints=(f"Try again {from_now(int(seconds))}.",))


def plain_message(failure: Mapping[str, Any]) -> str:
    return str(in_plain_words(failure)["message"])


_NOTE: Final = re.compile(r"(?:(?P<before>.+): )?(?P<code>[A-Z_]+)(?:, \w+)?(?:: (?P<after>.+))?")


def plain_note(text: str) -> str:
    """Return the note of an event of a job, in which a failure's message takes the place of its code."""
    found = _NOTE.fullmatch(text)
    if found is None or found["code"] not in CATALOGUE:
        return text
    before, after = (found[name] or "" for name in ("before", "after"))
    message = plain_message({"message": CATALOGUE[found["code"]].message, "code": found["code"]})
    parts = (before and f"{before}.", message, after and f"{after[:1].upper()}{after[1:].rstrip('.')}.")
    return " ".join(filter(None, parts))


_WORDS: Final = (
    ("Retry the job to run it again", "Try again"),
    ("Retry the job", "Try again"),
    ("retry the job", "try again"),
    (" in the dashboard, or by the API", ""),
    (" without existing_post to see what the target has now", " to see what your blog has now"),
    ("Set minimum_kind to outline", "Choose “An outline, if there is no more”"),
    ("Set minimum_kind to extractive", "Choose “A draft of excerpts, or nothing”"),
    (" in the dashboard", ""),
    (" (length, target_words)", ""),
    (" (outline)", ""),
)
"""What hints say to programs and people alike, and what is said to people."""


def in_plain_words(failure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failure object with the dashboard's words instead of the catalogue's general ones."""
    shown, code = dict(failure), str(failure.get("code"))
    kind = CATALOGUE.get(code)
    if kind is None:
        return shown
    if shown.get("message") == kind.message:
        shown["message"] = _MESSAGES.get(code, kind.message)
    if code in _HINTS and shown.get("remediation_hints") == list(kind.hints):
        shown["remediation_hints"] = [_HINTS[code]]
    if code in _SAID_BY_MESSAGE:
        shown["remediation_hints"] = []
    shown["remediation_hints"] = [_hint_in_plain_words(each) for each in shown.get("remediation_hints") or ()]
    return shown


def _hint_in_plain_words(hint: str) -> str:
    for said, plain in _WORDS:
        hint = hint.replace(said, plain)
    return hint


GLOBALS: Final = (in_plain_words, next_actions)
