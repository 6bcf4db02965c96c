"""Posts: list, generate, read, edit and publish them."""

from collections.abc import Collection
from typing import Any, Final

from flask import Response, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue

from app.content.evidence.snapshot import count_sources
from app.content.model import BlogPost
from app.content.posts.checking import quality_of
from app.content.posts.covers import cover_facts, json_ld_of
from app.content.posts.proposals import open_proposal
from app.content.posts.reading import read_post
from app.content.posts.source_pages import sources_of
from app.content.rendering.images import image_ids
from app.dashboard.auth import signed_in
from app.dashboard.forms.base import form_page, job_key, submitted
from app.dashboard.forms.generation import GenerateForm
from app.dashboard.forms.generation_again import filled_from
from app.dashboard.forms.page_picker import picker
from app.dashboard.forms.publishing import PublishForm, publish_form
from app.dashboard.forms.submission import followed, submit_job
from app.dashboard.forms.topic_check import Checked, checked_topic, found_on_topic
from app.dashboard.ideas import idea_of
from app.dashboard.images import image_address
from app.dashboard.outlines import pages_to_choose
from app.dashboard.plans import submit_plan
from app.dashboard.post_list import list_page
from app.dashboard.proposals import active_refresh
from app.dashboard.ui.attention import line_of
from app.dashboard.ui.blueprint import PREVIEW_POLICY, dashboard_blueprint
from app.dashboard.ui.connections import can_unpublish, opens
from app.dashboard.ui.query import query_id, query_text, row_id, row_ids
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.texts import article
from app.dashboard.ui.verdicts import check_places, shown_verdict
from app.dashboard.writing import edit_page
from app.executions.estimates import estimate_of
from app.executions.queries import get_job
from app.keywords.service import keywords_to_choose, texts_of
from app.operations import generate_blog_post, publish_blog_post
from app.operations.suggest_titles import generation_payload
from app.overview.attention import publishing_needs
from app.pages.usable import why_unused
from app.projects.model import Project
from app.publishing.gate import may_be_overridden
from app.publishing.lookup import only_home, places_of, publications_of
from app.publishing.planned import waiting_for
from app.publishing.publications import outdated
from app.publishing.scheduled import open_schedule
from app.publishing.service import list_targets
from app.publishing.targets.registry import KINDS

blueprint = dashboard_blueprint("posts", "/projects/<row:project_id>/posts")

MOST_KEYWORDS: Final = 100
SUGGESTED: Final = 4

blueprint.get("", endpoint="index")(list_page)
blueprint.route("/<row:post_id>/edit", methods=["GET", "POST"], endpoint="edit")(edit_page)


@blueprint.route("/generate", methods=["GET", "POST"])
def generate(project: Project) -> ResponseReturnValue:
    keywords = keywords_to_choose(project, MOST_KEYWORDS, row_id(request.values.get("keyword")))
    offered = {str(keyword.id): keyword.keyword_text for keyword in keywords}
    form = GenerateForm(request.form, data=_suggested(project, offered))
    form.keyword.choices = [("", "None in particular"), *offered.items()]
    searches = "search" in request.form
    search_first = form.has_new_query and not searches
    checked = Checked() if searches or search_first else checked_topic(project, form, offered)
    shows_form = searches or search_first or checked.blocks
    if not shows_form and (address := submitted(form, lambda: _submit_generation(project, form))):
        return redirect(address)
    picked = picker(project, form.ticked, form.query)
    form.looked_for.data = form.query
    read = count_sources(project.id)
    return form_page(
        "posts/generate.html",
        form,
        read=read,
        fresh=project.fresh_page_count,
        picked=picked,
        searches=searches or search_first,
        search_first=search_first,
        why_unused=why_unused,
        checked=checked.found,
        check_pressed="check" in request.form,
        suggested=[(keyword.id, keyword.keyword_text) for keyword in keywords[:SUGGESTED]],
        estimate=estimate_of(signed_in()),
    )


@blueprint.get("/generate/check")
def check(project: Project) -> ResponseReturnValue:
    """Return what the project has on the typed topic, as a part of the form; nothing without a topic."""
    keywords = keywords_to_choose(project, MOST_KEYWORDS, row_id(request.args.get("keyword")))
    offered = {str(keyword.id): keyword.keyword_text for keyword in keywords}
    found = found_on_topic(project, GenerateForm(request.args), offered)
    return render_part("posts/_topic_check.html", checked=found, typing=True)


