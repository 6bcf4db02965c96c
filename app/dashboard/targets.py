"""A project's publish targets: connect, test, edit and remove them, and renew their secrets."""

from typing import Any, Final

from flask import make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.posts.service import posts_by_id
from app.dashboard.forms.base import PageForm, form_page, is_done, submitted
from app.dashboard.forms.connection import ConnectionForm, connection_form
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_page, row_ids
from app.dashboard.ui.toasts import say
from app.failures import existing
from app.projects.model import Project
from app.publishing import service
from app.publishing.calls import list_calls
from app.publishing.lookup import count_posts, posts_at
from app.publishing.model import PublishTarget
from app.publishing.target_check import check_target
from app.publishing.targets.base import TargetKind
from app.publishing.targets.registry import KINDS, kind_of, offered_kinds

blueprint = dashboard_blueprint("targets", "/projects/<row:project_id>/settings/targets")

MOST_POSTS: Final = 20
MOST_WAITING: Final = 100
"""So many posts can wait for a connection, to be scheduled together."""


@blueprint.get("")
def index(project: Project) -> ResponseReturnValue:
    return render_template(
        "settings/targets.html",
        **_waiting(project),
        kinds=KINDS,
        offered=offered_kinds(),
        targets=service.list_targets(project),
        counts=count_posts(project),
    )


@blueprint.route("/connect/<kind_name>", methods=["GET", "POST"])
def connect(project: Project, kind_name: str) -> ResponseReturnValue:
    """Add a target and test it at once. A generated secret is shown in this response only, without a test."""
    kind = existing(offered_kinds().get(kind_name), "NOT_FOUND")
    form = connection_form(kind)
    added = submitted(form, lambda: _add(project, kind, form))
    if added is None:
        return form_page("settings/target_connect.html", form, kind=kind, **_waiting(project))
    target, secret = added
    if secret is not None:
        return _with_secret(project, target, secret, "settings/target_made.html")
    return _tested(target)


@blueprint.get("/<row:target_id>")
def show(project: Project, target_id: int) -> ResponseReturnValue:
    page = query_page()
    target = service.find_target(project, target_id)
    rows, total = list_calls(target, page, PAGE_SIZE)
    return render_template(
        "settings/target.html",
        **_waiting(project),
        target=target,
        kind=kind_of(target.kind),
        targets=service.list_targets(project),
        count=count_posts(project).get(target.id, 0),
        calls=rows,
        pager=Pager(page, total),
    )


@blueprint.post("/<row:target_id>/test")
def test(project: Project, target_id: int) -> ResponseReturnValue:
    return _tested(service.find_target(project, target_id))


@blueprint.route("/<row:target_id>/edit", methods=["GET", "POST"])
def edit(project: Project, target_id: int) -> ResponseReturnValue:
    """Change a target's name, settings and secret, then test it. An empty field keeps the secret."""
    target = service.find_target(project, target_id)
    kind = kind_of(target.kind)
    form = connection_form(kind, target)
    if is_done(form, lambda: _edited(target, form)):
        return _tested(target)
    return form_page("settings/target_edit.html", form, kind=kind, target=target, **_waiting(project))


@blueprint.post("/<row:target_id>/choice")
def choose(project: Project, target_id: int) -> ResponseReturnValue:
    target = service.find_target(project, target_id)
    is_default = request.form.get("chosen") == "yes"
    service.edit_target(target, is_default=is_default)
    say(
        f"Posts go to {target.name} unless you choose another."
        if is_default
        else "No connection is the default now."
    )
    return redirect(url_for("targets.index", project_id=project.id))


@blueprint.route("/<row:target_id>/remove", methods=["GET", "POST"])
def remove(project: Project, target_id: int) -> ResponseReturnValue:
    """Ask for confirmation, then remove a target. This fails while posts are being published there."""
    target = service.find_target(project, target_id)
    form, name = PageForm(request.form), target.name
    if is_done(form, lambda: service.remove_target(target)):
        say(f"“{name}” is removed.")
        return redirect(url_for("targets.index", project_id=project.id))
    page = render_template(
        "settings/target_remove.html",
        target=target,
        form=form,
        posts=posts_at(target, MOST_POSTS),
    )
    return page, 409 if form.failure else 200


@blueprint.route("/<row:target_id>/secret", methods=["GET", "POST"])
def new_secret(project: Project, target_id: int) -> ResponseReturnValue:
    """Ask for confirmation, then give a target a new secret, shown in this response only."""
    target = service.find_target(project, target_id)
    form = PageForm(request.form)
    secret = submitted(form, lambda: service.rotate_secret(target))
    if secret is None:
        return form_page("settings/target_secret.html", form, target=target, kind=kind_of(target.kind))
    return _with_secret(project, target, secret, "settings/target_secret_made.html")


def _add(project: Project, kind: TargetKind, form: ConnectionForm) -> tuple[PublishTarget, str | None]:
    name = form.typed_name({target.name for target in service.list_targets(project)})
    return service.add_target(project, kind.name, name, form.settings, form.typed_secret)


def _edited(target: PublishTarget, form: ConnectionForm) -> PublishTarget:
    return service.edit_target(
        target, name=form["name"].data or "", settings=form.settings, secret=form.typed_secret
    )


def _tested(target: PublishTarget) -> ResponseReturnValue:
    page = url_for("targets.show", project_id=target.project_id, target_id=target.id, post=_waiting_ids())
    check_target(target)
    return redirect(page)


def _waiting_ids() -> list[int]:
    return row_ids(request.args.getlist("post"))[:MOST_WAITING]


def _waiting(project: Project) -> dict[str, Any]:
    """Return the posts that are to be published or scheduled once a target is connected: the project's own.

    ``post`` is the one if there is one only; ``after`` are their ids, for the next address.
    """
    found = posts_by_id(project, _waiting_ids())
    posts = [found[post_id] for post_id in _waiting_ids() if post_id in found]
    return {"posts": posts, "post": posts[0] if len(posts) == 1 else None, "after": [row.id for row in posts]}


def _with_secret(project: Project, target: PublishTarget, secret: str, template: str) -> ResponseReturnValue:
    page = render_template(
        template,
        **_waiting(project),
        target=target,
        kind=kind_of(target.kind),
        secret=secret,
    )
    response = make_response(page, 201)
    response.headers["Cache-Control"] = "no-store"
    return response
