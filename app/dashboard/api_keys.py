"""API keys of the account: create, list and revoke them."""

from __future__ import annotations

from datetime import timedelta

from flask import make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, StringField
from wtforms.validators import InputRequired

from app.accounts import keys
from app.accounts.model import ApiKey
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, form_page, submitted
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.infra.clock import utc_now

blueprint = dashboard_blueprint("api_keys", "/settings/api-keys")


class KeyForm(PageForm):
    """A new key: its name, its scope and its expiry."""

    name = StringField(
        "Name", [InputRequired("Enter what the key is for.")], description="Such as “ci” or “Zapier”."
    )
    access = SelectField("May", choices=[("write", "Read and write"), ("read", "Only read")])
    days = SelectField(
        "Valid for", choices=[("", "No end"), ("30", "30 days"), ("90", "90 days"), ("365", "1 year")]
    )


@blueprint.route("", methods=["GET", "POST"])
def index() -> ResponseReturnValue:
    """List the keys, and create one. Its text is shown in this response only."""
    form = KeyForm(request.form)
    made = submitted(form, lambda: _create(form))
    if made is not None:
        answer = make_response(render_template("settings/api_key_made.html", key=made[0], text=made[1]), 201)
        answer.headers["Cache-Control"] = "no-store"
        return answer
    return form_page("settings/api_keys.html", form, keys=_shown())


@blueprint.post("/<row:key_id>/revoke")
def revoke(key_id: int) -> ResponseReturnValue:
    """Revoke a key."""
    key = keys.revoke_key(signed_in(), key_id)
    say(f"The key “{key.name}” is revoked. Requests with it now fail.")
    return redirect(url_for("api_keys.index"))


def _shown() -> list[tuple[ApiKey, str]]:
    now = utc_now()
    return [(key, keys.state_of(key, now)) for key in keys.list_keys(signed_in())]


def _create(form: KeyForm) -> tuple[ApiKey, str]:
    expires = utc_now() + timedelta(days=int(form.days.data)) if form.days.data else None
    return keys.create_key(
        signed_in(), form.name.data or "", can_write=form.access.data == "write", expires_at=expires
    )
