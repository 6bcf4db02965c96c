"""The editor of a post: the form, and what its script asks for while somebody writes.

Without JavaScript the form alone does everything: it saves, previews and checks, and shows a conflict.
"""

from typing import Any, Final

from flask import Response, jsonify, make_response, redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf.csrf import generate_csrf
from markupsafe import Markup

from app.content.assembly.pictures import MOST_BYTES
from app.content.drafts import QualityReport
from app.content.model import BlogPost
from app.content.posts.checking import quality_of, quality_with
from app.content.posts.comparing import compare_markdown
from app.content.posts.covers import cover_facts
from app.content.posts.slugs import follows_title, made_from
from app.content.posts.versions import list_versions, set_aside
from app.content.rendering.html import render_html
from app.dashboard.forms.base import is_done, submitted
from app.dashboard.forms.page_picker import MOST_FOUND
from app.dashboard.forms.upload import allow_files
from app.dashboard.forms.writing import FORM_ID, EditForm, writer
from app.dashboard.images import PictureForm, added_image, image_address, newest_images
from app.dashboard.ui.blueprint import PREVIEW_POLICY, dashboard_blueprint
from app.dashboard.ui.errors import json_refusal
from app.dashboard.ui.query import query_text
from app.dashboard.ui.responses import render_part
from app.dashboard.ui.texts import FOLLOWS, WHY, article, differing_lines
from app.dashboard.ui.toasts import say
from app.dashboard.ui.verdicts import shown_verdict
from app.dashboard.ui.zones import local_clock
from app.failures import ServiceFailure
from app.language.words import reading_minutes
from app.pages.lookup import find_pages
from app.projects.model import Project

blueprint = dashboard_blueprint("writing", "/projects/<row:project_id>/posts/<row:post_id>/edit")
blueprint.url_value_preprocessor(allow_files(MOST_BYTES, "writing.add_picture"))

_LATEST_VERSIONS: Final = 3


def edit_page(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Show the editor, and save; ``slug`` in the query suggests another one.

    The posted ``do`` is empty to save, ``look`` to preview and check what was typed, ``along`` to make the
    address and the title in search from the title, or ``theirs`` to set all aside and keep the saved text.
    Saving an outdated version shows both texts.
    """
    form = EditForm(request.form, obj=post)
    if request.method == "GET" and query_text("slug"):
        form.slug.data = query_text("slug")
    do = request.form.get("do")
    if do == "theirs":
        return _keep_theirs(post, form)
    if do == "look":
        return _room(project, post, form, preview=_safe(project, form))
    if do == "along":
        form.put(made_from(project, post, form.changes()["title"]))
        return _room(project, post, form)
    if is_done(form, lambda: form.save(post)):
        say("Saved.")
        return redirect(url_for("posts.show", project_id=project.id, post_id=post.id))
    return _room(project, post, form)


@blueprint.post("/save")
def save(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Save what is in the editor; return the new version and the time, or why it was not saved."""
    form = EditForm(request.form)
    if not form.validate():
        messages = [str(message) for field in form for message in field.errors]
        return jsonify(message=" ".join(messages)), 422
    try:
        saved = form.save(post, why="autosaved")
    except ServiceFailure as error:
        return json_refusal(error)
    return jsonify(version=saved.version, at=local_clock(saved.updated_at))


@blueprint.post("/along")
def along(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Return the end of the address and the title in search that the typed title makes; nothing is saved."""
    return jsonify(made_from(project, post, EditForm(request.form).changes()["title"]))


@blueprint.post("/check")
def check(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Return the checks of what is in the editor, as a part of the page; nothing is saved."""
    return render_part("posts/_live_checks.html", **_checked(_typed_quality(post, EditForm(request.form))))


@blueprint.post("/preview")
def preview(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Return the text as readers will see it, as a part of the page."""
    return str(_safe(project, EditForm(request.form)))


@blueprint.get("/token")
def token(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Return a token for the form: the old one ends when somebody signs in again."""
    return jsonify(token=generate_csrf())


@blueprint.get("/pages")
def pages(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Return the pages of the site that have the words ``q``, to be linked."""
    found = find_pages(project, query_text("q"), MOST_FOUND)
    return render_part("posts/_linkable.html", pages=found, query=query_text("q"))


@blueprint.route("/picture", methods=["GET", "POST"])
def add_picture(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Add a picture, and show the editor again with what was typed and with what shows the picture."""
    if request.method == "GET":
        return redirect(url_for("posts.edit", project_id=project.id, post_id=post.id))
    picture = PictureForm(request.form)
    reference = submitted(picture, lambda: added_image(project))
    form = EditForm(request.form, obj=post)
    return _room(project, post, form, picture=None if reference else picture, reference=reference)


def _room(
    project: Project,
    post: BlogPost,
    form: EditForm,
    preview: Markup | None = None,
    picture: PictureForm | None = None,
    reference: str | None = None,
) -> ResponseReturnValue:
    conflict = bool(form.version.errors)
    quality = _typed_quality(post, form) if request.method == "POST" else quality_of(post)
    page = render_template(
        "posts/edit.html",
        form=form,
        form_id=FORM_ID,
        cover=cover_facts(post),
        preview=preview,
        picture=picture or PictureForm(),
        reference=reference,
        offered=newest_images(project),
        follows=FOLLOWS.get(follows_title(post)),
        versions=list_versions(post, _LATEST_VERSIONS),
        difference=_difference(post, form) if conflict else None,
        why=WHY,
        unsaved=request.method == "POST",
        **_checked(quality),
    )
    answer: Response = make_response(page, max(form.status, picture.status if picture else 0))
    answer.headers["Content-Security-Policy"] = PREVIEW_POLICY
    return answer


def _checked(quality: QualityReport) -> dict[str, Any]:
    words = int(quality.metrics["words"])
    return {"verdict": shown_verdict(quality), "words": words, "minutes": reading_minutes(words)}


def _typed_quality(post: BlogPost, form: EditForm) -> QualityReport:
    typed = form.changes()
    edited = any(getattr(post, name) != text for name, text in typed.items() if name != "slug")
    return quality_with(post, {**typed, "edited_at": post.updated_at} if edited else typed)


def _difference(post: BlogPost, form: EditForm) -> dict[str, Any]:
    typed = form.changes()
    return {"lines": differing_lines(post, typed), "text": compare_markdown(post.content, typed["content"])}


def _keep_theirs(post: BlogPost, form: EditForm) -> ResponseReturnValue:
    words = int(_typed_quality(post, form).metrics["words"])
    set_aside(post, form.changes(), writer(), words)
    say("The saved text stays. Yours is kept among the versions.")
    return redirect(url_for("posts.edit", project_id=post.project_id, post_id=post.id))


def _safe(project: Project, form: EditForm) -> Markup:
    return article(render_html(form.changes()["content"], image_address(project)))
