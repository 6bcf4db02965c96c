"""Blog posts: generate, list, read, publish."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from flask import g
from flask.typing import ResponseReturnValue
from flask_smorest import Blueprint
from marshmallow import RAISE, fields

from app.api import executions, jobs
from app.api.http import errors, parsing
from app.api.http.auth import caller
from app.api.http.contract import Takes, operation, success
from app.api.http.fields import Choice, In, Integer, QueryBoolean, nullable
from app.api.http.pagination import PageQuery, PaginationOut, listed
from app.api.http.schemas import SuccessOut
from app.api.jobs import JobOut, wait_for_job
from app.api.posts import STATUSES, PostOut, present, present_all
from app.content.model import BlogPost
from app.content.posts import service as content
from app.content.posts.proposals import dismiss_proposal, use_proposal
from app.content.posts.service import PostFilter
from app.executions import service
from app.executions.queries import get_job
from app.executions.service import Submission, Submitted
from app.executions.states import Status
from app.failures import CATALOGUE, Failure, ServiceFailure, failure
from app.infra.db import LARGEST_ID
from app.operations import generate_blog_post, publish_blog_post
from app.operations.base import Operation
from app.projects.model import Project
from app.projects.service import get_project
from app.publishing.model import Publication
from app.publishing.service import choose_target

blueprint = Blueprint(
    "Blog Posts", __name__, url_prefix="/public-api/projects/<id:project_id>/blog-posts",
    description="Posts: drafts until they are published.",
)  # fmt: skip

PUBLISH_WAIT: Final = 20
"""Seconds that publish waits for its job before it answers 202."""

EXAMPLE: Final = {
    "topic": "Content briefs",
    "keywords": ["content brief", "brief template"],
    "length": "short",
    "key_points": ["Our brief template is free."],
    "avoid": ["cheap"],
    "call_to_action": {"text": "Get the template", "url": "https://example.com/template"},
    "include": {"key_takeaways": True},
}
"""A generation that works in any project."""

_PREFER: Final = {
    "in": "header", "name": "Prefer", "required": False, "schema": {"type": "string"}, "example": "wait=10",
    "description": "`wait=N` waits up to N seconds (at most 25) for the post.",
}  # fmt: skip


class PublishIn(publish_blog_post.OPERATION.schema):  # type: ignore[misc,name-defined]
    """Where to publish a post: the operation's input, the post's id aside."""

    class Meta:
        unknown = RAISE
        exclude = ("blog_post_id",)


class ProposalIn(In):
    """The proposal that was looked at."""

    proposal_id = Integer(
        least=1, most=LARGEST_ID, required=True, metadata={"description": "The id of the post's proposal."}
    )


class ProposalUse(ProposalIn):
    """The proposal to use, and the version of the post that was looked at."""

    version = Integer(
        least=1, allow_none=True, load_default=None,
        metadata={"description": "The post's version; the one that the proposal was made for when left out."},
    )  # fmt: skip


class PostAnswer(SuccessOut):
    """One post."""

    post = fields.Nested(PostOut)


class PostQuery(PageQuery):
    """What a list of posts is narrowed to."""

    status = Choice(STATUSES)
    include_content = QueryBoolean(load_default=False)


class PostsAnswer(SuccessOut):
    """A page of posts; their text and its trace are null unless include_content=true.

    Their quality is as of the last change of their text.
    """

    posts = fields.List(fields.Nested(PostOut))
    pagination = fields.Nested(PaginationOut)


class PostGenerated(SuccessOut):
    """The job of a generation, and its post when that is there."""

    job = fields.Nested(JobOut)
    post = nullable(PostOut)
    created = fields.Boolean()


class PostPublished(SuccessOut):
    """A published post, and the job that published it."""

    post = fields.Nested(PostOut)
    job = nullable(JobOut)


class PublishQueued(SuccessOut):
    """The job that is still publishing, or was canceled."""

    job = fields.Nested(JobOut)


@operation(
    blueprint, "POST", "/generate", "generateBlogPost", key="optional", headers=(_PREFER,),
    takes=Takes(generate_blog_post.OPERATION.schema, EXAMPLE, optional=True),
    gives={202: PostGenerated, 201: PostGenerated, 200: PostGenerated}, refuses=("QUOTA_EXCEEDED",),
)  # fmt: skip
def generate_blog_post_(project: Project, key: str | None, body: dict[str, Any]) -> ResponseReturnValue:
    """Generate a blog post from the project's own pages; an empty body works."""
    scope = f"generate:{project.id}"
    try:
        submitted = _submit(project, generate_blog_post.OPERATION, body, scope, key)
    except ServiceFailure as refusal:
        raise _about_this_body(refusal) from None
    headers = executions.submitted_headers(submitted)
    created, replayed = submitted.created, submitted.replayed
    seconds = parsing.preferred_wait()
    job = submitted.job
    if seconds:
        headers["Preference-Applied"] = f"wait={seconds}"
        job = wait_for_job(job.id, seconds)
    # Who did not ask to wait gets 202, however fast a worker was.
    told = seconds or replayed
    post = content.post_of_job(job.id) if told and job.status == Status.SUCCEEDED else None
    shown = present(get_project(caller().account_id, job.project_id), post) if post else None
    status = 200 if replayed else 201 if post else 202
    return success({"job": jobs.present(job), "post": shown, "created": created}, status, headers)


