"""Turns off the mails of one kind by the link in each of them, which needs no sign-in."""

from typing import Final

from flask import Blueprint, Response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.mails.words import NAMES
from app.notifications import choices

blueprint: Final = Blueprint("mail_choices", __name__, url_prefix="/mails")
"""It asks for no session and no form token: only the signed token in the URL allows the change."""

PAGE: Final = "settings/mail_choice.html"


@blueprint.get("/<token>")
def show(token: str) -> ResponseReturnValue:
    """Show one button: turn the mails of this kind off, or on again. Looking changes nothing."""
    choice = choices.choice_of(token)
    if choice is None:
        return render_template(PAGE, name=None), 404
    is_on = choice.kind in choices.wanted_kinds(choice.account_id)
    return render_template(PAGE, token=token, name=NAMES[choice.kind], is_on=is_on)


@blueprint.post("/<token>")
def turn(token: str) -> ResponseReturnValue:
    """Turn the mails of this kind off, or on if the form says so.

    Mail programs send ``List-Unsubscribe=One-Click`` (RFC 8058) and follow no redirect.
    """
    choice = choices.choice_of(token)
    if choice is None:
        return render_template(PAGE, name=None), 404
    choices.turn(choice, on=request.form.get("turn") == "on")
    if "List-Unsubscribe" in request.form:
        return Response("These mails are turned off.\n", mimetype="text/plain")
    return redirect(url_for("mail_choices.show", token=token))
