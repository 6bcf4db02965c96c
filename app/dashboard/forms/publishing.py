"""The form that publishes a post: where to, and whether readers see it at once."""

from collections.abc import Sequence
from typing import Final

from flask import request
from wtforms import RadioField, TextAreaField
from wtforms.validators import InputRequired

from app.dashboard.forms.base import PageForm
from app.dashboard.ui.connections import trouble_of
from app.dashboard.ui.query import query_id
from app.operations.publish_blog_post import visibility_of
from app.publishing.model import PublishTarget
from app.publishing.targets.registry import KINDS

_VISIBILITIES: Final = [("live", "Live now"), ("draft", "Hidden draft there")]
_AS_SET: Final = ("", "As each connection is set")


class PublishForm(PageForm):
    target = RadioField(
        "Target", [InputRequired("Choose where to publish.")], coerce=int, validate_choice=False
    )
    visibility = RadioField("How", choices=[], validate_choice=False)
    override_reason = TextAreaField(
        "Publish despite these checks, because …",
        description="Kept with the publication, with what was found.",
    )


def publish_form(targets: Sequence[PublishTarget], home: int | None) -> PublishForm:
    """Return the submitted form for a project's targets, of which there is at least one.

    The target in the query is chosen at first, else ``home``, where the post is live, else the only one or
    the project's default. One without drafts there has no ``visibility`` to choose.
    """
    chosen = chosen_target(targets, query_id("target") or home)
    only = targets[0] if len(targets) == 1 else None
    visibility = visibility_of({}, only) if only is not None else ""
    form = PublishForm(request.form, data={"target": chosen, "visibility": visibility})
    form.target.choices = [(target.id, target.name) for target in targets]
    if not any(has_drafts(target) for target in targets):
        del form.visibility
    else:
        form.visibility.choices = _VISIBILITIES if only is not None else [_AS_SET, *_VISIBILITIES]
    return form


def has_drafts(target: PublishTarget) -> bool:
    kind = KINDS.get(target.kind)
    return kind is not None and kind.has_drafts


def chosen_target(targets: Sequence[PublishTarget], wanted: int | None = None) -> int | None:
    """Return the id of the target to choose at first: the wanted one, else one that works.

    Of those that work it is the project's default, or the only one, or, if the default does not work,
    the first that passed its test. None leaves the choice to the person.
    """
    if wanted in {target.id for target in targets}:
        return wanted
    own = next((target for target in targets if target.is_default), None)
    usable = working(targets)
    if own in usable or len(usable) == 1:
        return own.id if own is not None and own in usable else usable[0].id
    passed = [target for target in usable if target.last_check]
    return passed[0].id if own is not None and passed else None


def working(targets: Sequence[PublishTarget]) -> list[PublishTarget]:
    """Return the targets whose last test did not fail; all of them if each did."""
    return [target for target in targets if not trouble_of(target)] or list(targets)


def first_choice(targets: Sequence[PublishTarget]) -> int | None:
    """Return the id of the target of a list that always shows one; None without targets."""
    return chosen_target(targets) or next((target.id for target in working(targets)), None)
