"""Sign up, sign in and sign out; a forgotten password."""

from typing import Any, Final, cast

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_login import current_user
from wtforms import BooleanField, HiddenField, PasswordField
from wtforms.validators import InputRequired

from app.accounts import links, second_factor, service
from app.accounts.model import Account
from app.dashboard.forms.base import PageForm, form_page, is_done, submitted
from app.dashboard.forms.by_mail import EmailForm, NewPasswordForm, ask_for
from app.dashboard.ui.addresses import local_path
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import (
    begin_session,
    end_session,
    forget_link,
    keep_half,
    keep_link,
    keep_site,
    kept_link,
    kept_site,
)
from app.dashboard.ui.toasts import say
from app.failures import invalid_field
from app.infra import rate_limit
from app.infra.settings import current_settings
from app.notifications.kinds import PASSWORD_RESET, SIGN_UP

blueprint = dashboard_blueprint("auth")

WRONG: Final = "The e-mail address or the password is wrong."
ATTEMPTS: Final = ((10, 60), (60, 3600))
"""Sign-in attempts from one network: how many in how many seconds."""

LONGEST_SITE: Final = 2048
ATTEMPTS_AT_ACCOUNT: Final = (300, 3600)
"""Sign-in attempts for one e-mail from anywhere: too many for one or two addresses to lock someone out."""


class SignInForm(EmailForm):
    password = PasswordField(
        "Password", [InputRequired("Enter your password.")], render_kw={"autocomplete": "current-password"}
    )
    stays = BooleanField("Stay signed in", description="Only on a device of your own.")


class OwnPasswordForm(PageForm):
    """The password of the signed-in person, for what not everybody at the browser may do."""

    password = PasswordField(
        "Your password",
        [InputRequired("Enter your password.")],
        render_kw={"autocomplete": "current-password"},
    )

    def check(self) -> None:
        """Raise INVALID_REQUEST for a wrong password, and RATE_LIMITED."""
        account = signed_in()
        rate_limit.check(f"password:account:{account.id}", 10, 60)
        service.require_password(account, self.password.data or "")


class SignUpForm(EmailForm, NewPasswordForm):
    site = HiddenField()
    """The website that a visitor came to add. It is not read before the account exists."""


def sign_up_form(formdata: Any = None, site: str | None = None) -> SignUpForm:
    """Return the form of a new account. Its password is chosen later if a link is mailed first."""
    form = SignUpForm(formdata, site=site)
    if current_settings().confirms_email:
        del form.password
    return form


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
    if account is not None and second_factor.is_on(account.id):
        keep_half(account, stays=form.stays.data)
        return redirect(url_for("second_factor.ask", next=target))
    if account is not None:
        begin_session(account, stays=form.stays.data)
        return redirect(target or url_for("projects.index"))
    is_open = current_settings().sign_up == "open"
    return form_page("auth/sign_in.html", form, target=target, signup_open=is_open)


@blueprint.route("/sign-up", methods=["GET", "POST"])
def sign_up() -> ResponseReturnValue:
    """Create an account and sign in, or mail a link for that. 404 unless anybody may sign up."""
    if current_settings().sign_up != "open":
        abort(404)
    form = sign_up_form(request.form, site=request.args.get("site"))
    site = (form.site.data or "").strip()[:LONGEST_SITE] or None
    first_page = url_for("projects.new", site=site)
    if current_user.is_authenticated and request.method == "GET":
        return redirect(first_page if site else url_for("projects.index"))
    if current_settings().confirms_email:
        email = submitted(form, lambda: ask_for(SIGN_UP, form.email.data or ""))
        if email is not None:
            keep_site(site)
            return render_template("auth/confirm_email.html", email=email)
    else:
        account = submitted(form, lambda: _new_account(form))
        if account is not None:
            begin_session(account)
            return redirect(first_page)
    terms_url = current_settings().terms_url
    return form_page("auth/sign_up.html", form, first_page=first_page, terms_url=terms_url)


@blueprint.route("/sign-up/new", methods=["GET", "POST"])
def accept() -> ResponseReturnValue:
    """Create the account that a link is for, and sign in. 404 for a link that does not work.

    The token of the link is kept in the cookie, and the form is shown at an address without it.
    """
    if (token := request.args.get("token")) is not None:
        keep_link(token)
        return redirect(url_for("auth.accept"))
    link = links.find_sign_up(kept_link())
    if link is None:
        is_open = current_settings().sign_up == "open"
        again_url = url_for("auth.sign_up") if is_open else url_for("auth.sign_in")
        return render_template("auth/bad_link.html", again_url=again_url, is_open=is_open), 404
    form = NewPasswordForm(request.form)
    account = submitted(form, lambda: service.sign_up_by_link(kept_link(), form.password.data or ""))
    if account is not None:
        first_page = url_for("projects.new", site=kept_site())
        begin_session(account)
        return redirect(first_page)
    return form_page("auth/accept.html", form, email=link.email, terms_url=current_settings().terms_url)


@blueprint.post("/sign-out")
def sign_out() -> ResponseReturnValue:
    """End the session. The browser forgets the pages that it has kept."""
    end_session()
    answer = redirect(url_for("auth.sign_in"))
    answer.headers["Clear-Site-Data"] = '"cache"'
    return answer


@blueprint.route("/forgot-password", methods=["GET", "POST"])
def forgot_password() -> ResponseReturnValue:
    """Send a link to choose a new password. Without a mail server, say who can help.

    The answer and its time are the same for addresses without an account.
    """
    if not current_settings().sends_mail:
        return render_template("auth/forgot_password.html", form=None)
    form = EmailForm(request.form)
    email = submitted(form, lambda: ask_for(PASSWORD_RESET, form.email.data or ""))
    if email is not None:
        return render_template("auth/mail_sent.html", email=email)
    return form_page("auth/forgot_password.html", form)


@blueprint.route("/reset-password", methods=["GET", "POST"])
def reset_password() -> ResponseReturnValue:
    """Set the new password. 404 for a link that does not work.

    The token of the link is kept in the cookie, and the form is shown at an address without it.
    """
    if (token := request.args.get("token")) is not None:
        keep_link(token)
        return redirect(url_for("auth.reset_password"))
    link = links.find_reset(kept_link())
    if link is None:
        again_url = url_for("auth.forgot_password")
        return render_template("auth/bad_link.html", again_url=again_url, is_open=True), 404
    form = NewPasswordForm(request.form)
    if is_done(form, lambda: _reset(form)):
        say("Your new password is set. Sign in with it.")
        return redirect(url_for("auth.sign_in"))
    return form_page("auth/reset_password.html", form, email=link.email)


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


def _reset(form: NewPasswordForm) -> None:
    service.reset_password(kept_link(), form.password.data or "")
    forget_link()
