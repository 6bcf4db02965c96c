"""The settings of the signed-in account: name, time zone, password and mails."""

from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField, PasswordField, SelectField, StringField
from wtforms.validators import InputRequired

from app.accounts import second_factor, service
from app.accounts.model import Account
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, is_done
from app.dashboard.mails.words import HELP, NAMES
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.cookie import session_id
from app.dashboard.ui.toasts import say
from app.dashboard.ui.zones import browser_zone, zone_text
from app.infra import rate_limit
from app.infra.local_time import zone_names
from app.infra.settings import current_settings
from app.notifications import choices
from app.notifications.kinds import KINDS

blueprint = dashboard_blueprint("profile", "/settings")


class ProfileForm(PageForm):
    """The person's name, and the time zone in which times are shown."""

    name = StringField("Name", render_kw={"autocomplete": "name"})
    time_zone = SelectField("Time zone", validate_choice=False, description="All times are shown in it.")

    def __init__(self, formdata: Any = None, obj: Account | None = None) -> None:
        super().__init__(formdata, obj=obj)
        names = [(name, name.replace("_", " ")) for name in zone_names()]
        self.time_zone.choices = [("", f"As in this browser ({zone_text(browser_zone())})"), *names]


class PasswordForm(PageForm):
    old_password = PasswordField(
        "Current password",
        [InputRequired("Enter your current password.")],
        render_kw={"autocomplete": "current-password"},
    )
    new_password = PasswordField(
        "New password",
        [InputRequired("Choose a new password.")],
        description="At least 12 characters. You are signed out everywhere else.",
        render_kw={"autocomplete": "new-password"},
    )


class MailForm(PageForm):
    """Which mails the person gets: a box for each kind."""


for _kind in KINDS:
    setattr(MailForm, _kind, BooleanField(NAMES[_kind], description=HELP[_kind]))


@blueprint.get("")
def index() -> ResponseReturnValue:
    return _show(ProfileForm(obj=signed_in()), PasswordForm())


@blueprint.post("/profile")
def change() -> ResponseReturnValue:
    form = ProfileForm(request.form)
    if is_done(form, lambda: _save(form)):
        say("Saved.")
        return redirect(url_for("profile.index"))
    return _show(form, PasswordForm())


@blueprint.post("/password")
def change_password() -> ResponseReturnValue:
    """Change the password. This session stays, all others end."""
    form = PasswordForm(request.form)
    if is_done(form, lambda: _change_password(form)):
        say("The password is changed. You are signed out everywhere else.")
        return redirect(url_for("profile.index"))
    return _show(ProfileForm(obj=signed_in()), form)


@blueprint.post("/mails")
def change_mails() -> ResponseReturnValue:
    form = MailForm(request.form)
    choices.set_wanted(signed_in().id, [kind for kind in KINDS if form[kind].data])
    say("Saved.")
    return redirect(url_for("profile.index", _anchor="mails"))


def _save(form: ProfileForm) -> None:
    service.update_profile(signed_in(), form.name.data or "", form.time_zone.data or None)


def _change_password(form: PasswordForm) -> None:
    account = signed_in()
    rate_limit.check(f"password:account:{account.id}", 10, 60)
    service.change_password(account, form.old_password.data or "", form.new_password.data or "", session_id())


def _show(profile: ProfileForm, password: PasswordForm) -> ResponseReturnValue:
    account = signed_in()
    mails = MailForm(data=dict.fromkeys(choices.wanted_kinds(account.id), True))
    page = render_template(
        "settings/profile.html",
        account=account,
        profile=profile,
        password=password,
        mails=mails if current_settings().sends_mail else None,
        has_second_factor=second_factor.is_on(account.id),
    )
    return page, max(profile.status, password.status), password.headers
