"""The forms around links in mails: where to send one, and the password that is chosen behind it."""

from typing import Final

from flask import request
from wtforms import EmailField, PasswordField
from wtforms.validators import InputRequired

from app.accounts import service
from app.dashboard.forms.base import PageForm
from app.failures import invalid_field
from app.infra import rate_limit
from app.notifications import outbox

FROM_ADDRESS: Final = (20, 3600)
"""Mails asked for from one network: how many in how many seconds."""

TO_EMAIL: Final = (5, 3600)
"""Mails to one e-mail address. Each of their links works, so that nobody can lock somebody else out."""


class EmailForm(PageForm):
    email = EmailField(
        "E-mail", [InputRequired("Enter your e-mail address.")], render_kw={"autocomplete": "username"}
    )


class NewPasswordForm(PageForm):
    password = PasswordField(
        "Password",
        [InputRequired("Choose a password.")],
        description="At least 12 characters, such as a few words.",
        render_kw={"autocomplete": "new-password"},
    )


def ask_for(kind: str, email: str) -> str:
    """Have a mail sent to a typed address, which is returned. Raises INVALID_REQUEST and RATE_LIMITED."""
    email = email.strip().lower()
    if not service.is_email(email):
        raise invalid_field("/email", service.NO_EMAIL)
    rate_limit.check(f"mail:address:{rate_limit.network_of(request.remote_addr)}", *FROM_ADDRESS)
    rate_limit.check(f"mail:email:{email}", *TO_EMAIL)
    outbox.write_to(kind, email)
    return email
