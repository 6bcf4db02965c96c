"""Your Pages: the list with its states, adding a URL, syncs and what they changed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from flask import flash, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField
from wtforms.validators import InputRequired

from app.content.posts import page_uses
from app.content.posts.page_links import count_posts_of
from app.dashboard.forms.base import AddressField, PageForm, submitted
from app.dashboard.forms.submission import submit_job
from app.dashboard.projects import own_project
from app.dashboard.ui import page_states
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.parts import render_part
from app.dashboard.ui.query import PAGE_SIZE, Pager, chosen_order, query_id, query_page, query_text
from app.executions.model import ExecutionJob, JobHistory
from app.executions.queries import history_of, newest_job
from app.executions.states import ACTIVE
from app.failures import Failure, ServiceFailure
from app.operations import sync_sitemap
from app.pages import service
from app.pages.model import Page, SitemapSync
from app.pages.queries import count_unused, last_seen
from app.pages.service import PageFilter
from app.pages.sync import sync_history
from app.pages.sync.quarantine import confirm_removals, is_quarantined_again, open_quarantine
from app.pages.usable import why_unused
from app.projects.model import Project

blueprint = dashboard_blueprint("pages", "/projects/<row:project_id>")

SYNC: Final = sync_sitemap.OPERATION
STATES: Final = {
    "fresh": PageFilter(stale=False),
    "stale": PageFilter(stale=True),
    "unused": PageFilter(unused="any"),
    "unreadable": PageFilter(unused="unreadable"),
    "unlinked": PageFilter(),
}
ORDERS: Final = {"newest": "Newest first", "oldest": "Oldest first"}
MOST_CHANGES: Final = 50
MOST_USES: Final = 50
MOST_BLOCKS: Final = 80


class PageUrlForm(PageForm):
    """A page to add."""

    url = AddressField(
        "Address of the page",
        [InputRequired("Enter the page's address.")],
        description="On the project's own domain. It is read in the background.",
    )
    always_use = BooleanField("Always use it as a source and link target")

    def chosen(self) -> dict[str, Any]:
        """Return the page's members. An unticked box does not change a page that exists already."""
        return {name: value for name, value in self.typed().items() if value is not False}


@blueprint.route("/pages", methods=["GET", "POST"])
def index(project_id: int) -> ResponseReturnValue:
    """List the pages, and add one."""
    project = own_project(project_id)
    form = PageUrlForm(request.form)
    added = submitted(form, lambda: service.add_page(project, form.chosen()))
    if added is not None:
        flash("Page added." if added.created else "This page is in the list already.")
        return redirect(url_for("pages.show", project_id=project.id, page_id=added.page.id))
    return _list(project, form), form.status


@blueprint.get("/pages/<row:page_id>")
def show(project_id: int, page_id: int) -> ResponseReturnValue:
    """Show one page."""
    project = own_project(project_id)
    page = service.get_page(project, page_id)
    return render_template(
        "pages/show.html",
        project=project,
        page=page,
        last_seen=last_seen,
        why_unused=why_unused,
        word=page_states.page_word(page),
        text=service.text_of(page, MOST_BLOCKS),
        uses=page_uses.uses_of(page, MOST_USES),
    )


@blueprint.post("/pages/<row:page_id>/always-use")
def always_use(project_id: int, page_id: int) -> ResponseReturnValue:
    """Set whether the page is preferred as a source and link target."""
    project = own_project(project_id)
    preferred = request.form.get("always_use") == "yes"
    service.set_always_use(service.get_page(project, page_id), preferred)
    flash("This page is now always used." if preferred else "This page is no longer always used.")
    return redirect(url_for("pages.show", project_id=project.id, page_id=page_id))


@blueprint.post("/sync")
def sync(project_id: int) -> ResponseReturnValue:
    """Queue a sync, unless one is queued already."""
    project = own_project(project_id)
    try:
        submit_job(project, SYNC, {}, None)
    except ServiceFailure as error:
        return _list(project, PageUrlForm(), error.failure), error.failure.kind.http or 409
    return redirect(url_for("pages.index", project_id=project.id))


@blueprint.get("/syncs")
def syncs(project_id: int) -> ResponseReturnValue:
    """List the project's syncs."""
    project, page = own_project(project_id), query_page()
    rows, total = sync_history.list_syncs(project, page, PAGE_SIZE)
    return render_template("pages/syncs.html", project=project, syncs=rows, pager=Pager(page, total))


