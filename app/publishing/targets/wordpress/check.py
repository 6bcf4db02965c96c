"""The test of a WordPress target: what each step found, or what to do about it. Nothing is written."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

from app.failures import failure
from app.infra.http.errors import FetchErrorKind
from app.publishing.targets.base import NOT_DELIVERED, Access, CheckStep, PublishProblem
from app.publishing.targets.http_calls import details_of
from app.publishing.targets.steps import in_steps
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
from app.publishing.targets.wordpress.lookup import Account, account
from app.publishing.targets.wordpress.terms import CATEGORIES, is_id, listed, term_ids

_MAY_PUBLISH: Final = ("edit_posts", "publish_posts", "edit_published_posts", "upload_files")
_MAY_DELETE: Final = ("delete_posts", "delete_published_posts")
_NETWORK_HINTS: Final[Mapping[str, str]] = {
    FetchErrorKind.DNS: "Check the address for typing errors.",
    FetchErrorKind.REFUSED: "No web server answers at this address. Check it, and that the site is online.",
    FetchErrorKind.CONNECT_TIMEOUT: "The server does not answer. Check the address, and that it is online.",
    FetchErrorKind.TIMEOUT: "The site took too long to answer. Try again; if it stays slow, ask its host.",
    FetchErrorKind.TLS: "Check that the address begins as the site's own does: https:// or http://.",
}


@in_steps
def check(access: Access) -> Iterator[CheckStep]:
    page = _reached(access)
    yield CheckStep("reachable", "The address answers.")
    api = api_of(page, access)
    index = _index(api)
    yield CheckStep("api_found", f"WordPress' REST API answers at {api.root}")
    user = _signed_in(api, index)
    yield CheckStep("signed_in", f"Signed in as {user.name or access.settings['username']}.")
    _require(user, _MAY_PUBLISH, "publish posts with a cover", access)
    _require_categories(api, user)
    yield CheckStep("may_publish", "The account may write and publish posts.")
    _require(user, _MAY_DELETE, "delete its own posts", access)
    yield CheckStep("may_delete", "The account may delete its own posts.")


def _reached(access: Access) -> Page:
    try:
        return open_page(access)
    except PublishProblem as problem:
        details = problem.failure.details or {}
        hint = _NETWORK_HINTS.get(details.get("reason", ""))
        if hint is None:
            raise
        message = str(details.get("message") or problem.failure.message)
        failed = replace(problem.failure, message=message, hints=(hint,))
        raise PublishProblem(failed, problem.certainty) from problem


def _signed_in(api: Api, index: Mapping[str, Any]) -> Account:
    try:
        return account(api)
    except PublishProblem as problem:
        if problem.failure.code != "TARGET_AUTH":
            raise
        message = "WordPress refused the user name or the application password."
        hints = [HOW_TO_SIGN_IN, "Check the user name for typing errors."]
        if not _offers_application_passwords(index):
            message = "This WordPress does not accept application passwords."
            hints = [
                "They need https, and security plugins can switch them off. Switch them on, make one in "
                "Users → Profile, and enter it here."
            ]
        failed = replace(problem.failure, message=message, hints=tuple(hints))
        raise PublishProblem(failed, NOT_DELIVERED) from problem


def _require(user: Account, names: Iterable[str], purpose: str, access: Access) -> None:
    missing = [name for name in names if not user.capabilities.get(name)]
    if missing:
        username = access.settings["username"]
        message = f"The account {username} may not {purpose}."
        details = {"missing": ", ".join(missing)}
        found = failure("TARGET_FORBIDDEN", message, hints=[ROLE_NEEDED], details=details)
        raise PublishProblem(found, NOT_DELIVERED)


def _require_categories(api: Api, user: Account) -> None:
    names = listed(api.access.settings.get("category") or "")
    if user.capabilities.get("manage_categories"):
        names = [name for name in names if is_id(CATEGORIES, name)]  # the others can be made
    term_ids(api, CATEGORIES, names, are_made=False)


def _index(api: Api) -> Mapping[str, Any]:
    """Return the description of the API, which some sites show only to accounts. Raises PublishProblem.

    It is empty if it is not shown to these credentials either: signing in will show it.
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
