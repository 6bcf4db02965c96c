"""The entries of the main navigation, and which of them is the current one."""

from dataclasses import dataclass, replace
from typing import Any, Final

from flask import g, request, url_for

from app.dashboard.ui.query import query_id
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
    key: str = ""
    """The letter that leads to it after ``g`` (see ui.shortcuts)."""

    @property
    def current(self) -> bool:
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
    key: str = ""


SITE: Final = (
    Entry("Overview", "grid", "projects.overview", frozenset({"projects.overview"}), "o"),
    Entry("Pages", "files", "pages.index", frozenset({"pages", "links"}), "p"),
    Entry("Keywords", "tags", "keywords.index", frozenset({"keywords"}), "k"),
    Entry("Search", "graph-up-arrow", "search.index", frozenset({"search", "google"}), "s"),
    Entry(
        "Posts",
        "pencil-square",
        "posts.index",
        frozenset(
            {
                "posts",
                "plans",
                "proposals",
                "publications",
                "schedule",
                "covers",
                "images",
                "writing",
                "versions",
            }
        ),
        "b",
    ),
    Entry("Title ideas", "lightbulb", "ideas.index", frozenset({"ideas"}), "i"),
    Entry("Calendar", "calendar3", "calendar.index", frozenset({"calendar", "autopilot"}), "c"),
)
SITE_JOBS: Final = Entry("Executions", "activity", "executions.index", frozenset({"executions.show"}), "j")
SITE_SETTINGS: Final = (
    Entry("Blog connections", "send", "targets.index", frozenset({"targets"}), "t"),
    Entry(
        "Project settings", "sliders", "projects.edit", frozenset({"projects.edit", "projects.delete"}), "e"
    ),
)
ALL_JOBS: Final = Entry(
    "All executions", "list-task", "executions.index", frozenset({"executions.index"}), "j"
)
EVERYTHING: Final = (
    Entry("Projects", "collection", "projects.index", frozenset({"projects.index", "projects.new"}), "a"),
    ALL_JOBS,
    Entry("API access", "code-slash", "api_keys.index", frozenset({"api_keys"})),
    Entry("API docs", "book", "api_docs.show"),
    Entry("Settings", "gear", "profile.index", frozenset({"profile"})),
    Entry("Help", "question-circle", "help.index", frozenset({"help"}), "h"),
)


def site_links(project: Project) -> list[Link]:
    in_project = {"project_id": project.id}
    counts = counts_beside(project)
    shown = [replace(_link(entry, in_project), **counts.get(entry.text, {})) for entry in SITE]
    return [*shown, _link(SITE_JOBS, {"project": project.id})]


def settings_links(project: Project) -> list[Link]:
    return [_link(entry, {"project_id": project.id}) for entry in SITE_SETTINGS]


def account_links() -> list[Link]:
    """Return the links that belong to no single site."""
    return [_account_link(entry) for entry in EVERYTHING]


def _account_link(entry: Entry) -> Link:
    link = _link(entry, _site_in_view() if entry.endpoint == "help.index" else {})
    # With a site in the address, the list is of that site's jobs.
    return replace(link, current=False) if entry is ALL_JOBS and "project" in request.args else link


def _site_in_view() -> dict[str, Any]:
    """Return the site of the page as a query, so that Help can link to its screens."""
    project_id = (request.view_args or {}).get("project_id") or query_id("project")
    return {"project": project_id} if project_id else {}


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
    return Link(entry.text, entry.icon, url_for(entry.endpoint, **values), entry.current, key=entry.key)


GLOBALS: Final = (account_links, settings_links, site_links)
