"""The list of posts: its page, removing ticked drafts, undoing that, and the list as a file."""

from typing import Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.posts.files import export_lines
from app.content.posts.proposals import open_proposals
from app.content.posts.service import PostFilter, list_posts
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import (
    PAGE_SIZE,
    Pager,
    chosen_order,
    page_that_is_there,
    query_page,
    query_text,
    row_ids,
)
from app.dashboard.ui.responses import send_csv
from app.dashboard.ui.toasts import say, say_brought_back
from app.projects.model import Project
from app.publishing.lookup import publications_of
from app.publishing.planned import refused_posts, waiting_times
from app.publishing.publications import outdated
from app.publishing.removal import remove_drafts, undo_removal

blueprint = dashboard_blueprint("post_list", "/projects/<row:project_id>/posts")

STATUSES: Final = ("draft", "published")
ORDERS: Final = {"newest": "Newest first", "changed": "Last changed first", "title": "A to Z"}
ONLY: Final = "only drafts that are at no blog can be deleted, and not before the time of one is canceled."


def list_page(project: Project) -> ResponseReturnValue:
    page, where, order = query_page(), _chosen_filter(), chosen_order(ORDERS)
    rows, total = list_posts(project, where, page, PAGE_SIZE, order)
    pager = Pager(page, total)
    if there := page_that_is_there(pager):
        return redirect(there)
    ids = [post.id for post in rows]
    publications = publications_of(ids)
    planned = waiting_times(ids)
    return render_template(
        "posts/index.html",
        posts=rows,
        status=where.status or "",
        q=where.q or "",
        order=order,
        orders=ORDERS,
        pager=pager,
        edited={post.id for post in rows if outdated(post, publications[post.id])},
        proposals=open_proposals(ids),
        planned=planned,
        refused=refused_posts(list(planned)) if planned else (),
    )


@blueprint.post("/remove")
def remove(project: Project) -> ResponseReturnValue:
    ticked = row_ids(request.form.getlist("post_ids"))
    removal_id, removed = remove_drafts(project, ticked)
    back = request.form.get("back")
    undo = url_for("post_list.undo", project_id=project.id, removal_id=removal_id, back=back)
    say(_words_of(removed, len(ticked) - removed), undo if removed else None)
    return redirect(back_or(url_for("posts.index", project_id=project.id)))


@blueprint.post("/removals/<row:removal_id>/undo")
def undo(project: Project, removal_id: int) -> ResponseReturnValue:
    say_brought_back(lambda: undo_removal(project, removal_id), "draft")
    return redirect(back_or(url_for("posts.index", project_id=project.id)))


@blueprint.get("/export.csv")
def export(project: Project) -> ResponseReturnValue:
    return send_csv(export_lines(project, _chosen_filter()), f"posts-{project.id}")


def _chosen_filter() -> PostFilter:
    status = request.args.get("status", "")
    return PostFilter(status=status if status in STATUSES else None, q=query_text("q") or None)


def _words_of(removed: int, left: int) -> str:
    if not removed and not left:
        return "Nothing was deleted: tick the drafts first."
    stay = f"{counted(left, 'post')} {'stays' if left == 1 else 'stay'}: {ONLY}"
    parts = [f"{counted(removed, 'draft')} deleted."] if removed else []
    return " ".join([*parts, stay] if left else parts)
