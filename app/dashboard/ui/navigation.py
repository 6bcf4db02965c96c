"""The entries of the main navigation, and which of them is the current one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final

from flask import g, request, url_for

from app.overview.attention import COUNTED, count_needs
from app.projects.model import Project


@dataclass(frozen=True)
class Entry:
    """One entry: its words, its icon, the view it leads to and the views that belong to it."""

    text: str
    icon: str
    endpoint: str
    views: frozenset[str] = frozenset()
    """Blueprints, or single views as ``blueprint.view``, for which the entry is the current one."""

    @property
    def current(self) -> bool:
        """Whether the shown page belongs to the entry."""
        return not self.views.isdisjoint({request.endpoint or "", request.blueprint or ""})


@dataclass(frozen=True)
class Link:
    """An entry as it is shown."""

    text: str
    icon: str
    url: str
    current: bool
    count: str = ""
    counts: str = ""
    """What ``count`` counts, such as drafts."""
    warns: bool = False


SITE: Final = (
    Entry("Overview", "grid", "projects.overview", frozenset({"projects.overview"})),
    Entry("Pages", "files", "pages.index", frozenset({"pages", "links"})),
    Entry("Keywords", "tags", "keywords.index", frozenset({"keywords", "keyword_files"})),
    Entry("Search", "graph-up-arrow", "search.index", frozenset({"search", "search_files"})),
    Entry(
        "Posts",
        "pencil-square",
        "posts.index",
        frozenset(
            {
                "posts",
                "ideas",
                "plans",
                "proposals",
                "publications",
                "schedule",
                "covers",
                "writing",
                "versions",
            }
        ),
    ),
    Entry("Calendar", "calendar3", "calendar.index", frozenset({"calendar", "autopilot"})),
)
SITE_SETTINGS: Final = (
    Entry("Blog connections", "send", "targets.index", frozenset({"targets"})),
    Entry("Site settings", "sliders", "projects.edit", frozenset({"projects.edit"})),
)
EVERYTHING: Final = (
    Entry("All sites", "collection", "projects.index", frozenset({"projects.index", "projects.new"})),
    Entry("All executions", "list-task", "executions.index"),
    Entry("API access", "code-slash", "api_keys.index", frozenset({"api_keys"})),
    Entry("API docs", "book", "api_docs.show"),
    Entry("Settings", "gear", "profile.index", frozenset({"profile"})),
)


def site_links(project: Project) -> list[Link]:
    """Return the links to a site's lists."""
    in_project = {"project_id": project.id}
    executions = url_for("executions.index", project=project.id)
    counts = counts_beside(project)
    shown = [replace(_link(entry, in_project), **counts.get(entry.text, {})) for entry in SITE]
    return [*shown, Link("Executions", "activity", executions, request.endpoint == "executions.show")]


def settings_links(project: Project) -> list[Link]:
    """Return the links to what a site is set up with."""
    return [_link(entry, {"project_id": project.id}) for entry in SITE_SETTINGS]


def account_links() -> list[Link]:
    """Return the links that belong to no single site."""
    inside = "project" in request.args
    links = [_link(entry, {}) for entry in EVERYTHING]
    current = request.endpoint == "executions.index" and not inside
    return [Link(x.text, x.icon, x.url, x.current or (current and x.icon == "list-task")) for x in links]


def counts_beside(project: Project) -> dict[str, dict[str, Any]]:
    """Return the counts beside the entries, read once for a page: the rail and the menu show the same."""
    needs, drafts = g.setdefault("nav_counts", {}).get(project.id) or count_needs(project)
    g.nav_counts[project.id] = needs, drafts
    return {
        "Overview": {"count": _count(needs), "counts": "need attention", "warns": True},
        "Posts": {"count": _count(drafts), "counts": "drafts"},
    }


def _count(number: int) -> str:
    if number >= COUNTED:
        return f"{COUNTED - 1}+"
    return str(number) if number else ""


def _link(entry: Entry, values: dict[str, Any]) -> Link:
    return Link(entry.text, entry.icon, url_for(entry.endpoint, **values), entry.current)