@blueprint.get("/<row:post_id>")
def show(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Show a post as readers see it, with its checks, sources, trace and publications."""
    sources = sources_of(post)
    quality, proposal = quality_of(post, sources), open_proposal(post.id)
    reading, cover = read_post(post, quality, sources, image_address(project)), cover_facts(post)
    changed = any(check.code == "SOURCES_CHANGED" and not check.passed for check in quality.checks)
    nearest = pages_to_choose(post)
    is_rewritable = (changed or nearest) and not proposal
    refreshing = active_refresh(project, post) if is_rewritable else None
    is_idle = post.status != "publishing" and not proposal and not refreshing
    return _preview(
        render_template(
            "posts/show.html",
            html=article(reading.marked),
            plain_html=None if image_ids(post.content) else reading.html,
            reading=reading,
            quality=quality,
            verdict=shown_verdict(quality),
            check_places=check_places(post, quality, reading),
            proposal=proposal,
            sources_changed=changed,
            cover=cover,
            json_ld=json_ld_of(post, cover),
            nearest=nearest,
            refreshing=refreshing,
            is_refreshable=bool(post.sources) and is_idle,
            schedule=open_schedule(post),
            troubles=[
                (line_of(project.id, need), need.target_id) for need in publishing_needs(project, post)
            ],
            **_places(post),
        )
    )


def _places(post: BlogPost) -> dict[str, Any]:
    targets, publications = places_of(post)
    connected = {target.id: target for target in targets.values() if target.removed_at is None}
    return {
        "targets": {target.id: target.name for target in targets.values()},
        "publications": publications,
        "outdated": outdated(post, publications),
        "unpublishable": {target.id for target in connected.values() if can_unpublish(target)},
        "openable": {each.id for each in publications if opens(each, connected.get(each.target_id))},
    }


@blueprint.route("/<row:post_id>/publish", methods=["GET", "POST"])
def publish(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Show the checks and the targets, then publish. Without a target, lead to connecting one."""
    targets = list_targets(project)
    if not targets:
        return redirect(url_for("targets.index", project_id=project.id, post=post.id))
    publications = publications_of([post.id])[post.id]
    form = publish_form(targets, only_home(publications))
    job = submitted(
        form,
        lambda: submit_job(project, publish_blog_post.OPERATION, _publish_payload(post, form), job_key()),
    )
    if job is not None:
        return redirect(url_for("executions.show", job_id=job.id))
    sources = sources_of(post)
    quality = quality_of(post, sources)
    text_url = url_for("posts.show", project_id=project.id, post_id=post.id)
    return form_page(
        "posts/publish.html",
        form,
        targets=targets,
        kinds=KINDS,
        quality=quality,
        check_places=check_places(post, quality, read_post(post, quality, sources), text_url),
        overridable=may_be_overridden(quality),
        has_changes=bool(outdated(post, publications)),
        waiting=waiting_for(post),
        names={target.id: target.name for target in targets},
    )


def _submit_generation(project: Project, form: GenerateForm) -> str:
    payload = form.payload(project)
    if "plan" in request.form:
        return submit_plan(project, payload, job_key())
    job = submit_job(project, generate_blog_post.OPERATION, payload, job_key())
    return followed(job)


def _publish_payload(post: BlogPost, form: PublishForm) -> dict[str, Any]:
    payload = {"blog_post_id": post.id, "target": form.target.data}
    if form.visibility and form.visibility.data:
        payload["visibility"] = form.visibility.data
    reason = (form.override_reason.data or "").strip()
    return {**payload, "override_quality_gate": True, "override_reason": reason} if reason else payload


def _suggested(project: Project, offered: Collection[str]) -> dict[str, Any]:
    like = query_id("like")
    if like is not None:
        payload = get_job(signed_in().id, like).payload
        return filled_from(payload, texts_of(project, payload.get("keyword_ids") or ()), offered)
    ideas = query_id("ideas")
    if ideas is not None:
        idea = idea_of(project, ideas, request.args.get("idea", -1, int))
        return filled_from(generation_payload(idea), {}, offered)
    ticked = row_ids(request.args.getlist("page_ids"))
    return {
        "keyword": request.args.get("keyword", ""),
        "topic": query_text("topic"),
        "page_ids": ticked,
    }


def _preview(page: str) -> Response:
    answer = make_response(page)
    answer.headers["Content-Security-Policy"] = PREVIEW_POLICY
    return answer
