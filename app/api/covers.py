"""The cover image of a blog post: read, upload, describe and delete it."""

from functools import partial
from typing import Any, Final

from flask import request
from flask.typing import ResponseReturnValue

from app.api.blog_posts import PostAnswer, blueprint
from app.api.http.contract import Takes, TakesFile, success
from app.api.posts import present
from app.content.assembly.pictures import MEDIA_TYPES, MOST_BYTES
from app.content.posts import covers
from app.content.posts.service import get_post
from app.infra.conditional import send_bytes
from app.infra.inputs import Input, Text
from app.projects.model import Project

_COVER: Final = "/<id:blog_post_id>/cover"
_REFUSED: Final = ("POST_CHANGED", "PUBLISH_IN_PROGRESS")


class CoverPatch(Input):
    alt = Text(
        least=0,
        most=covers.MOST_ALT,
        required=True,
        allow_none=True,
        metadata={
            "description": "What the picture shows; null for the post's title.",
            "example": "A bicycle under a tarpaulin in the snow",
        },
    )


@blueprint.operation("GET", _COVER, gives={200: "image/*"}, fails=("IMAGE_STORAGE_FAILED",))
def get_cover(project: Project, blog_post_id: int) -> ResponseReturnValue:
    """Read the picture, uploaded or generated."""
    post = get_post(project, blog_post_id)
    cover = covers.cover_facts(post)
    return send_bytes(cover.etag, cover.media_type, partial(covers.cover_bytes, post))


@blueprint.operation(
    "PUT",
    _COVER,
    takes=TakesFile(tuple(MEDIA_TYPES), MOST_BYTES),
    gives={200: PostAnswer},
    fails=(*_REFUSED, "IMAGE_STORAGE_FAILED"),
)
def upload_cover(project: Project, blog_post_id: int, body: bytes) -> ResponseReturnValue:
    """Replace the cover with a PNG, JPEG or WebP picture of at most 5 MB. Its metadata is removed."""
    post = get_post(project, blog_post_id)
    covers.upload_cover(post, body, request.mimetype)
    return success({"post": present(project, post)})


@blueprint.operation(
    "PATCH",
    _COVER,
    takes=Takes(CoverPatch),
    gives={200: PostAnswer},
    fails=_REFUSED,
)
def describe_cover(project: Project, blog_post_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Change the alt text of an uploaded cover. A generated cover has the post's title."""
    post = get_post(project, blog_post_id)
    covers.describe_cover(post, body["alt"])
    return success({"post": present(project, post)})


@blueprint.operation("DELETE", _COVER, gives={200: PostAnswer}, fails=_REFUSED)
def delete_cover(project: Project, blog_post_id: int) -> ResponseReturnValue:
    """Restore the generated cover. Repeating it changes nothing."""
    post = get_post(project, blog_post_id)
    covers.remove_cover(post)
    return success({"post": present(project, post)})
