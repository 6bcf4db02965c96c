"""Blog posts as files to download."""

from typing import Any

from flask.typing import ResponseReturnValue

from app.api.blog_posts import blueprint
from app.content.posts.service import get_post
from app.infra.conditional import send_file
from app.infra.inputs import Choice, Input
from app.projects.model import Project
from app.publishing.export import FORMATS, export_of


class ExportQuery(Input):
    format = Choice(
        FORMATS,
        required=True,
        metadata={
            "description": "`markdown` has front matter, `html` is a complete document, `json` has what "
            "publish targets get, `zip` has all three and the images.",
            "example": "markdown",
        },
    )


@blueprint.operation(
    "GET",
    "/<id:blog_post_id>/export",
    query=ExportQuery,
    gives={200: "*/*"},
    fails=("IMAGE_STORAGE_FAILED",),
)
def export_blog_post(project: Project, blog_post_id: int, query: dict[str, Any]) -> ResponseReturnValue:
    """Download a blog post as a file."""
    export = export_of(get_post(project, blog_post_id), query["format"])
    response = send_file(export.etag, export.media_type, export.write)
    response.headers["Content-Disposition"] = export.disposition
    return response
