"""Takes along what the service has of an account, and deletes the account."""

from __future__ import annotations

from flask import Response, redirect, request, stream_with_context, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField
from wtforms.validators import InputRequired

from app.accounts import service
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, form_page, submitted
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import end_session
from app.dashboard.ui.toasts import say
from app.infra import rate_limit
from app.offboarding.deletion import ask_for_deletion, losses_of_account
from app.offboarding.export import export_chunks

blueprint = dashboard_blueprint("leaving", "/settings/account")


class DeletionForm(PageForm):
    """The password of somebody who deletes the account."""

    password = PasswordField(
        "Your password",
        [InputRequired("Enter your password.")],
        render_kw={"autocomplete": "current-password"},
    )


@blueprint.get("/export")
def export() -> ResponseReturnValue:
    """Send everything of the account as a zip, while it is made."""
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
    form = DeletionForm(request.form)
    if submitted(form, lambda: _delete(form)) is not None:
        end_session()
        say("Your account is closed, and is being deleted.")
        return redirect(url_for("auth.sign_in"))
    account = signed_in()
    return form_page("settings/delete_account.html", form, account=account, losses=losses_of_account(account))


def _delete(form: DeletionForm) -> bool:
    account = signed_in()
    rate_limit.check(f"password:account:{account.id}", 10, 60)
    service.require_password(account, form.password.data or "")
    ask_for_deletion(account)
    return True
