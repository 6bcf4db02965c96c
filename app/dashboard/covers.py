"""The cover image of a post: show, upload, describe and reset it."""

from functools import partial
from typing import ClassVar

from flask import redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.datastructures import FileStorage
from wtforms import FileField, StringField

from app.content.assembly.pictures import MEDIA_TYPES, MOST_BYTES
from app.content.model import BlogPost
from app.content.posts import covers
from app.dashboard.forms.base import PageForm, form_page, is_done
from app.dashboard.forms.upload import allow_files
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.toasts import say
from app.infra.conditional import send_bytes
from app.projects.model import Project

blueprint = dashboard_blueprint("covers", "/projects/<row:project_id>/posts/<row:post_id>/cover")
blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "covers.edit"))


class CoverForm(PageForm):
    places: ClassVar[dict[str, str]] = {"": "picture"}

    picture = FileField(
        "Another picture",
        description="PNG, JPEG or WebP, at most 5 MB; 1200 x 630 pixels are best. "
        "Metadata such as the location is removed.",
        render_kw={"accept": ",".join(MEDIA_TYPES)},
    )
    alt = StringField(
        "What it shows",
        description="Read aloud to those who do not see it. Left empty, it is the post's title.",
        render_kw={"maxlength": covers.MOST_ALT},
    )


@blueprint.get("/image")
def image(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Send the picture, smaller with ``size=preview``."""
    cover, load = covers.cover_facts(post), covers.browser_bytes
    if request.args.get("size") == "preview":
        load = covers.preview_bytes
    return send_bytes(cover.etag, covers.browser_media_type(cover), partial(load, post))


@blueprint.route("", methods=["GET", "POST"])
def edit(project: Project, post: BlogPost) -> ResponseReturnValue:
    cover = covers.cover_facts(post)
    form = CoverForm(request.form, data={"alt": cover.alt if cover.alt != post.title else ""})
    if is_done(form, lambda: _saved(post, form.alt.data)):
        say("Cover saved.")
        return redirect(url_for("posts.show", project_id=project.id, post_id=post.id))
    return form_page("posts/cover.html", form, cover=cover)


@blueprint.post("/generated")
def go_back(project: Project, post: BlogPost) -> ResponseReturnValue:
    covers.remove_cover(post)
    say("The generated cover is back.")
    return redirect(url_for("posts.show", project_id=project.id, post_id=post.id))


def _saved(post: BlogPost, alt: str | None) -> BlogPost:
    picture: FileStorage | None = request.files.get("picture")
    if picture is None or not picture.filename:
        covers.describe_cover(post, alt)
    else:
        covers.upload_cover(post, picture.stream.read(), picture.mimetype, alt)
    return post
