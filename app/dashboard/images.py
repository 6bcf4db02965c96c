"""The images that the texts of a project's posts show: list, send, add, describe and remove them."""

from collections.abc import Iterable
from functools import partial
from typing import ClassVar, Final

from flask import jsonify, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage
from wtforms import FileField, StringField

from app.content.assembly.pictures import MEDIA_TYPES, MOST_BYTES
from app.content.model import ProjectImage
from app.content.posts import images
from app.content.rendering.images import ImageAddress, image_markdown
from app.dashboard.forms.base import PageForm
from app.dashboard.forms.upload import allow_files
from app.dashboard.forms.writing import FORM_ID, writer
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.errors import json_refusal
from app.dashboard.ui.query import PAGE_SIZE, Pager, query_page
from app.dashboard.ui.toasts import say
from app.failures import ServiceFailure, invalid_field
from app.infra.conditional import send_bytes
from app.projects.model import Project

blueprint = dashboard_blueprint("images", "/projects/<row:project_id>/images")
blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "images.add"))

MOST_OFFERED: Final = 12


class PictureForm(PageForm):
    """A picture for the text, sent together with the text."""

    places: ClassVar[dict[str, str]] = {"": "picture"}

    picture = FileField(
        "File",
        description="PNG, JPEG or WebP, at most 5 MB.",
        render_kw={"accept": ",".join(MEDIA_TYPES), "form": FORM_ID},
    )
    alt = StringField(
        "What it shows",
        description="Read aloud to those who do not see it.",
        render_kw={"maxlength": images.MOST_ALT, "form": FORM_ID},
    )


def newest_images(project: Project) -> list[tuple[ProjectImage, str]]:
    """Return the newest pictures of a project, to be chosen from, each with the Markdown that shows it."""
    return _with_markdown(images.list_images(project, 1, MOST_OFFERED)[0])


def image_address(project: Project) -> ImageAddress:
    """Return where the dashboard shows the stored images of a project's texts."""
    return lambda image_id: url_for("images.show", project_id=project.id, image_id=image_id)


def added_image(project: Project) -> str:
    """Add the posted picture; return Markdown that shows it. Raises INVALID_REQUEST, and as ``add_image``."""
    picture: FileStorage | None = request.files.get("picture")
    if picture is None or not picture.filename:
        raise invalid_field("/picture", "Choose a file.")
    alt, name = request.form.get("alt", ""), picture.filename[-images.MOST_FILE_NAME :]
    data = picture.stream.read(MOST_BYTES + 1)
    image, _ = images.add_image(project, data, picture.mimetype, alt=alt, file_name=name, by=writer())
    return image_markdown(" ".join(alt.split()), image.id)


@blueprint.get("")
def index(project: Project) -> ResponseReturnValue:
    page = query_page()
    rows, total = images.list_images(project, page, PAGE_SIZE)
    return render_template(
        "images/index.html",
        images=_with_markdown(rows),
        shown_by=images.posts_by_image(project.id, [row.id for row in rows]),
        pager=Pager(page, total),
        most_alt=images.MOST_ALT,
    )


@blueprint.post("/<row:image_id>/describe")
def describe(project: Project, image_id: int) -> ResponseReturnValue:
    """Change what a picture is said to show; the page of the list stays."""
    images.describe_image(images.get_image(project, image_id), request.form.get("alt"))
    say("Description saved.")
    return redirect(url_for("images.index", project_id=project.id, page=query_page(), _anchor=f"p{image_id}"))


@blueprint.post("/<row:image_id>/remove")
def remove(project: Project, image_id: int) -> ResponseReturnValue:
    images.remove_image(images.get_image(project, image_id))
    say("Picture removed.")
    return redirect(url_for("images.index", project_id=project.id))


@blueprint.get("/<row:image_id>")
def show(project: Project, image_id: int) -> ResponseReturnValue:
    image = images.get_image(project, image_id)
    return send_bytes(image.content_hash, image.media_type, partial(images.image_bytes, image))


@blueprint.post("")
def add(project: Project) -> ResponseReturnValue:
    try:
        markdown = added_image(project)
    except ServiceFailure as error:
        return json_refusal(error)
    return jsonify(markdown=markdown), 201


def _with_markdown(rows: Iterable[ProjectImage]) -> list[tuple[ProjectImage, str]]:
    return [(image, image_markdown(image.alt, image.id)) for image in rows]
