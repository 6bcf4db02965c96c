"""Sign up, sign in and sign out."""

from __future__ import annotations

from typing import Final, cast

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from wtforms import BooleanField, EmailField, HiddenField, PasswordField
from wtforms.validators import InputRequired

from app.accounts import service
from app.accounts.model import Account
from app.dashboard.forms.base import PageForm, form_page, submitted
from app.dashboard.ui.blueprint import dashboard_blueprint, local_path
from app.dashboard.ui.cookie import begin_session, end_session
from app.failures import invalid_field
from app.infra import rate_limit
from app.infra.settings import current_settings

blueprint = dashboard_blueprint("auth")

WRONG: Final = "The e-mail address or the password is wrong."
ATTEMPTS: Final = ((10, 60), (60, 3600))
"""Sign-in attempts from one network: how many in how many seconds."""

LONGEST_SITE: Final = 2048
ATTEMPTS_AT_ACCOUNT: Final = (300, 3600)
"""Sign-in attempts for one e-mail from anywhere: too many for one or two addresses to lock someone out."""


class SignInForm(PageForm):
    """E-mail and password."""

    email = EmailField(
        "E-mail", [InputRequired("Enter your e-mail address.")], render_kw={"autocomplete": "username"}
    )
    password = PasswordField(
        "Password", [InputRequired("Enter your password.")], render_kw={"autocomplete": "current-password"}
    )
    stays = BooleanField("Stay signed in", description="Only on a device of your own.")


class SignUpForm(PageForm):
    """A new account."""

    email = EmailField(
        "E-mail", [InputRequired("Enter your e-mail address.")], render_kw={"autocomplete": "username"}
    )
    password = PasswordField(
        "Password",
        [InputRequired("Choose a password.")],
        description="At least 12 characters, such as a few words.",
        render_kw={"autocomplete": "new-password"},
    )
    site = HiddenField()
    """The website that a visitor came to add. It is not read before the account exists."""


def signed_in() -> Account:
    """Return the signed-in account. Only for views that require one."""
    return cast(Account, current_user._get_current_object())


@blueprint.route("/sign-in", methods=["GET", "POST"])
def sign_in() -> ResponseReturnValue:
    """Sign in, then redirect to the page that was requested."""
    target = local_path(request.args.get("next"))
    if current_user.is_authenticated and request.method == "GET":
        return redirect(target or url_for("projects.index"))
    form = SignInForm(request.form)
    account = submitted(form, lambda: _authenticated(form))
    if account is not None:
        begin_session(account, stays=form.stays.data)
        return redirect(target or url_for("projects.index"))
    return form_page("auth/sign_in.html", form, target=target, signup_open=current_settings().signup_open)


@blueprint.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> ResponseReturnValue:
    """Create an account and sign in. 404 if sign-up is closed."""
    if not current_settings().signup_open:
        abort(404)
    form = SignUpForm(request.form, site=request.args.get("site"))
    first_page = url_for("projects.new", site=(form.site.data or "").strip()[:LONGEST_SITE] or None)
    if current_user.is_authenticated and request.method == "GET":
        return redirect(first_page if form.site.data else url_for("projects.index"))
    account = submitted(form, lambda: _new_account(form))
    if account is not None:
        begin_session(account)
        return redirect(first_page)
    terms_url = current_settings().terms_url
    return form_page("auth/sign_up.html", form, first_page=first_page, terms_url=terms_url)


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End the session."""
    end_session()
    return redirect(url_for("auth.sign_in"))


def _authenticated(form: SignInForm) -> Account:
    email = (form.email.data or "").strip().lower()
    network = rate_limit.network_of(request.remote_addr)
    for limit, seconds in ATTEMPTS:
        rate_limit.check(f"sign-in:address:{network}", limit, seconds)
    rate_limit.check(f"sign-in:email:{email}", *ATTEMPTS_AT_ACCOUNT)
    account = service.authenticate(email, form.password.data or "")
    if account is None:
        raise invalid_field("/password", WRONG)
    return account


def _new_account(form: SignUpForm) -> Account:
    rate_limit.check(f"sign-up:address:{rate_limit.network_of(request.remote_addr)}", 20, 3600)
    return service.sign_up(form.email.data or "", form.password.data or "")
