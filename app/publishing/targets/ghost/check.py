"""The test of a Ghost target, step by step. It changes nothing there."""

import re
from collections.abc import Iterator
from typing import Any, Final

from app.failures import Failure, failure
from app.infra.http.response import SmallResponse
from app.publishing.targets.base import NOT_DELIVERED, Access, CheckStep, PublishProblem
from app.publishing.targets.ghost.api import is_gone, moved, problem_of, request
from app.publishing.targets.http_calls import details_of, found_in, unusable
from app.publishing.targets.steps import in_steps

_NOT_GHOST: Final = (
    "Check that the site runs on Ghost. If the blog is in a subfolder, enter its address, such as "
    "https://example.com/blog/.",
    "In Ghost, the page of the custom integration shows the address as “API URL”.",
)
_BEHIND_LOGIN: Final = (
    "The site asks for a password, or a firewall refuses the call, before Ghost is reached. Ask the host of "
    "the site to let calls to /ghost/api/ through.",
)
_STAFF: Final = (
    "This is the token of a person who may not publish. Make a custom integration in Ghost and enter its "
    "Admin API key."
)
_MAY_NOT_PUBLISH: Final = frozenset({"Contributor"})


@in_steps
def check(access: Access) -> Iterator[CheckStep]:
    site = request(access, "GET", "site/", signed=False)
    yield CheckStep("reachable", "The site answers.")
    yield CheckStep("api_found", f"Ghost {_version(site)} answers there.")
    _sign_in(access)
    yield CheckStep("signed_in", "Ghost accepted the key.")
    yield CheckStep("may_publish", f"The key may publish posts: it is that of {_role(access)}.")
    yield CheckStep("may_delete", "The key may unpublish and delete the posts that it made.")


def _version(response: SmallResponse) -> str:
    version = _member(response, "site").get("version")
    if response.status == 200 and isinstance(version, str):
        return _supported(version, response)
    problem = problem_of(response) if response.status != 200 else unusable(response)
    if response.status >= 500 or response.status in (408, 429):
        raise problem
    raise PublishProblem(_not_found(response), problem.certainty)


def _supported(version: str, response: SmallResponse) -> str:
    if re.match(r"[0-4]\.", version) is None:
        return version[:20]
    details = details_of(response, f"Ghost {version}")
    hints = ["This service needs Ghost 5 or newer. Ask the host of the site to update Ghost."]
    raise PublishProblem(failure("TARGET_API_NOT_FOUND", hints=hints, details=details), NOT_DELIVERED)


def _not_found(response: SmallResponse) -> Failure:
    if 300 <= response.status < 400:
        return moved(response)
    hints = _BEHIND_LOGIN if response.status in (401, 403) else _NOT_GHOST
    return failure("TARGET_API_NOT_FOUND", hints=hints, details=details_of(response))


def _sign_in(access: Access) -> None:
    response = request(access, "GET", "config/")
    if response.status != 200:
        raise problem_of(response)
    if not _member(response, "config"):
        raise unusable(response)


def _role(access: Access) -> str:
    response = request(access, "GET", "users/me/?include=roles")
    if is_gone(response):
        # Only people are users. A custom integration has all the rights on posts.
        return "a custom integration"
    if response.status != 200:
        raise problem_of(response)
    roles = _roles(response)
    if roles <= _MAY_NOT_PUBLISH:
        details = details_of(response, f"role {', '.join(sorted(roles))}")
        raise PublishProblem(failure("TARGET_FORBIDDEN", hints=[_STAFF], details=details), NOT_DELIVERED)
    return f"a person with the role {', '.join(sorted(roles))}"


def _roles(response: SmallResponse) -> frozenset[str]:
    try:
        return frozenset(str(role["name"])[:40] for role in found_in(response, "users", 0, "roles"))
    except (KeyError, TypeError):
        raise unusable(response) from None


def _member(response: SmallResponse, name: str) -> dict[str, Any]:
    member = found_in(response, name)
    return member if isinstance(member, dict) else {}
