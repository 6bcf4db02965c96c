"""A forgotten password: a link by mail, and the form behind it.

The answer and its time are the same for addresses without an account.
"""

from __future__ import annotations

from typing import Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import EmailField, PasswordField
from wtforms.validators import InputRequired

from app.accounts import links, service
from app.dashboard.forms.base import PageForm, form_page, submitted
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import forget_link, keep_link, kept_link
from app.dashboard.ui.toasts import say
from app.failures import invalid_field
from app.infra import rate_limit
from app.infra.settings import current_settings
from app.notifications import outbox
from app.notifications.kinds import PASSWORD_RESET

blueprint = dashboard_blueprint("password_reset")

FROM_ADDRESS: Final = (20, 3600)
"""Mails asked for from one network: how many in how many seconds."""

TO_EMAIL: Final = (5, 3600)
"""Mails to one e-mail address. Each of their links works, so that nobody can lock somebody else out."""


class EmailForm(PageForm):
    """Where to send a link."""

    email = EmailField(
        "E-mail", [InputRequired("Enter your e-mail address.")], render_kw={"autocomplete": "username"}
    )


class NewPasswordForm(PageForm):
    """A new password, without the one that is forgotten."""

    password = PasswordField(
        "New password",
        [InputRequired("Choose a new password.")],
        description="At least 12 characters, such as a few words.",
        render_kw={"autocomplete": "new-password"},
    )


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
        return render_template("auth/bad_link.html", again_url=url_for("password_reset.ask")), 404
    form = NewPasswordForm(request.form)
    if submitted(form, lambda: _reset(form)) is not None:
        say("Your new password is set. Sign in with it.")
        return redirect(url_for("auth.sign_in"))
    return form_page("auth/reset_password.html", form, email=link.email)


def ask_for(kind: str, email: str) -> str:
    """Have a mail sent to a typed address, which is returned. Raises INVALID_REQUEST and RATE_LIMITED."""
    email = email.strip().lower()
    if not service.is_email(email):
        raise invalid_field("/email", service.NO_EMAIL)
    rate_limit.check(f"mail:address:{rate_limit.network_of(request.remote_addr)}", *FROM_ADDRESS)
    rate_limit.check(f"mail:email:{email}", *TO_EMAIL)
    outbox.write_to(kind, email)
    return email


def _reset(form: NewPasswordForm) -> bool:
    service.reset_password(kept_link(), form.password.data or "")
    forget_link()
    return True
