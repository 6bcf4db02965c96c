"""The browsers in which the account is signed in: list them, sign one or all others out."""

from flask import redirect, render_template, url_for
from flask.typing import ResponseReturnValue

from app.accounts import sessions
from app.dashboard.auth import signed_in
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.browser_names import browser_name
from app.dashboard.ui.cookie import session_id
from app.dashboard.ui.toasts import say

blueprint = dashboard_blueprint("signed_in_browsers", "/settings/sessions")


@blueprint.get("")
def index() -> ResponseReturnValue:
    shown = [(each, browser_name(each.user_agent)) for each in sessions.list_sessions(signed_in())]
    return render_template("settings/sessions.html", sessions=shown, this=session_id())


@blueprint.post("/<row:id>/revoke")
def revoke(id: int) -> ResponseReturnValue:
    sessions.revoke(signed_in(), id)
    say("That browser is signed out.")
    return redirect(url_for("signed_in_browsers.index"))


@blueprint.post("/revoke-others")
def revoke_others() -> ResponseReturnValue:
    sessions.end_others(signed_in(), session_id())
    say("You are signed out everywhere else.")
    return redirect(url_for("signed_in_browsers.index"))
