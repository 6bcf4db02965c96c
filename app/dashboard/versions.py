"""The versions of a post: list, compare with the present text, bring back."""

from flask import redirect, render_template, request, url_for
from flask.typing import ResponseReturnValue
from wtforms import HiddenField

from app.content.model import BlogPost
from app.content.posts.comparing import compare_markdown
from app.content.posts.service import restore_version
from app.content.posts.versions import MOST_KEPT, get_version, list_versions
from app.dashboard.forms.base import PageForm, form_page, is_done
from app.dashboard.forms.writing import writer
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.dashboard.ui.query import row_id
from app.dashboard.ui.texts import WHY, differing_lines
from app.dashboard.ui.toasts import say
from app.projects.model import Project

blueprint = dashboard_blueprint("versions", "/projects/<row:project_id>/posts/<row:post_id>/versions")


class RestoreForm(PageForm):
    version = HiddenField()


@blueprint.get("")
def index(project: Project, post: BlogPost) -> ResponseReturnValue:
    return render_template("posts/versions.html", versions=list_versions(post), most_kept=MOST_KEPT, why=WHY)


@blueprint.route("/<row:version_id>", methods=["GET", "POST"])
def show(project: Project, post: BlogPost, version_id: int) -> ResponseReturnValue:
    """Compare a version with the present text; bring it back on request."""
    kept, form = get_version(post, version_id), RestoreForm(request.form)
    seen = row_id(form.version.data) or 0
    if is_done(form, lambda: restore_version(post, seen, version_id, writer())):
        say("The earlier version is back. The text before it is kept among the versions.")
        return redirect(url_for("posts.show", project_id=project.id, post_id=post.id))
    return form_page(
        "posts/version.html",
        form,
        kept=kept,
        why=WHY,
        lines=differing_lines(kept, post),
        text=compare_markdown(kept.content, post.content),
    )
