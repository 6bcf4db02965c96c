"""The app endpoint that queues a sitemap sync. It requires a signed-in session, not an API key."""

from urllib.parse import urlsplit

from flask import Blueprint, g, request
from flask.typing import ResponseReturnValue
from flask_login import current_user

from app.accounts.model import Account
from app.api.http import auth, parsing
from app.api.http.contract import Nothing, success
from app.api.jobs import present
from app.executions import service
from app.executions.service import Submission
from app.failures import ServiceFailure
from app.infra.inputs import load
from app.operations import sync_sitemap
from app.projects.service import get_project

blueprint = Blueprint("sitemap_sync", __name__)


@blueprint.post("/api/project/<id:project_id>/sitemap/sync-now/")
def sync_now(project_id: int) -> ResponseReturnValue:
    """Queue a sync of the project's sitemap, or return the queued one: 202 ``{job, created}``.

    Raises UNAUTHENTICATED, CSRF_FAILED, RATE_LIMITED, PROJECT_NOT_FOUND, SITEMAP_MISSING.
    """
    account = _signed_in()
    _check_origin()
    auth.count(f"session:{account.id}")
    project = get_project(account.id, project_id)
    parsing.query(Nothing)
    load(Nothing, parsing.document(optional=True))
    submitted = service.submit(
        Submission(
            project=project,
            operation=sync_sitemap.OPERATION,
            payload={},
            scope=f"create:{project.id}",
            requested_by="the dashboard",
            request_id=g.request_id,
        )
    )
    return success({"job": present(submitted.job), "created": submitted.created}, 202)


def _signed_in() -> Account:
    if not current_user.is_authenticated:
        auth.count_address()
        raise ServiceFailure("UNAUTHENTICATED")
    account: Account = current_user._get_current_object()
    return account


def _check_origin() -> None:
    """Raise CSRF_FAILED for a request that another site made the browser send.

    Browsers name the origin of a request. A client that does not is no browser, and the session cookie is
    SameSite=Lax anyway.
    """
    site = request.headers.get("Sec-Fetch-Site")
    origin = request.headers.get("Origin")
    same_site = site == "same-origin" if site is not None else origin is None or _is_ours(origin)
    if not same_site:
        auth.count_address()
        raise ServiceFailure("CSRF_FAILED")


def _is_ours(origin: str) -> bool:
    try:
        parts = urlsplit(origin)
    except ValueError:
        return False
    return (parts.scheme, parts.netloc) == (request.scheme, request.host)
