"""Search performance: the imported periods, their figures and what they suggest."""

from typing import Any, Final

from flask.typing import ResponseReturnValue
from marshmallow import fields

from app.api.http.contract import Resource, success
from app.api.http.fields import Id, Out, Time
from app.api.http.pagination import PageQuery, list_schema, listed
from app.api.http.schemas import success_schema
from app.infra.inputs import Choice, Text, shared
from app.projects.model import Project
from app.search_performance import service
from app.search_performance.model import SHOWN
from app.search_performance.opportunities import WHYS, opportunities

blueprint = Resource(
    "Search Performance",
    "/projects/<id:project_id>",
    "How a project does in search, from exported or fetched figures.",
    scope="search",
)

_IMPORT: Final = "/search-imports/<id:import_id>"


class SearchImportOut(Out):
    id = Id(metadata={"example": 1})
    project_id = Id(metadata={"example": 1})
    first_day = fields.Date(metadata={"example": "2026-02-01"})
    last_day = fields.Date(metadata={"example": "2026-04-30"})
    origin = Choice(SHOWN, metadata={"description": "file: imported; fetched: from Google Search Console."})
    source = fields.String(metadata={"description": "The name of the last file, or Google Search Console."})
    queries = fields.Integer(metadata={"description": "How many queries it has."})
    pages = fields.Integer(metadata={"description": "How many pages it has."})
    clicks = fields.Integer(
        metadata={"description": "Of its days if it was fetched, else of its pages, or queries."}
    )
    impressions = fields.Integer()
    created_at = Time()


class FiguresOut(Out):
    id = Id(metadata={"example": 1})
    clicks = fields.Integer()
    impressions = fields.Integer()
    position = fields.Float(
        allow_none=True, metadata={"description": "The average; null if the file had none."}
    )


class SearchQueryOut(FiguresOut):
    query = fields.String(metadata={"example": "content brief"})


class SearchPageOut(FiguresOut):
    url = fields.String(metadata={"format": "uri"})


class OpportunityOut(Out):
    """One thing to do: refresh the post if there is one, else write about the query."""

    why = Choice(
        WHYS,
        metadata={
            "description": "near_top: shown on the first two pages, not at the top. without_post: no post is "
            "about it. losing: a published post has fewer clicks than in the period before."
        },
    )
    query = fields.String(allow_none=True)
    blog_post_id = fields.Integer(attribute="post_id", allow_none=True)
    title = fields.String(allow_none=True, metadata={"description": "The title of the post."})
    clicks = fields.Integer()
    impressions = fields.Integer()
    position = fields.Float(allow_none=True)
    clicks_before = fields.Integer(
        allow_none=True,
        metadata={"description": "Of a losing post: its clicks in a period of this length before."},
    )


class FiguresQuery(PageQuery):
    q = Text(0, 200, allow_none=False, metadata={"description": "Only those that contain this."})
    order = Choice(
        service.ORDERS,
        load_default="impressions",
        metadata={"description": "Most impressions, most clicks, or the best position first."},
    )


class OpportunityQuery(PageQuery):
    why = Choice(WHYS, metadata={"description": "Only those of this kind."})


SearchImportAnswer = success_schema("SearchImportAnswer", search_import=fields.Nested(SearchImportOut))
SearchImportsAnswer = list_schema("SearchImportsAnswer", search_imports=SearchImportOut)
SearchQueriesAnswer = list_schema("SearchQueriesAnswer", queries=SearchQueryOut)
SearchPagesAnswer = list_schema("SearchPagesAnswer", pages=SearchPageOut)
OpportunitiesAnswer = list_schema("OpportunitiesAnswer", opportunities=OpportunityOut)


@blueprint.operation("GET", "/search-imports", query=PageQuery, gives={200: SearchImportsAnswer})
def list_search_imports(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List the imported periods, the latest first."""
    rows, total = service.list_imports(project, query["page"], query["page_size"])
    return listed("search_imports", shared(SearchImportOut).dump(rows, many=True), query, total)


@blueprint.operation("GET", _IMPORT, gives={200: SearchImportAnswer})
def get_search_import(project: Project, import_id: int) -> ResponseReturnValue:
    """Read an imported period."""
    return success({"search_import": shared(SearchImportOut).dump(service.get_import(project, import_id))})


@blueprint.operation("DELETE", _IMPORT, gives={200: SearchImportAnswer})
def delete_search_import(project: Project, import_id: int) -> ResponseReturnValue:
    """Delete an imported period with its queries and pages. Returns it as it was."""
    found = service.get_import(project, import_id)
    shown = shared(SearchImportOut).dump(found)
    service.delete_import(found)
    return success({"search_import": shown})


@blueprint.operation("GET", f"{_IMPORT}/queries", query=FiguresQuery, gives={200: SearchQueriesAnswer})
def list_search_queries(project: Project, import_id: int, query: dict[str, Any]) -> ResponseReturnValue:
    """List the queries of a period with their figures."""
    found = service.get_import(project, import_id)
    rows, total = service.list_queries(
        found, query["page"], query["page_size"], query.get("q"), query["order"]
    )
    return listed("queries", shared(SearchQueryOut).dump(rows, many=True), query, total)


@blueprint.operation("GET", f"{_IMPORT}/pages", query=FiguresQuery, gives={200: SearchPagesAnswer})
def list_search_pages(project: Project, import_id: int, query: dict[str, Any]) -> ResponseReturnValue:
    """List the pages of a period with their figures."""
    found = service.get_import(project, import_id)
    rows, total = service.list_pages(found, query["page"], query["page_size"], query.get("q"), query["order"])
    return listed("pages", shared(SearchPageOut).dump(rows, many=True), query, total)


@blueprint.operation("GET", "/search-opportunities", query=OpportunityQuery, gives={200: OpportunitiesAnswer})
def list_search_opportunities(project: Project, query: dict[str, Any]) -> ResponseReturnValue:
    """List what the latest period suggests: at most 50 of each kind, the most promising first."""
    latest, before = service.latest_imports(project)
    wanted = query.get("why")
    found = opportunities(project, latest, before) if latest else []
    found = [each for each in found if wanted in (None, each.why)]
    page, page_size = query["page"], query["page_size"]
    shown = found[(page - 1) * page_size : page * page_size]
    return listed("opportunities", shared(OpportunityOut).dump(shown, many=True), query, len(found))
