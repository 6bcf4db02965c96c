"""Blog posts: generate, list, read, publish."""

from collections.abc import Mapping
from typing import Any, Final

from flask.typing import ResponseReturnValue
from marshmallow import RAISE, fields

from app.api import jobs
from app.api.http import errors, parsing
from app.api.http.auth import caller
from app.api.http.contract import Resource, Takes, success
from app.api.http.fields import QueryBoolean, nullable
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import success_schema
from app.api.jobs import JobOut
from app.api.post_schemas import STATUSES, PostOut
from app.api.posts import present, present_all
from app.content.model import BlogPost
from app.content.posts import service as content
from app.content.posts.service import PostFilter
from app.executions.queries import get_job
from app.executions.states import Status
from app.failures import ServiceFailure
from app.infra.inputs import Choice
from app.operations import generate_blog_post, publish_blog_post, unpublish_blog_post
from app.operations.base import Operation
from app.projects.model import Project
from app.projects.service import get_project
from app.publishing.model import Publication
from app.publishing.service import get_target

blueprint = Resource(
    "Blog Posts",
    "/projects/<id:project_id>/blog-posts",
    "Blog posts: drafts until they are published.",
    scope="posts",
)

PUBLISH_WAIT: Final = 20
"""How many seconds publishing waits for its job before it returns 202."""

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
    "in": "header",
    "name": "Prefer",
    "required": False,
    "schema": {"type": "string"},
    "example": "wait=10",
    "description": "`wait=N` waits up to N seconds (at most 25) for the post.",
}


class PublishIn(publish_blog_post.OPERATION.schema):  # type: ignore[misc,name-defined]
    """Where to publish a post: the operation's input without the id of the post."""

    class Meta:
        unknown = RAISE
        exclude = ("blog_post_id",)


class UnpublishIn(unpublish_blog_post.OPERATION.schema):  # type: ignore[misc,name-defined]
    """Where to unpublish a post: the operation's input without the id of the post."""

    class Meta:
        unknown = RAISE
        exclude = ("blog_post_id",)


PostAnswer = success_schema("PostAnswer", post=fields.Nested(PostOut))


class PostQuery(PageQuery):
    status = Choice(STATUSES)
    include_content = QueryBoolean(load_default=False)


PostsAnswer = list_schema("PostsAnswer", posts=PostOut)


PostGenerated = success_schema(
    "PostGenerated", job=fields.Nested(JobOut), post=nullable(PostOut), created=fields.Boolean()
)


PostPublished = success_schema("PostPublished", post=fields.Nested(PostOut), job=nullable(JobOut))


PublishQueued = success_schema("PublishQueued", job=fields.Nested(JobOut))


@blueprint.operation(
    "POST",
    "/generate",
    key="optional",
    headers=(_PREFER,),
    takes=Takes(generate_blog_post.OPERATION.schema, EXAMPLE, optional=True),
    gives={202: PostGenerated, 201: PostGenerated, 200: PostGenerated},
    fails=("QUOTA_EXCEEDED",),
)
def generate_blog_post_(project: Project, key: str | None, body: dict[str, Any]) -> ResponseReturnValue:
    """Generate a blog post from the project's own pages. An empty body works."""
    try:
        submitted = jobs.submit(
            project, generate_blog_post.OPERATION, body, key, scope=f"generate:{project.id}"
        )
    except ServiceFailure as error:
        raise _at_top_level(error) from None
    job, created, replayed = submitted.job, submitted.created, submitted.replayed
    headers = jobs.headers(submitted)
    seconds = parsing.preferred_wait()
    if seconds:
        headers["Preference-Applied"] = f"wait={seconds}"
        job = jobs.wait_for_job(job.id, seconds)
    # Without Prefer the status is 202, however fast a worker was.
    with_post = (seconds or replayed) and job.status == Status.SUCCEEDED
    post = content.post_of_job(job.id) if with_post else None
    shown = present(get_project(caller().account_id, job.project_id), post) if post else None
    status = 200 if replayed else 201 if post else 202
    return success({"job": jobs.present(job), "post": shown, "created": created}, status, headers)


