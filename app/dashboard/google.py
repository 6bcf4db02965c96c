"""Google Search Console: connect a project by Google's consent, choose the site, read now, disconnect."""

import hmac
import secrets
from datetime import timedelta
from typing import Final

from flask import redirect, render_template, request, session, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import signed_in
from app.dashboard.forms.submission import submit_job
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.failures import plain_message
from app.dashboard.ui.toasts import refusals_said, say
from app.failures import ServiceFailure
from app.infra.clock import utc_now
from app.infra.settings import current_settings
from app.operations import import_search_performance
from app.projects.model import Project
from app.projects.service import get_project
from app.search_performance.google import connection
from app.search_performance.google.oauth import consent_url
from app.search_performance.google.properties import best_match
from app.search_performance.model import SearchConnection

blueprint = dashboard_blueprint("google")

CALLBACK: Final = "/search/google/callback"
"""The path that Google leads back to; docs/deployment.md names it."""

_CONSENT: Final = "google_consent"
_CONSENT_LASTS: Final = timedelta(minutes=15)
_ENDED: Final[dict[str, str]] = {
    "revoked": "Google Search Console is disconnected, and the access at Google is revoked.",
    "shared": "Google Search Console is disconnected here. The access at Google stays, because your other "
    "sites may use it.",
    "not_revoked": "Google Search Console is disconnected here. Google did not confirm that the access is "
    "revoked: remove it at myaccount.google.com/permissions.",
}


@blueprint.before_request
def _require_registration() -> None:
    if not connection.is_offered():
        raise ServiceFailure("NOT_FOUND")


@blueprint.get("/projects/<row:project_id>/search/google")
def show(project: Project) -> ResponseReturnValue:
    return render_template("search/google.html", connection=connection.connection_of(project.id))


@blueprint.get("/projects/<row:project_id>/search/google/connect")
def connect(project: Project) -> ResponseReturnValue:
    """Lead to Google's consent. The state in the session proves at the way back that it began here.

    This is a GET, because form-action of the security policy lets no form lead to another site.
    """
    state = secrets.token_urlsafe(32)
    until = (utc_now() + _CONSENT_LASTS).timestamp()
    session[_CONSENT] = {"state": state, "project_id": project.id, "until": until}
    return redirect(consent_url(current_settings(), state, _redirect_uri()))


@blueprint.get(CALLBACK)
def callback() -> ResponseReturnValue:
    """Take the code of Google's consent, and lead on at once: the address must not stay in the browser."""
    begun = session.pop(_CONSENT, None)
    state, code = request.args.get("state", ""), request.args.get("code", "")
    if begun is None or not hmac.compare_digest(begun["state"].encode(), state.encode()):
        say("Google was not connected: connecting did not begin in this browser. Begin again, please.")
        return redirect(url_for("projects.index"))
    project = get_project(signed_in().id, begun["project_id"])
    here = url_for("google.show", project_id=project.id)
    if utc_now().timestamp() > begun["until"]:
        say("Google was not connected, because it took too long. Begin again, please.")
        return redirect(here)
    if not code:
        say("Google was not connected, because it was not allowed.")
        return redirect(here)
    try:
        connection.connect(project.id, code, state, _redirect_uri())
    except ServiceFailure as refused:
        say(f"Google was not connected. {plain_message(refused.failure.to_dict())}")
        return redirect(here)
    return redirect(url_for("google.site", project_id=begun["project_id"]))


@blueprint.route("/projects/<row:project_id>/search/google/site", methods=["GET", "POST"])
def site(project: Project) -> ResponseReturnValue:
    """Choose the site whose results are read, then read them for the first time."""
    found = connection.connection_of(project.id)
    if found is None:
        return redirect(url_for("google.show", project_id=project.id))
    if request.method == "GET":
        return _sites_page(project, found)
    try:
        connection.choose_site(project.id, request.form.get("site_url", ""))
    except ServiceFailure as refused:
        say(refused.first_message)
        return redirect(url_for("google.site", project_id=project.id))
    return _read(project.id)


@blueprint.post("/projects/<row:project_id>/search/google/fetch")
def fetch(project: Project) -> ResponseReturnValue:
    """Read the search results now, unless that waits to begin already."""
    return _read(project.id)


@blueprint.post("/projects/<row:project_id>/search/google/disconnect")
def disconnect(project: Project) -> ResponseReturnValue:
    way_back = url_for("search.index", project_id=project.id)
    with refusals_said():
        say(_ENDED[connection.disconnect(project)])
    return redirect(way_back)


def _read(project_id: int) -> ResponseReturnValue:
    project = get_project(signed_in().id, project_id)
    try:
        job = submit_job(project, import_search_performance.OPERATION, {}, None)
    except ServiceFailure as refused:
        say(plain_message(refused.failure.to_dict()))
        return redirect(url_for("google.show", project_id=project_id))
    return redirect(url_for("executions.show", job_id=job.id))


def _sites_page(project: Project, found: SearchConnection) -> ResponseReturnValue:
    project_id, project_url, chosen = project.id, project.url, found.site_url
    failure, site_urls = None, []
    try:
        site_urls = connection.list_site_urls(found)
    except ServiceFailure as refused:
        failure = refused.failure.to_dict()
    if chosen not in site_urls:
        chosen = best_match(site_urls, project_url)
    return render_template(
        "search/google_site.html",
        project=get_project(signed_in().id, project_id),
        site_urls=site_urls,
        chosen=chosen,
        failure=failure,
    )


def _redirect_uri() -> str:
    return f"{current_settings().public_url or request.host_url.rstrip('/')}{CALLBACK}"
