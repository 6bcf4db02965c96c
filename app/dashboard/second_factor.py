"""The second factor: asked for after the password; set up and turned off in the settings."""

from typing import Final

from flask import abort, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import StringField
from wtforms.validators import InputRequired

from app.accounts import second_factor, sessions
from app.accounts.model import Account
from app.dashboard.auth import OwnPasswordForm, signed_in
from app.dashboard.forms.base import PageForm, form_page, is_done, submitted
from app.dashboard.ui.addresses import local_path
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import begin_session, half_signed_in, session_id
from app.dashboard.ui.toasts import say
from app.failures import invalid_field
from app.infra import rate_limit

blueprint = dashboard_blueprint("second_factor")

ATTEMPTS: Final = ((10, 600), (50, 86400))
"""Codes tried at one account: how many in how many seconds. Three of a million are right at any time."""


class CodeForm(PageForm):
    code = StringField(
        "Code",
        [InputRequired("Enter the code.")],
        render_kw={"autocomplete": "one-time-code", "autocapitalize": "none", "spellcheck": "false"},
    )


@blueprint.route("/sign-in/code", methods=["GET", "POST"])
def ask() -> ResponseReturnValue:
    """Ask for a code after the password, then begin the session."""
    target, half = local_path(request.args.get("next")), half_signed_in()
    if half is None:
        return redirect(url_for("auth.sign_in", next=target))
    account, stays = half
    form = CodeForm(request.form)
    if is_done(form, lambda: _use_code(account, form.code.data or "")):
        begin_session(account, stays=stays)
        return redirect(target or url_for("projects.index"))
    return form_page("auth/code.html", form, target=target)


@blueprint.get("/settings/second-factor")
def index() -> ResponseReturnValue:
    """Show whether it is on, or the QR code of a new secret."""
    return _show(CodeForm(), OwnPasswordForm())


@blueprint.post("/settings/second-factor/begin")
def begin() -> ResponseReturnValue:
    """Make a secret, for somebody who knows the password."""
    form = OwnPasswordForm(request.form)
    if not is_done(form, form.check):
        return _show(CodeForm(), form)
    second_factor.begin(signed_in())
    return redirect(url_for("second_factor.index"))


@blueprint.post("/settings/second-factor/confirm")
def confirm() -> ResponseReturnValue:
    """Turn it on with the first code, end all other sessions, and show the recovery codes once."""
    form = CodeForm(request.form)
    codes = submitted(form, lambda: _confirm(form))
    return _show(form, OwnPasswordForm()) if codes is None else _show_codes(codes, replace_others=False)


@blueprint.post("/settings/second-factor/codes")
def new_codes() -> ResponseReturnValue:
    """Replace the recovery codes, for somebody who knows the password."""
    form = OwnPasswordForm(request.form)
    if not is_done(form, form.check):
        return _show(CodeForm(), form)
    if not second_factor.is_on(signed_in().id):
        abort(404)
    return _show_codes(second_factor.new_recovery_codes(signed_in()), replace_others=True)


@blueprint.post("/settings/second-factor/off")
def turn_off() -> ResponseReturnValue:
    form = OwnPasswordForm(request.form)
    if not is_done(form, form.check):
        return _show(CodeForm(), form)
    second_factor.turn_off(signed_in())
    say("Signing in takes your password alone.")
    return redirect(url_for("second_factor.index"))


def _use_code(account: Account, code: str) -> None:
    _count_attempt(account)
    if not second_factor.use_code(account, code):
        raise invalid_field("/code", second_factor.WRONG)


def _confirm(form: CodeForm) -> list[str]:
    account = signed_in()
    _count_attempt(account)
    codes = second_factor.confirm(account, form.code.data or "")
    sessions.end_others(account, session_id())
    return codes


def _count_attempt(account: Account) -> None:
    for limit, seconds in ATTEMPTS:
        rate_limit.check(f"second-factor:account:{account.id}", limit, seconds)


def _show(code: CodeForm, password: OwnPasswordForm) -> ResponseReturnValue:
    account = signed_in()
    setup = second_factor.setup_of(account)
    page = render_template(
        "settings/second_factor.html",
        account=account,
        since=second_factor.is_on_since(account),
        left=second_factor.codes_left(account),
        setup=setup,
        picture=_picture(setup.uri) if setup else None,
        code=code,
        password=password,
    )
    return page, max(code.status, password.status), {"Cache-Control": "no-store"}


def _picture(uri: str) -> str:
    import segno

    return str(segno.make(uri, micro=False).svg_data_uri(scale=5, light="#fff"))


def _show_codes(codes: list[str], *, replace_others: bool) -> ResponseReturnValue:
    page = render_template("settings/recovery_codes.html", codes=codes, replace_others=replace_others)
    return page, 201, {"Cache-Control": "no-store"}
