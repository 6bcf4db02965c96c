"""Title ideas: find them, list them, and generate a post from one."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import SelectField

from app.dashboard.auth import signed_in
from app.dashboard.forms.base import PageForm, job_key, submitted
from app.dashboard.forms.submission import followed, submit_job
from app.dashboard.ui.addresses import back_or
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.presentation import counted
from app.dashboard.ui.query import chosen_order, query_text, with_query
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.toasts import say
from app.executions.model import ExecutionJob
from app.executions.queries import get_job, latest_jobs, newest_job
from app.executions.states import ACTIVE, Status
from app.failures import ServiceFailure
from app.operations import generate_blog_post, plan_blog_post, suggest_titles
from app.operations.suggest_titles import generation_payload
from app.projects.model import Project

blueprint = dashboard_blueprint("ideas", "/projects/<row:project_id>/ideas")

COUNTS: Final = [("10", "10 ideas"), ("20", "20 ideas"), ("50", "50 ideas")]
LATEST_GENERATIONS: Final = 100
ORDERS: Final = {
    "found": "As they were found",
    "covered": "Best covered first",
    "open": "Not written first",
    "title": "A to Z",
}
BEST_FIRST: Final = ("covered", "perhaps", "absent")
MOST_TICKED: Final = 10


class IdeasForm(PageForm):
    count = SelectField("How many", default="10", choices=COUNTS)


@dataclass(frozen=True)
class Shown:
    """An idea, its number in the result, and the latest jobs that generate and plan it."""

    number: int
    idea: Mapping[str, Any]
    job: ExecutionJob | None
    plan: ExecutionJob | None

    @property
    def words(self) -> str:
        """What a search looks through, without capitals."""
        named = (self.idea["title"], self.idea.get("keyword"), self.idea.get("question"))
        return " ".join(str(each) for each in named if each).casefold()

    @property
    def post_id(self) -> int | None:
        is_written = self.job is not None and self.job.status == Status.SUCCEEDED
        return (self.job.result or {}).get("blog_post_id") if self.job and is_written else None

    @property
    def is_open(self) -> bool:
        """Whether it can be written: no post was, and no job is at it."""
        return self.post_id is None and (self.job is None or self.job.status not in ACTIVE)


@blueprint.route("", methods=["GET", "POST"])
def index(project: Project) -> ResponseReturnValue:
    form = IdeasForm(request.form)
    payload = {"count": int(form.count.data or 0)} if form.validate() else {}
    job = submitted(form, lambda: submit_job(project, suggest_titles.OPERATION, payload, job_key()))
    if job is not None:
        return redirect(url_for("ideas.index", project_id=project.id))
    return _page(project, form), form.status


@blueprint.get("/live")
def live(project: Project) -> ResponseReturnValue:
    """Return the list as a part of the page; 204 if it has not changed since ``since``."""
    latest = latest_search(project)
    if request.args.get("since") == _since(latest):
        return "", 204
    return render_part("ideas/_list.html", **found_ideas(project, latest))


@blueprint.post("/<row:job_id>/<int:number>")
def generate(project: Project, job_id: int, number: int) -> ResponseReturnValue:
    idea = idea_of(project, job_id, number)
    form = IdeasForm()
    try:
        job = submit_job(project, generate_blog_post.OPERATION, generation_payload(idea), job_key())
    except ServiceFailure as error:
        form.show_failure(error)
        return _page(project, form), error.failure.kind.http or 422
    return redirect(followed(job))


@blueprint.post("/<row:job_id>/ticked")
def ticked(project: Project, job_id: int) -> ResponseReturnValue:
    """Create a job for each ticked idea, to write it or to plan it, as far as the limits allow."""
    ticked = request.form.getlist("number")
    numbers = sorted({int(each) for each in ticked if each.isascii() and each.isdigit() and len(each) < 4})
    operation = plan_blog_post.OPERATION if "plan" in request.form else generate_blog_post.OPERATION
    form, created = IdeasForm(), 0
    try:
        if not 0 < len(numbers) <= MOST_TICKED:
            raise ServiceFailure("INVALID_REQUEST", f"Tick between one and {MOST_TICKED} ideas.")
        for number in numbers:
            payload = generation_payload(idea_of(project, job_id, number))
            submit_job(project, operation, payload, f"{job_key()}-{number}")
            created += 1
    except ServiceFailure as error:
        form.show_failure(error)
        form.notes = [*form.notes, _created_words(created, len(numbers))]
        return _page(project, form), error.failure.kind.http or 422
    doing = "planned" if operation is plan_blog_post.OPERATION else "written"
    say(f"{counted(created, 'idea')} {'is' if created == 1 else 'are'} being {doing}.")
    return redirect(back_or(url_for("ideas.index", project_id=project.id)))


def _created_words(created: int, wanted: int) -> str:
    if not created:
        return "Nothing was started."
    return f"{created} of {wanted} were started. Tick the others again later."


def _page(project: Project, form: IdeasForm) -> str:
    return render_template("ideas/index.html", form=form, **found_ideas(project, latest_search(project)))


def latest_search(project: Project) -> ExecutionJob | None:
    return newest_job(project.id, suggest_titles.OPERATION.name)


def found_ideas(project: Project, latest: ExecutionJob | None) -> dict[str, Any]:
    is_done = latest is not None and latest.status == Status.SUCCEEDED
    done = latest if is_done else newest_job(project.id, suggest_titles.OPERATION.name, Status.SUCCEEDED)
    active = latest is not None and latest.status in ACTIVE
    found = _shown(project, done) if done else []
    return {
        "latest": latest,
        "active": active,
        "done": done if done and done.result else None,
        "ideas": found,
        "shown": _chosen(found),
        "q": query_text("q"),
        "order": chosen_order(ORDERS),
        "orders": ORDERS,
        "most_ticked": MOST_TICKED,
        "since": _since(latest),
        "here": with_query(url_for("ideas.index", project_id=project.id), {}),
        "live": with_query(url_for("ideas.live", project_id=project.id), {}),
    }


def _chosen(ideas: Sequence[Shown]) -> Sequence[Shown]:
    words = query_text("q").casefold().split()
    found = [each for each in ideas if all(word in each.words for word in words)]
    orders: Mapping[str, Callable[[Shown], Any]] = {
        "covered": lambda each: BEST_FIRST.index(each.idea["coverage"]),
        "title": lambda each: each.idea["title"].casefold(),
        "open": lambda each: not each.is_open,
    }
    key = orders.get(chosen_order(ORDERS))
    return sorted(found, key=key) if key else found


def _since(latest: ExecutionJob | None) -> str:
    return f"{latest.id}-{latest.updated_at.isoformat()}" if latest else ""


def _shown(project: Project, done: ExecutionJob) -> list[Shown]:
    jobs = latest_jobs(project.id, LATEST_GENERATIONS, generate_blog_post.OPERATION.name)
    plans = latest_jobs(project.id, LATEST_GENERATIONS, plan_blog_post.OPERATION.name)
    ideas = (done.result or {}).get("ideas") or []
    return [
        Shown(number, idea, _latest(idea, jobs), _latest(idea, plans)) for number, idea in enumerate(ideas)
    ]


def _latest(idea: Mapping[str, Any], jobs: Sequence[ExecutionJob]) -> ExecutionJob | None:
    payload = generation_payload(idea)
    for job in jobs:
        if all(job.payload.get(name) == value for name, value in payload.items()):
            return job if job.rollback_state != "completed" else None
    return None


def idea_of(project: Project, job_id: int, number: int) -> Mapping[str, Any]:
    """Return an idea of a job of this project. Raises NOT_FOUND."""
    job = get_job(signed_in().id, job_id)
    ideas = (job.result or {}).get("ideas") or []
    if job.project_id != project.id or not 0 <= number < len(ideas):
        raise ServiceFailure("NOT_FOUND")
    idea: Mapping[str, Any] = ideas[number]
    return idea
