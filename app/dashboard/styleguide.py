"""The style guide: the parts of the dashboard in their states, made by the macros that the pages use.

It is there in development only.
"""

import re
from typing import Any, Final

from flask import render_template
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import MultiDict
from wtforms import BooleanField, PasswordField, SelectField, StringField, TextAreaField
from wtforms.validators import InputRequired, Regexp

from app.config import ROOT
from app.dashboard.forms.base import PageForm
from app.dashboard.saved_filters import Saved, SavedBar
from app.dashboard.ui import charts
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import STATUS
from app.dashboard.ui.query import Pager
from app.dashboard.ui.shortcuts import GROUPS
from app.failures import failure

blueprint = dashboard_blueprint("styleguide", "/styleguide")

_TOKENS: Final = ROOT / "app" / "static" / "css" / "tokens.css"
_COLOUR: Final = re.compile(r"--([\w-]+): light-dark\(")
_WEEKS: Final = (2, 3, 1, 4, 6, 5, 7)

_SENT: Final = {
    "name": "https://brambleboard.example",
    "email": "ines@",
    "password": "correct horse battery",
    "tone": "friendly",
}


class SampleForm(PageForm):
    """A field of each kind; the e-mail is invalid, as sent."""

    name = StringField("Website address", [InputRequired()], description="As people type it.")
    email = StringField(
        "E-mail", [InputRequired(), Regexp(r".+@.+", message="This lacks the part after the @.")]
    )
    password = PasswordField("Password", [InputRequired()])
    tone = SelectField("Tone", choices=[("friendly", "Friendly"), ("formal", "Formal")])
    facts = TextAreaField("Facts", description="One per line.", render_kw={"rows": 3})
    weekly = BooleanField("Send me a weekly summary")


@blueprint.get("")
def show() -> ResponseReturnValue:
    form = SampleForm(MultiDict(_SENT))
    form.validate()
    return render_template(
        "styleguide/index.html",
        colours=_COLOUR.findall(_TOKENS.read_text(encoding="utf-8")),
        states=tuple(STATUS),
        form=form,
        failure=failure("PUBLISH_ENDPOINT_FAILED").to_dict(),
        pager=Pager(3, 480, "styleguide.show"),
        orders={"newest": "Newest first", "title": "By title"},
        saved_filters=SavedBar(
            "pages", 0, [Saved(1, "Stale guides", "#tables", current=False)], "state=stale"
        ),
        groups=GROUPS,
        **_drawn(),
    )


def _drawn() -> dict[str, Any]:
    top = charts.top_of(_WEEKS)
    return {
        "top": top,
        "weeks": [(f"week {number}", value) for number, value in enumerate(_WEEKS, start=1)],
        "boxes": charts.bars(_WEEKS, top),
        "curve": charts.curve(_WEEKS, top),
    }
