"""Your Pages: adding a URL, one page, syncs and what they changed."""

from __future__ import annotations

from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField
from wtforms.validators import InputRequired

from app.content.posts import page_uses
from app.dashboard.forms.base import AddressField, PageForm, submitted
from app.dashboard.forms.submission import submit_job
from app.dashboard.page_list import latest_sync, list_page
from app.dashboard.projects import own_project
from app.dashboard.ui import page_states
from app.dashboard.ui.blueprint import back_or, dashboard_blueprint
from app.dashboard.ui.parts import render_part
from app.dashboard.ui.query import PAGE_SIZE, Pager, chosen_order, query_id, query_page, query_text
from app.dashboard.ui.toasts import say
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.operations import sync_sitemap
from app.pages import service
from app.pages.queries import last_seen
from app.pages.sync import sync_history
from app.pages.sync.quarantine import confirm_removals, is_quarantined_again, open_quarantine
from app.pages.usable import why_unused

blueprint = dashboard_blueprint("pages", "/projects/<row:project_id>")

SYNC: Final = sync_sitemap.OPERATION
MOST_CHANGES: Final = 50
SYNC_ORDERS: Final = {"newest": "Newest first", "oldest": "Oldest first", "longest": "Longest first"}
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
    """List the pages (see page_list), and add one."""
    project = own_project(project_id)
    form = PageUrlForm(request.form)
    added = submitted(form, lambda: service.add_page(project, form.chosen()))
    if added is not None:
        say("Page added." if added.created else "This page is in the list already.")
        return redirect(url_for("pages.show", project_id=project.id, page_id=added.page.id))
    return list_page(project, form), form.status


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
    say("This page is now always used." if preferred else "This page is no longer always used.")
    return redirect(url_for("pages.show", project_id=project.id, page_id=page_id))


@blueprint.post("/sync")
def sync(project_id: int) -> ResponseReturnValue:
    """Queue a sync, unless one is queued already."""
    project = own_project(project_id)
    try:
        submit_job(project, SYNC, {}, None)
    except ServiceFailure as error:
        return list_page(project, PageUrlForm(), error.failure), error.failure.kind.http or 409
    return redirect(back_or(url_for("pages.index", project_id=project.id)))


@blueprint.get("/syncs")
def syncs(project_id: int) -> ResponseReturnValue:
    """List the project's syncs. Search, filter and order are in the query string."""
    project, page, order = own_project(project_id), query_page(), chosen_order(SYNC_ORDERS)
    outcome = query_text("outcome") if query_text("outcome") in sync_history.OUTCOMES else ""
    where = sync_history.SyncFilter(outcome or None, query_text("q") or None)
    rows, total = sync_history.list_syncs(project, page, PAGE_SIZE, where, order)
    return render_template(
        "pages/syncs.html",
        project=project,
        syncs=rows,
        outcome=outcome,
        q=where.q or "",
        order=order,
        orders=SYNC_ORDERS,
        pager=Pager(page, total),
    )


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
        job=get_job(project.account_id, sync.job_id) if sync.failure and sync.job_id else None,
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
        say("Nothing was changed: these removals are no longer in quarantine.")
        return redirect(url_for("pages.show_sync", project_id=project.id, sync_id=sync_id))
    say(f"Marked stale: {confirmation.stale}.")
    return redirect(url_for("pages.show_sync", project_id=project.id, sync_id=confirmation.id))


@blueprint.get("/syncs/live")
def live(project_id: int) -> ResponseReturnValue:
    """Return the state of the latest sync as a part of the page; 204 if it has not changed."""
    project = own_project(project_id)
    job, history, sync = latest_sync(project)
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
