"""A forgotten password: a link by mail, and the form behind it.

The answer and its time are the same for addresses without an account.
"""

from __future__ import annotations

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.accounts import links, service
from app.dashboard.forms.base import form_page, is_done, submitted
from app.dashboard.forms.by_mail import EmailForm, NewPasswordForm, ask_for
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import forget_link, keep_link, kept_link
from app.dashboard.ui.toasts import say
from app.infra.settings import current_settings
from app.notifications.kinds import PASSWORD_RESET

blueprint = dashboard_blueprint("password_reset")


@blueprint.route("/forgot-password", methods=["GET", "POST"])
def ask() -> ResponseReturnValue:
    """Send a link to choose a new password. Without a mail server, say who can help."""
    if not current_settings().sends_mail:
        return render_template("auth/forgot_password.html", form=None)
    form = EmailForm(request.form)
    email = submitted(form, lambda: ask_for(PASSWORD_RESET, form.email.data or ""))
    if email is not None:
        return render_template("auth/mail_sent.html", email=email)
    return form_page("auth/forgot_password.html", form)


@blueprint.route("/reset-password", methods=["GET", "POST"])
def choose() -> ResponseReturnValue:
    """Set the new password. 404 for a link that does not work.

    The token of the link is kept in the cookie, and the form is shown at an address without it.
    """
    if (token := request.args.get("token")) is not None:
        keep_link(token)
        return redirect(url_for("password_reset.choose"))
    link = links.find_reset(kept_link())
    if link is None:
        again_url = url_for("password_reset.ask")
        return render_template("auth/bad_link.html", again_url=again_url, is_open=True), 404
    form = NewPasswordForm(request.form)
    if is_done(form, lambda: _reset(form)):
        say("Your new password is set. Sign in with it.")
        return redirect(url_for("auth.sign_in"))
    return form_page("auth/reset_password.html", form, email=link.email)


def _reset(form: NewPasswordForm) -> None:
    service.reset_password(kept_link(), form.password.data or "")
    forget_link()
