"""The list of pages: its page, writing from ticked ones, preferring them, and the list as a file."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.posts import page_uses
from app.content.posts.page_links import count_posts_of
from app.dashboard.forms.base import PageForm
from app.dashboard.ui import page_states
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import PAGE_SIZE, Pager, chosen_order, query_page, query_text, row_ids
from app.dashboard.ui.responses import send_csv
from app.dashboard.ui.toasts import say
from app.executions.model import ExecutionJob
from app.executions.queries import HistoryEntry, history_of, newest_job
from app.executions.states import ACTIVE
from app.failures import Failure
from app.operations import sync_sitemap
from app.pages.equal_texts import page_with_the_same_text
from app.pages.files import export_lines
from app.pages.model import Page, SitemapSync
from app.pages.queries import last_seen
from app.pages.service import PageFilter, list_pages, read_again, set_always_used
from app.pages.sync import sync_history
from app.pages.sync.quarantine import open_quarantine
from app.projects.model import Project

blueprint = dashboard_blueprint("page_list", "/projects/<row:project_id>/pages")

STATES: Final = {
    "fresh": PageFilter(stale=False),
    "stale": PageFilter(stale=True),
    "unused": PageFilter(unused="any"),
    "unreadable": PageFilter(unused="unreadable"),
    "unlinked": PageFilter(),
}
ORDERS: Final = {"newest": "Newest first", "oldest": "Oldest first"}
SYNCS: Final = 5


def list_page(project: Project, form: PageForm, failure: Failure | None = None) -> str:
    """Show the pages of a project and the form that adds one; ``failure`` is why no sync was queued."""
    page, state = query_page(), request.args.get("state", "")
    q, order = query_text("q"), chosen_order(ORDERS)
    rows, total = _rows(project, state, q, page, order)
    left_out = page_uses.count_left_out(project)
    job, history = latest_job(project)
    syncs = sync_history.latest_syncs(project, SYNCS)
    return render_template(
        "pages/index.html",
        form=form,
        pages=rows,
        pager=Pager(page, total),
        q=q,
        order=order,
        orders=ORDERS,
        state=state if state in STATES else "",
        fresh=project.fresh_page_count,
        stale=project.stale_page_count,
        left_out=left_out,
        health=page_states.health_parts(project, left_out["unreadable"], left_out["any"]),
        uses=count_posts_of(project.id, [row.url_key for row in rows]),
        states=page_states,
        job=job,
        history=history,
        sync=sync_of(job, syncs),
        syncs=syncs,
        failure=failure,
        way_back=back_or(""),
        last_seen=last_seen,
        equal=page_with_the_same_text([row.id for row in rows]),
        quarantine=open_quarantine(project.id),
    )


def latest_job(project: Project) -> tuple[ExecutionJob | None, list[HistoryEntry]]:
    """Return the newest sync job, and its history until it has ended."""
    job = newest_job(project.id, sync_sitemap.OPERATION.name)
    if job is None or job.status not in ACTIVE:
        return job, []
    return job, history_of([job.id])[job.id]


def sync_of(job: ExecutionJob | None, syncs: Iterable[SitemapSync]) -> SitemapSync | None:
    """Return which of the syncs a job wrote, None before it has ended."""
    return next((sync for sync in syncs if job is not None and sync.job_id == job.id), None)


@blueprint.post("/ticked")
def ticked(project: Project) -> ResponseReturnValue:
    """Lead to the form of a post from the ticked pages, have them read again, or prefer them."""
    page_ids = row_ids(request.form.getlist("page_ids"))
    do = request.form.get("do")
    if do == "read":
        due = read_again(project, page_ids)
        say(read_again_words(due) if page_ids else "Nothing was changed: tick the pages first.")
        return redirect(back_or(url_for("pages.index", project_id=project.id)))
    if do not in ("use", "leave"):
        return redirect(url_for("posts.generate", project_id=project.id, page_ids=page_ids))
    changed = set_always_used(project, page_ids, do == "use")
    what = "always used" if do == "use" else "no longer preferred"
    if changed:
        say(f"{_pages(len(changed))} now {what}.", _undo_url(project.id, changed, do))
    else:
        say("Nothing was changed." if page_ids else "Nothing was changed: tick the pages first.")
    return redirect(back_or(url_for("pages.index", project_id=project.id)))


@blueprint.post("/ticked/undo")
def undo(project: Project) -> ResponseReturnValue:
    page_ids = row_ids(request.args.getlist("page_ids"))
    changed = set_always_used(project, page_ids, request.args.get("do") == "use")
    say(f"{_pages(len(changed))} set back.")
    return redirect(back_or(url_for("pages.index", project_id=project.id)))


@blueprint.get("/export.csv")
def export(project: Project) -> ResponseReturnValue:
    state = request.args.get("state", "")
    conditions = _filter_of(state, query_text("q")).conditions()
    if state == "unlinked":
        conditions += page_uses.is_unlinked()
    return send_csv(export_lines(project, conditions), f"pages-{project.id}")


def read_again_words(page_ids: Sequence[int]) -> str:
    """Return what to say after pages were queued to be read again."""
    if not page_ids:
        return "Nothing was queued: these pages were just read, are stale, or have a text of yours."
    what = counted(len(page_ids), "page")
    return f"{what} will be read again in a moment, or as soon as the site allows it."


def _filter_of(state: str, q: str) -> PageFilter:
    return replace(STATES.get(state, PageFilter()), q=q or None)


def _rows(project: Project, state: str, q: str, page: int, order: str) -> tuple[Sequence[Page], int]:
    if state == "unlinked":
        return page_uses.unlinked_pages(project, q, page, PAGE_SIZE, order)
    return list_pages(project, _filter_of(state, q), page, PAGE_SIZE, order)


def _undo_url(project_id: int, page_ids: list[int], done: str) -> str:
    do = "leave" if done == "use" else "use"
    back = request.form.get("back")
    return url_for("page_list.undo", project_id=project_id, page_ids=page_ids, do=do, back=back)


def _pages(number: int) -> str:
    return f"{counted(number, 'page')} {'is' if number == 1 else 'are'}"
