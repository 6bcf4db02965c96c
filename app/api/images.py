"""The images that the texts of a project's posts show: list, add, read, describe and remove them."""

from functools import partial
from typing import Any, Final

from flask import request
from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.auth import caller
from app.api.http.contract import Resource, Takes, TakesFile, success
from app.api.http.fields import Id, Out, Time, shown
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import success_schema
from app.content.assembly.pictures import MEDIA_TYPES, MOST_BYTES
from app.content.model import ProjectImage
from app.content.posts import images
from app.content.rendering.images import image_markdown
from app.infra.conditional import send_bytes
from app.infra.inputs import Choice, Input, Text
from app.projects.model import Project

blueprint = Resource(
    "Images",
    "/projects/<id:project_id>/images",
    "The images that the texts of a project's posts show.",
    scope="posts",
)

_SHOWS: Final = "What the picture shows, for those who do not see it."


class ImageOut(Out):
    id = Id(metadata={"example": 12})
    project_id = Id(metadata={"example": 1})
    url = fields.String(metadata={"description": "The address of the picture; it requires the API key."})
    markdown = fields.String(
        metadata={"description": "What shows it in a text.", "example": "![A red bicycle](image:12)"}
    )
    alt = fields.String(metadata={"description": _SHOWS})
    file_name = fields.String(metadata={"description": "The name of the uploaded file."})
    media_type = Choice(MEDIA_TYPES)
    width = fields.Integer(metadata={"example": 1600})
    height = fields.Integer(metadata={"example": 900})
    size = fields.Integer(metadata={"description": "In bytes.", "example": 184000})
    content_hash = fields.String(metadata={"description": "The SHA-256 of the picture."})
    added_by = fields.String(metadata={"description": "Who added it; empty if nobody is known."})
    created_at = Time()


class NewImageQuery(Input):
    alt = Text(least=0, most=images.MOST_ALT, metadata={"description": _SHOWS, "example": "A red bicycle"})
    file_name = Text(
        least=0,
        most=images.MOST_FILE_NAME,
        metadata={
            "description": "The file's name; publish targets get a similar one.",
            "example": "bike.jpg",
        },
    )


class ImagePatch(Input):
    alt = Text(
        least=0,
        most=images.MOST_ALT,
        required=True,
        allow_none=True,
        metadata={"description": f"{_SHOWS} null for none.", "example": "A red bicycle"},
    )


ImageAnswer = success_schema("ImageAnswer", image=fields.Nested(ImageOut))
ImageAdded = success_schema("ImageAdded", image=fields.Nested(ImageOut), created=fields.Boolean())
ImagesAnswer = list_schema("ImagesAnswer", images=ImageOut)


@blueprint.operation("GET", "", query=PageQuery, gives={200: ImagesAnswer})
def list_images(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the project's images, newest first."""
    rows, total = images.list_images(project, query["page"], query["page_size"])
    return listed("images", [present(row) for row in rows], query, total)


@blueprint.operation(
    "POST",
    "",
    takes=TakesFile(tuple(MEDIA_TYPES), MOST_BYTES),
    query=NewImageQuery,
    gives={201: ImageAdded, 200: ImageAdded},
    fails=("LIMIT_REACHED", "IMAGE_STORAGE_FAILED"),
)
def add_image(project: Project, body: bytes, query: dict[str, Any]) -> ResponseReturnValue:
    """Add a PNG, JPEG or WebP picture of at most 5 MB. One that the project has is returned unchanged."""
    image, created = images.add_image(
        project,
        body,
        request.mimetype,
        alt=query.get("alt"),
        file_name=query.get("file_name"),
        by=caller().name,
    )
    location = f"/public-api/projects/{image.project_id}/images/{image.id}"
    members = {"image": present(image), "created": created}
    return success(members, 201 if created else 200, {"Location": location})


@blueprint.operation("GET", "/<id:image_id>", gives={200: ImageAnswer})
def get_image(project: Project, image_id: int) -> ResponseReturnValue:
    """Read what is known of an image."""
    return success({"image": present(images.get_image(project, image_id))})


@blueprint.operation("GET", "/<id:image_id>/file", gives={200: "image/*"}, fails=("IMAGE_STORAGE_FAILED",))
def get_image_file(project: Project, image_id: int) -> ResponseReturnValue:
    """Read the picture of an image."""
    image = images.get_image(project, image_id)
    return send_bytes(image.content_hash, image.media_type, partial(images.image_bytes, image))


@blueprint.operation("PATCH", "/<id:image_id>", takes=Takes(ImagePatch), gives={200: ImageAnswer})
def describe_image(project: Project, image_id: int, body: dict[str, Any]) -> ResponseReturnValue:
    """Change the alt text of an image. Texts that show it already keep theirs."""
    image = images.get_image(project, image_id)
    images.describe_image(image, body["alt"])
    return success({"image": present(image)})


@blueprint.operation("DELETE", "/<id:image_id>", gives={200: ImageAnswer}, fails=("IMAGE_IN_USE",))
def delete_image(project: Project, image_id: int) -> ResponseReturnValue:
    """Remove an image that no post shows."""
    image = images.get_image(project, image_id)
    removed = present(image)
    images.remove_image(image)
    return success({"image": removed})


def present(image: ProjectImage) -> dict[str, Any]:
    computed = {
        "url": images.file_address(image.project_id, image.id),
        "markdown": image_markdown(image.alt, image.id),
    }
    return shown(ImageOut, image, computed)
