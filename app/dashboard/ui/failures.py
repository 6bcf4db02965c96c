"""How a failure is shown: its message and hints in plain words, and its next actions as buttons and links."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from flask import url_for

from app.content.model import BlogPost
from app.executions.model import ExecutionJob
from app.failures import CATALOGUE
from app.projects.model import Project

_FROM_THE_FORM: Final = ("GENERATE_BLOG_POST", "PLAN_BLOG_POST")


@dataclass(frozen=True)
class Action:
    """A next action: a link, a button that posts, or plain words when neither fits here."""

    text: str
    url: str | None = None
    posts: bool = False


@dataclass(frozen=True)
class Place:
    """What the page that shows the failure is about."""

    failure: Mapping[str, Any]
    project: Project | None = None
    job: ExecutionJob | None = None
    post: BlogPost | None = None


def next_actions(
    failure: Mapping[str, Any],
    project: Project | None = None,
    job: ExecutionJob | None = None,
    post: BlogPost | None = None,
) -> list[Action]:
    """Return the actions of a failure object; one that is unknown or has no page here is plain text."""
    place = Place(failure, project, job, post)
    names = dict.fromkeys(failure.get("next_actions") or ())
    return [_action(str(name), place) for name in names]


def _action(name: str, place: Place) -> Action:
    make = _ACTIONS.get(name)
    made = make(place) if make else None
    return made or Action(_PLAIN.get(name) or name.replace("_", " ").capitalize())


def _of_project(text: str, endpoint: str) -> Callable[[Place], Action | None]:
    def make(place: Place) -> Action | None:
        return Action(text, url_for(endpoint, project_id=place.project.id)) if place.project else None

    return make


def _of_post(text: str, endpoint: str) -> Callable[[Place], Action | None]:
    def make(place: Place) -> Action | None:
        if place.post is None:
            return None
        return Action(text, url_for(endpoint, project_id=place.post.project_id, post_id=place.post.id))

    return make


def _show_publications(place: Place) -> Action | None:
    if place.post is None:
        return None
    project_id, post_id = place.post.project_id, place.post.id
    address = url_for("posts.show", project_id=project_id, post_id=post_id, _anchor="publications")
    return Action("Go to its publications", address)


def _anywhere(text: str, endpoint: str) -> Callable[[Place], Action | None]:
    return lambda _place: Action(text, url_for(endpoint))


def _retry(place: Place) -> Action | None:
    if not place.job or place.job.status not in ("failed", "canceled"):
        return None
    return Action("Retry now", url_for("executions.retry", job_id=place.job.id), posts=True)


def _read_job(place: Place) -> Action | None:
    return Action("Open the job", url_for("executions.show", job_id=place.job.id)) if place.job else None


def _other_input(place: Place) -> Action | None:
    if place.project is None or place.job is None or place.job.operation not in _FROM_THE_FORM:
        return None
    address = url_for("posts.generate", project_id=place.project.id, like=place.job.id)
    return Action("Change input and retry", address)


def _existing_project(place: Place) -> Action | None:
    project_id = (place.failure.get("details") or {}).get("project_id")
    return (
        Action("Open the project", url_for("projects.overview", project_id=project_id))
        if project_id
        else None
    )


_ACTIONS: Final[Mapping[str, Callable[[Place], Action | None]]] = {
    "retry_job": _retry,
    "retry_request": _retry,
    "read_job": _read_job,
    "edit_input": _other_input,
    "read_project": _existing_project,
    "edit_project": _of_project("Project settings", "projects.edit"),
    "add_pages": _of_project("Add pages", "pages.index"),
    "list_pages": _of_project("All pages", "pages.index"),
    "list_keywords": _of_project("All keywords", "keywords.index"),
    "list_blog_posts": _of_project("All posts", "posts.index"),
    "open_publish_target": _of_project("Publish targets", "targets.index"),
    "regenerate": _of_project("Generate another post", "posts.generate"),
    "create_execution": _of_project("Generate a post", "posts.generate"),
    "manually_unpublish_external_post": _show_publications,
    "unpublish_post": _show_publications,
    "read_blog_post": _of_post("Open the post", "posts.show"),
    "edit_post": _of_post("Edit the post", "posts.edit"),
    "publish_with_override": _of_post("Publish in spite of the checks", "posts.publish"),
    "list_projects": _anywhere("All projects", "projects.index"),
    "list_executions": _anywhere("All executions", "executions.index"),
    "sign_in": _anywhere("Sign in", "auth.sign_in"),
}
_PLAIN: Final[Mapping[str, str]] = {
    "retry_request": "Try again.",
    "retry_job": "Retry the job.",
    "edit_input": "Change the input.",
    "read_page": "Look at the page again later.",
    "contact_support": "Ask the operator of this service.",
    "manually_unpublish_external_post": "Unpublish the post where it was published, then try again.",
    "unpublish_post": "Unpublish each post at the target and confirm it on the post’s page.",
}


_MESSAGES: Final[Mapping[str, str]] = {
    "MISSING_IDEMPOTENCY_KEY": "The form is not complete.",
    "INVALID_IDEMPOTENCY_KEY": "The form is not complete.",
    "IDEMPOTENCY_KEY_CONFLICT": "This form was sent already.",
}
_HINTS: Final[Mapping[str, str]] = {
    "MISSING_IDEMPOTENCY_KEY": "Reload the page and send the form again.",
    "INVALID_IDEMPOTENCY_KEY": "Reload the page and send the form again.",
    "IDEMPOTENCY_KEY_CONFLICT": "Reload the page and send the form again.",
    "PUBLISH_QUALITY_GATE_BLOCKED": "Fix the problems listed here, then publish again.",
    "POST_CHANGED": "Look at the post as it is now, then decide again.",
    "PROPOSAL_DECIDED": "Open the post to see whether another new text waits.",
    "PROJECT_ALREADY_EXISTS": "Go on with that project.",
    "ROLLBACK_NOT_SUPPORTED": "Only jobs that generate a post can be rolled back.",
    "INVALID_REQUEST": "Correct what is named here, then send it again.",
    "RATE_LIMITED": "Wait a little, then try again.",
    "PROVIDER_RATE_LIMITED": "Retry the job in a few minutes.",
    "TARGET_RATE_LIMITED": "Publish again in a few minutes.",
}


def in_plain_words(failure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a failure object as the dashboard says it; words made for this very case stay."""
    told, code = dict(failure), str(failure.get("code"))
    kind = CATALOGUE.get(code)
    if kind is None:
        return told
    if told.get("message") == kind.message:
        told["message"] = _MESSAGES.get(code, kind.message)
    if code in _HINTS and told.get("remediation_hints") == list(kind.hints):
        told["remediation_hints"] = [_HINTS[code]]
    return told
