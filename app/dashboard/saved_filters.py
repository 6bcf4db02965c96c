"""Saved filters: a list's search, filter and order under a name, as tabs over the list."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl, urlencode

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue

from app.dashboard.auth import signed_in
from app.dashboard.projects import own_project
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.failures import ServiceFailure
from app.projects import saved_filters as service
from app.projects.model import Project

blueprint = dashboard_blueprint("saved_filters", "/projects/<row:project_id>/filters")

MEMBERS: Final[Mapping[str, Sequence[str]]] = {
    "posts": ("status", "q", "order"),
    "pages": ("state", "q", "order"),
    "keywords": ("state", "q", "order"),
    "ideas": ("q", "order"),
    "syncs": ("outcome", "q", "order"),
}
"""The lists, and what is saved of the query string of each."""

_VIEWS: Final = {"syncs": "pages.syncs"}
"""The views of lists that are not the index of their noun."""

_DEFAULTS: Final = {"order": ("newest", "found")}


@dataclass(frozen=True)
class Saved:
    """A saved filter as it is shown."""

    id: int
    name: str
    url: str
    current: bool


@dataclass(frozen=True)
class SavedBar:
    """The saved filters of a list, and the query string to save, empty if the list shows all."""

    list_name: str
    filters: Sequence[Saved]
    query: str

    @property
    def is_new(self) -> bool:
        """Whether the present filter is one that is not saved yet."""
        return bool(self.query) and not any(each.current for each in self.filters)


@blueprint.post(f"/<any({', '.join(MEMBERS)}):list_name>")
def save(project_id: int, list_name: str) -> ResponseReturnValue:
    """Save the present filter of a list."""
    project = own_project(project_id)
    query = _canonical(list_name, dict(parse_qsl(request.form.get("query", ""))))
    try:
        service.save_filter(signed_in(), project, list_name, request.form.get("name", ""), query)
        say("The filter is saved.")
    except ServiceFailure as error:
        say(error.first_message)
    return redirect(_url(project, list_name, query))


@blueprint.post("/<row:filter_id>/remove")
def remove(project_id: int, filter_id: int) -> ResponseReturnValue:
    """Remove a saved filter."""
    project = own_project(project_id)
    service.remove_filter(signed_in(), project, filter_id)
    say("The filter is removed. The list is as it was.")
    list_name = request.form.get("list", "")
    return redirect(_url(project, list_name if list_name in MEMBERS else "posts", ""))


def saved_bar(project: Project, list_name: str) -> SavedBar:
    """Return the saved filters of a list on its page."""
    query = _canonical(list_name, request.args)
    filters = service.saved_filters(signed_in(), project, list_name)
    shown = [Saved(x.id, x.name, _url(project, list_name, x.query), x.query == query) for x in filters]
    return SavedBar(list_name, shown, query)


def _canonical(list_name: str, values: Mapping[str, str]) -> str:
    """Return the query string of a filter, the same for the same filter."""
    found = [(name, values.get(name, "").strip()) for name in MEMBERS[list_name]]
    given = [(name, value) for name, value in found if value and value not in _DEFAULTS.get(name, ())]
    return urlencode(given)


def _url(project: Project, list_name: str, query: str) -> str:
    path = url_for(_VIEWS.get(list_name, f"{list_name}.index"), project_id=project.id)
    return f"{path}?{query}" if query else path
