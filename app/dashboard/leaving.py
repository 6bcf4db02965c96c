"""Takes along what the service has of an account, and deletes the account."""

from flask import Response, redirect, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import OwnPasswordForm, signed_in
from app.dashboard.forms.base import form_page, is_done
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import end_session
from app.dashboard.ui.toasts import say
from app.infra import rate_limit
from app.offboarding.deletion import ask_for_deletion, losses_of_account
from app.offboarding.export import export_chunks

blueprint = dashboard_blueprint("leaving", "/settings/account")


@blueprint.get("/export")
def export() -> ResponseReturnValue:
    account = signed_in()
    rate_limit.check(f"export:account:{account.id}", 10, 3600)
    disposition = 'attachment; filename="account.zip"'
    return Response(
        stream_with_context(export_chunks(account)),
        mimetype="application/zip",
        headers={"Content-Disposition": disposition, "Cache-Control": "no-store"},
    )


@blueprint.route("/delete", methods=["GET", "POST"])
def delete() -> ResponseReturnValue:
    """Say what becomes of everything, then delete the account for somebody who knows its password."""
    form = OwnPasswordForm(request.form)
    if is_done(form, lambda: _delete(form)):
        end_session()
        say("Your account is closed, and is being deleted.")
        return redirect(url_for("auth.sign_in"))
    account = signed_in()
    return form_page("settings/delete_account.html", form, account=account, losses=losses_of_account(account))


def _delete(form: OwnPasswordForm) -> None:
    form.check()
    ask_for_deletion(signed_in())
