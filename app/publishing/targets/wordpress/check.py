"""The test of a WordPress target: what each step found, or what to do about it. Nothing is written."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from app.failures import Failure, failure
from app.infra.http.errors import FetchErrorKind
from app.publishing.targets.base import NOT_DELIVERED, Access, CheckName, CheckStep, PublishProblem
from app.publishing.targets.http_calls import details_of
from app.publishing.targets.wordpress.api import (
    HOW_TO_SIGN_IN,
    ROLE_NEEDED,
    Api,
    answer_of,
    closed_api,
    error_of,
    unusable,
)
from app.publishing.targets.wordpress.discovery import Page, api_of, open_page
from app.publishing.targets.wordpress.lookup import account
from app.publishing.targets.wordpress.terms import CATEGORIES, is_id, listed, term_ids

_MAY_PUBLISH: Final = ("edit_posts", "publish_posts", "edit_published_posts", "upload_files")
_MAY_DELETE: Final = ("delete_posts", "delete_published_posts")
_NETWORK_HINTS: Final[Mapping[str, str]] = {
    FetchErrorKind.DNS: "There is no site with this name. Check the address for typing errors.",
    FetchErrorKind.REFUSED: "No web server answers at this address. Check it, and that the site is online.",
    FetchErrorKind.CONNECT_TIMEOUT: "The server does not answer. Check the address, and that it is online.",
    FetchErrorKind.TIMEOUT: "The site took too long to answer. Try again; if it stays slow, ask its host.",
    FetchErrorKind.TLS: "Check that the address begins as the site's own does: https:// or http://.",
}


def check(access: Access) -> Iterator[CheckStep]:
    """Test the target step by step; end with the first step that fails."""
    test = _Test(access)
    steps: tuple[tuple[CheckName, Callable[[], str]], ...] = (
        ("reachable", test.reachable),
        ("api_found", test.api_found),
        ("signed_in", test.signed_in),
        ("may_publish", test.may_publish),
        ("may_delete", test.may_delete),
    )
    for name, step in steps:
        try:
            message = step()
        except PublishProblem as problem:
            yield CheckStep(name, problem.failure.message, problem.failure)
            return
        yield CheckStep(name, message)


class _Test:
    """The steps in their order; each returns what it found and keeps it for the next one."""

    page: Page
    api: Api
    index: Mapping[str, Any]
    capabilities: Mapping[str, Any]

    def __init__(self, access: Access) -> None:
        self.access = access

    def reachable(self) -> str:
        try:
            self.page = open_page(self.access)
        except PublishProblem as problem:
            raise _with_network_hint(problem) from problem
        return "The address answers."

    def api_found(self) -> str:
        self.api = api_of(self.page, self.access)
        self.index = _index(self.api)
        return f"WordPress' REST API answers at {self.api.root}"

    def signed_in(self) -> str:
        try:
            user = account(self.api)
        except PublishProblem as problem:
            raise self._refused(problem) from problem
        self.capabilities = user.capabilities
        return f"Signed in as {user.name or self.access.settings['username']}."

    def may_publish(self) -> str:
        self._require(_MAY_PUBLISH, "publish posts with a cover")
        names = listed(self.access.settings.get("category") or "")
        if self.capabilities.get("manage_categories"):
            names = [name for name in names if is_id(CATEGORIES, name)]  # the others can be made
        term_ids(self.api, CATEGORIES, names, are_made=False)
        return "The account may write and publish posts."

    def may_delete(self) -> str:
        self._require(_MAY_DELETE, "delete its own posts")
        return "The account may delete its own posts."

    def _require(self, names: Iterable[str], purpose: str) -> None:
        missing = [name for name in names if not self.capabilities.get(name)]
        if not missing:
            return
        username = self.access.settings["username"]
        message = f"The account {username} may not {purpose}: it lacks {', '.join(missing)}."
        raise PublishProblem(failure("TARGET_FORBIDDEN", message, hints=[ROLE_NEEDED]), NOT_DELIVERED)

    def _refused(self, problem: PublishProblem) -> PublishProblem:
        """Return the problem of credentials that were refused, with the likely cause."""
        failed = problem.failure
        if failed.code != "TARGET_AUTH":
            return problem
        message = "WordPress refused the user name or the application password."
        hints = [HOW_TO_SIGN_IN, "Check the user name for typing errors."]
        if not _offers_application_passwords(self.index):
            message = "This WordPress does not accept application passwords."
            hints = [
                "They need https, and security plugins can switch them off. Switch them on, make one in "
                "Users → Profile, and enter it here."
            ]
        return PublishProblem(replace(failed, message=message, hints=tuple(hints)), NOT_DELIVERED)


def _index(api: Api) -> Mapping[str, Any]:
    """Return the description of the API, which some sites show only to accounts. Raises PublishProblem.

    It is empty if it is not shown to these credentials either: signing in will tell.
    """
    response = api.request("GET", "", is_anonymous=True)
    if response.status in (401, 403) and error_of(response) is not None:
        response = api.request("GET", "")
    error = error_of(response)
    if error is not None and response.status == 401 and "disabled" not in error["code"]:
        return {}
    if error is not None and response.status < 500:
        failed = replace(closed_api(error), details=details_of(response, str(error["message"])))
        raise PublishProblem(failed, NOT_DELIVERED)
    index = answer_of(response, 200)
    if not isinstance(index, dict) or "wp/v2" not in (index.get("namespaces") or ()):
        raise unusable(response)
    return index


def _offers_application_passwords(index: Mapping[str, Any]) -> bool:
    if not index:
        return True
    offered = index.get("authentication")
    return isinstance(offered, dict) and "application-passwords" in offered


def _with_network_hint(problem: PublishProblem) -> PublishProblem:
    failed: Failure = problem.failure
    details = failed.details or {}
    hint = _NETWORK_HINTS.get(details.get("reason", ""))
    if hint is None:
        return problem
    message = str(details.get("message") or failed.message)
    return PublishProblem(replace(failed, message=message, hints=(hint,)), problem.certainty)
