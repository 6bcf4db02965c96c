"""Schedule several posts: spread them over days, look at the list of times, then schedule all."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.model import BlogPost
from app.content.posts.service import posts_by_id
from app.dashboard.auth import signed_in
from app.dashboard.forms.schedule import YEARS, SpreadForm, moment_at
from app.dashboard.forms.submission import REQUESTED_BY
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.failures import plain_message
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import row_ids
from app.dashboard.ui.toasts import say
from app.dashboard.ui.zones import reader_zone, remember_zone
from app.failures import ServiceFailure, invalid_field
from app.infra.clock import utc_now
from app.operations.schedule_publication import PostResult, schedule_posts
from app.projects.model import Project
from app.projects.service import get_project
from app.publishing import scheduled
from app.publishing.planned import waiting_times
from app.publishing.service import list_targets

blueprint = dashboard_blueprint("bulk_schedule", "/projects/<row:project_id>/schedule-posts")


@dataclass(frozen=True)
class Row:
    """A post in the list of times: its proposed or typed time, and why it was refused."""

    post: BlogPost
    at: str
    waits_until: datetime | None
    wrong: str = ""
    is_ticked: bool = True


@blueprint.post("/ticked")
def ticked(project: Project) -> ResponseReturnValue:
    post_ids = row_ids(request.form.getlist("post_ids"))
    back = back_or(url_for("posts.index", project_id=project.id))
    if not post_ids:
        say("Nothing was scheduled: tick the posts first.")
        return redirect(back)
    return redirect(url_for("bulk_schedule.times", project_id=project.id, post_ids=post_ids, back=back))


@blueprint.get("")
def times(project: Project) -> ResponseReturnValue:
    """Show the times that the form proposes for the posts in the query."""
    form, posts = _form(project, request.args), _posts(project, request.args.getlist("post_ids"))
    proposed: Sequence[datetime] = ()
    if not _is_sent(request.args) or form.validate():
        try:
            proposed = form.times(len(posts))
        except ServiceFailure as error:
            form.show_failure(error)
    typed = {post.id: at.isoformat("T", "minutes") for post, at in zip(posts, proposed, strict=False)}
    return _page(project, form, posts, typed, {}), form.status


@blueprint.post("")
def schedule(project: Project) -> ResponseReturnValue:
    """Schedule the ticked posts at their times; show again those that were refused."""
    project_id = project.id
    form, posts = _form(project, request.form), _posts(project, request.form.getlist("post_ids"))
    ticked_ids = {post.id for post in posts}
    moments, wrong = _moments(form, _typed(ticked_ids))
    results: list[PostResult] = []
    try:
        if form.validate() and moments:
            place = {"target": form.target.data, "visibility": form.visibility.data or None}
            results = schedule_posts(project, moments, place, REQUESTED_BY)
    except ServiceFailure as error:
        form.show_failure(error)
    made = [each for each in results if each.row is not None]
    wrong |= {each.post_id: plain_message(each.failure.to_dict()) for each in results if each.failure}
    if made:
        _say_scheduled(project_id, made)
    if made and not wrong:
        remember_zone(form.chosen_zone())
        first = min(each.row.publish_at for each in made if each.row).astimezone(form.chosen_zone())
        week: dict[str, Any] = {"from": first.date().isoformat()}
        return redirect(url_for("calendar.index", project_id=project_id, **week))
    project = get_project(signed_in().id, project_id)
    done = {each.post_id for each in made}
    shown = _posts(project, request.form.getlist("row_ids") or request.form.getlist("post_ids"))
    left = [post for post in shown if post.id not in done]
    return _page(project, form, left, _typed(post.id for post in left), wrong, ticked_ids), 422


@blueprint.post("/undo")
def undo(project: Project) -> ResponseReturnValue:
    canceled = 0
    for row_id in row_ids(request.args.getlist("ids")):
        try:
            scheduled.cancel(scheduled.get_scheduled(project, row_id))
            canceled += 1
        except ServiceFailure:
            continue
    say(f"{counted(canceled, 'post')} will not be published at that time.")
    return redirect(back_or(url_for("posts.index", project_id=project.id)))


def _form(project: Project, given: Any) -> SpreadForm:
    today = utc_now().astimezone(reader_zone()).date()
    return SpreadForm(given if _is_sent(given) else None, list_targets(project), today)


def _is_sent(given: Mapping[str, str]) -> bool:
    return "first_day" in given


def _posts(project: Project, texts: Sequence[str]) -> list[BlogPost]:
    found = posts_by_id(project, row_ids(texts))
    return [found[post_id] for post_id in row_ids(texts) if post_id in found]


def _typed(post_ids: Iterable[int]) -> dict[int, str]:
    return {post_id: request.form.get(f"at-{post_id}", "") for post_id in post_ids}


def _moments(form: SpreadForm, typed: Mapping[int, str]) -> tuple[dict[int, datetime], dict[int, str]]:
    moments: dict[int, datetime] = {}
    wrong: dict[int, str] = {}
    for post_id, text in typed.items():
        try:
            moments[post_id] = moment_at(_local(text), form.chosen_zone())
        except ServiceFailure as error:
            wrong[post_id] = error.first_message
    return moments, wrong


def _local(text: str) -> datetime:
    try:
        found = datetime.fromisoformat(text).replace(tzinfo=None)
    except ValueError:
        raise invalid_field("/publish_at", "Choose a date and a time.") from None
    if found.year not in YEARS:
        raise invalid_field("/publish_at", f"Choose a date from {YEARS[0]} to {YEARS[-1]}.")
    return found


def _say_scheduled(project_id: int, made: Sequence[PostResult]) -> None:
    new = [each.row.id for each in made if each.row is not None and each.created]
    back = request.form.get("back")
    undo_url = url_for("bulk_schedule.undo", project_id=project_id, ids=new, back=back)
    moved = len(made) - len(new)
    words = [f"{counted(len(new), 'post')} scheduled."] if new else []
    say(
        " ".join([*words, *([f"{counted(moved, 'post')} moved."] if moved else [])]),
        undo_url if new else None,
    )


def _page(
    project: Project,
    form: SpreadForm,
    posts: Sequence[BlogPost],
    typed: Mapping[int, str],
    wrong: Mapping[int, str],
    ticked_ids: Collection[int] | None = None,
) -> str:
    waiting = waiting_times([post.id for post in posts])
    ticks = {post.id for post in posts} if ticked_ids is None else ticked_ids
    return render_template(
        "schedule/several.html",
        form=form,
        project=project,
        targets=list_targets(project),
        rows=[
            Row(post, typed.get(post.id, ""), waiting.get(post.id), wrong.get(post.id, ""), post.id in ticks)
            for post in posts
        ],
        back=back_or(url_for("posts.index", project_id=project.id)),
    )