@blueprint.operation("GET", "", query=PostQuery, gives={200: PostsAnswer})
def list_blog_posts(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the project's blog posts."""
    where = PostFilter(status=query.get("status"))
    rows, total = content.list_posts(project, where, query["page"], query["page_size"])
    return listed("posts", present_all(project, rows, with_content=query["include_content"]), query, total)


@blueprint.operation("GET", "/<id:blog_post_id>", gives={200: PostAnswer})
def get_blog_post(project: Project, blog_post_id: int) -> ResponseReturnValue:
    """Read one blog post."""
    return success({"post": present(project, content.get_post(project, blog_post_id))})


@blueprint.operation(
    "POST",
    "/<id:blog_post_id>/publish",
    takes=Takes(PublishIn, {}, optional=True),
    gives={200: PostPublished, 202: PublishQueued},
    fails=(
        "PUBLISH_IN_PROGRESS",
        "PUBLISH_TARGET_MISSING",
        "PUBLISH_TARGET_REQUIRED",
        "PUBLISH_QUALITY_GATE_BLOCKED",
        "PUBLISH_REJECTED",
        "PUBLISH_UNCLEAR",
        "PUBLISH_ENDPOINT_FAILED",
        "TARGET_AUTH",
        "TARGET_CLOCK_DIFFERS",
        "TARGET_RATE_LIMITED",
        "TARGET_FORBIDDEN",
        "TARGET_API_NOT_FOUND",
        "TARGET_SLUG_TAKEN",
        "TARGET_POST_EDITED",
        "IMAGE_STORAGE_FAILED",
        "EXECUTION_FAILED",
        "WORKER_LOST",
        "PUBLISH_TIMEOUT",
    ),
)
def publish_blog_post_(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Publish a post and wait up to 20 s. A post that is live already is returned unchanged."""
    post = content.get_post(project, blog_post_id)
    live = _live_publication(project, post, body)
    if live is not None:
        job = get_job(caller().account_id, live.job_id) if live.job_id else None
        return success({"post": present(project, post), "job": jobs.present(job) if job else None})
    payload = {**body, "blog_post_id": blog_post_id}
    return _wait_for(project, publish_blog_post.OPERATION, payload)


@blueprint.operation(
    "POST",
    "/<id:blog_post_id>/unpublish",
    takes=Takes(UnpublishIn, {}, optional=True),
    gives={200: PostPublished, 202: PublishQueued},
    fails=(
        "PUBLISH_IN_PROGRESS",
        "PUBLISH_TARGET_MISSING",
        "PUBLISH_TARGET_REQUIRED",
        "UNPUBLISH_NOT_SUPPORTED",
        "UNPUBLISH_NOT_CONFIRMED",
        "PUBLISH_REJECTED",
        "PUBLISH_UNCLEAR",
        "PUBLISH_ENDPOINT_FAILED",
        "PUBLISH_TIMEOUT",
        "TARGET_AUTH",
        "TARGET_CLOCK_DIFFERS",
        "TARGET_FORBIDDEN",
        "TARGET_RATE_LIMITED",
        "EXECUTION_FAILED",
        "WORKER_LOST",
    ),
)
def unpublish_blog_post_(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Hide a post from the readers of a target, and wait up to 20 s.

    The target is asked whether it still shows the post. A post that is not live there is returned unchanged.
    """
    return _wait_for(project, unpublish_blog_post.OPERATION, {**body, "blog_post_id": blog_post_id})


def _wait_for(project: Project, operation: Operation, payload: Mapping[str, Any]) -> ResponseReturnValue:
    try:
        submitted = jobs.submit(project, operation, payload)
    except ServiceFailure as error:
        raise _at_top_level(error) from None
    job = jobs.wait_for_job(submitted.job.id, PUBLISH_WAIT)
    headers = jobs.headers(submitted)
    if job.status == Status.SUCCEEDED:
        project = get_project(caller().account_id, job.project_id)
        post = content.get_post(project, payload["blog_post_id"])
        return success({"post": present(project, post), "job": jobs.present(job)}, 200, headers)
    if job.failure is None or job.status != Status.FAILED:
        return success({"job": jobs.present(job)}, 202, headers)
    return errors.respond(job.failure, headers=headers)


def _at_top_level(error: ServiceFailure) -> ServiceFailure:
    error.errors = tuple({**each, "field": each["field"].removeprefix("/payload")} for each in error.errors)
    return error


def _live_publication(project: Project, post: BlogPost, body: Mapping[str, Any]) -> Publication | None:
    if post.status == "publishing":
        return None
    target = get_target(project.id, body["target"])
    visibility = publish_blog_post.visibility_of(body, target)
    return publish_blog_post.already_published(post, target, visibility)