@operation(blueprint, "GET", "", "listBlogPosts", query=PostQuery, gives={200: PostsAnswer})
def list_posts(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the project's blog posts."""
    where = PostFilter(status=query.get("status"))
    rows, total = content.list_posts(project, where, query["page"], query["page_size"])
    return listed("posts", present_all(project, rows, with_content=query["include_content"]), query, total)


@operation(blueprint, "GET", "/<id:blog_post_id>", "getBlogPost", gives={200: PostAnswer})
def get_post(project: Project, blog_post_id: int) -> ResponseReturnValue:
    """Read one blog post."""
    return success({"post": present(project, content.get_post(project, blog_post_id))})


@operation(
    blueprint, "POST", "/<id:blog_post_id>/publish", "publishBlogPost",
    takes=Takes(PublishIn, {}, optional=True), gives={200: PostPublished, 202: PublishQueued},
    refuses=("PUBLISH_IN_PROGRESS", "PUBLISH_TARGET_MISSING", "PUBLISH_QUALITY_GATE_BLOCKED",
             "PUBLISH_REJECTED", "PUBLISH_ENDPOINT_FAILED", "TARGET_AUTH",
             "TARGET_RATE_LIMITED", "TARGET_SLUG_TAKEN", "EXECUTION_FAILED", "WORKER_LOST",
             "PUBLISH_TIMEOUT"),
)  # fmt: skip
def publish_post(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Publish a post and wait up to 20 s; a post that is there already is answered as it is."""
    post = content.get_post(project, blog_post_id)
    there = _publication_there(project, post, body["target"])
    if there is not None:
        job_shown = jobs.present(get_job(caller().account_id, there.job_id)) if there.job_id else None
        return success({"post": present(project, post), "job": job_shown})
    payload = {**body, "blog_post_id": blog_post_id}
    submitted = _submit(project, publish_blog_post.OPERATION, payload, f"create:{project.id}", None)
    job = wait_for_job(submitted.job.id, PUBLISH_WAIT)
    headers = {"Location": jobs.address(job.id)}
    if job.status == Status.SUCCEEDED:
        project = get_project(caller().account_id, job.project_id)
        post = content.get_post(project, blog_post_id)
        return success({"post": present(project, post), "job": jobs.present(job)}, 200, headers)
    if job.failure is None or job.status != Status.FAILED:
        return success({"job": jobs.present(job)}, 202, headers)
    return errors.respond(_failed(job.failure), headers=headers)


@operation(
    blueprint, "POST", "/<id:blog_post_id>/proposal/use", "useProposal",
    takes=Takes(ProposalUse), gives={200: PostAnswer},
    refuses=("PROPOSAL_NOT_FOUND", "PROPOSAL_SETTLED", "POST_CHANGED", "PUBLISH_IN_PROGRESS"),
)  # fmt: skip
def use_proposal_(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Make the proposal the post's text; using it again changes nothing."""
    post = use_proposal(content.get_post(project, blog_post_id), body["proposal_id"], body["version"])
    return success({"post": present(project, post)})


@operation(
    blueprint, "POST", "/<id:blog_post_id>/proposal/dismiss", "dismissProposal",
    takes=Takes(ProposalIn), gives={200: PostAnswer}, refuses=("PROPOSAL_NOT_FOUND", "PROPOSAL_SETTLED"),
)  # fmt: skip
def dismiss_proposal_(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Put the proposal away, the post stays as it is; dismissing it again changes nothing."""
    post = content.get_post(project, blog_post_id)
    dismiss_proposal(post, body["proposal_id"])
    return success({"post": present(project, post)})


def _submit(
    project: Project, wanted: Operation, payload: Mapping[str, Any], scope: str, key: str | None
) -> Submitted:
    who = caller()
    return service.submit(
        Submission(
            account=who.account, project=project, operation=wanted, payload=payload, scope=scope, key=key,
            requested_by=who.name, request_id=g.request_id,
        )
    )  # fmt: skip


def _about_this_body(refusal: ServiceFailure) -> ServiceFailure:
    """Return a refusal of the operation's input with its fields where this endpoint's body has them."""
    told = [{**error, "field": error["field"].removeprefix("/payload")} for error in refusal.errors]
    found = refusal.failure
    return ServiceFailure(
        found.code, found.message, hints=found.hints, details=found.details, errors=told,
        headers=refusal.headers,
    )  # fmt: skip


def _publication_there(project: Project, post: BlogPost, target: int | str | None) -> Publication | None:
    """Return the publication of a post that is at the target already. Raises PUBLISH_TARGET_MISSING."""
    if post.status == "publishing":
        return None
    return publish_blog_post.already_published(post, choose_target(project, target))


def _failed(told: Mapping[str, Any]) -> Failure:
    code = told["code"]
    dropped = set(CATALOGUE[code].next_actions) - set(told["next_actions"])
    return failure(
        code, told["message"], hints=told["remediation_hints"], without=dropped, details=told["details"]
    )
