"""Your Pages: adding a URL, one page, the sitemap, syncs and what they changed."""

from typing import Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import BooleanField
from wtforms.validators import DataRequired

from app.content.posts import page_uses
from app.dashboard.forms.base import LinesField, PageForm, submitted, with_scheme
from app.dashboard.forms.submission import submit_job
from app.dashboard.page_list import SYNCS, latest_job, list_page, read_again_words, sync_of
from app.dashboard.ui import page_states
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import BY_TIME, PAGE_SIZE, Pager, chosen_order, query_id, query_page, query_text
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.toasts import say
from app.executions.queries import get_job
from app.failures import ServiceFailure
from app.operations import sync_sitemap
from app.pages import service
from app.pages.equal_texts import page_with_the_same_text
from app.pages.queries import last_seen
from app.pages.sync import sync_history
from app.pages.sync.quarantine import confirm_removals, is_quarantined_again, open_quarantine
from app.pages.sync.sitemap_files import count_files, list_files
from app.pages.usable import why_unused
from app.projects.model import Project

blueprint = dashboard_blueprint("pages", "/projects/<row:project_id>")

SYNC: Final = sync_sitemap.OPERATION
MOST_CHANGES: Final = 50
MOST_USES: Final = 50
MOST_BLOCKS: Final = 80


class PageUrlForm(PageForm):
    url = LinesField(
        "Addresses of pages",
        [DataRequired("Enter the address of a page.")],
        description="One a line, of this website. They are read in the background.",
        render_kw={"rows": 3, "inputmode": "url", "spellcheck": "false"},
    )
    always_use = BooleanField("Always use them as sources and link targets")

    def add_to(self, project: Project) -> list[service.Added]:
        """Add the pages. An unticked box does not change a page that exists already."""
        scheme = project.url.partition("://")[0]
        urls = [with_scheme(each, scheme) for each in self.url.data or []]
        return service.add_pages(project, urls, always_use=bool(self.always_use.data))


@blueprint.route("/pages", methods=["GET", "POST"])
def index(project: Project) -> ResponseReturnValue:
    """List the pages (see page_list), and add some."""
    form = PageUrlForm(request.form)
    added = submitted(form, lambda: form.add_to(project))
    if added is None:
        return list_page(project, form), form.status
    say(_added_words(sum(each.created for each in added), len(added)))
    newest = url_for("pages.index", project_id=project.id)
    alone = url_for("pages.show", project_id=project.id, page_id=added[0].page.id)
    return redirect(back_or(alone if len(added) == 1 else newest))


@blueprint.get("/pages/<row:page_id>")
def show(project: Project, page_id: int) -> ResponseReturnValue:
    page = service.get_page(project, page_id)
    return render_template(
        "pages/show.html",
        page=page,
        last_seen=last_seen,
        equal=page_with_the_same_text([page.id]).get(page.id),
        why_unused=why_unused,
        word=page_states.page_word(page),
        text=service.text_of(page, MOST_BLOCKS),
        uses=page_uses.uses_of(page, MOST_USES),
    )


@blueprint.post("/pages/<row:page_id>/always-use")
def always_use(project: Project, page_id: int) -> ResponseReturnValue:
    preferred = request.form.get("always_use") == "yes"
    service.set_always_use(service.get_page(project, page_id), preferred)
    say("This page is now always used." if preferred else "This page is no longer always used.")
    return redirect(url_for("pages.show", project_id=project.id, page_id=page_id))


@blueprint.post("/pages/<row:page_id>/read-again")
def read_again(project: Project, page_id: int) -> ResponseReturnValue:
    say(read_again_words(service.read_again(project, [service.get_page(project, page_id).id])))
    return redirect(url_for("pages.show", project_id=project.id, page_id=page_id))


@blueprint.post("/sync")
def sync(project: Project) -> ResponseReturnValue:
    """Queue a sync, unless one is queued already."""
    try:
        submit_job(project, SYNC, {}, None)
    except ServiceFailure as error:
        return list_page(project, PageUrlForm(), error.failure), error.failure.kind.http or 409
    return redirect(back_or(url_for("pages.index", project_id=project.id)))


