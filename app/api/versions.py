"""The versions of a blog post: each saved text."""

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.blog_posts import blueprint
from app.api.http.contract import success
from app.api.http.fields import Id, Out, Time
from app.api.http.schemas import success_schema
from app.content.posts.service import get_post
from app.content.posts.versions import WHY, get_version, list_versions
from app.infra.inputs import Choice, shared
from app.projects.model import Project


class VersionOut(Out):
    """A saved text of a post, without its content."""

    id = Id()
    version = fields.Integer(metadata={"description": "The post's version when the text was last saved."})
    why = Choice(
        WHY,
        metadata={
            "description": "What saved it. `set_aside` was typed but not saved, because someone else had "
            "changed the post."
        },
    )
    by = fields.String(metadata={"description": "Who saved it; empty if nobody is known."})
    title = fields.String()
    word_count = fields.Integer()
    saved_at = Time()


class VersionTextOut(VersionOut):
    meta_title = fields.String()
    description = fields.String()
    content = fields.String(metadata={"description": "The text as Markdown."})


VersionsAnswer = success_schema("VersionsAnswer", versions=fields.List(fields.Nested(VersionOut)))
VersionAnswer = success_schema("VersionAnswer", version=fields.Nested(VersionTextOut))


@blueprint.operation("GET", "/<id:blog_post_id>/versions", gives={200: VersionsAnswer})
def list_blog_post_versions(project: Project, blog_post_id: int) -> ResponseReturnValue:
    """List the saved texts of a post, newest first: at most 50."""
    versions = list_versions(get_post(project, blog_post_id))
    return success({"versions": shared(VersionOut).dump(versions, many=True)})


@blueprint.operation(
    "GET",
    "/<id:blog_post_id>/versions/<id:version_id>",
    gives={200: VersionAnswer},
    fails=("POST_VERSION_NOT_FOUND",),
)
def get_blog_post_version(project: Project, blog_post_id: int, version_id: int) -> ResponseReturnValue:
    """Read one saved text of a post."""
    kept = get_version(get_post(project, blog_post_id), version_id)
    return success({"version": shared(VersionTextOut).dump(kept)})
