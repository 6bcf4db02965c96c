"""API keys of the account: create, list, roll and revoke them."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final

from flask import make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField, SelectMultipleField, StringField
from wtforms.validators import InputRequired

from app.accounts import keys
from app.accounts.model import ApiKey
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, form_page, submitted
from app.dashboard.projects import project_names
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.infra.clock import utc_now
from app.projects.service import get_project

blueprint = dashboard_blueprint("api_keys", "/settings/api-keys")

SCOPES: Final[Mapping[str, str]] = {
    "projects": "Projects",
    "pages": "Pages",
    "keywords": "Keywords",
    "posts": "Posts",
    "targets": "Blog connections",
    "search": "Search",
    "executions": "Executions",
}


class KeyForm(PageForm):
    name = StringField(
        "Name", [InputRequired("Enter what the key is for.")], description="Such as “ci” or “Zapier”."
    )
    access = SelectField("May", choices=[("write", "Read and write"), ("read", "Only read")])
    project = SelectField("In", coerce=int, default=0)
    scopes = SelectMultipleField("Only these", choices=list(SCOPES.items()))
    days = SelectField(
        "Valid for", choices=[("", "No end"), ("30", "30 days"), ("90", "90 days"), ("365", "1 year")]
    )

    def __init__(self, formdata: Any = None) -> None:
        super().__init__(formdata)
        self.project.choices = [(0, "All projects"), *project_names().items()]


class RollForm(PageForm):
    """For how long the former secret of a key works beside the new one."""

    overlap = SelectField(
        "The present key works for",
        choices=[("0", "No longer"), ("1", "1 hour"), ("24", "1 day"), ("168", "7 days"), ("720", "30 days")],
        default="24",
        description="Time to put the new key in place of the present one.",
    )


@blueprint.route("", methods=["GET", "POST"])
def index() -> ResponseReturnValue:
    """List the keys, and create one. Its text is shown in this response only."""
    form = KeyForm(request.form)
    made = submitted(form, lambda: _create(form))
    if made is not None:
        return _with_text(*made)
    return form_page("settings/api_keys.html", form, keys=_shown(), now=utc_now(), names=project_names())


@blueprint.route("/<row:key_id>/roll", methods=["GET", "POST"])
def roll(key_id: int) -> ResponseReturnValue:
    """Ask how long the present key shall work, then give the key a new text, shown in this response only."""
    key = keys.find_key(signed_in(), key_id)
    form = RollForm(request.form)
    made = submitted(
        form, lambda: keys.roll_key(signed_in(), key_id, timedelta(hours=int(form.overlap.data)))
    )
    if made is not None:
        return _with_text(*made)
    return form_page("settings/api_key_roll.html", form, key=key)


@blueprint.route("/<row:key_id>/revoke", methods=["GET", "POST"])
def revoke(key_id: int) -> ResponseReturnValue:
    """Ask, then revoke a key: that cannot be undone. One that is revoked already is not asked about."""
    key = keys.find_key(signed_in(), key_id)
    if request.method == "POST":
        keys.revoke_key(signed_in(), key_id)
    elif key.revoked_at is None:
        return render_template("settings/api_key_revoke.html", key=key)
    say(f"The key “{key.name}” is revoked. Requests with it now fail.")
    return redirect(url_for("api_keys.index"))


def _shown() -> list[tuple[ApiKey, str, list[str]]]:
    now = utc_now()
    return [(key, keys.state_of(key, now), _names(key)) for key in keys.list_keys(signed_in())]


def _names(key: ApiKey) -> list[str]:
    return [SCOPES[scope] for scope in key.scopes or ()]


def _create(form: KeyForm) -> tuple[ApiKey, str]:
    expires = utc_now() + timedelta(days=int(form.days.data)) if form.days.data else None
    project_id = form.project.data or None
    return keys.create_key(
        signed_in(),
        form.name.data or "",
        can_write=form.access.data == "write",
        expires_at=expires,
        scopes=form.scopes.data,
        project_id=get_project(signed_in().id, project_id).id if project_id else None,
    )


def _with_text(key: ApiKey, text: str) -> ResponseReturnValue:
    may = {"scopes": _names(key), "project_name": project_names().get(key.project_id or 0)}
    answer = make_response(render_template("settings/api_key_made.html", key=key, text=text, **may), 201)
    answer.headers["Cache-Control"] = "no-store"
    return answer