@blueprint.get("/sitemap")
def sitemap(project: Project) -> ResponseReturnValue:
    """List the documents of the project's sitemap, or only those that were not read as a whole."""
    page = query_page()
    failed = request.args.get("state") == "failed"
    rows, total = list_files(project, page, PAGE_SIZE, failed=failed or None)
    every, troubled = count_files(project)
    return render_template(
        "pages/sitemap.html",
        files=rows,
        pager=Pager(page, total),
        failed=failed,
        every=every,
        troubled=troubled,
    )


@blueprint.get("/syncs")
def syncs(project: Project) -> ResponseReturnValue:
    """List the project's syncs. Search, filter and order are in the query string."""
    page, order = query_page(), chosen_order(BY_TIME)
    outcome = query_text("outcome") if query_text("outcome") in sync_history.OUTCOMES else ""
    where = sync_history.SyncFilter(outcome or None, query_text("q") or None)
    rows, total = sync_history.list_syncs(project, page, PAGE_SIZE, where, order)
    return render_template(
        "pages/syncs.html",
        syncs=rows,
        outcome=outcome,
        q=where.q or "",
        order=order,
        orders=BY_TIME,
        pager=Pager(page, total),
    )


@blueprint.get("/syncs/<row:sync_id>")
def show_sync(project: Project, sync_id: int) -> ResponseReturnValue:
    sync = sync_history.get_sync(project, sync_id)
    quarantine = open_quarantine(project.id)
    changes = {kind: sync_history.changes_of(sync, kind, MOST_CHANGES) for kind in sync_history.KINDS}
    return render_template(
        "pages/sync.html",
        sync=sync,
        changes=changes,
        counts=sync_history.count_changes(sync),
        quarantine=quarantine,
        quarantined_again=is_quarantined_again(sync, quarantine),
        job=get_job(project.account_id, sync.job_id) if sync.failure and sync.job_id else None,
    )


@blueprint.get("/syncs/<row:sync_id>/<any(new, returned, stale, missing, found):kind>")
def sync_changes(project: Project, sync_id: int, kind: str) -> ResponseReturnValue:
    page = query_page()
    sync = sync_history.get_sync(project, sync_id)
    rows = sync_history.changes_of(sync, kind, PAGE_SIZE, (page - 1) * PAGE_SIZE)
    pager = Pager(page, sync_history.count_changes(sync)[kind])
    return render_template(
        "pages/sync_changes.html",
        sync=sync,
        kind=kind,
        pages=rows,
        pager=pager,
        page_word=page_states.page_word,
    )


@blueprint.post("/syncs/<row:sync_id>/confirm")
def confirm(project: Project, sync_id: int) -> ResponseReturnValue:
    """Mark the pages in a sync's quarantine stale, because the person confirms that they are gone."""
    confirmation = confirm_removals(project, sync_id)
    if confirmation is None:
        say("Nothing was changed: these removals are no longer in quarantine.")
        return redirect(url_for("pages.show_sync", project_id=project.id, sync_id=sync_id))
    say(f"Marked stale: {confirmation.stale}.")
    return redirect(url_for("pages.show_sync", project_id=project.id, sync_id=confirmation.id))


def _added_words(created: int, given: int) -> str:
    if given == 1:
        return "Page added." if created else "This page is in the list already."
    there = f" {given - created} in the list already." if created < given else ""
    return f"{counted(created, 'page')} added.{there}"


@blueprint.get("/syncs/live")
def live(project: Project) -> ResponseReturnValue:
    """Return the state of the latest sync as a part of the page; 204 if it has not changed."""
    job, history = latest_job(project)
    if history and history[-1].id <= (query_id("since") or 0):
        return "", 204
    return render_part(
        "pages/_sync.html",
        job=job,
        history=history,
        sync=sync_of(job, sync_history.latest_syncs(project, SYNCS)),
        list_is_older=True,
        quarantine=open_quarantine(project.id),
    )
