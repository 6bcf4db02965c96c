"""Posts as files to download."""

from flask.typing import ResponseReturnValue

from app.content.model import BlogPost
from app.dashboard.ui.blueprint import dashboard_blueprint
from app.failures import ServiceFailure
from app.infra.conditional import send_file
from app.projects.model import Project
from app.publishing.export import FORMATS, export_of, html_of

blueprint = dashboard_blueprint("exports", "/projects/<row:project_id>/posts/<row:post_id>/export")


@blueprint.get("/text")
def text(project: Project, post: BlogPost) -> ResponseReturnValue:
    """Show the HTML of a post's text, to be copied; it contains the images."""
    export = html_of(post)
    return send_file(export.etag, export.media_type, export.write)


@blueprint.get("/<form>")
def download(project: Project, post: BlogPost, form: str) -> ResponseReturnValue:
    if form not in FORMATS:
        raise ServiceFailure("NOT_FOUND")
    export = export_of(post, form)
    response = send_file(export.etag, export.media_type, export.write)
    response.headers["Content-Disposition"] = export.disposition
    return response