@blueprint.get("/syncs/<row:sync_id>")
def show_sync(project_id: int, sync_id: int) -> ResponseReturnValue:
    """Show what one sync found and which pages it changed."""
    project = own_project(project_id)
    sync = sync_history.get_sync(project, sync_id)
    quarantine = open_quarantine(project.id)
    changes = {kind: sync_history.changes_of(sync, kind, MOST_CHANGES) for kind in sync_history.KINDS}
    return render_template(
        "pages/sync.html",
        project=project,
        sync=sync,
        changes=changes,
        counts=sync_history.count_changes(sync),
        quarantine=quarantine,
        quarantined_again=is_quarantined_again(sync, quarantine),
    )


@blueprint.get("/syncs/<row:sync_id>/<any(new, returned, stale, missing, found):kind>")
def sync_changes(project_id: int, sync_id: int, kind: str) -> ResponseReturnValue:
    """List all pages that one sync changed in one way."""
    project, page = own_project(project_id), query_page()
    sync = sync_history.get_sync(project, sync_id)
    rows = sync_history.changes_of(sync, kind, PAGE_SIZE, (page - 1) * PAGE_SIZE)
    pager = Pager(page, sync_history.count_changes(sync)[kind])
    return render_template(
        "pages/sync_changes.html",
        project=project,
        sync=sync,
        kind=kind,
        pages=rows,
        pager=pager,
        page_word=page_states.page_word,
    )


@blueprint.post("/syncs/<row:sync_id>/confirm")
def confirm(project_id: int, sync_id: int) -> ResponseReturnValue:
    """Mark the pages in a sync's quarantine stale, because the person confirms that they are gone."""
    project = own_project(project_id)
    confirmation = confirm_removals(project, sync_id)
    if confirmation is None:
        flash("Nothing was changed: these removals are no longer in quarantine.")
        return redirect(url_for("pages.show_sync", project_id=project.id, sync_id=sync_id))
    flash(f"Marked stale: {confirmation.stale}.")
    return redirect(url_for("pages.show_sync", project_id=project.id, sync_id=confirmation.id))


@blueprint.get("/syncs/live")
def live(project_id: int) -> ResponseReturnValue:
    """Return the state of the latest sync as a part of the page; 204 if it has not changed."""
    project = own_project(project_id)
    job, history, sync = _latest_sync(project)
    if history and history[-1].id <= (query_id("since") or 0):
        return "", 204
    return render_part(
        "pages/_sync.html",
        project=project,
        job=job,
        history=history,
        sync=sync,
        list_is_older=True,
        quarantine=open_quarantine(project.id),
    )


def filter_of(state: str, q: str) -> PageFilter:
    """Return the filter of a state in STATES and a search text."""
    return replace(STATES.get(state, PageFilter()), q=q or None)


def _list(project: Project, form: PageUrlForm, failure: Failure | None = None) -> str:
    page, state = query_page(), request.args.get("state", "")
    q = query_text("q")
    order = chosen_order(ORDERS)
    rows, total = _rows(project, state, q, page, order)
    fresh, stale = service.count_pages([project.id]).get(project.id, (0, 0))
    unused = count_unused(project.id)
    job, history, sync = _latest_sync(project)
    return render_template(
        "pages/index.html",
        project=project,
        form=form,
        pages=rows,
        pager=Pager(page, total),
        q=q,
        order=order,
        orders=ORDERS,
        state=state if state in STATES else "",
        fresh=fresh,
        stale=stale,
        unused=unused,
        unlinked=page_uses.count_unlinked(project),
        health=page_states.health_parts(fresh, stale, unused["unreadable"], unused["any"]),
        uses=count_posts_of(project.id, [row.url_key for row in rows]),
        states=page_states,
        job=job,
        history=history,
        sync=sync,
        syncs=sync_history.list_syncs(project, 1, 5)[0],
        failure=failure,
        last_seen=last_seen,
        quarantine=open_quarantine(project.id),
    )


def _rows(project: Project, state: str, q: str, page: int, order: str) -> tuple[Sequence[Page], int]:
    if state == "unlinked":
        return page_uses.unlinked_pages(project, q, page, PAGE_SIZE, order)
    return service.list_pages(project, filter_of(state, q), page, PAGE_SIZE, order)


def _latest_sync(project: Project) -> tuple[ExecutionJob | None, list[JobHistory], SitemapSync | None]:
    job = newest_job(project.id, SYNC.name)
    if job is None:
        return None, [], None
    sync = None if job.status in ACTIVE else sync_history.sync_of_job(job.id)
    return job, history_of([job.id])[job.id], sync
