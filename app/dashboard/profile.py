"""The settings of the signed-in account: name and password."""

from __future__ import annotations

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import PasswordField, StringField
from wtforms.validators import InputRequired

from app.accounts import service
from app.dashboard.auth import renew_session, signed_in
from app.dashboard.forms.base import PageForm, submitted
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.infra import rate_limit

blueprint = dashboard_blueprint("profile", "/settings")


class ProfileForm(PageForm):
    """The person's name."""

    name = StringField("Name", render_kw={"autocomplete": "name"})


class PasswordForm(PageForm):
    """A new password, with the current one."""

    old_password = PasswordField(
        "Current password",
        [InputRequired("Enter your current password.")],
        render_kw={"autocomplete": "current-password"},
    )
    new_password = PasswordField(
        "New password",
        [InputRequired("Choose a new password.")],
        description="At least 10 characters. Every other session ends.",
        render_kw={"autocomplete": "new-password"},
    )


@blueprint.get("")
def index() -> ResponseReturnValue:
    """Show both forms."""
    return _show(ProfileForm(obj=signed_in()), PasswordForm())


@blueprint.post("/profile")
def change_name() -> ResponseReturnValue:
    """Change the name."""
    form = ProfileForm(request.form)
    if submitted(form, lambda: _rename(form)) is not None:
        flash("Saved.")
        return redirect(url_for("profile.index"))
    return _show(form, PasswordForm())


@blueprint.post("/password")
def change_password() -> ResponseReturnValue:
    """Change the password. This session stays, all others end."""
    form = PasswordForm(request.form)
    if submitted(form, lambda: _change(form)) is not None:
        flash("The password is changed. Every other session has ended.")
        return redirect(url_for("profile.index"))
    return _show(ProfileForm(obj=signed_in()), form)


def _rename(form: ProfileForm) -> bool:
    service.update_profile(signed_in(), form.name.data or "")
    return True


def _change(form: PasswordForm) -> bool:
    account = signed_in()
    rate_limit.check(f"password:account:{account.id}", 10, 60)
    service.change_password(account, form.old_password.data or "", form.new_password.data or "")
    renew_session(account)
    return True


def _show(profile: ProfileForm, password: PasswordForm) -> ResponseReturnValue:
    page = render_template("settings/profile.html", account=signed_in(), profile=profile, password=password)
    return page, max(profile.status, password.status)
