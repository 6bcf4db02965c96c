"""Saved filters: a list's search, filter and order under a name, as tabs over the list."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import signed_in
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import refusals_said, say
from app.projects import saved_filters as service
from app.projects.model import Project

blueprint = dashboard_blueprint("saved_filters", "")

MEMBERS: Final[Mapping[str, Sequence[str]]] = {
    "posts": ("status", "q", "order"),
    "pages": ("state", "q", "order"),
    "keywords": ("state", "q", "order"),
    "ideas": ("q", "order"),
    "syncs": ("outcome", "q", "order"),
    "executions": ("status", "type", "project", "q", "order"),
}

OF_ACCOUNT: Final = ("executions",)

_OF_PROJECT: Final = tuple(name for name in MEMBERS if name not in OF_ACCOUNT)

_VIEWS: Final = {"syncs": "pages.syncs"}

_DEFAULTS: Final = {"order": ("newest", "found")}


@dataclass(frozen=True)
class Saved:
    id: int
    name: str
    url: str
    current: bool


@dataclass(frozen=True)
class SavedBar:
    """The saved filters of a list, and the query string to save, empty if the list shows all.

    ``project_id`` is None for a list of all projects.
    """

    list_name: str
    project_id: int | None
    filters: Sequence[Saved]
    query: str

    @property
    def is_new(self) -> bool:
        return bool(self.query) and not any(each.current for each in self.filters)


@blueprint.post(f"/projects/<row:project_id>/filters/<any({', '.join(_OF_PROJECT)}):list_name>")
@blueprint.post(f"/filters/<any({', '.join(OF_ACCOUNT)}):list_name>")
def save(list_name: str, project: Project | None = None) -> ResponseReturnValue:
    query = _canonical(list_name, dict(parse_qsl(request.form.get("query", ""))))
    with refusals_said():
        service.save_filter(signed_in(), project, list_name, request.form.get("name", ""), query)
        say("The filter is saved.")
    return redirect(_url(project, list_name, query))


@blueprint.post("/projects/<row:project_id>/filters/<row:filter_id>/remove")
@blueprint.post("/filters/<row:filter_id>/remove")
def remove(filter_id: int, project: Project | None = None) -> ResponseReturnValue:
    service.remove_filter(signed_in(), project, filter_id)
    say("The filter is removed. The list is as it was.")
    known = _OF_PROJECT if project else OF_ACCOUNT
    list_name = request.form.get("list", "")
    return redirect(_url(project, list_name if list_name in known else known[0], ""))


def saved_bar(project: Project | None, list_name: str) -> SavedBar:
    """Return the saved filters of a list on its page; ``project`` is None for a list of all projects."""
    query = _canonical(list_name, request.args)
    filters = service.saved_filters(signed_in(), project, list_name)
    shown = [Saved(x.id, x.name, _url(project, list_name, x.query), x.query == query) for x in filters]
    return SavedBar(list_name, project.id if project else None, shown, query)


def _canonical(list_name: str, values: Mapping[str, str]) -> str:
    """Return the query string of a filter, the same for the same filter."""
    found = [(name, values.get(name, "").strip()) for name in MEMBERS[list_name]]
    given = [(name, value) for name, value in found if value and value not in _DEFAULTS.get(name, ())]
    return urlencode(given)


def _url(project: Project | None, list_name: str, query: str) -> str:
    path = url_for(_VIEWS.get(list_name, f"{list_name}.index"), project_id=project.id if project else None)
    return f"{path}?{query}" if query else path
