"""The documents of a project's sitemap: list."""

from typing import Any

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource
from app.api.http.fields import Out, QueryBoolean, Time, nullable
from app.api.http.pagination import PageQuery, list_schema, listed
from app.infra.inputs import shared
from app.pages.sync.sitemap_files import list_files
from app.projects.model import Project

blueprint = Resource(
    "Sitemap",
    "/projects/<id:project_id>/sitemap/files",
    "The documents of the project's sitemap, as the last sync met them.",
    scope="pages",
)


class SitemapFileErrorOut(Out):
    code = fields.String(metadata={"example": "UNREACHABLE"})
    message = fields.String()


class SitemapFileOut(Out):
    """A document of the sitemap, in the order of reading: the first is the sitemap itself."""

    url = fields.String(metadata={"format": "uri"})
    urls = fields.Integer(metadata={"description": "How many pages it lists."})
    sitemaps = fields.Integer(metadata={"description": "How many sitemaps it lists."})
    invalid = fields.Integer(metadata={"description": "How many of its entries have no usable URL."})
    read_at = Time(allow_none=True, metadata={"description": "When it was last read as a whole."})
    error = nullable(SitemapFileErrorOut)


class SitemapFileQuery(PageQuery):
    failed = QueryBoolean(
        metadata={"description": "Only documents that the last sync did not read as a whole, or only others."}
    )


SitemapFilesAnswer = list_schema("SitemapFilesAnswer", files=SitemapFileOut)


@blueprint.operation("GET", "", query=SitemapFileQuery, gives={200: SitemapFilesAnswer})
def list_sitemap_files(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the documents of the project's sitemap."""
    rows, total = list_files(project, query["page"], query["page_size"], failed=query.get("failed"))
    return listed("files", [shared(SitemapFileOut).dump(row) for row in rows], query, total)
